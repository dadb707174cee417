"""Instructions that the formulas of this folder are made of: none of them branches, so that loops around them are vectorised."""
from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import kernel

formula = kernel(forceinline=True)  # rounding is a part of it: only `fma` rounds once where it does two things

_BITS = {types.float32: types.int32, types.float64: types.int64}
_FLOATS = {integer: real for real, integer in _BITS.items()}


@intrinsic
def fma(context, x, y, z):
    """`x * y + z`, rounded once."""
    return x(x, y, z), lambda context, builder, signature, args: builder.fma(*args)


@intrinsic
def rint(context, x):
    """The nearest integer, as a float."""
    def code(context, builder, signature, args):
        return builder.call(builder.module.declare_intrinsic('llvm.rint', [args[0].type]), args)
    return x(x), code


@intrinsic
def bits(context, x):
    """The bits of a float, as an integer of its size."""
    return _BITS[x](x), _cast


@intrinsic
def from_bits(context, n):
    """The float with such bits."""
    return _FLOATS[n](n), _cast


def _cast(context, builder, signature, args):
    return builder.bitcast(args[0], context.get_value_type(signature.return_type))


@intrinsic
def choose(context, condition, chosen, other):
    """`chosen if condition else other`, both of one type and computed already."""
    return chosen(condition, chosen, other), lambda context, builder, signature, args: builder.select(*args)


@intrinsic
def polynomial(context, x, coefficients):
    """`coefficients[0] + coefficients[1] * x + ...`; all but the first two terms in two chains, which takes half the time."""
    def code(context, builder, signature, args):
        x, given = args
        parts = [builder.extract_value(given, k) for k in range(len(signature.args[1]))]
        return _horner(builder, x, [*parts[:2], _two_chains(builder, x, parts[2:])])
    return x(x, coefficients), code


def _two_chains(builder, x, parts):
    square = builder.fmul(x, x)
    even, odd = (_horner(builder, square, parts[first::2]) for first in (0, 1))
    return builder.fma(odd, x, even)


def _horner(builder, x, parts):
    value = parts[-1]
    for part in reversed(parts[:-1]):
        value = builder.fma(value, x, part)
    return value
