"""Fourier transforms of several axes, and what goes with them."""
import numpy as np


def chosen_axes(a, s, axes):
    if axes is not None:
        return tuple(axes)
    count = a.ndim if s is None else len(s)
    return tuple(range(-count, 0))


def size_along(s, k):
    return None if s is None else s[k]


def fftn(a, s=None, axes=None, norm=None, out=None):
    axes = chosen_axes(a, s, axes)
    for k in reversed(range(len(axes))):
        a = np.fft.fft(a, size_along(s, k), axes[k], norm)
    return a


def ifftn(a, s=None, axes=None, norm=None, out=None):
    axes = chosen_axes(a, s, axes)
    for k in reversed(range(len(axes))):
        a = np.fft.ifft(a, size_along(s, k), axes[k], norm)
    return a


def rfftn(a, s=None, axes=None, norm=None, out=None):
    axes = chosen_axes(a, s, axes)
    last = len(axes) - 1
    a = np.fft.rfft(a, size_along(s, last), axes[last], norm)
    for k in reversed(range(last)):
        a = np.fft.fft(a, size_along(s, k), axes[k], norm)
    return a


def irfftn(a, s=None, axes=None, norm=None, out=None):
    axes = chosen_axes(a, s, axes)
    last = len(axes) - 1
    for k in range(last):
        a = np.fft.ifft(a, size_along(s, k), axes[k], norm)
    return np.fft.irfft(a, size_along(s, last), axes[last], norm)


def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return fftn(a, s, axes, norm)


def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return ifftn(a, s, axes, norm)


def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return rfftn(a, s, axes, norm)


def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return irfftn(a, s, axes, norm)


def other_way(norm):
    if norm == 'ortho':
        return norm
    return 'backward' if norm == 'forward' else 'forward'


def hfft(a, n=None, axis=-1, norm=None, out=None):
    return np.fft.irfft(np.conj(a), n, axis, other_way(norm))


def ihfft(a, n=None, axis=-1, norm=None, out=None):
    return np.conj(np.fft.rfft(a, n, axis, other_way(norm)))


def fftshift(x, axes=None):
    if axes is None:
        axes = tuple(range(x.ndim))
    for axis in axes if isinstance(axes, tuple) else (axes,):
        x = np.roll(x, x.shape[axis] // 2, axis)
    return x


def ifftshift(x, axes=None):
    if axes is None:
        axes = tuple(range(x.ndim))
    for axis in axes if isinstance(axes, tuple) else (axes,):
        x = np.roll(x, -(x.shape[axis] // 2), axis)
    return x


def fftfreq(n, d=1.0, device=None):
    width = 1.0 / (n * d)
    if n < 0:
        raise ValueError('negative dimensions are not allowed')
    return np.concatenate((np.arange((n + 1) // 2), np.arange(-(n // 2), 0))) * width


def rfftfreq(n, d=1.0, device=None):
    width = 1.0 / (n * d)
    return np.arange(n // 2 + 1) * width
