"""Writes whose value is a view of the very memory they change: NumPy reads everything before it writes."""
import numpy as np
import pytest

import transpiler as tp


def doubled_by_its_mirror(x):
    y = x * 1.0
    y += y[::-1]
    return y


def scaled_by_its_mirror(x):
    y = x * 1.0
    y *= y[::-1]
    return y


def shifted(x):
    y = x * 1.0
    y[1:] = y[:-1]
    return y


def shifted_and_added(x):
    y = x * 1.0
    y[1:] += y[:-1]
    y[:-1] -= y[1:]
    return y


def turned(x):
    y = x * 1.0
    y[:] = y[::-1]
    return y


def transposed(x):
    y = np.outer(x, x + 1.0)
    y += y.T
    y[...] = y.T
    return y


@pytest.mark.parametrize('f', [doubled_by_its_mirror, scaled_by_its_mirror, shifted, shifted_and_added, turned, transposed])
def test_compiled_as_in_numpy(f):
    x = np.array([1.0, 2.0, 4.0, 8.0])
    np.testing.assert_array_equal(tp.jit(f)(x), f(x))


def spread_into_slices(x):
    y = np.zeros((3, 4, 4))
    y[1:, :, 1:] += x[np.newaxis, :, np.newaxis]
    y[0, 1:] -= x[:1]
    y[...] += x
    return y


def test_small_arrays_are_spread_into_slices():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    np.testing.assert_array_equal(tp.jit(spread_into_slices)(x), spread_into_slices(x))


def test_shapes_that_do_not_fit_raise_where_nobody_reads_the_result():
    def added(x):
        y = np.ones(3) + x
        return x[0]

    def multiplied(x):
        y = np.ones(3) @ x
        return x[0]
    for f, message in ((added, 'could not be broadcast'), (multiplied, 'mismatch in its core dimension')):
        assert tp.jit(f)(np.ones(3)) == 1.0
        with pytest.raises(ValueError, match=message):
            tp.jit(f)(np.ones(4))


def test_places_that_are_written_do_not_change_on_the_way():
    """Indices that lie in the array that is written are all read before."""
    def rows(A):
        A[A[:, 0]] = 5
        return A

    def added(A):
        A[A[:, 0], 1:] += A[:, :1]
        return A

    def items(A):
        places = A[0]
        A[0, places] = A[1]
        return A
    A = np.array([[1, 2, 0], [2, 0, 1], [0, 1, 1]])
    for f in (rows, added, items):
        np.testing.assert_array_equal(tp.jit(f)(A.copy()), f(A.copy()))
