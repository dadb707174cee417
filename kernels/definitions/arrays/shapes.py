"""Functions that arrange arrays."""
import operator

import numpy as np

from transpiler_kernels.definitions.arrays.inplace import held


def ndim(a):
    return a.ndim


def shape(a):
    return a.shape


def size(a, axis=None):
    return a.size if axis is None else a.shape[axis]


def ndarray(shape, dtype=float):
    return np.empty(shape, dtype)


def flatten(a, order='C'):
    return np.copy(np.ravel(a, order=order))


def compressed(a, condition, axis=None):
    return np.compress(condition, a, axis=axis)


def item(a, *index):
    if len(index) == 0 and np.size(a) != 1:
        raise ValueError('can only convert an array of size 1 to a Python scalar')
    at = index[0] if len(index) == 1 else index
    at = at if isinstance(at, tuple) else operator.index(at)
    value = np.ravel(a)[0] if len(index) == 0 else a[at] if isinstance(at, tuple) else np.ravel(a)[at]
    if np.issubdtype(value.dtype, np.floating):
        return float(value)
    if np.issubdtype(value.dtype, np.complexfloating):
        return complex(value)
    return bool(value) if value.dtype == np.bool_ else int(value)


def diag(v, k=0):
    if v.ndim > 2 or v.ndim == 0:
        raise ValueError('Input must be 1- or 2-d.')
    return np.diagflat(v, k) if v.ndim == 1 else np.diagonal(v, k)


def dstack(tup):
    parts = ()
    for x in tup:
        parts = parts + (np.atleast_3d(x),)
    return np.concatenate(parts, axis=2)


def column_stack(tup):
    parts = ()
    for x in tup:
        parts = parts + (np.reshape(x, (-1, 1)) if x.ndim < 2 else x,)
    return np.concatenate(parts, axis=1)


def truncated(number):
    """What NumPy takes a float for where it does not insist on an integer."""
    return int(number) if isinstance(number, (float, np.floating)) else number


def take(a, indices, axis=None, out=None, mode='raise'):
    return np.take(a, truncated(indices), axis, out, mode)


def roll(a, shift, axis=None):
    return np.roll(a, truncated(shift), axis)


def repeat(a, repeats, axis=None):
    if np.ndim(repeats) == 0:
        return np.repeat(a, truncated(repeats), axis=axis)
    rows = np.ravel(a) if axis is None else a
    place = 0 if axis is None else axis
    times = np.asarray(repeats)
    if times.dtype.kind == 'f':
        if not isinstance(repeats, (list, tuple)):
            raise TypeError("Cannot cast array data from floats to dtype('int64') according to the rule 'safe'")
        times = times.astype(int)
    counts = np.broadcast_to(times, (rows.shape[place],))
    if np.any(counts < 0):
        raise ValueError('repeats may not contain negative values.')
    turns = np.searchsorted(np.cumsum(counts), np.arange(np.sum(counts)), side='right')
    return np.take(rows, turns, axis=place)


def append(arr, values, axis=None):
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    return np.concatenate((arr, values), axis=axis)


def rollaxis(a, axis, start=0):
    axis = axis + a.ndim if axis < 0 else axis
    start = start + a.ndim if start < 0 else start
    return np.moveaxis(a, axis, start - 1 if axis < start else start)


def meshgrid(*xi, copy=True, sparse=False, indexing='xy'):
    swapped = indexing == 'xy' and len(xi) > 1
    sizes = ()
    for x in xi:
        sizes = sizes + (np.size(x),)
    if swapped:
        sizes = (sizes[1], sizes[0]) + sizes[2:]
    grids = ()
    for k in tuple(range(len(xi))):
        axis = 1 - k if swapped and k < 2 else k
        grid = np.reshape(xi[k], (1,) * axis + (-1,) + (1,) * (len(xi) - 1 - axis))
        grids = grids + (np.copy(grid if sparse else np.broadcast_to(grid, sizes)),)
    return grids


def delete(arr, obj, axis=None):
    arr = np.ravel(arr) if axis is None else np.moveaxis(arr, axis, 0)
    if not isinstance(obj, int):
        rest = arr[all_but(arr.shape[0], obj)]
        return rest if axis is None else np.moveaxis(rest, 0, axis)
    place = obj + arr.shape[0] if obj < 0 else obj
    if place < 0 or place >= arr.shape[0]:
        raise IndexError('index is out of bounds')
    rest = np.concatenate((arr[:place], arr[place + 1:]), axis=0)
    return rest if axis is None else np.moveaxis(rest, 0, axis)


def insert(arr, obj, values):
    arr = np.ravel(arr)
    if not isinstance(obj, int):
        places = np.arange(arr.size)[obj] if isinstance(obj, slice) else np.asarray(obj)
        return insert_several(arr, np.ravel(places), np.ravel(held(values, arr.dtype)).astype(arr.dtype))
    place = obj + arr.size if obj < 0 else obj
    if place < 0 or place > arr.size:
        raise IndexError('index is out of bounds')
    return np.concatenate((arr[:place], np.ravel(held(values, arr.dtype)).astype(arr.dtype), arr[place:]))


def all_but(size, places):
    kept = np.ones(size, dtype=bool)
    kept[places] = False
    return kept


def insert_several(arr, places, values):
    """Each value before the item at its place; several of the same place in their order, and all values at a single one."""
    if places.dtype == np.bool_:
        raise RuntimeError('where flags say so nothing can be inserted: give the places, `np.flatnonzero(...)`')
    places = np.where(places < 0, places + arr.size, places)
    if np.any(places < 0) or np.any(places > arr.size):
        raise IndexError('index is out of bounds')
    if places.size == 1:
        places = np.repeat(places, values.size)
    count = places.size
    order = np.argsort(places, kind='stable')
    moved = np.zeros(count, dtype=int)
    moved[order] = places[order] + np.arange(count)
    found = np.zeros(arr.size + count, dtype=arr.dtype)
    found[moved] = values
    found[all_but(arr.size + count, moved)] = arr
    return found


def resize(a, new_shape):
    flat, items = np.ravel(a), 1
    for size in new_shape if isinstance(new_shape, tuple) else (new_shape,):
        if size < 0:
            raise ValueError('all elements of `new_shape` must be non-negative')
        items = items * size
    return np.reshape(np.take(flat, np.arange(items) % flat.size), new_shape)


def pad(array, pad_width, mode='constant', *, constant_values=0):
    """`np.pad` with items of the array itself."""
    if mode not in ('edge', 'wrap', 'reflect', 'symmetric'):
        raise RuntimeError("only the modes 'constant', 'edge', 'wrap', 'reflect' and 'symmetric' are supported")
    for axis in tuple(range(array.ndim)):
        before, after = widths_along(pad_width, axis)
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
        places = places_around(array.shape[axis], before, after, mode)
        array = np.moveaxis(np.moveaxis(array, axis, 0)[places], 0, axis)
    return array


def widths_along(pad_width, axis):
    if not isinstance(pad_width, (tuple, list)):
        return pad_width, pad_width
    if isinstance(pad_width[0], (tuple, list)):
        own = pad_width[axis if len(pad_width) > 1 else 0]
        return own[0], own[len(own) - 1]
    return pad_width[0], pad_width[len(pad_width) - 1]


def places_around(size, before, after, mode):
    """Where the items of an axis come from that is continued on both sides."""
    if size == 0:
        raise ValueError('an axis without items cannot be continued')
    k = np.arange(-before, size + after)
    if mode == 'edge':
        return np.clip(k, 0, size - 1)
    if mode == 'wrap':
        return k % size
    if mode == 'symmetric':
        k = k % (2 * size)
        return np.where(k < size, k, 2 * size - 1 - k)
    period = max(2 * size - 2, 1)
    k = np.abs(k) % period
    return np.where(k < size, k, period - k)


def block(arrays):
    depth = depth_of(arrays)
    return joined_blocks(arrays, depth, max(depth, most_axes(arrays)))


def depth_of(arrays):
    return 1 + depth_of(arrays[0]) if isinstance(arrays, list) else 0


def most_axes(arrays):
    if not isinstance(arrays, list):
        return np.ndim(arrays)
    most = 0
    for part in arrays:
        most = max(most, most_axes(part))
    return most


def joined_blocks(arrays, depth, axes):
    if not isinstance(arrays, list):
        return np.reshape(arrays, (1,) * (axes - np.ndim(arrays)) + np.shape(arrays))
    parts = ()
    for part in arrays:
        parts = parts + (joined_blocks(part, depth - 1, axes),)
    return np.concatenate(parts, axis=-depth)


def picked_by_flag(a, flag):
    """`a[flag]`: an axis more, of one item or none."""
    return a[None][np.array([flag])]
