"""Where an index finds its element: compared once, without a sign, and not looked at again."""
import numpy as np
from numba import types
from numba.extending import overload


def position(index, size):
    """The index as one that counts from the start, without a sign: too large if there is no such element.

    >>> int(position(-1, 4)), int(position(3, 4)), int(position(-5, 4)) > 4
    (3, 3, True)
    """
    start = size if index < 0 else 0
    return np.uint64((int(index) + int(start)) % 2**64)


def is_beyond(position, size):
    """Whether an axis of this size has no element there.

    >>> is_beyond(np.uint64(3), 4), is_beyond(np.uint64(4), 4)
    (False, True)
    """
    return bool(position >= np.uint64(size))


@overload(position, jit_options={'forceinline': True})
def _position(index, size):
    if isinstance(index, types.Integer) and not index.signed:
        return lambda index, size: np.uint64(index)
    return lambda index, size: np.uint64(index + size if index < 0 else index)


@overload(is_beyond, jit_options={'forceinline': True})
def _is_beyond(position, size):
    return lambda position, size: position >= np.uint64(size)
