"""What is looked for along axes: extremes, where they stand, and what is not zero."""
import numba
import numpy as np

from kernels.extremes import larger, smaller
from kernels.layout import around_axes

BLOCK = 1024  # so many items are looked through in lanes
SHORT = 32  # rows are looked through one item after the other
LANES = {'reassoc', 'contract'}
EMPTY = 'zero-size array to reduction operation {} which has no identity'
NO_LARGEST, NO_SMALLEST = EMPTY.format('maximum'), EMPTY.format('minimum')


@numba.njit(cache=True, nogil=True, fastmath=LANES, error_model='numpy')
def _largest(x):
    best = x[0]
    for i in range(1, x.size):
        best = larger(best, x[i])
    return best


@numba.njit(cache=True, nogil=True, fastmath=LANES, error_model='numpy')
def _smallest(x):
    best = x[0]
    for i in range(1, x.size):
        best = smaller(best, x[i])
    return best


@numba.njit(cache=True, nogil=True)
def max_axes(x, first, last):
    """The largest items along the axes from `first` to `last`; a nan wins.

    >>> max_axes(np.array([[1.0, np.nan], [3.0, 2.0]]), 0, 0)
    array([[ 3., nan]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    if middle == 0:
        raise ValueError(NO_LARGEST)
    best = cube[:, 0, :].copy()
    for o in range(outer):
        if inner == 1 and middle > SHORT:
            best[o, 0] = _largest(cube[o].reshape(middle))
            continue
        for m in range(1, middle):
            for i in range(inner):
                best[o, i] = larger(best[o, i], cube[o, m, i])
    return best


@numba.njit(cache=True, nogil=True)
def min_axes(x, first, last):
    """The smallest items along the axes from `first` to `last`; a nan wins.

    >>> min_axes(np.array([[1.0, np.nan], [3.0, 2.0]]), 1, 1)
    array([[nan],
           [ 2.]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    if middle == 0:
        raise ValueError(NO_SMALLEST)
    best = cube[:, 0, :].copy()
    for o in range(outer):
        if inner == 1 and middle > SHORT:
            best[o, 0] = _smallest(cube[o].reshape(middle))
            continue
        for m in range(1, middle):
            for i in range(inner):
                best[o, i] = smaller(best[o, i], cube[o, m, i])
    return best


@numba.njit(cache=True, nogil=True)
def count_axes(x, first, last):
    """How many items along the axes from `first` to `last` are not zero.

    >>> count_axes(np.array([[1.0, 0.0], [3.0, 0.0]]), 0, 0)
    array([[2, 0]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    total = np.zeros((outer, inner), np.int64)
    for o in range(outer):
        if inner == 1:
            row, found = cube[o].reshape(middle), 0
            for m in range(middle):
                found += np.int64(row[m] != 0)
            total[o, 0] = found
            continue
        for m in range(middle):
            for i in range(inner):
                total[o, i] += np.int64(cube[o, m, i] != 0)
    return total


@numba.njit(cache=True, nogil=True)
def _place_of_largest(x):
    """The block in which the largest item stands, or the first nan, and then its place in there."""
    best, block = x[0], 0
    for start in range(0, x.size, BLOCK):
        here = _largest(x[start:start + BLOCK])
        if here > best or here != here and best == best:
            best, block = here, start
    part = x[block:block + BLOCK]
    for i in range(part.size):
        if part[i] == best or part[i] != part[i]:
            return block + i
    return block


@numba.njit(cache=True, nogil=True)
def _place_of_smallest(x):
    best, block = x[0], 0
    for start in range(0, x.size, BLOCK):
        here = _smallest(x[start:start + BLOCK])
        if here < best or here != here and best == best:
            best, block = here, start
    part = x[block:block + BLOCK]
    for i in range(part.size):
        if part[i] == best or part[i] != part[i]:
            return block + i
    return block


@numba.njit(cache=True, nogil=True)
def argmax_axes(x, first, last):
    """Where the largest item along the axes from `first` to `last` stands; the first one, or the first nan.

    >>> argmax_axes(np.array([[1.0, 5.0, 5.0], [3.0, np.nan, 9.0]]), 1, 1)
    array([[1],
           [1]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    if middle == 0:
        raise ValueError('attempt to get argmax of an empty sequence')
    best, places = cube[:, 0, :].copy(), np.zeros((outer, inner), np.int64)
    for o in range(outer):
        if inner == 1 and middle > SHORT:
            places[o, 0] = _place_of_largest(cube[o].reshape(middle))
            continue
        for m in range(1, middle):
            for i in range(inner):
                old, item = best[o, i], cube[o, m, i]
                better = (old == old) & ((item > old) | (item != item))
                best[o, i] = item if better else old
                places[o, i] = m if better else places[o, i]
    return places


@numba.njit(cache=True, nogil=True)
def argmin_axes(x, first, last):
    """Where the smallest item along the axes from `first` to `last` stands; the first one, or the first nan.

    >>> argmin_axes(np.array([[1.0, 0.0, 0.0]]), 1, 1)
    array([[1]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    if middle == 0:
        raise ValueError('attempt to get argmin of an empty sequence')
    best, places = cube[:, 0, :].copy(), np.zeros((outer, inner), np.int64)
    for o in range(outer):
        if inner == 1 and middle > SHORT:
            places[o, 0] = _place_of_smallest(cube[o].reshape(middle))
            continue
        for m in range(1, middle):
            for i in range(inner):
                old, item = best[o, i], cube[o, m, i]
                better = (old == old) & ((item < old) | (item != item))
                best[o, i] = item if better else old
                places[o, i] = m if better else places[o, i]
    return places
