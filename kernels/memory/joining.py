"""Joins of arrays: each part copied to its place, whole rows of memory at a time."""

from transpiler_kernels.machine.compiled import implements, kernel
from transpiler_kernels.memory.layout import as_vector, flat

NARROW = 4      # items of rows that are copied one column after the other
DIFFERENT = 'all the input array dimensions except for the concatenation axis must match exactly'


def put_part(target, part, axis, start):
    """Copy `part` into `target`, which lies in C order, from `start` on along `axis`; `part` may lack that axis.

    >>> import numpy as np
    >>> x = np.zeros((2, 3))
    >>> put_part(x, np.ones((2, 2)), 1, 0)
    >>> put_part(x, np.array([5.0, 6.0]), 1, 2)
    >>> x
    array([[1., 1., 5.],
           [1., 1., 6.]])
    """
    place = (slice(None),) * axis
    if part.ndim < target.ndim:
        target[(*place, start)] = part
    else:
        target[(*place, slice(start, start + part.shape[axis]))] = part


@implements(put_part)
def _compiled_put_part(target, part, axis, start):
    if part.ndim < target.ndim:
        def of_one(target, part, axis, start):
            for k in range(part.ndim):
                if part.shape[k] != target.shape[k + (k >= axis)]:
                    raise ValueError(DIFFERENT)
            _put(target, flat(part), axis, start, 1)
        return of_one

    def of_some(target, part, axis, start):
        for k in range(part.ndim):
            if k != axis and part.shape[k] != target.shape[k]:
                raise ValueError(DIFFERENT)
        _put(target, flat(part), axis, start, part.shape[axis])
    return of_some


@kernel()
def _put(target, items, axis, start, count):
    before, after = 1, 1
    for k in range(axis):
        before *= target.shape[k]
    for k in range(axis + 1, target.ndim):
        after *= target.shape[k]
    whole, width, step = as_vector(target), count * after, target.shape[axis] * after
    if width <= NARROW:
        for k in range(width):
            _copy(whole[start * after + k::step], items[k::width], before)
        return
    for row in range(before):
        place = row * step + start * after
        _copy(whole[place:place + width], items[row * width:(row + 1) * width], width)


@kernel()
def _copy(target, items, count):
    for k in range(count):
        target[k] = items[k]
