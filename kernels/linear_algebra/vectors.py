"""The product of two vectors in loops: a library takes longer than a short product does, and wants dense vectors."""
import numpy as np
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import kernel, written_out
from transpiler_kernels.reductions.lanes import plus


def product_of(a, b):
    """What takes the product of two vectors of floats, of these types."""
    return _together if a.layout == b.layout == 'C' else _in_any_layout


@written_out
def check(size, other):
    if size != other:
        raise ValueError('incompatible array sizes for a matrix product')


def _together(a, b):
    check(a.size, b.size)
    total = a.dtype.type(0)
    for i in range(a.size):
        total = plus(total, a[i] * b[i])
    if not np.isfinite(total):
        total = a.dtype.type(0)
        for i in range(a.size):
            total += a[i] * b[i]
    return total


_dense_product = kernel()(_together)


def _in_any_layout(a, b):
    check(a.size, b.size)
    return _dense_product(_dense(a), _dense(b)) if _is_dense(a) and _is_dense(b) else _apart(a, b)


@kernel()
def _apart(a, b):
    """In four sums, which need not wait for each other; vectors of gathered items take thrice as long."""
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


@kernel()
def _is_dense(x):
    return x.strides[0] == x.itemsize


@intrinsic
def _dense(context, x):
    """The same vector, told to be dense."""
    def code(context, builder, signature, args):
        return impl_ret_borrowed(context, builder, signature.return_type, args[0])
    return x.copy(layout='C')(x), code
