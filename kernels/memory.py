"""New memory for compiled code: large arrays get that of others that are gone, in large pages."""
import sys

import numba
import numpy as np

from kernels.layout import flat

LARGE = 1 << 22         # bytes: what gets blocks of its own
RETAINED = 1 << 25      # bytes: so much is never kept by C's library for the next one that asks
MARGIN = 1 << 16        # bytes: more than what C's library adds to an array

if sys.platform == 'linux':
    from kernels.blocks import block, on_block
else:
    @numba.njit(cache=True, nogil=True)
    def block(size):
        return size

    @numba.njit(cache=True, nogil=True)
    def on_block(made, memory):
        return made


def keep_freed() -> None:
    """Have C's library keep the memory of arrays that are gone for the next ones, up to 64 MiB.

    It keeps twice the largest array that it has seen go (glibc's `mallopt(3)`: the threshold for `mmap` adjusts itself). A
    function with several arrays of one size exceeds that: they would go back to the operating system at the end of every call,
    and setting up their pages anew takes longer than computing what is in them. So let it see a large one go, never touched.
    """
    np.empty(RETAINED - MARGIN, np.uint8)


keep_freed()


@numba.njit(cache=True, nogil=True)
def empty(shape, dtype):
    """`np.empty`.

    >>> empty((2, 3), np.float32).shape
    (2, 3)
    """
    made = np.empty(shape, dtype)   # of a large one nothing has been set up yet
    return on_block(made, block(made.nbytes)) if made.nbytes >= LARGE else made


@numba.njit(cache=True, nogil=True)
def zeros(shape, dtype):
    """`np.zeros`.

    >>> zeros((2,), np.float64)
    array([0., 0.])
    """
    return _filled(shape, dtype, 0)


@numba.njit(cache=True, nogil=True)
def ones(shape, dtype):
    """`np.ones`.

    >>> ones((2,), np.int64)
    array([1, 1])
    """
    return _filled(shape, dtype, 1)


@numba.njit(cache=True, nogil=True)
def _filled(shape, dtype, value):
    made = empty(shape, dtype)
    items = made.reshape(made.size)
    for k in range(items.size):
        items[k] = value
    return made


@numba.njit(cache=True, nogil=True)
def copy(x):
    """`np.copy`, in C order.

    >>> copy(np.ones((2, 2)).T).flags.c_contiguous
    True
    """
    made = empty(x.shape, x.dtype)
    if x.flags.c_contiguous:
        items, copies = flat(x), flat(made)
        for i in range(x.size):
            copies[i] = items[i]
    elif x.ndim == 1:
        for i in range(x.shape[0]):
            made[i] = x[i]
    elif x.ndim == 2:
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                made[i, j] = x[i, j]
    else:
        for index in np.ndindex(x.shape):
            made[index] = x[index]
    return made
