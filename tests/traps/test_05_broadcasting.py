"""Trap 5: a cotangent is summed over exactly the axes in which its operand was stretched, or which it lacks."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, numeric_grad, same
from transpiler.errors import UnsupportedFunction


def product(x, y):
    return np.sum(x * x * y + x / y)


def added(x, y):
    return np.sum((x + y) ** 3)


def maximum(x, y):
    return np.sum(np.maximum(x, y) * x)


def selected(x, y):
    return np.sum(np.where(x > y, x * x, y) * 2.0)


def with_a_new_axis(x, y):
    return np.sum(x[:, None] * y[None, :] ** 2)


def stretched_by_a_write(x, y):
    a = np.zeros((3, 4))
    a[...] = x
    a[1] = y
    a[:, 2] += x[0]
    return np.sum(a * a)


SHAPES = [((3, 1), (1, 4)), ((1,), (5,)), ((5,), (1,)), ((), (3,)), ((3,), ()), ((), ()), ((1, 1), (1, 1)), ((1, 1), (1,)),
          ((1,), (1,)), ((2, 1, 3), (4, 1)), ((2, 3), (3,)), ((1, 3), (2, 1))]


def draw(shape, seed):
    values = np.random.default_rng(seed).uniform(0.3, 1.7, shape)
    return values if shape else np.array(values)


@pytest.mark.parametrize('shapes', SHAPES, ids=str)
def test_shapes(mode, shapes):
    check(mode, product, draw(shapes[0], 1), draw(shapes[1], 2), argnums=(0, 1))


@pytest.mark.parametrize('shapes', SHAPES[:4], ids=str)
def test_shapes_of_a_selection(mode, shapes):
    check(mode, maximum, draw(shapes[0], 1), draw(shapes[1], 2), argnums=(0, 1))


@pytest.mark.parametrize('shapes', [((3, 1), (1, 4)), ((), (3,)), ((1,), (5,)), ((1, 1), (1,))], ids=str)
@pytest.mark.parametrize('f', [added, selected])
def test_second_order(mode, f, shapes):
    check(mode, f, draw(shapes[0], 1), draw(shapes[1], 2), argnums=(0, 1), order=2)


def test_a_number_against_an_array(mode):
    check(mode, product, 0.7, draw((3, 2), 1), argnums=(0, 1), order=2)
    check(mode, product, draw((3, 2), 1), 0.7, argnums=(1, 0))


@pytest.mark.parametrize('shapes', [((0,), (1,)), ((1,), (0,)), ((0, 3), (3,)), ((0, 3), (1, 3)), ((), (0,))], ids=str)
def test_empty(mode, shapes):
    x, y = draw(shapes[0], 1), draw(shapes[1], 2)
    value, gradients = mode(tp.value_and_grad(added, argnums=(0, 1)))(x, y)
    assert value == 0.0
    same(gradients, (np.zeros(shapes[0]), np.zeros(shapes[1])))


def test_new_axes(mode):
    check(mode, with_a_new_axis, draw((3,), 1), draw((4,), 2), argnums=(0, 1), order=2)


@pytest.mark.parametrize('shape', [(4,), (1,)])
def test_writes_stretch(mode, shape):
    check(mode, stretched_by_a_write, draw(shape, 1), draw(shape, 2), argnums=(0, 1))


def test_one_function_for_all_shapes(mode):
    """Sizes are not part of a specialisation, but which are 1 and which are equal is."""
    gradient = mode(tp.grad(added, argnums=(0, 1)))
    for shapes in [((3,), (3,)), ((1,), (3,)), ((3,), (1,)), ((5,), (5,)), ((1,), (1,)), ((0,), (0,)), ((0,), (1,))]:
        x, y = draw(shapes[0], 1), draw(shapes[1], 2)
        x_bar, y_bar = gradient(x, y)
        both = 3 * (x + y) ** 2
        same(x_bar, both if x.size == both.size else both.sum(keepdims=True))
        same(y_bar, both if y.size == both.size else both.sum(keepdims=True))


def of_different_sizes(x, y):
    return np.sum(x[:2] * y[:2]) + np.sum(x[1:-1] ** 2) * np.sum(np.outer(x, y) ** 2)


def test_sizes_that_were_equal_differ_at_the_next_call(mode):
    gradient = mode(tp.grad(of_different_sizes, argnums=(0, 1)))
    for sizes in [(4, 4), (4, 3), (2, 5), (2, 2), (3, 4)]:
        x, y = draw(sizes[:1], 1), draw(sizes[1:], 2)
        same(gradient(x, y), tuple(numeric_grad(of_different_sizes, (x, y), k) for k in (0, 1)))


SCALES = np.array([1.0, 2.0, 3.0])


def scaled(x):
    return np.sum(np.outer(x, SCALES) ** 2) + np.sum(SCALES) * np.sum(x)


def test_sizes_of_captured_arrays(mode, monkeypatch):
    gradient = mode(tp.grad(scaled))
    for size, scales in [(3, 3), (4, 3), (3, 3), (3, 4), (4, 1)]:
        monkeypatch.setitem(globals(), 'SCALES', np.arange(1.0, scales + 1))
        x = draw((size,), 1)
        same(gradient(x), numeric_grad(scaled, (x,)))


def only_for_three(x, y, positive):
    if x.size == 3:
        return np.sum(x ** 2 * np.array([1.0, 2.0, 3.0]))
    return np.sum(x * y) if positive > 0 else np.sum(x ** 2) + np.sum(y ** 2)


def test_a_branch_not_taken_demands_no_sizes(mode):
    gradient = mode(tp.grad(only_for_three))
    for sizes, positive in [((5, 4), -1.0), ((3, 4), 1.0), ((5, 5), 1.0), ((3, 3), -1.0)]:
        x, y = draw(sizes[:1], 1), draw(sizes[1:], 2)
        same(gradient(x, y, positive), numeric_grad(only_for_three, (x, y, positive)))


def inner(x, y):
    return np.dot(x[1:], y) + np.sum(x * np.ones(4))


def test_sizes_that_do_not_fit(mode):
    """The derivative by `y` reads neither `y` nor the ones, so nothing else would notice."""
    gradient = mode(tp.grad(inner, argnums=1))
    same(gradient(np.ones(4), np.ones(3)), np.ones(3))
    for sizes in [(4, 4), (4, 2), (5, 4)]:
        for called, errors in ((inner, ValueError), (gradient, (ValueError, UnsupportedFunction))):
            with pytest.raises(errors, match='could not be broadcast|not aligned'):
                called(np.ones(sizes[0]), np.ones(sizes[1]))


def by_size(x, y):
    if x.size == y.size:
        return np.sum(x * y)
    if len(x) - 1 >= len(y):
        return np.dot(x[1:], y) if len(x) - 1 == len(y) else np.sum(y)
    return np.sum(x ** 2) + np.sum(y)


def test_programs_that_look_at_sizes(mode):
    gradient = mode(tp.grad(by_size, argnums=(0, 1)))
    for sizes in [(4, 4), (4, 3), (4, 2), (3, 4), (3, 3)]:
        x, y = draw(sizes[:1], 1), draw(sizes[1:], 2)
        same(gradient(x, y), tuple(numeric_grad(by_size, (x, y), k) for k in (0, 1)))


def into_a_row(x):
    a = np.full((4, 3), 0.5).T
    a[-2] = x
    a[0, 1:] = 2.0 * x[..., :1]
    return np.sum(a * a * np.arange(12.0).reshape(3, 4)) + a[1, 0]


@pytest.mark.parametrize('shape', [(1, 4), (1, 1), (1, 1, 4), (4,)], ids=str)
def test_an_assignment_leaves_out_leading_axes_of_size_one(mode, shape):
    check(mode, into_a_row, draw(shape, 1), order=2)
    x = draw((3, *shape), 2)
    np.testing.assert_allclose(mode(tp.vmap(into_a_row))(x), [into_a_row(v) for v in x])


def test_other_leading_axes_do_not_fit(mode):
    with pytest.raises(ValueError, match='could not broadcast'):
        mode(tp.grad(into_a_row))(draw((2, 4), 1))
