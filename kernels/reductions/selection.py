"""Items at given places of a vector in order, without sorting it: Floyd and Rivest's selection, between two items of a sample.

Floyd and Rivest, "Algorithm 489: the algorithm SELECT", Communications of the ACM 18 (1975).
"""
import numpy as np

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.reductions.sorting import sort_row

FEW = 4096          # items are sorted
SAMPLE = 1024       # items, of which two that lie so many places around the wanted one: four standard deviations
AROUND = 64


@kernel()
def places_in_order(x, places):
    """`np.argsort(x, kind='stable')[places]` of a vector.

    >>> places_in_order(np.array([3.0, np.nan, 1.0, 1.0]), np.array([1, 2, 3]))
    array([3, 0, 1])
    """
    numbers, found = _numbers(x), empty(places.size, np.int64)
    for j in range(places.size):
        place = places[j]
        if place < 0 or place >= x.size:
            raise IndexError('a place in order is out of range')
        if j > 0 and place == places[j - 1]:
            found[j] = found[j - 1]
        elif place < numbers.size:
            item = _item(numbers, place)
            found[j] = _nth(x, item, place - _smaller(numbers, item))
        else:
            found[j] = _nth_nan(x, place - numbers.size)
    return found


@kernel()
def _numbers(x):
    """The items that are numbers: NaN comes last in order."""
    missing = 0
    for i in range(x.size):
        missing += np.int64(x[i] != x[i])
    if missing == 0:
        return x
    kept, count = empty(x.size - missing, x.dtype), 0
    for i in range(x.size):
        if x[i] == x[i]:
            kept[count] = x[i]
            count += 1
    return kept


@kernel()
def _item(x, place):
    """The item at a place in order, of a vector without NaN."""
    sample, around = empty(SAMPLE, x.dtype), AROUND
    while x.size > FEW:
        step = x.size // SAMPLE
        for i in range(SAMPLE):
            sample[i] = x[i * step]
        failed = sort_row(sample)
        about = place * SAMPLE // x.size
        first, last = about < around, about >= SAMPLE - around      # one of the lowest, or of the highest: one bound will do
        low, high = sample[max(about - around, 0)], sample[min(about + around, SAMPLE - 1)]
        between = empty(x.size + 1, x.dtype)
        below, count = 0, 0
        for i in range(x.size):
            between[count] = x[i]
            under, over = (x[i] < low) & (not first), (x[i] > high) & (not last)
            count += np.int64(not (under | over))
            below += np.int64(under)
        if low == high and below <= place < below + count and not (first or last):
            return low
        if failed or count == x.size:
            break
        if place < below or place >= below + count:
            around *= 4
        else:
            x, place = between[:count], place - below
    rest = x.copy()
    if sort_row(rest):
        raise MemoryError
    return rest[place]


@kernel()
def _smaller(x, item):
    count = 0
    for i in range(x.size):
        count += np.int64(x[i] < item)
    return count


@kernel()
def _nth(x, item, number):
    """Where one of several equal items stands."""
    for i in range(x.size):
        if x[i] == item:
            if number == 0:
                return i
            number -= 1
    return -1


@kernel()
def _nth_nan(x, number):
    for i in range(x.size):
        if x[i] != x[i]:
            if number == 0:
                return i
            number -= 1
    return -1
