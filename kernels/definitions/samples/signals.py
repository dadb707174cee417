"""Convolutions of `scipy.signal`."""
import numpy as np

from transpiler_kernels.definitions.samples.fourier import irfftn, rfftn


def kept(found, in1, in2, mode):
    """The part of a full convolution that a mode stands for; `valid` takes it that one array is nowhere the shorter one."""
    if mode == 'full':
        return found
    for axis in tuple(range(in1.ndim)):
        first, second = in1.shape[axis], in2.shape[axis]
        if mode == 'same':
            size = first
        else:
            size = max(first, second) - min(first, second) + 1
        start = (found.shape[axis] - size) // 2
        found = np.take(found, np.arange(start, start + size), axis=axis)
    return found


def check(in1, in2, mode):
    if mode not in ('full', 'same', 'valid'):
        raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
    if in1.ndim != in2.ndim:
        raise ValueError('in1 and in2 should have the same dimensionality')
    if in1.size == 0 or in2.size == 0:
        raise ValueError('arrays without items have no convolution')
    if mode == 'valid':
        wider, narrower = True, True
        for axis in tuple(range(in1.ndim)):
            wider = wider and in1.shape[axis] >= in2.shape[axis]
            narrower = narrower and in1.shape[axis] <= in2.shape[axis]
        if not (wider or narrower):
            raise ValueError('for mode "valid", one array must be at least as large as the other along every axis')


def fftconvolve(in1, in2, mode='full', axes=None):
    check(in1, in2, mode)
    sizes = ()
    for axis in tuple(range(in1.ndim)):
        sizes = sizes + (in1.shape[axis] + in2.shape[axis] - 1,)
    axes = tuple(range(in1.ndim))
    found = irfftn(rfftn(in1, sizes, axes) * rfftn(in2, sizes, axes), sizes, axes)
    return kept(found, in1, in2, mode)


def convolve(in1, in2, mode='full', method='auto'):
    check(in1, in2, mode)
    if in1.ndim == 1:
        return kept(np.convolve(in1, in2), in1, in2, mode)
    return fftconvolve(in1, in2, mode)


def convolve2d(in1, in2, mode='full', boundary='fill', fillvalue=0):
    check(in1, in2, mode)
    rows, columns = in2.shape
    height, width = in1.shape[0] + rows - 1, in1.shape[1] + columns - 1
    around = np.zeros((rows - 1, in1.shape[1]), in1.dtype)
    padded = np.concatenate((around, in1, around), axis=0)
    sides = np.zeros((padded.shape[0], columns - 1), in1.dtype)
    padded = np.concatenate((sides, padded, sides), axis=1)
    found = np.zeros((height, width), in1.dtype)
    for i in range(rows):
        for j in range(columns):
            top, left = rows - 1 - i, columns - 1 - j
            found = found + padded[top:top + height, left:left + width] * in2[i, j]
    return kept(found, in1, in2, mode)
