"""Arrays of flags to a power, which NumPy's operator takes in 8 bits where Python's 2 is the exponent, and in 64 elsewhere."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.lower.context.context import Context, Value
from transpiler.values.intervals import is_inside

SAID = 'flags ** 2 has 8 bits in NumPy, flags ** n has 64: write `flags.astype(int) ** n` for what is compiled'


def check_squares(context: Context, base: Value, exponent: Value) -> None:
    """Raise where an exponent that only run time knows is 2: compiled code has one dtype for all."""
    if base.dtype.kind != 'b' or not base.ndim or not isinstance(getattr(context.here, 'value', None), gast.BinOp):
        return
    run_time = exponent.is_weak and exponent.dtype.kind == 'i' and exponent.constant is None
    if run_time and is_inside((2, 2), context.guards.integers(exponent)):
        context.guards.require(build.compare(exponent.node, gast.Eq, 2), 'TypeError', SAID)
