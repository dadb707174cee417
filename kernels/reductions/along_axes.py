"""Reductions and scans for compiled code: one axis in the middle of three, and the accuracy of NumPy's pairwise sum."""
import numpy as np
from numba.cpython.unsafe.tuple import tuple_setitem

from transpiler_kernels.machine.compiled import implements, kernel
from transpiler_kernels.machine.options import KEPT
from transpiler_kernels.memory.allocation import empty, fill, zeros
from transpiler_kernels.memory.layout import around_axes, flat_in_place, in_any_order
from transpiler_kernels.reductions.lanes import plus

BLOCK = 1024
DEPTH = 64
FEW = 8  # items that NumPy, too, adds up one after the other
SHORT = 32  # vectors are added up one by one, without lanes
ROWS = 8  # are added up before the totals are touched, which have to wait for what was stored before


@kernel()
def _sum_block(x):
    total = x.dtype.type(0)
    for i in range(x.size):
        total = plus(total, x[i])
    return total


@kernel()
def _sum_in_order(x):
    total = x.dtype.type(0)
    for i in range(x.size):
        total += x[i]
    return total


@kernel()
def sum_vector(x):
    """The sum of a contiguous vector: blocks in lanes, and the blocks' sums in pairs; in order, where that overflows.

    >>> sum_vector(np.arange(5000.0)), sum_vector(np.resize([1.5e308, -1.5e308], 64))
    (12497500.0, 0.0)
    """
    if x.size < FEW:
        return _sum_in_order(x)
    total = _sum_of_blocks(x)
    return total if np.isfinite(total) else _sum_in_order(x)


@kernel()
def _sum_of_blocks(x):
    if x.size <= BLOCK:
        return _sum_block(x)
    partial = empty(DEPTH, x.dtype)
    blocks = (x.size + BLOCK - 1) // BLOCK
    for block in range(blocks):
        total = _sum_block(x[block * BLOCK:(block + 1) * BLOCK])
        level = 0
        while (block >> level) & 1:
            total = partial[level] + total
            level += 1
        partial[level] = total
    total = x.dtype.type(0)
    for level in range(DEPTH):
        if (blocks >> level) & 1:
            total += partial[level]
    return total


@kernel()
def sum_all(x):
    """The sum of all items of an array.

    >>> sum_all(np.ones((3, 4)))
    12.0
    """
    return sum_vector(in_any_order(x))


def sum_rows(x):
    """The sum of the rows of a matrix.

    >>> sum_rows(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([4., 6.])
    """
    return np.sum(x, 0)


@implements(sum_rows, **KEPT)
def _compiled_sum_rows(x):
    return _of_vectors if x.layout == 'F' else _of_rows


def sum_columns(x):
    """The sum of the columns of a matrix.

    >>> sum_columns(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([3., 7.])
    """
    return sum_rows(x.T)


@implements(sum_columns)
def _compiled_sum_columns(x):
    return lambda x: sum_rows(x.T)


def _of_vectors(x):
    vectors = x.T
    total = empty(x.shape[1], x.dtype)
    if x.shape[0] < SHORT:
        for j in range(vectors.shape[0]):
            one = x.dtype.type(0)
            for i in range(vectors.shape[1]):
                one += vectors[j, i]
            total[j] = one
    else:
        for j in range(vectors.shape[0]):
            total[j] = sum_vector(vectors[j])
    return total


def _of_rows(x):
    total = fill(empty(x.shape[1], x.dtype), 0)
    whole = x.shape[0] - x.shape[0] % ROWS
    for m in range(0, whole, ROWS):
        for i in range(x.shape[1]):
            left = (x[m, i] + x[m + 1, i]) + (x[m + 2, i] + x[m + 3, i])
            right = (x[m + 4, i] + x[m + 5, i]) + (x[m + 6, i] + x[m + 7, i])
            total[i] += left + right
    for m in range(whole, x.shape[0]):
        for i in range(x.shape[1]):
            total[i] += x[m, i]
    return total


@kernel()
def mean_of(totals, count):
    """The means, in the memory of the totals: each over how many items it is of.

    >>> mean_of(np.array([2.0, 5.0]), 2)
    array([1. , 2.5])
    """
    items = flat_in_place(totals)
    for k in range(items.size):
        items[k] /= items.dtype.type(count)
    return totals


@kernel()
def sum_axes(x, first, last):
    """The sums over the axes from `first` to `last`; the other axes come out as two.

    >>> sum_axes(np.ones((2, 3, 4)), 1, 1)
    array([[3., 3., 3., 3.],
           [3., 3., 3., 3.]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    total = zeros((outer, inner), x.dtype)
    if inner == 1:
        rows = cube.reshape(outer, middle)
        for o in range(outer):
            total[o, 0] = sum_vector(rows[o])
        return total
    whole = middle - middle % ROWS
    for o in range(outer):
        for m in range(0, whole, ROWS):
            for i in range(inner):
                left = (cube[o, m, i] + cube[o, m + 1, i]) + (cube[o, m + 2, i] + cube[o, m + 3, i])
                right = (cube[o, m + 4, i] + cube[o, m + 5, i]) + (cube[o, m + 6, i] + cube[o, m + 7, i])
                total[o, i] += left + right
        for m in range(whole, middle):
            for i in range(inner):
                total[o, i] += cube[o, m, i]
    return total


@kernel()
def sum_to(x, shape):
    """The sums over the axes of `x` that have size 1 in `shape`, in C order; `x` itself if there are none.

    >>> sum_to(np.ones((2, 3)), (2, 1))
    array([[3.],
           [3.]])
    """
    total = np.ascontiguousarray(x)
    for axis in range(x.ndim):
        if shape[axis] == 1 and total.shape[axis] != 1:
            total = np.reshape(sum_axes(total, axis, axis), tuple_setitem(total.shape, axis, 1))
    return total


@kernel()
def prod_axes(x, first, last):
    """The products over the axes from `first` to `last`.

    >>> prod_axes(np.full((2, 3), 2.0), 1, 1)
    array([[8.],
           [8.]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    total = np.ones((outer, inner), x.dtype)
    for o in range(outer):
        for m in range(middle):
            for i in range(inner):
                total[o, i] *= cube[o, m, i]
    return total


@kernel()
def equal(first, second):
    """`np.array_equal` for arrays of one rank.

    >>> equal(np.ones(2), np.ones(2)), equal(np.ones(2), np.ones(3))
    (True, False)
    """
    if first.shape != second.shape:
        return False
    same = True
    for a, b in zip(first.flat, second.flat):
        same = same and a == b
    return same
