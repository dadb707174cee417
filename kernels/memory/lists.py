"""Lists of run-time length in compiled code."""
import numba
import numpy as np

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty


@kernel()
def numbers(items, dtype):
    """The numbers on a list as an array.

    >>> numbers.__wrapped__([1.0, 2.0], np.float64)
    array([1., 2.])
    """
    array = empty(len(items), dtype)
    for place in range(len(items)):
        array[place] = items[place]
    return array


@kernel()
def stacked(items, dtype, rank_one_more):
    """The arrays on a list, stacked; `rank_one_more` is any tuple of as many numbers as the result has axes.

    >>> stacked(numba.typed.List([np.ones(2), np.zeros(2)]), np.float64, (0, 0))
    array([[1., 1.],
           [0., 0.]])
    """
    shape = rank_one_more
    for axis in range(len(shape)):
        shape = numba.cpython.unsafe.tuple.tuple_setitem(shape, axis, len(items) if axis == 0 else items[0].shape[axis - 1])
    array = empty(shape, dtype)
    for place in range(len(items)):
        if items[place].shape != array[place].shape:
            raise ValueError('all input arrays must have the same shape')
        array[place] = items[place]
    return array


@kernel()
def apart(array):
    """The items of an array of two or more axes, as a list of copies.

    >>> apart.__wrapped__(np.eye(2))
    [array([1., 0.]), array([0., 1.])]
    """
    return [array[place].copy() for place in range(array.shape[0])]


@kernel()
def zeros_of(items):
    """A list of zeros in the shapes of `items`.

    >>> zeros_of.__wrapped__([np.ones(2)])
    [array([0., 0.])]
    """
    return [np.zeros_like(item) for item in items]


@kernel()
def add_items(items, array):
    """Add the items of `array` to those of `items`.

    >>> totals = [1.0, 2.0]
    >>> add_items.__wrapped__(totals, np.array([10.0, 20.0])); totals
    [np.float64(11.0), np.float64(22.0)]
    """
    for place in range(len(items)):
        items[place] = items[place] + array[place]
