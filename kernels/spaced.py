"""Numbers at equal distances."""
import numpy as np

from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty

MOST = 2.0 ** 63


@kernel()
def length(distance, steps):
    """How many numbers `np.arange` makes of two ends that are so far apart, which is as many `steps`.

    >>> length(1.0, 2.5), length(1.0, -2.5), length(1.0, 0.0), length(1.0, -0.0)
    (3, 0, 1, 0)
    """
    if steps == 0.0 and distance != 0:
        return 0 if np.signbit(steps) else 1
    count = np.ceil(steps)
    if np.isnan(count):
        raise ValueError('arange: cannot compute length')
    if not -MOST <= count < MOST:
        raise ValueError('Maximum allowed size exceeded')
    return max(0, int(count))


@kernel()
def length_of_integers(start, stop, step):
    """How many numbers `np.arange` makes of Python's integers, which may be too far apart for 64 bits.

    >>> length_of_integers(0, 5, 2), length_of_integers(-2**63, 2**63 - 1, 2**62), length_of_integers(5, 0, -2)
    (3, 4, 3)
    """
    if step == 0:
        raise ZeroDivisionError('division by zero')
    if stop == start:
        return 0
    apart = float(np.uint64(max(start, stop)) - np.uint64(min(start, stop)))
    return length(apart, (apart if stop > start else -apart) / step)


@kernel()
def first_two(first, second, count):
    """The first two of `count` numbers, or as many of them as there are.

    >>> first_two(0.5, 1.0, 1)
    array([0.5])
    """
    made = empty(min(count, 2), np.asarray(first).dtype)
    if count > 0:
        made[0] = first
    if count > 1:
        made[1] = second
    return made


@kernel()
def counted(ends, count):
    """`count` numbers that begin as `ends` do, of at most two: `np.arange` counts on by how far these are from each other.

    >>> counted(np.array([0, 3], np.int8), 4)
    array([0, 3, 6, 9], dtype=int8)
    """
    made = empty(count, ends.dtype)
    made[:2] = ends
    if count > 2:
        gap = made.dtype.type(ends[1] - ends[0])
        for k in range(2, count):
            made[k] = ends[0] + made.dtype.type(k) * gap
    return made


@kernel()
def linspace(start, stop, count, closed):
    """`np.linspace` for two numbers.

    >>> linspace(0.0, 1.0, 3, True)
    array([0. , 0.5, 1. ])
    """
    points = empty(count, np.asarray(start).dtype)
    gaps, length = points.dtype.type(count - 1 if closed else count), stop - start
    step = length / gaps if gaps else length
    for k in range(count):
        turn = points.dtype.type(k)
        points[k] = turn * step + start if step else turn / gaps * length + start if gaps else start
    if closed and count > 1:
        points[count - 1] = stop
    return points
