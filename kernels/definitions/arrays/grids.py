"""Arrays that are made by an index: `np.mgrid[0:n, 0:m]`, `np.r_[0.0, x, 1.0]`."""
import numpy as np


def along(piece):
    """`start:stop:step`; a step that is imaginary says how many points there are, both ends among them."""
    start = 0 if piece.start is None else piece.start
    step = 1 if piece.step is None else piece.step
    if isinstance(step, complex):
        return np.linspace(start, piece.stop, int(abs(step)))
    return np.arange(start, piece.stop, step)


def axis_of(piece):
    if piece.stop is None:
        raise TypeError('a grid needs to know where each axis stops')
    return along(piece)


def mgrid(key):
    if isinstance(key, slice):
        return axis_of(key)
    axes = ()
    for piece in key:
        axes = axes + (axis_of(piece),)
    return np.stack(np.meshgrid(*axes, indexing='ij'))


def ogrid(key):
    if isinstance(key, slice):
        return axis_of(key)
    grids = ()
    for k in tuple(range(len(key))):
        grids = grids + (np.reshape(axis_of(key[k]), (1,) * k + (-1,) + (1,) * (len(key) - 1 - k)),)
    return grids


def indices(dimensions, dtype=int):
    axes = ()
    for size in dimensions:
        if size < 0:
            raise ValueError('negative dimensions are not allowed')
        axes = axes + (np.arange(size, dtype=dtype),)
    return np.stack(np.meshgrid(*axes, indexing='ij'))


def fromfunction(function, shape, *, dtype=float, **keywords):
    return function(*indices(shape, dtype), **keywords)


def entries(key):
    """The entries of an index as numbers and arrays."""
    found = ()
    for entry in key if isinstance(key, tuple) else (key,):
        if isinstance(entry, str):
            raise RuntimeError('directions in text are not supported')
        if isinstance(entry, slice):
            found = found + (along(entry),)
        else:
            found = found + (np.array(entry) if isinstance(entry, (list, tuple)) else entry,)
    return found


def row(entry, dtype):
    if np.ndim(entry) == 0:
        return np.full(1, entry, dtype)
    return entry if entry.dtype == dtype else entry.astype(dtype)


def in_a_row(key):
    found = entries(key)
    dtype, rows = np.result_type(*found), ()
    for entry in found:
        rows = rows + (row(entry, dtype),)
    return np.concatenate(rows)


def as_columns(key):
    found = entries(key)
    dtype, columns = np.result_type(*found), ()
    for entry in found:
        part = row(entry, dtype)
        columns = columns + (np.reshape(part, (-1, 1)) if part.ndim == 1 else part,)
    return np.concatenate(columns, axis=-1)


def tril_indices(n, k=0, m=None):
    return np.nonzero(np.arange(n)[:, None] >= np.arange(n if m is None else m) - k)


def triu_indices(n, k=0, m=None):
    return np.nonzero(np.arange(n)[:, None] <= np.arange(n if m is None else m) - k)


def tril_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError('input array must be 2-d')
    return tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError('input array must be 2-d')
    return triu_indices(arr.shape[0], k, arr.shape[1])


def diag_indices(n, ndim=2):
    return (np.arange(n),) * ndim


def diag_indices_from(arr):
    if arr.ndim < 2:
        raise ValueError('input array must be at least 2-d')
    for size in arr.shape[1:]:
        if size != arr.shape[0]:
            raise ValueError('All dimensions of input must be of equal length')
    return diag_indices(arr.shape[0], arr.ndim)


def unravel_index(indices, shape, order='C'):
    """The index along each axis of places that are counted through a whole array."""
    if isinstance(shape, int):
        shape = (shape,)
    places = np.int64(indices) if np.ndim(indices) == 0 else np.asarray(indices)
    total, found = 1, ()
    for size in shape:
        total = total * size
    if np.any((places < 0) | (places >= total)):
        raise ValueError('an index is out of bounds for an array of this shape')
    for size in shape if order == 'F' else shape[::-1]:
        found = found + (places % size,) if order == 'F' else (places % size,) + found
        places = places // size
    return found
