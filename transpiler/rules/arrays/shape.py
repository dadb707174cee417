"""Shapes, axes and order of items: linear, the transpose puts things back."""
import numpy as np

from transpiler.rules.base.batching import behind, flat, new_axes, of_rank, sizes
from transpiler.rules.base.examples import UNARY, case
from transpiler.rules.base.registry import batched, known, linear, static_helper, vjp
from transpiler.rules.base.types import (
    already_flat,
    already_reshaped,
    already_spread,
    like_operand,
    not_moved,
    reshaped,
    same_shape,
    spread,
    squeezed,
    too_flat_to_transpose,
)
from transpiler_kernels import arrays
from transpiler_kernels.definitions.arrays import shapes

ORDERS = {'order': ('C', 'F')}
IN_C_ORDER = {'order': ('C',)}


@linear(np.reshape, view=True, type=reshaped, identity=already_reshaped, static=('shape',), runtime=('shape',),
        allowed={**ORDERS, 'copy': (None,)},
        examples=(case((3, 4), shape=(4, 3)), case((3, 4), shape=(2, -1)), case((6,), shape=-1),
                  case((3, 4), shape=(2, 6), order='F')))
def reshape(ct, a, shape, order='C', *, copy=None):
    return np.reshape(ct, a.shape, order=order)


@linear(np.ravel, view=True, identity=already_flat, allowed=ORDERS, examples=(case((3, 4)), case((3, 4), order='F'), case((4,))))
def ravel(ct, a, order='C'):
    return np.reshape(ct, a.shape, order=order)


@linear(np.transpose, view=True, identity=too_flat_to_transpose,
        examples=(case((3, 4)), case((2, 3, 4)), case((2, 3, 4), axes=(2, 0, 1)), case((2, 3, 4), axes=(-1, 0, 1)), case((3,))))
def transpose(ct, a, axes=None):
    return np.transpose(ct, None if axes is None else inverse(axes))


@static_helper
def inverse(axes):
    """The permutation of axes that undoes `axes`."""
    axes = [axis % len(axes) for axis in axes]
    return tuple(axes.index(axis) for axis in range(len(axes)))


@linear(np.matrix_transpose, view=True, examples=(case((3, 4)), case((2, 3, 4))))
def matrix_transpose(ct, x):
    return np.matrix_transpose(ct)


@linear(np.swapaxes, view=True, static=('axis1', 'axis2'),
        examples=(case((2, 3, 4), axis1=0, axis2=2), case((3, 4), axis1=-1, axis2=0)))
def swapaxes(ct, a, axis1, axis2):
    return np.swapaxes(ct, axis1, axis2)


@linear(np.moveaxis, view=True, identity=not_moved, static=('source', 'destination'),
        examples=(case((2, 3, 4), source=0, destination=-1), case((2, 3, 4), source=(0, 1), destination=(1, 2))))
def moveaxis(ct, a, source, destination):
    return np.moveaxis(ct, destination, source)


@linear(np.expand_dims, view=True, static=('axis',),
        examples=(case((3, 4), axis=0), case((3, 4), axis=-1), case((3, 4), axis=(0, 2))))
def expand_dims(ct, a, axis):
    return np.reshape(ct, a.shape)


@linear(np.squeeze, view=True, type=squeezed,
        examples=(case((3, 1)), case((1, 3, 1)), case((3, 1), axis=1), case((1, 3, 1), axis=(0, -1))))
def squeeze(ct, a, axis=None):
    return np.reshape(ct, a.shape)


@linear(np.atleast_1d, np.atleast_2d, np.atleast_3d, view=True, examples=UNARY)
def at_least(ct, a):
    return np.reshape(ct, a.shape)


@linear(np.broadcast_to, view=True, type=spread, identity=already_spread, static=('shape',), runtime=('shape',),
        allowed={'subok': (False,)},
        examples=(case((4,), shape=(3, 4)), case((3, 1), shape=(2, 3, 4)), case((), shape=(3,)), case((1, 1), shape=(1, 1))))
def broadcast_to(ct, array, shape, subok=False):
    return arrays.unbroadcast(ct, array)


@vjp(arrays.unbroadcast, linear_in=('x',), type=like_operand(1),
     examples=(case((3, 4), np.ones((3, 1))), case((2, 3), np.ones(3)), case((2, 3), np.ones((2, 3)))))
def unbroadcast(ct, x, like):
    return np.broadcast_to(ct, x.shape), None


@vjp(arrays.fitted, linear_in=('values',), type=like_operand(1), identity=same_shape,
     examples=(case((3, 4), np.ones((3, 1))), case((1, 4), np.ones((3, 4))), case((1, 4), np.ones((3, 1))),
     case((2,), np.ones(2))))
def fitted(ct, values, like):
    return arrays.fitted(ct, values), None


@linear(np.flip, view=True, examples=(case((3, 4)), case((3, 4), axis=0), case((3, 4), axis=(0, -1))))
def flip(ct, m, axis=None):
    return np.flip(ct, axis)


@linear(np.fliplr, view=True, examples=(case((3, 4)),))
def fliplr(ct, m):
    return np.fliplr(ct)


@linear(np.flipud, view=True, examples=(case((3, 4)), case((3,))))
def flipud(ct, m):
    return np.flipud(ct)


@linear(np.rot90, view=True, examples=(case((3, 4)), case((3, 4), k=2), case((2, 3, 4), k=-1, axes=(1, 2))))
def rot90(ct, m, k=1, axes=(0, 1)):
    return np.rot90(ct, -k, axes)


@linear(np.roll, static=('shift',), runtime=('shift',), real=('shift',), checked=shapes.roll,
        examples=(case((3, 4), shift=1), case((3, 4), shift=-2, axis=1), case((3, 4), shift=(1, 2), axis=(0, 1))))
def roll(ct, a, shift, axis=None):
    return np.roll(ct, opposite(shift), axis)


def opposite(shift):
    if not isinstance(shift, (tuple, list)):
        return -shift
    back = ()
    for step in shift:
        back = back + (-step,)
    return back


TRIANGLES = (case((3, 4)), case((3, 4), k=1), case((2, 3, 3), k=-1))


@linear(np.triu, picks=True, examples=TRIANGLES)
def triu(ct, m, k=0):
    return np.triu(ct, k) if m.ndim > 1 else np.sum(np.triu(ct, k), axis=0)  # a vector stands for each of the rows


@linear(np.tril, picks=True, examples=TRIANGLES)
def tril(ct, m, k=0):
    return np.tril(ct, k) if m.ndim > 1 else np.sum(np.tril(ct, k), axis=0)


@batched(np.reshape)
def reshaped_examples(function, a, shape, order='C'):
    if order == 'F':
        a, shape = np.transpose(a, (0, *range(a.ndim - 1, 0, -1))), tuple(sizes(shape))[::-1]
        return np.transpose(np.reshape(a, (a.shape[0], *shape)), (0, *range(len(shape), 0, -1)))
    return np.reshape(a, (a.shape[0], *sizes(shape)))


@batched(np.ravel)
def raveled_examples(function, a, order='C'):
    return flat(a) if order == 'C' else flat(np.transpose(a, (0, *range(a.ndim - 1, 0, -1))))


@batched(np.transpose)
def transposed_examples(function, a, axes=None):
    return np.transpose(a, turned(axes, a.ndim))


@static_helper
def turned(axes, ndim):
    return (0, *(range(ndim - 1, 0, -1) if axes is None else behind(tuple(axes), ndim)))


@batched(np.matrix_transpose)
def matrices_of_examples(function, x):
    return np.matrix_transpose(x)


@batched(np.triu, np.tril)
def triangles_of_examples(function, m, k=0):
    return function(m if m.ndim > 2 else np.broadcast_to(m[:, None, :], (*m.shape, m.shape[1])), k)


@batched(np.swapaxes)
def swapped_examples(function, a, axis1, axis2):
    return np.swapaxes(a, behind(axis1, a.ndim), behind(axis2, a.ndim))


@batched(np.moveaxis)
def moved_examples(function, a, source, destination):
    return np.moveaxis(a, behind(source, a.ndim), behind(destination, a.ndim))


@batched(np.expand_dims)
def expanded_examples(function, a, axis):
    return np.expand_dims(a, behind(axis, a.ndim + len(sizes(axis))))


@batched(np.squeeze)
def squeezed_examples(function, a, axis=None):
    if axis is not None:
        return np.squeeze(a, behind(axis, a.ndim))
    kept = ()
    for size in a.shape[1:]:
        if not known(size) or size != 1:
            kept = kept + (size,)
    return np.reshape(a, (a.shape[0], *kept))


@batched(np.atleast_1d)
def at_least_1d_examples(function, a):
    return of_rank(a, 1)


@batched(np.atleast_2d)
def at_least_2d_examples(function, a):
    return of_rank(a, 2)


@batched(np.atleast_3d)
def at_least_3d_examples(function, a):
    return a if a.ndim > 3 else of_rank(a, 2)[..., None] if a.ndim != 2 else a[:, None, :, None]


@batched(np.broadcast_to)
def broadcast_examples(function, array, shape, **options):
    shape = sizes(shape)
    return np.broadcast_to(array[new_axes(len(shape), array.ndim)], (array.shape[0], *shape))


@batched(arrays.unbroadcast)
def unbroadcast_examples(function, x, like):
    return np.reshape(arrays.unbroadcast(x, like[new_axes(x.ndim - 1, like.ndim)]), like.shape)


@batched(arrays.fitted)
def fitted_examples(function, values, like):
    return arrays.fitted(values, like)


@batched(np.flip)
def flipped_examples(function, m, axis=None):
    return np.flip(m, behind(axis, m.ndim))


@batched(np.fliplr)
def flipped_rows(function, m):
    return np.flip(m, 2)


@batched(np.flipud)
def flipped_columns(function, m):
    return np.flip(m, 1)


@batched(np.rot90)
def turned_examples(function, m, k=1, axes=(0, 1)):
    return np.rot90(m, k, behind(axes, m.ndim))


@batched(np.roll)
def rolled_examples(function, a, shift, axis=None):
    return np.reshape(np.roll(flat(a), shift, 1), a.shape) if axis is None else np.roll(a, shift, behind(axis, a.ndim))
