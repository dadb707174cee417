"""Python's integers have no end, those of compiled code have 64 bits: where they may not do, they are checked."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.analyses.outgrowing import outgrowing
from transpiler.core import build
from transpiler.core.query import names
from transpiler.lower.context import Context, Value

LONGEST = 9.223372036854775e18   # the largest number with a point that is surely below 2**63
CHECKED = {np.add: gast.Add, np.subtract: gast.Sub, np.multiply: gast.Mult, np.power: gast.Pow}
ALWAYS = np.power, np.left_shift
MESSAGE = 'an integer gets too long for the 64 bits of compiled code: make it a float'


def check_length(context: Context, ufunc: np.ufunc, operands: list[Value]) -> list[Value]:
    """The operands, named, behind a test of whether compiled code can hold the result."""
    if len(operands) != 2 or not all(v.dtype.kind == 'i' for v in operands):
        return operands
    long = outgrowing(context.core)
    if ufunc not in ALWAYS and not (ufunc in CHECKED and (
            context.target in long or any(long.intersection(names(v.node)) for v in operands))):
        return operands
    if ufunc in ALWAYS and all(v.constant is not None for v in operands):
        return operands
    left, right = operands = [context.named(v, 'factor') for v in operands]
    wide = build.call('python.float', left.node)
    size = (build.binary(wide, gast.Mult, build.binary(build.constant(2.0), gast.Pow, right.node)) if ufunc is np.left_shift
            else build.binary(wide, CHECKED[ufunc], build.call('python.float', right.node)))
    context.require(build.compare(build.call('python.abs', size), gast.GtE, LONGEST), 'OverflowError', MESSAGE)
    return operands
