"""Reading by index, sorting and diagonals."""
import numpy as np

from transpiler.rules.base.batching import behind, flat
from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import batched, inactive, jvp, linear, static_helper, vjp
from transpiler.rules.base.types import like_operand, placed, some, taken
from transpiler_kernels import arrays
from transpiler_kernels.definitions.arrays import picking, shapes

STABLE = {'kind': (None, 'stable', 'mergesort'), 'order': (None,), 'stable': (None, True)}
ORDERED = (case((5,)), case((3, 4)), case((3, 4), axis=0), case((3, 4), axis=None))
PICKED = np.array([0, 2, 2])


@vjp(np.take, linear_in=('a',), picks=True, type=taken, checked=shapes.take, allowed={'out': (None,), 'mode': ('raise',)},
     examples=(case((4,), PICKED), case((3, 4), PICKED), case((3, 4), PICKED, axis=1), case((3, 4), PICKED, axis=-1),
               case((4,), 2), case((3, 4), PICKED[None], axis=0), case((1,), PICKED * 0), case((3, 1), 0, axis=1)))
def take(ct, a, indices, axis=None, out=None, mode='raise'):
    if axis is None:
        total = np.zeros_like(np.ravel(a))
        np.add.at(total, indices, ct)
        return np.reshape(total, a.shape), None
    total = np.zeros_like(a)
    if axis < 0:
        np.add.at(total, (Ellipsis, indices) + (slice(None),) * (-axis - 1), ct)
    else:
        np.add.at(total, (slice(None),) * axis + (indices,), ct)
    return total, None


@vjp(np.sort, real_only=True, allowed=STABLE, examples=ORDERED)
def sort(ct, a, axis=-1, kind=None, order=None, *, stable=None):
    places = np.argsort(a, axis=axis, kind='mergesort')
    if axis is None:
        total = np.zeros_like(np.ravel(a))
        np.add.at(total, places, ct)
        return np.reshape(total, a.shape)
    total = np.zeros_like(a)
    np.add.at(total, picking.along(a.shape, places, axis), ct)
    return total


@jvp(np.sort)
def sort_jvp(a_dot, a, axis=-1, kind=None, order=None, *, stable=None):
    places = np.argsort(a, axis=axis, kind='mergesort')
    if axis is None:
        return np.ravel(a_dot)[places]
    return a_dot[picking.along(a.shape, places, axis)]


@inactive(np.argsort, allowed=STABLE, examples=ORDERED)
def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    return None


@inactive(np.searchsorted, allowed={'sorter': (None,)}, examples=(case(np.arange(4.0), (3,)),))
def searchsorted(a, v, side='left', sorter=None):
    return None


@inactive(arrays.equal_bins, type=placed(0), examples=(case((4,), np.linspace(-1.0, 1.0, 4)),))
def equal_bins(a, edges):
    return None


@inactive(arrays.places_in_order, type=placed(1), examples=(case((4,), np.array([1, 2])),))
def places_in_order(a, places):
    return None


@inactive(np.flatnonzero, type=some, examples=(case((4,)),))
def flatnonzero(a):
    return None


OFFSETS = (case((3, 3)), case((3, 4), offset=1), case((4, 3), offset=-1), case((3, 4), offset=-2))


@linear(np.trace, picks=True, allowed={'dtype': (None,), 'out': (None,)},
        examples=(*OFFSETS, case((3, 2, 4)), case((2, 3, 4), offset=1, axis1=1, axis2=2)))
def trace(ct, a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    if a.ndim == 2 and axis1 == 0 and axis2 == 1:
        return ct * np.eye(a.shape[0], a.shape[1], offset, dtype=a.dtype)
    return arrays.on_diagonal(np.expand_dims(ct, -1), a, offset, axis1, axis2)


@linear(np.diagonal, view=True, picks=True,
        examples=(*OFFSETS, case((2, 3, 4), axis1=1, axis2=2), case((3, 2, 4), offset=-1, axis1=2, axis2=0)))
def diagonal(ct, a, offset=0, axis1=0, axis2=1):
    return arrays.on_diagonal(ct, a, offset, axis1, axis2)


@linear(np.diagflat, examples=(case((3,)), case((3,), k=-2), case((2, 2), k=1)))
def diagflat(ct, v, k=0):
    return np.diagonal(ct, k) if v.ndim == 1 else np.reshape(np.diagonal(ct, k), v.shape)


@vjp(arrays.on_diagonal, linear_in=('values',), type=like_operand(1),
     examples=(case((3,), (3, 3)), case((3,), (3, 4), offset=1), case((2, 3), (3, 2, 4), axis1=0, axis2=2)))
def on_diagonal(ct, values, like, offset=0, axis1=0, axis2=1):
    return arrays.unbroadcast(np.diagonal(ct, offset, axis1, axis2), values), None


@batched(np.take, mixed=True)
def taken_examples(function, which, a, indices, axis=None, **options):
    if which == (True, False):
        return np.take(flat(a), indices, 1) if axis is None else np.take(a, indices, behind(axis, a.ndim))
    if which == (False, True):
        if axis is None:
            return np.take(a, indices)
        return np.moveaxis(np.take(a, indices, axis), axis % a.ndim, 0)
    rows = np.arange(a.shape[0])[before_places(indices.ndim)]
    if axis is None:
        return flat(a)[rows, indices]
    place = axis % (a.ndim - 1)
    picked = np.moveaxis(a, place + 1, 1)[rows, indices]
    return np.moveaxis(picked, places(1, indices.ndim - 1), places(place + 1, indices.ndim - 1))


@static_helper
def before_places(ndim):
    return (slice(None),) + (None,) * (ndim - 1)


@static_helper
def places(first, count):
    return tuple(range(first, first + count))


@batched(np.sort, np.argsort)
def sorted_examples(function, a, axis=-1, **options):
    return function(flat(a), axis=1, **options) if axis is None else function(a, axis=behind(axis, a.ndim), **options)


@batched(np.searchsorted, mixed=True, only=lambda which: not which[0])
def searched_examples(function, which, a, v, **options):
    return np.searchsorted(a, v, **options)


@batched(arrays.places_in_order, mixed=True, only=lambda which: not which[1])
def ordered_examples(function, which, a, places):
    return np.argsort(a, axis=1, kind='stable')[:, places]


@batched(np.trace, np.diagonal)
def diagonals_of_examples(function, a, offset=0, axis1=0, axis2=1):
    return function(a, offset, axis1=behind(axis1, a.ndim), axis2=behind(axis2, a.ndim))


@batched(np.diagflat)
def diagflat_of_examples(function, v, k=0):
    items = flat(v)
    size = items.shape[1] + abs(k)
    return arrays.on_diagonal(items, np.zeros((items.shape[0], size, size), items.dtype), k, 1, 2)


@batched(arrays.on_diagonal)
def on_diagonals(function, values, like, offset=0, axis1=0, axis2=1):
    return arrays.on_diagonal(values, like, offset, behind(axis1, like.ndim), behind(axis2, like.ndim))
