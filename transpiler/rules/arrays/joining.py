"""Joining and repeating arrays: the pullback cuts the cotangent up again."""
import numpy as np

from transpiler.rules.base.batching import behind, flat, of_rank, sizes
from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import batched, jvp, linear, static_helper, vjp
from transpiler_kernels.definitions.arrays import shapes

JOINED = {'out': (None,), 'dtype': (None,), 'casting': ('same_kind',)}


def slab(x, start, stop, axis):
    """`x` from `start` to `stop` along `axis`."""
    if axis == 0:
        return x[start:stop]
    if axis == 1:
        return x[:, start:stop]
    if axis == -1:
        return x[..., start:stop]
    return np.swapaxes(np.swapaxes(x, 0, axis)[start:stop], 0, axis)


@vjp(np.concatenate, allowed=JOINED, jointly_linear=True, sequences=('arrays',),
     examples=(case([(3,), (2,)]), case([(2, 3), (4, 3)]), case([(2, 3), (2, 1), (2, 2)], axis=1),
               case([(2, 3), (2, 2)], axis=-1),
               case([(2, 3), (4,)], axis=None), case([(2, 3, 1), (2, 3, 2)], axis=2)))
def concatenate(ct, arrays, axis=0, out=None, *, dtype=None, casting='same_kind'):
    bars = ()
    start = 0
    for x in arrays:
        if axis is None:
            bars = bars + (np.reshape(ct[start:start + x.size], x.shape),)
            start = start + x.size
        else:
            bars = bars + (slab(ct, start, start + x.shape[axis], axis),)
            start = start + x.shape[axis]
    return bars


@vjp(np.stack, allowed=JOINED, jointly_linear=True, sequences=('arrays',),
     examples=(case([(), ()]), case([(3,), (3,)]), case([(3,), (3,)], axis=1), case([(2, 3), (2, 3)], axis=-1),
               case([(2, 3), (2, 3)], axis=1)))
def stack(ct, arrays, axis=0, out=None, *, dtype=None, casting='same_kind'):
    if axis != 0:
        ct = np.moveaxis(ct, axis, 0)
    bars = ()
    for k, _ in enumerate(arrays):
        bars = bars + (ct[k],)
    return bars


@vjp(np.vstack, allowed=JOINED, jointly_linear=True, sequences=('tup',),
     examples=(case([(3,), (3,)]), case([(2, 3), (3,)]), case([(2, 3), (4, 3)]), case([(), ()])))
def vstack(ct, tup, *, dtype=None, casting='same_kind'):
    bars = ()
    start = 0
    for x in tup:
        rows = x.shape[0] if x.ndim >= 2 else 1
        bars = bars + (np.reshape(ct[start:start + rows], x.shape),)
        start = start + rows
    return bars


@vjp(np.hstack, allowed=JOINED, jointly_linear=True, sequences=('tup',),
     examples=(case([(3,), (2,)]), case([(2, 3), (2, 1)]), case([(), (2,)]), case([(2, 1, 3), (2, 2, 3)])))
def hstack(ct, tup, *, dtype=None, casting='same_kind'):
    bars = ()
    start = 0
    for x in tup:
        width = x.shape[1] if x.ndim >= 2 else x.size
        bars = bars + (np.reshape(slab(ct, start, start + width, 0 if ct.ndim == 1 else 1), x.shape),)
        start = start + width
    return bars


@linear(np.repeat, static=('repeats',), runtime=('repeats',), checked=shapes.repeat,
        examples=(case((3,), repeats=2), case((2, 3), repeats=2), case((2, 3), repeats=3, axis=0),
                  case((2, 3), repeats=2, axis=-1)))
def repeat(ct, a, repeats, axis=None):
    if axis is None:
        return np.reshape(np.sum(np.reshape(ct, (a.size, repeats)), axis=1), a.shape)
    return np.sum(np.reshape(ct, split_shape(a, repeats, axis % a.ndim)), axis=axis % a.ndim + 1)


def split_shape(a, repeats, axis):
    """The shape of `a` with a new axis of size `repeats` after `axis`."""
    shape = ()
    for k, size in enumerate(a.shape):
        shape = shape + ((size, repeats) if k == axis else (size,))
    return shape


@linear(np.tile, static=('reps',), runtime=('reps',),
        examples=(case((3,), reps=2), case((2, 3), reps=(2, 1)), case((3,), reps=(2, 3)), case((2, 3), reps=2), case((), reps=3)))
def tile(ct, A, reps):
    counts = reps if isinstance(reps, (tuple, list)) else (reps,)
    if len(counts) < A.ndim:
        counts = (1,) * (A.ndim - len(counts)) + tuple(counts)
    lacking = len(counts) - A.ndim
    shape = ()
    for k, repeats in enumerate(counts):
        shape = shape + (repeats, A.shape[k - lacking] if k >= lacking else 1)
    return np.reshape(np.sum(np.reshape(ct, shape), axis=every_other(len(counts))), A.shape)


@static_helper
def every_other(n):
    return tuple(range(0, 2 * n, 2))


@linear(np.pad, static=('pad_width',), allowed={'mode': ('constant',)}, beyond=shapes.pad,
        examples=(case((3,), pad_width=1), case((2, 3), pad_width=1), case((2, 3), pad_width=((1, 0), (0, 2))),
                  case((2, 3), pad_width=(1, 2), constant_values=1.5)))
def pad(ct, array, pad_width, mode='constant', *, constant_values=0):
    for k, size in enumerate(array.shape):
        before = padded_before(pad_width, k)
        ct = slab(ct, before, before + size, k)
    return ct


@jvp(np.pad)
def pad_jvp(array_dot, array, pad_width, mode='constant', *, constant_values=0):
    return np.pad(array_dot, pad_width)


@static_helper
def padded_before(pad_width, axis):
    """How many items `np.pad` puts before the array along `axis`."""
    widths = np.asarray(pad_width)
    return int(widths.flat[0]) if widths.ndim < 2 else int(widths[axis if len(widths) > 1 else 0, 0])


@batched(np.concatenate)
def concatenated_examples(function, arrays, axis=0, **options):
    parts = ()
    for x in arrays:
        parts = parts + (flat(x) if axis is None else x,)
    return np.concatenate(parts, axis=1 if axis is None else behind(axis, arrays[0].ndim), **options)


@batched(np.stack)
def stacked_examples(function, arrays, axis=0, **options):
    return np.stack(arrays, axis=behind(axis, arrays[0].ndim + 1), **options)


@batched(np.vstack)
def rows_of_examples(function, tup, **options):
    parts = ()
    for x in tup:
        parts = parts + (of_rank(x, 2),)
    return np.concatenate(parts, axis=1, **options)


@batched(np.hstack)
def columns_of_examples(function, tup, **options):
    parts = ()
    for x in tup:
        parts = parts + (of_rank(x, 1),)
    return np.concatenate(parts, axis=1 if parts[0].ndim == 2 else 2, **options)


@batched(np.repeat)
def repeated_examples(function, a, repeats, axis=None):
    return np.repeat(flat(a), repeats, axis=1) if axis is None else np.repeat(a, repeats, axis=behind(axis, a.ndim))


@batched(np.tile)
def tiled_examples(function, A, reps):
    reps = sizes(reps)
    return np.tile(of_rank(A, len(reps)), (1, *(1,) * (A.ndim - 1 - len(reps)), *reps))


@batched(np.pad)
def padded_examples(function, array, pad_width, **options):
    return np.pad(array, widths_of_examples(pad_width, array.ndim - 1), **options)


@static_helper
def widths_of_examples(pad_width, rank):
    """What to put around the axes of a batch.

    >>> widths_of_examples(1, 2), widths_of_examples((1, 2), 1)
    (((0, 0), (1, 1), (1, 1)), ((0, 0), (1, 2)))
    """
    return ((0, 0), *(tuple(map(int, pair)) for pair in np.broadcast_to(pad_width, (rank, 2))))
