"""Fourier transforms: along the middle one of three axes, into which all others are taken together."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, called
from transpiler.lower.primitives.shapes import product, reshaped
from transpiler.values.types import Type

PACKAGE = 'numpy.fft.'
FORWARD = {None: 0.0, 'backward': 0.0, 'ortho': 0.5, 'forward': 1.0}  # by which power of the number of points it is divided
OF_REAL = {('fft', 'float64'): 'fft_of_real', ('ifft', 'float64'): 'ifft_of_real', ('rfft', 'float32'): 'rfft_single'}
PRECISIONS = ('float32', 'float64', 'complex64', 'complex128')


@lowers(*(PACKAGE + name for name in ('fft', 'ifft', 'rfft', 'irfft')))
def transform(context: Context, call: Call, type_: Type) -> Value:
    name = call.name.removeprefix(PACKAGE)
    a, n, axis, norm, _ = call.bind('a', 'n', 'axis', 'norm', 'out')
    value = context.value(a)
    if value.is_scalar or type_.dtype.name not in PRECISIONS:
        raise context.unsupported(call.name, 'compiled code transforms arrays of single or double precision')
    of_real = name == 'rfft' or name in ('fft', 'ifft') and value.dtype.kind != 'c' and type_.dtype == np.complex128
    dtype = np.zeros(0, type_.dtype).real.dtype if of_real else np.result_type(type_.dtype, np.complex64)
    value = context.named(context.cast(value, dtype), 'x')
    place = -1 if axis is None else context.literal(axis, 'axis')
    place, shape = place % value.ndim, context.shape(value)
    inner = [product(shape[:place]), shape[place], product(shape[place + 1:])]
    points = shape[place] if _is_none(n) else context.value(n).node
    if _is_none(n) and name == 'irfft':
        points = build.binary(build.constant(2), gast.Mult, build.binary(points, gast.Sub, build.constant(1)))
    norm = None if norm is None else context.literal(norm, 'norm')
    if norm not in FORWARD:
        raise context.unsupported(call.name, 'the norm is one of None, "backward", "ortho" and "forward"')
    power = FORWARD[norm]
    kernel = OF_REAL.get((name, dtype.name), name)
    made = called(type_.dtype, 3, context.target.linear_algebra.fourier.format(kernel), reshaped(value, inner).node, points,
                  build.constant(power if name in ('fft', 'rfft') else 1.0 - power))
    out = context.named(made, 'spectrum')
    return reshaped(out, [*shape[:place], context.shape(out)[1], *shape[place + 1:]])


def _is_none(node: gast.expr | None) -> bool:
    return node is None or isinstance(node, gast.Constant) and node.value is None
