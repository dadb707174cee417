"""The product of two vectors in loops: a library takes longer than a short product does, and wants dense vectors."""
import numba
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic, overload


def vector_product(a, b):
    """`a @ b` for vectors of one length and one dtype of floats.

    >>> import numpy as np
    >>> product = numba.njit(lambda a, b: vector_product(a, b))
    >>> product(np.arange(6.0)[::2], np.ones(3)), product(np.ones(0), np.ones(0))
    (6.0, 0.0)
    """
    return a @ b


@overload(vector_product)
def _compiled(a, b):
    if a.layout == b.layout == 'C':
        return lambda a, b: _together(a, b)
    return lambda a, b: _together(_dense(a), _dense(b)) if _is_dense(a) and _is_dense(b) else _apart(a, b)


@numba.njit(cache=True, nogil=True, error_model='numpy', fastmath={'contract', 'reassoc'})
def _together(a, b):
    total = a.dtype.type(0)
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@numba.njit(cache=True, nogil=True, error_model='numpy', fastmath={'contract'})
def _apart(a, b):
    """In four sums, which need not wait for each other; vectors of gathered items, as of `reassoc`, take thrice as long."""
    first = second = third = fourth = a.dtype.type(0)
    whole = a.size - a.size % 4
    for i in range(0, whole, 4):
        first += a[i] * b[i]
        second += a[i + 1] * b[i + 1]
        third += a[i + 2] * b[i + 2]
        fourth += a[i + 3] * b[i + 3]
    for i in range(whole, a.size):
        first += a[i] * b[i]
    return (first + second) + (third + fourth)


@numba.njit(cache=True, nogil=True)
def _is_dense(x):
    return x.strides[0] == x.itemsize


@intrinsic
def _dense(context, x):
    """The same vector, told to be dense."""
    def code(context, builder, signature, args):
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])
    return x.copy(layout='C')(x), code
