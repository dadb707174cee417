"""Fourier transforms. They are linear: a derivative is a transform (JAX's convention: the transpose, not the adjoint)."""
from typing import Any

import numpy as np

from transpiler.rules.arrays.reductions import NO_OUT
from transpiler.rules.base.batching import behind
from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import batched, definition, linear, static_helper
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar, Type, Unknown
from transpiler_kernels.definitions.samples import fourier

LINES = (case((5,)), case((4,)), case((3, 4), axis=0), case((2, 3, 4), axis=1), case((5,), norm='ortho'),
         case((4,), norm='forward'), case((5,), n=7), case((3, 6), n=4), case((1,)))
PLANES = (case((3, 4)), case((2, 3, 4), axes=(0, 2)), case((3, 4), s=(2, 5), axes=(0, 1)), case((3, 4), norm='ortho'))


def spectrum(name: str):
    """The type of a transform."""
    def type_of(a: Type, n: Any = None, axis: int = -1, norm: str | None = None, out: None = None) -> Type:
        if isinstance(a, Unknown):
            return Array(np.dtype(float if name == 'irfft' else complex), None)
        dtype = np.result_type(a.dtype if a.dtype.kind in 'fc' else np.float64, np.complex64)
        dtype = dtype if name != 'irfft' else np.zeros(0, dtype).real.dtype
        if name == 'rfft' and a.dtype.kind == 'c':
            raise TypeError('it takes real numbers')
        if isinstance(a, Array) and a.dims is None:
            return Array(dtype, None)
        dims = list(a.dims if isinstance(a, Array) else ())
        dims[axis] = _points(name, dims[axis], n)
        return Array(dtype, tuple(dims))
    return type_of


def _points(name: str, size: Dim | None, n: Any) -> Dim | None:
    """How many numbers a transform gives."""
    if n is None:
        points = size if name != 'irfft' or size is None else size * 2 - 2
    else:
        points = n.size if isinstance(n, Scalar) else Dim.of(n) if isinstance(n, int) else None
    if name == 'rfft' and points is not None:
        return Dim.of(points.constant // 2 + 1) if points.is_constant else None
    return points


@static_helper
def transposed(norm):
    """What scales the transposed transform as `norm` scales the one in the other direction.

    >>> transposed(None), transposed('ortho'), transposed('forward')
    ('forward', 'ortho', 'backward')
    """
    return {None: 'forward', 'backward': 'forward', 'forward': 'backward'}.get(norm, norm)


def with_points(values, points, axis):
    """The first `points` values along an axis, with zeros behind them if there are fewer."""
    values = np.moveaxis(values, axis, 0)
    zeros = np.zeros((max(points - values.shape[0], 0),) + values.shape[1:], values.dtype)
    return np.moveaxis(np.concatenate((values[:points], zeros)), 0, axis)


def scaled_inside(half, factor, points):
    """Half a spectrum, along the last axis, with a factor for the numbers that stand for two of the whole."""
    k = np.arange(half.shape[-1])
    return np.where((k > 0) & (2 * k != points), factor * half, half)


def along(axis, function, half, factor, points):
    if axis == -1:
        return function(half, factor, points)
    return np.moveaxis(function(np.moveaxis(half, axis, -1), factor, points), -1, axis)


@linear(np.fft.fft, allowed=NO_OUT, runtime=('n',), type=spectrum('fft'), examples=LINES)
def fft(ct, a, n=None, axis=-1, norm=None, out=None):
    found = np.fft.fft(ct, axis=axis, norm=norm)
    return found if n is None else with_points(found, a.shape[axis], axis)


@linear(np.fft.ifft, allowed=NO_OUT, runtime=('n',), type=spectrum('ifft'), examples=LINES)
def ifft(ct, a, n=None, axis=-1, norm=None, out=None):
    found = np.fft.ifft(ct, axis=axis, norm=norm)
    return found if n is None else with_points(found, a.shape[axis], axis)


@linear(np.fft.rfft, allowed=NO_OUT, runtime=('n',), type=spectrum('rfft'), examples=LINES)
def rfft(ct, a, n=None, axis=-1, norm=None, out=None):
    points = a.shape[axis] if n is None else n
    whole = np.conj(along(axis, scaled_inside, ct, 0.5, points))
    found = np.fft.irfft(whole, points, axis=axis, norm=transposed(norm))
    return found if n is None else with_points(found, a.shape[axis], axis)


@linear(np.fft.irfft, allowed=NO_OUT, runtime=('n',), type=spectrum('irfft'),
        examples=(*LINES[:8], case((3,), n=4), case((3,), n=5), case((4, 2), n=5, axis=0)))
def irfft(ct, a, n=None, axis=-1, norm=None, out=None):
    half = np.conj(np.fft.rfft(ct, axis=axis, norm=transposed(norm)))
    found = along(axis, scaled_inside, half, 2, ct.shape[axis])
    return found if n is None else with_points(found, a.shape[axis], axis)


@batched(np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft)
def transform_of_examples(function, a, n=None, axis=-1, norm=None):
    return function(a, n, behind(axis, a.ndim), norm)


for function, stand_in in (
    (np.fft.fftn, fourier.fftn), (np.fft.ifftn, fourier.ifftn), (np.fft.rfftn, fourier.rfftn), (np.fft.irfftn, fourier.irfftn),
    (np.fft.fft2, fourier.fft2), (np.fft.ifft2, fourier.ifft2), (np.fft.rfft2, fourier.rfft2), (np.fft.irfft2, fourier.irfft2),
):
    definition(function, allowed=NO_OUT, examples=PLANES)(stand_in)
definition(np.fft.hfft, allowed=NO_OUT, examples=LINES[:4])(fourier.hfft)
definition(np.fft.ihfft, allowed=NO_OUT, examples=LINES[:4])(fourier.ihfft)
SHIFTS = case((4,)), case((5,)), case((3, 4)), case((3, 4), axes=0), case((3, 4), axes=(1,))
definition(np.fft.fftshift, examples=SHIFTS)(fourier.fftshift)
definition(np.fft.ifftshift, examples=SHIFTS)(fourier.ifftshift)
definition(np.fft.fftfreq, allowed={'device': (None,)}, examples=(case(5), case(4, d=np.float64(0.5))))(fourier.fftfreq)
definition(np.fft.rfftfreq, allowed={'device': (None,)}, examples=(case(5), case(4, d=np.float64(0.5))))(fourier.rfftfreq)
