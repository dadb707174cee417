"""Filters of `scipy.ndimage`."""
import numpy as np

# what NumPy calls the ways to go on beyond an edge
EDGES = {'reflect': 'symmetric', 'grid-mirror': 'symmetric', 'mirror': 'reflect', 'nearest': 'edge', 'wrap': 'wrap',
         'grid-wrap': 'wrap', 'constant': 'constant', 'grid-constant': 'constant'}


def filtered(input, weights, mode, cval, origins):
    """For each item, the sum of those around it, each with its weight."""
    if weights.ndim != input.ndim:
        raise RuntimeError('weights array has incorrect shape.')
    if mode not in EDGES:
        raise RuntimeError('boundary mode not supported')
    pads, around, inner = (), (), ()
    for axis in tuple(range(input.ndim)):
        size = weights.shape[axis]
        before = size // 2 + origins[axis]
        if before < 0 or before >= size:
            raise ValueError('invalid origin')
        length = input.shape[axis]
        pads = pads + ((before, size - 1 - before),)
        around, inner = around + (length + size - 1,), inner + (slice(before, before + length),)
    if EDGES[mode] == 'constant':
        padded = np.full(around, cval, input.dtype)
        padded[inner] = input
    else:
        padded = np.pad(input, pads, mode=EDGES[mode])
    factors = np.ravel(weights)
    found = np.zeros(input.shape, np.result_type(input, weights))
    for k in range(weights.size):
        window, rest = padded, k
        for axis in tuple(reversed(range(input.ndim))):
            offset = rest % weights.shape[axis]
            rest = rest // weights.shape[axis]
            window = window[(slice(None),) * axis + (slice(offset, offset + input.shape[axis]),)]
        found = found + factors[k] * window
    return found.astype(input.dtype)


def for_each_axis(origin, ndim):
    return origin if isinstance(origin, (tuple, list)) else (origin,) * ndim


def correlate(input, weights, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None):
    return filtered(input, weights, mode, cval, for_each_axis(origin, input.ndim))


def convolve(input, weights, output=None, mode='reflect', cval=0.0, origin=0, *, axes=None):
    turned = weights[(slice(None, None, -1),) * weights.ndim]
    given, origins = for_each_axis(origin, input.ndim), ()
    for axis in tuple(range(weights.ndim)):
        origins = origins + (-given[axis] - (1 if weights.shape[axis] % 2 == 0 else 0),)
    return filtered(input, turned, mode, cval, origins)


def along(weights, axis, ndim):
    return np.reshape(weights, (1,) * (axis % ndim) + (-1,) + (1,) * (ndim - 1 - axis % ndim))


def correlate1d(input, weights, axis=-1, output=None, mode='reflect', cval=0.0, origin=0):
    place = axis % input.ndim
    origins = (0,) * place + (origin,) + (0,) * (input.ndim - 1 - place)
    return correlate(input, along(weights, axis, input.ndim), None, mode, cval, origins)


def convolve1d(input, weights, axis=-1, output=None, mode='reflect', cval=0.0, origin=0):
    place = axis % input.ndim
    origins = (0,) * place + (-origin - (1 if weights.shape[0] % 2 == 0 else 0),) + (0,) * (input.ndim - 1 - place)
    return correlate(input, along(weights[::-1], axis, input.ndim), None, mode, cval, origins)
