"""What is looked for along axes: extremes, where they stand, and what is not zero."""
import numpy as np

from transpiler_kernels.arithmetic.extremes import is_better, larger, smaller
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty, zeros
from transpiler_kernels.memory.layout import around_axes
from transpiler_kernels.reductions.along_axes import BLOCK, SHORT

NO_LARGEST, NO_SMALLEST = (
    f'zero-size array to reduction operation {name} which has no identity' for name in ('maximum', 'minimum'))
NOWHERE_LARGEST, NOWHERE_SMALLEST = (f'attempt to get {name} of an empty sequence' for name in ('argmax', 'argmin'))

TOGETHER = 64  # items: the least that are vectors and not written out one by one


@kernel()
def max_axes(x, first, last):
    """The largest items along the axes from `first` to `last`; a nan wins.

    >>> max_axes(np.array([[1.0, np.nan], [3.0, 2.0]]), 0, 0)
    array([[ 3., nan]])
    """
    return _extremes(x, first, last, True)


@kernel()
def min_axes(x, first, last):
    """The smallest items along the axes from `first` to `last`; a nan wins.

    >>> min_axes(np.array([[1.0, np.nan], [3.0, 2.0]]), 1, 1)
    array([[nan],
           [ 2.]])
    """
    return _extremes(x, first, last, False)


@kernel()
def _extremes(x, first, last, largest):
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    if middle == 0:
        raise ValueError(NO_LARGEST if largest else NO_SMALLEST)
    best = cube[:, 0, :].copy()
    for o in range(outer):
        if inner == 1 and middle > SHORT:
            best[o, 0] = _extreme(cube[o].reshape(middle), largest)
            continue
        for m in range(1, middle):
            for i in range(inner):
                old, item = best[o, i], cube[o, m, i]
                best[o, i] = larger(old, item) if largest else smaller(old, item)
    return best


@kernel()
def _extreme(x, largest):
    best = x[0]
    if largest:
        for i in range(1, x.size):
            best = larger(best, x[i])
    else:
        for i in range(1, x.size):
            best = smaller(best, x[i])
    return best


@kernel()
def argmax_axes(x, first, last):
    """Where the largest item along the axes from `first` to `last` stands; the first one, or the first nan.

    >>> argmax_axes(np.array([[1.0, 5.0, 5.0], [3.0, np.nan, 9.0]]), 1, 1)
    array([[1],
           [1]])
    """
    return _places(x, first, last, True)


@kernel()
def argmin_axes(x, first, last):
    """Where the smallest item along the axes from `first` to `last` stands; the first one, or the first nan.

    >>> argmin_axes(np.array([[1.0, 0.0, 0.0]]), 1, 1)
    array([[1]])
    """
    return _places(x, first, last, False)


@kernel()
def _places(x, first, last, largest):
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    if middle == 0:
        raise ValueError(NOWHERE_LARGEST if largest else NOWHERE_SMALLEST)
    best, places = cube[:, 0, :].copy(), zeros((outer, inner), np.int64)
    for o in range(outer):
        if inner == 1 and middle > SHORT:
            places[o, 0] = _place(cube[o].reshape(middle), largest)
            continue
        for m in range(1, middle):
            for i in range(inner):
                old, item = best[o, i], cube[o, m, i]
                better = is_better(item, old, largest)
                best[o, i] = item if better else old
                places[o, i] = m if better else places[o, i]
    return places


@kernel()
def _place(x, largest):
    """The block in which the extreme stands, or the first nan, and then its place in there."""
    best, block = x[0], 0
    for start in range(0, x.size, BLOCK):
        here = _extreme(x[start:start + BLOCK], largest)
        if is_better(here, best, largest):
            best, block = here, start
    return block + _first(x[block:block + BLOCK], best)


@kernel()
def _first(x, wanted):
    """Where an item or a nan stands first: so many are looked at together, which loops that leave in between do not."""
    start = 0
    while start + TOGETHER <= x.size:
        found = 0
        for k in range(start, start + TOGETHER):
            found += np.int64((x[k] == wanted) | (x[k] != x[k]))
        if found:
            break
        start += TOGETHER
    while start < x.size - 1 and x[start] != wanted and x[start] == x[start]:
        start += 1
    return start


@kernel()
def count_axes(x, first, last):
    """How many items along the axes from `first` to `last` are not zero.

    >>> count_axes(np.array([[1.0, 0.0], [3.0, 0.0]]), 0, 0)
    array([[2, 0]])
    """
    cube = around_axes(x, first, last)
    outer, middle, inner = cube.shape
    total = zeros((outer, inner), np.int64)
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


@kernel()
def equal_bins(a, edges):
    """Where the items of `a` fall between edges one distance apart: `equal_bins` of `kernels/arrays.py`.

    >>> equal_bins(np.array([0.0, 2.0, 0.5, 3.0, np.nan, 1.0]), np.array([0.0, 1.0, 2.0]))
    array([0, 1, 0, 2, 2, 1])
    """
    bins = edges.size - 1
    first, end = edges[0], edges[bins]
    places = empty(a.size, np.int64)
    for k in range(a.size):
        item = a[k]
        place = bins
        if item >= first and item <= end:
            place = min(np.int64((item - first) / (end - first) * bins), bins - 1)
            place -= np.int64(item < edges[place])
            place += np.int64(place < bins - 1 and item >= edges[place + 1])
        places[k] = place
    return places
