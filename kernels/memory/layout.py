"""Memory layout and dtype in compiled code."""
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import intrinsic
from numba.np import arrayobj
from numpy.lib.stride_tricks import as_strided

from transpiler_kernels.machine.compiled import implements, kernel

NOT_IN_PLACE = 'memory that is not in C order is shown in another shape, or by a list, and written to; copy it first'


@kernel()
def astype(x, dtype):
    """A copy of `x` with that dtype.

    >>> astype(np.ones(2), np.float32)
    array([1., 1.], dtype=float32)
    """
    return x.astype(dtype)


def in_any_order(x):
    """The items of `x` as a vector, in the order of memory where that needs no copy.

    >>> in_any_order(np.array([[1.0, 2.0], [3.0, 4.0]]).T)
    array([1., 2., 3., 4.])
    """
    return flat(x.T if x.flags.f_contiguous else x)


@implements(in_any_order)
def _in_any_order(x):
    if x.layout == 'F':
        return lambda x: flat(x.T)
    return lambda x: flat(x)


def flat(x):
    """`np.ravel(x)`: a view where the items of `x` lie in C order, made without asking.

    >>> flat(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([1., 2., 3., 4.])
    """
    return np.ravel(x)


@implements(flat)
def _flat(x):
    if x.layout == 'C':
        return lambda x: as_vector(x)
    return lambda x: as_vector(np.ascontiguousarray(x))


def flat_in_place(x):
    """The items of `x`, which lie in C order, as a vector that shows its memory.

    >>> x = np.zeros((2, 2))
    >>> flat_in_place(x)[3] = 1.0
    >>> float(x[1, 1])
    1.0
    """
    return np.ravel(in_place(x))


@implements(flat_in_place)
def _flat_in_place(x):
    if x.layout == 'C':
        return lambda x: as_vector(x)

    def looked_at(x):
        step = x.itemsize
        for axis in range(x.ndim - 1, -1, -1):
            if x.shape[axis] != 1 and x.strides[axis] != step and x.size:
                raise ValueError(NOT_IN_PLACE)
            step *= x.shape[axis]
        return as_vector(np.ascontiguousarray(x))
    return looked_at


@intrinsic
def as_vector(context, x):
    """The items of an array that lie in C order as a vector that shows its memory."""
    return _showing(x, 1)


def of_one_item(x):
    """The item of a vector of one as an array without axes that shows its memory.

    >>> x = np.zeros(3)
    >>> of_one_item(x[1:2])[()] = 1.0
    >>> float(x[1])
    1.0
    """
    return np.reshape(x, ())


@implements(of_one_item)
def _compiled_of_one_item(x):
    return lambda x: without_axis(x)


@intrinsic
def without_axis(context, x):
    """The array without axes that begins where a vector does: Numba takes an index of integers and dots for a number."""
    return _showing(x, 0)


def _showing(x, ndim):
    """The signature and the code of what makes a vector, or an array without axes, of the items that begin where `x` does."""
    shown = types.Array(x.dtype, ndim, 'C', readonly=not x.mutable, aligned=x.aligned)

    def code(context, builder, signature, args):
        old = arrayobj.make_array(x)(context, builder, args[0])
        new = arrayobj.make_array(shown)(context, builder)
        arrayobj.populate_array(
            new, data=old.data, shape=[old.nitems] * ndim, strides=[old.itemsize] * ndim, itemsize=old.itemsize,
            meminfo=old.meminfo, parent=old.parent)
        return impl_ret_borrowed(context, builder, shown, new._getvalue())
    return shown(x), code


@intrinsic
def lies_by_rows(context, x):
    """Whether the items of a matrix lie row by row, as far as its type says; Numba's own flags look at the strides, too."""
    return types.boolean(x), lambda *_: ir.Constant(ir.IntType(1), x.layout == 'C')


def for_blas(x):
    """`x`, or a copy if its layout is neither C nor Fortran.

    >>> for_blas(np.ones((2, 4))[:, ::2]).flags.c_contiguous
    True
    """
    return x if x.flags.c_contiguous or x.flags.f_contiguous else np.ascontiguousarray(x)


@implements(for_blas)
def _for_blas(x):
    if x.layout in 'CF':
        return lambda x: x
    return lambda x: np.ascontiguousarray(x)


def in_place(x):
    """`x` itself, which must lie in C order: what is written through it has to reach its memory.

    >>> x = np.zeros(3)
    >>> in_place(x) is x
    True
    """
    if not x.flags.c_contiguous:
        raise ValueError(NOT_IN_PLACE)
    return x


@implements(in_place)
def _in_place(x):
    if x.layout != 'C':
        raise TypingError(NOT_IN_PLACE)
    return lambda x: x


def of_vector(x, shape):
    """`np.reshape(x, shape)` of a vector: a view, however far apart its items lie.

    >>> x = np.arange(8)
    >>> of_vector(x[::2], (2, -1))[1, 0] = 40
    >>> int(x[4])
    40
    """
    return np.reshape(x, shape)


@implements(of_vector)
def _compiled_of_vector(x, shape):
    if x.layout == 'C':
        return lambda x, shape: np.reshape(x, shape)

    def far_apart(x, shape):
        known, step, strides, size = 1, x.strides[0], shape, 1
        for length in shape:
            known *= length if length != -1 else 1
        for axis in range(len(shape) - 1, -1, -1):
            if shape[axis] == -1:
                shape = tuple_setitem(shape, axis, x.size // known if known else 1)
            strides = tuple_setitem(strides, axis, step)
            step *= shape[axis]
            size *= shape[axis]
        if size != x.size:
            raise ValueError('total size of new array must be unchanged')
        return as_strided(x, shape, strides)
    return far_apart


@kernel()
def around_axes(x, first, last):
    """`x` as three axes: those before `first`, those from `first` to `last`, and those after.

    >>> around_axes(np.ones((2, 3, 4, 5)), 1, 2).shape
    (2, 12, 5)
    """
    outer, middle, inner = 1, 1, 1
    for k in range(first):
        outer *= x.shape[k]
    for k in range(first, last + 1):
        middle *= x.shape[k]
    for k in range(last + 1, x.ndim):
        inner *= x.shape[k]
    return np.ascontiguousarray(x).reshape(outer, middle, inner)
