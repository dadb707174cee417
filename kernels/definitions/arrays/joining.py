"""Cutting arrays into lists of parts, and joining the arrays on a list whose length shows at run time."""
import numpy as np

from transpiler_kernels.definitions.arrays.shapes import truncated
from transpiler_kernels.definitions.known import known


def split(ary, indices_or_sections, axis=0):
    if np.ndim(indices_or_sections) > 0:
        return array_split(ary, indices_or_sections, axis)
    whole, parts = np.moveaxis(ary, axis, 0), []
    if whole.shape[0] % indices_or_sections != 0:
        raise ValueError('array split does not result in an equal division')
    if indices_or_sections < 0:
        raise ValueError('number sections must be larger than 0.')
    indices_or_sections = truncated(indices_or_sections)
    width = whole.shape[0] // indices_or_sections
    for k in tuple(range(indices_or_sections)) if known(indices_or_sections) else range(indices_or_sections):
        parts.append(np.moveaxis(whole[k * width:(k + 1) * width], 0, axis))
    return parts


def array_split(ary, indices_or_sections, axis=0):
    whole, parts, start = np.moveaxis(ary, axis, 0), [], 0
    if np.ndim(indices_or_sections) == 0:
        indices_or_sections = truncated(indices_or_sections)
        if indices_or_sections <= 0:
            raise ValueError('number sections must be larger than 0.')
        width, longer = whole.shape[0] // indices_or_sections, whole.shape[0] % indices_or_sections
        for k in tuple(range(indices_or_sections)) if known(indices_or_sections) else range(indices_or_sections):
            start, stop = k * width + min(k, longer), (k + 1) * width + min(k + 1, longer)
            parts.append(np.moveaxis(whole[start:stop], 0, axis))
        return parts
    for stop in indices_or_sections:
        parts.append(np.moveaxis(whole[start:stop], 0, axis))
        start = stop
    parts.append(np.moveaxis(whole[start:], 0, axis))
    return parts


def vsplit(ary, indices_or_sections):
    if ary.ndim < 2:
        raise ValueError('vsplit only works on arrays of 2 or more dimensions')
    return split(ary, indices_or_sections, 0)


def hsplit(ary, indices_or_sections):
    if ary.ndim == 0:
        raise ValueError('hsplit only works on arrays of 1 or more dimensions')
    return split(ary, indices_or_sections, 0 if ary.ndim == 1 else 1)


def dsplit(ary, indices_or_sections):
    if ary.ndim < 3:
        raise ValueError('dsplit only works on arrays of 3 or more dimensions')
    return split(ary, indices_or_sections, 2)


def unstack(x, *, axis=0):
    rows = np.moveaxis(x, axis, 0)
    return tuple([rows[k] for k in tuple(range(rows.shape[0]))]) if known(rows.shape[0]) else list(rows)


def broadcast_arrays(*args):
    rank = 0
    for a in args:
        rank = max(rank, np.ndim(a))
    shape = ()
    for k in tuple(range(-rank, 0)):
        size = 1
        for a in args:
            own = np.shape(a)[k] if np.ndim(a) >= -k else 1
            size = own if size == 1 else size
        shape = shape + (size,)
    spread = ()
    for a in args:
        spread = spread + (np.broadcast_to(a, shape),)
    return spread


def joined_items(items, axis, dtype):
    """The arrays on a list joined along an axis, each as long as it is."""
    if len(items) == 0:
        raise ValueError('need at least one array to concatenate')
    if axis is None:
        return flat_items(items, dtype)
    size = 0
    for item in items:
        size = size + item.shape[axis]
    shape = ()
    for k in tuple(range(items[0].ndim)):
        shape = shape + (size if k == axis else items[0].shape[k],)
    whole = np.zeros(shape, dtype)
    rows, start = np.moveaxis(whole, axis, 0), 0
    for item in items:
        part = np.moveaxis(item, axis, 0)
        for k in tuple(range(1, part.ndim)):
            if part.shape[k] != rows.shape[k]:
                raise ValueError('all the input array dimensions except for the concatenation axis must match exactly')
        rows[start:start + part.shape[0]] = part
        start = start + part.shape[0]
    return whole


def flat_items(items, dtype):
    size, start = 0, 0
    for item in items:
        size = size + item.size
    whole = np.zeros(size, dtype)
    for item in items:
        whole[start:start + item.size] = np.ravel(item)
        start = start + item.size
    return whole


def summed_items(items, start):
    total = items[0] + start
    for k in range(1, len(items)):
        total = total + items[k]
    return total


def each_as(items, kind):
    return [kind(item) for item in items]


def as_it_is(whole):
    return whole


def as_row(whole):
    return whole[None]


def as_column(whole):
    return whole[:, None]


def as_columns(whole):
    return np.transpose(whole)


def as_depth(whole):
    return whole[None, None]


def as_columns_in_depth(whole):
    return np.transpose(whole)[None]


def as_planes_in_depth(whole):
    return np.moveaxis(whole, 0, 2)
