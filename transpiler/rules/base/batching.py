"""What batching templates have in common: axes of an example, counted in a batch, whose first axis is that of the examples."""
from __future__ import annotations

from transpiler.rules.base.registry import static_helper


@static_helper
def behind(axis, ndim):
    """The axes of a batch of rank `ndim` that are `axis` of an example; None is all of them.

    >>> behind(0, 3), behind(-1, 3), behind((0, -1), 4), behind(None, 3), behind(None, 2)
    (1, 2, (1, 3), (1, 2), 1)
    """
    if axis is None:
        return 1 if ndim == 2 else tuple(range(1, ndim))
    if isinstance(axis, (tuple, list)):
        return tuple(k % (ndim - 1) + 1 for k in axis)
    return axis % (ndim - 1) + 1


@static_helper
def new_axes(rank, ndim):
    """An index that gives a batch of rank `ndim` as many further axes, behind the first, as examples of rank `rank` need.

    >>> new_axes(2, 2)
    (slice(None, None, None), None)
    """
    return (slice(None),) + (None,) * (rank + 1 - ndim)


def flat(a):
    """All items of each example in a row."""
    if a.ndim == 2:
        return a
    if a.ndim == 1:
        return a[:, None]
    size = 1
    for length in a.shape[1:]:
        size = size * length
    return a.reshape((a.shape[0], size))


def of_rank(a, rank):
    """A batch whose examples have at least the rank `rank`, with axes of size 1 in front."""
    return a if a.ndim > rank else a[new_axes(rank, a.ndim)]


def sizes(shape):
    """A shape as a tuple; its sizes may be run-time numbers."""
    return tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
