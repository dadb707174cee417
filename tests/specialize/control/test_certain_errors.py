"""What raises for certain raises Python's exception, and only where it is reached: on another path it does no harm."""
import numpy as np
import pytest

import transpiler as tp

TABLE = {'a': 2.0}
ROWS = (1.0, 2.0)


def missing_key(x, k):
    d = {'a': x}
    return d['b'] if k > 2 else d['a'] * TABLE['a']


def missing_captured_key(x, k):
    if k > 2:
        return x * TABLE['b']
    return x * TABLE['a']


def power_of_zero(x, k):
    return x * 0**-1 if k > 2 else x * 3.0


def short(x, k):
    t = x, x * 2
    if k > 2:
        return t[5] * ROWS[2]
    return t[1] * ROWS[1]


def unpacked(x, k):
    a, b = x, x * 2
    if k > 2:
        a, b = x, x, x
    return a * b


def nothing_to_choose_from(x, k):
    y = x
    if k > 2:
        y = y * max([])
    return y * min([x * 1.0, 5.0])


def no_step(x, k):
    if k > 2:
        for _ in range(0, 5, 0):
            x = x * 2
    return x * x


def largest_of_none(x, k):
    return np.max(x * np.zeros(0)) if k > 2 else x * 2.0


def place_of_none(x, k):
    y = np.ones(3) * x
    if k > 2:
        return x * np.argmin(y[:0])
    return y[0] * y[1]


def nothing_to_stack(x, k):
    found = []
    if k > 2:
        x = x * np.sum(np.stack(found))
    return x * x


def no_such_axis(x, k):
    y = np.ones((2, 2)) * x
    return np.sum(np.sum(y, axis=3)) if k > 2 else np.sum(y * y)


def sizes_that_differ(x, k):
    y = np.ones(3) * x
    return np.sum(y * np.ones(4) + y @ np.ones(4)) if k > 2 else np.sum(y * x)


RAISED = [(missing_key, KeyError), (missing_captured_key, KeyError), (power_of_zero, ZeroDivisionError), (short, IndexError),
          (unpacked, ValueError), (nothing_to_choose_from, ValueError), (no_step, ValueError),
          (largest_of_none, ValueError), (place_of_none, ValueError), (nothing_to_stack, ValueError),
          (no_such_axis, np.exceptions.AxisError), (sizes_that_differ, ValueError)]


@pytest.mark.parametrize(('f', 'kind'), RAISED, ids=lambda value: value.__name__)
def test_where_it_is_reached(f, kind):
    batch = tp.vmap(f, in_axes=(0, None))
    slope = (f(1.5 + 1e-6, 1) - f(1.5 - 1e-6, 1)) / 2e-6
    assert np.isclose(tp.grad(f)(1.5, 1), slope) and np.isclose(tp.jvp(f, (1.5, 1), (1.0, None))[1], slope)
    assert np.array_equal(batch(np.array([1.5, 2.5]), 1), [f(1.5, 1), f(2.5, 1)])
    for call in (lambda: tp.grad(f)(1.5, 3), lambda: tp.jvp(f, (1.5, 3), (1.0, None)), lambda: batch(np.ones(2), 3)):
        with pytest.raises(kind):
            call()


@pytest.mark.compiles
@pytest.mark.parametrize(('f', 'kind'), RAISED[:3], ids=lambda value: value.__name__)
def test_compiled(f, kind):
    compiled = tp.jit(f)
    assert compiled(1.5, 1) == f(1.5, 1)
    with pytest.raises(kind):
        compiled(1.5, 3)


def largest(x, least):
    return max([v for v in x if v > least]), min(x[x > least])


def test_nothing_is_left_to_choose_from(mode):
    x = np.array([1.0, 2.0])
    for f, args in ((largest, (x,)), (tp.vmap(largest, in_axes=(0, None)), (np.stack([x, x]),))):
        compiled = mode(f)
        assert np.array_equal(compiled(*args, 0.5), f(*args, 0.5))
        with pytest.raises(ValueError, match='empty'):
            compiled(*args, 5.0)


def most_or_all(x, c):
    return np.max(x) if c else np.sum(x)


def test_empty_arguments(mode):
    for f, args in ((most_or_all, (np.zeros(0),)), (tp.vmap(most_or_all, in_axes=(0, None)), (np.zeros((2, 0)),))):
        assert np.array_equal(mode(f)(*args, False), f(*args, False))
        with pytest.raises(ValueError, match='zero-size array to reduction operation maximum which has no identity'):
            mode(f)(*args, True)


def of_a_vector(x, k):
    return np.linalg.det(x) + np.sum(np.linalg.inv(x)) if k > 2 else np.sum(x)


def test_what_is_no_matrix(mode):
    gradient = mode(tp.grad(of_a_vector))
    assert gradient(np.ones(3), 1).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(np.linalg.LinAlgError, match='1-dimensional array given'):
        gradient(np.ones(3), 3)


def test_what_is_no_matrix_in_a_batch():
    with pytest.raises(np.linalg.LinAlgError, match='1-dimensional array given'):
        tp.vmap(np.linalg.det)(np.ones((2, 3)))


def in_two_ways(x, n):
    if n > 2:
        raise KeyError('many')
    raise ValueError('few')


def empty_or_refused(x, n):
    if n > 2:
        return max(x[n:n])
    raise ValueError('few')


def empty_for_certain(x, n):
    if n > 2:
        return np.linalg.inv(x)
    raise ValueError('few')


def chosen(x, n):
    return in_two_ways(x, n) if x[0] > 0 else max(x[:0])


def on_one_path(x, n):
    x[0] = 7.0
    if n != 2:
        in_two_ways(x, n)
    return x * 2.0


@pytest.mark.compiles
@pytest.mark.parametrize('f', [in_two_ways, empty_or_refused, empty_for_certain, chosen, on_one_path])
def test_what_raises_in_several_ways_raises_each_where_it_is_reached(f):
    """What ended in a branch of which both arms raise was refused, also where it is called on one path alone."""
    for n in (0, 1, 2, 3, 7):
        for sign in (1.0, -1.0):
            x = sign * np.arange(1.0, 5.0)
            try:
                expected = f(x.copy(), n)
            except Exception as error:
                for compiled in (tp.jit(f), tp.jit(lambda x, n: f(x, n))):
                    with pytest.raises(type(error)) as caught:
                        compiled(x.copy(), n)
                    assert not isinstance(caught.value, tp.TranspileError)
            else:
                np.testing.assert_array_equal(tp.jit(f)(x.copy(), n), expected)


def test_a_batch_raises_what_is_reached_or_is_refused():
    """It raised what stands last, though something else is raised before."""
    with pytest.raises(tp.TranspileError, match='always raises'):
        tp.vmap(in_two_ways, in_axes=(0, None))(np.ones((2, 3)), 3)
    with pytest.raises(KeyError):
        tp.vmap(on_one_path, in_axes=(0, None))(np.ones((2, 3)), 3)
