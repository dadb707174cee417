"""NumPy's functions that change an argument, written in the transpiler's own language: they are inlined.

Each behaves as the NumPy function or array method of its name. Parameters are NumPy's, as far as they are supported.
"""
import numpy as np

from transpiler_kernels.definitions.arrays.picking import along, places


def copyto(dst, src, *, where=True):
    src = src if np.isscalar(src) and not isinstance(src, np.generic) else np.asarray(src)
    kinds = np.result_type(src, dst), np.result_type(src)  # Python's numbers take the dtype of the array, if they can
    if not (np.can_cast(kinds[0], dst.dtype, 'same_kind') or np.can_cast(kinds[1], dst.dtype, 'same_kind')):
        raise TypeError("cannot cast what is copied according to the rule 'same_kind'")
    dst[...] = src if where is True else np.where(where, src, dst)


def fill(a, value):
    a[...] = value


def sort(a, axis=-1, kind=None):
    a[...] = np.sort(a, axis=axis, kind=kind)


def put(a, ind, v):
    row = flat(ind)
    a[at_flat(a, row)] = cycled(held(v, a.dtype), row.size)


def item_at_flat(a, index):
    """`a.flat[index]` for a number"""
    return a[at_flat(a, index)]


def part_at_flat(a, part):
    """`a.flat[part]`, which is a copy."""
    return np.copy(a[part]) if a.ndim == 1 else a[at_flat(a, part)]


def put_flat(a, part, values):
    """`a.flat[part] = values`"""
    row = np.arange(a.size)[part]
    if np.ndim(row) == 0:
        a[at_flat(a, row)] = values
    else:
        put(a, row, values)


def place(arr, mask, vals):
    chosen = np.reshape(flat(mask) != 0, arr.shape)
    arr[chosen] = cycled(safely(vals, arr.dtype), np.sum(chosen))


def putmask(a, mask, values):
    items = cycled(safely(values, a.dtype), a.size)
    a[...] = np.where(mask, items if np.ndim(items) == 0 else np.reshape(items, a.shape), a)


def fill_diagonal(a, val):
    if a.ndim < 2:
        raise ValueError('array must be at least 2-d')
    for size in a.shape[2:]:
        if size != a.shape[0] or size != a.shape[1]:
            raise ValueError('All dimensions of input must be of equal length')
    k = np.arange(min(a.shape[0], a.shape[1]))
    a[(k,) * a.ndim] = cycled(val, k.size)


def put_along_axis(arr, indices, values, axis):
    if axis is None:
        arr[at_flat(arr, flat(indices))] = values
    else:
        arr[along(arr.shape, indices, axis)] = values


def flat(values):
    """The items in C order, as an array; a number stays one."""
    row = np.array(values) if isinstance(values, (list, tuple)) else values
    return row if np.ndim(row) < 2 else np.ravel(row)


def at_flat(a, row):
    """The index of `a` for the items `row`, counted in C order."""
    return row if a.ndim == 1 else places(np.arange(a.size)[row], a.shape)


def held(values, dtype):
    """Python's numbers as items of an array of integers, which must hold them."""
    return np.array(values, dtype) if np.issubdtype(dtype, np.integer) and not isinstance(values, np.ndarray) else values


def safely(values, dtype):
    """As `held`; an array must be of a dtype whose numbers the other one has."""
    if isinstance(values, np.ndarray) and not np.can_cast(values.dtype, dtype, 'safe'):
        raise TypeError("cannot cast the values according to the rule 'safe'")
    return held(values, dtype)


def cycled(values, count):
    """`count` items of `values`, from the first again after the last; a number stays one."""
    row = flat(values)
    return row if np.ndim(row) == 0 else row[np.arange(count) % row.size]


def at_each(ufunc, a, indices, b):
    """`ufunc.at(a, indices, b)`, one place after the other."""
    named = np.reshape(np.arange(a.size), a.shape)[indices]
    items = flat(np.broadcast_to(b, named.shape))
    order = flat(named)
    row = np.copy(flat(a))
    for k in range(order.size):
        row[order[k]] = ufunc(row[order[k]], items[k])
    a[...] = np.reshape(row, a.shape)
