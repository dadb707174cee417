"""Trap 40, writes through `ravel` and `reshape`: followed where items lie in C order, refused where that is not certain."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, PLAIN, check
from transpiler.errors import CompileError, UnsafeMutation

X = np.arange(12.0).reshape(3, 4) / 7 + 0.1
WEIGHTS = np.arange(4.0)
RAGGED = np.repeat(np.repeat(X, 2, 0), 2, 1)[::2, ::2]      # rows of which the items lie apart
OTHERS = [np.asfortranarray(X), RAGGED]


def into_a_copy(a):
    b = a.copy()
    c = b.ravel()
    c[::5] *= 2.0
    return np.sum(np.sin(b) * WEIGHTS)


def into_a_copy_of_its_transpose(a):
    b = a.T.copy()
    c = b.reshape(-1)
    c[::5] *= a[0, 1]
    return np.sum(np.sin(b.T) * WEIGHTS)


def made_contiguous(a):
    b = np.ascontiguousarray(2 * a.T)
    c = b.ravel()
    c[1:4] = c[0] * a[1, 1]
    return np.sum(b.T**2 * WEIGHTS)


def like_a_copy(a):
    b = a.copy()
    z = np.zeros_like(b)
    v = z.ravel()
    v[::5] = b.ravel()[::5] * 3
    return np.sum(z * z * WEIGHTS) + np.sum(b)


def told_to_lie_so(a):
    b = np.array(a.T, order='C')
    c = b.reshape(-1)
    z = np.zeros_like(b.T, order='C')
    c[::5] *= a[0, 1]
    z.ravel()[1:4] = c[2] ** 2
    return np.sum(np.sin(b.T + z) * WEIGHTS)


ALWAYS = [into_a_copy, into_a_copy_of_its_transpose, made_contiguous, like_a_copy, told_to_lie_so]


@pytest.mark.parametrize('f', ALWAYS, ids=lambda f: f.__name__)
def test_copies_are_in_c_order_whatever_they_are_made_of(f):
    check(PLAIN, f, X, order=2)
    for other in OTHERS:
        values, expected = tp.value_and_grad(f)(other), tp.value_and_grad(f)(X)
        assert values[0] == pytest.approx(f(other)) and np.allclose(values[1], expected[1])
        assert tp.jvp(f, (other,), (X,))[1] == pytest.approx(np.sum(expected[1] * X))


def into_the_argument(a):
    c = a.reshape(-1)
    c[3] = c[0] * c[1]
    return np.sum(np.sin(a) * WEIGHTS)


def into_a_product(a):
    b = a * 2
    c = b.reshape(2, 6)
    c[1] = b[0, :2].sum()
    return np.sum(b * c[1, 0] * WEIGHTS)


def into_what_a_part_gives(a):
    b = np.exp(a[:, 1:]) + a[::2, None, 1:3].sum()
    b.ravel()[::2] *= a[0, 0]
    return np.sum(b * b)


def into_a_copy_as_it_lies(a):
    b = np.copy(a)
    c = b.ravel()
    c[::5] *= 2.0
    return np.sum(np.sin(b) * WEIGHTS)


def cast_and_chosen(a):
    b = np.where(a > 0.5, a, 2.0 * a).astype(np.float64)
    c = b.ravel()
    c[::5] = c[1::5][:3] ** 2
    return np.sum(b * WEIGHTS)


AS_ARGUMENTS = [into_the_argument, into_a_product, into_what_a_part_gives, into_a_copy_as_it_lies, cast_and_chosen]


@pytest.mark.parametrize('f', AS_ARGUMENTS, ids=lambda f: f.__name__)
def test_how_arguments_lie_is_part_of_what_a_program_is_for(f):
    check(PLAIN, f, X, order=2)
    for other in OTHERS:
        with pytest.raises(UnsafeMutation, match='lies in C order, else a copy'):
            tp.grad(f)(other)
        with pytest.raises(UnsafeMutation, match='lies in C order, else a copy'):
            tp.jvp(f, (other,), (X,))
    assert '] in C order' in tp.grad(f).lower(X).source.splitlines()[0]


@pytest.mark.parametrize('f', [into_a_copy_of_its_transpose, into_what_a_part_gives, cast_and_chosen], ids=lambda f: f.__name__)
def test_they_are_compiled(f):
    check(JIT, f, X)


@pytest.mark.parametrize('f', AS_ARGUMENTS, ids=lambda f: f.__name__)
def test_compiled_code_never_makes_a_view_of_what_numpy_copies(f):
    """Arrays made of others keep their order in NumPy; all that compiled code makes is in C order."""
    for other in OTHERS:
        with pytest.raises(CompileError):
            tp.jit(f)(other)


@pytest.mark.parametrize('f', [*ALWAYS, *AS_ARGUMENTS], ids=lambda f: f.__name__)
@pytest.mark.parametrize('axis', [0, 1, 2])
def test_batches_leave_it_to_numpy(f, axis):
    for one in (X, *OTHERS):
        batch = np.moveaxis(np.stack([one, one + 1.0]), 0, axis)
        expected = [f(example) for example in np.moveaxis(batch.copy('K'), axis, 0)]
        assert np.allclose(tp.vmap(f, in_axes=axis)(batch), expected)


def test_a_turned_argument_has_a_program_of_its_own():
    derivative = tp.grad(into_a_copy_as_it_lies)
    expected = derivative(X)
    with pytest.raises(UnsafeMutation):
        derivative(X.T.copy().T)
    assert np.array_equal(derivative(X), expected)
    with pytest.raises(UnsafeMutation, match='that it does is not certain here'):
        tp.grad(into_a_copy_as_it_lies)(np.asfortranarray(X))


def test_captured_tables_are_looked_at_too():
    table = X.copy()

    def f(x):
        b = table * x
        b.ravel()[::5] = x
        return np.sum(b * b)

    derivative = tp.grad(f)
    assert derivative(2.0) == pytest.approx((f(2.0 + 1e-6) - f(2.0 - 1e-6)) / 2e-6)
    table = np.asfortranarray(X)
    with pytest.raises(UnsafeMutation, match='in C order'):
        derivative(2.0)


def shown_wide(x):
    y = x * 1.0
    wide = np.broadcast_to(y[:1], (3,))
    y[0] = x[1] ** 2
    return np.sum(wide)


def on_two_paths(x, flag):
    y = x if flag else x.copy()
    y[0] = x[1] ** 2
    return np.sum(x * y)


def test_refusals_say_what_is_in_the_way():
    with pytest.raises(UnsafeMutation, match='`np.broadcast_to` shows it'):
        tp.grad(shown_wide)(np.ones(3))
    with pytest.raises(UnsafeMutation, match='what `y` shows depends on the path'):
        tp.grad(on_two_paths)(np.ones(3), np.bool_(True))


def through_another_reshape(x):
    y = x.reshape(2, 6)
    z = y.reshape(12)
    z[0] = 8.0
    return y


def by_ravel(x):
    z = x.ravel()
    z[0] = 8.0
    return x


@pytest.mark.compiles
@pytest.mark.parametrize('f', [through_another_reshape, by_ravel])
def test_what_the_layout_of_an_argument_forbids_is_refused_in_words_of_the_program(f):
    """Numba knows the strides when it compiles: its refusal named the helper that asks for C order."""
    ordered = np.arange(12.0)
    np.testing.assert_array_equal(tp.jit(f)(ordered.copy()), f(ordered.copy()))
    with pytest.raises(CompileError, match='may show memory that is written to') as caught:
        tp.jit(f)(np.arange(24.0)[::-2])
    assert 'in_place' not in str(caught.value) and 'z = ' in str(caught.value) and 'not in C order' in str(caught.value)
