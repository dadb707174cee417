"""Python's flags: it counts with them, as they are integers; NumPy's, which arrays hold, stay flags or give an error."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.transforms.batch.operands import Operands


def counted(
    known: Operands, dtype: np.dtype | None, given: Sequence[gast.expr], operands: Sequence[gast.expr],
    operator: gast.operator | None = None,
) -> Sequence[gast.expr]:
    """What is given for operands: where Python makes integers of flags, the first array of these as integers.

    So does NumPy of one flag to a power, but it squares arrays of flags in 8 bits.
    """
    squared = isinstance(operator, gast.Pow) and _may_be_square(known, *operands)
    if dtype != np.int64 or not (squared or all(map(known.is_flag, operands))):
        return given
    first = next(k for k, operand in enumerate(operands) if known.is_batched(operand))
    as_integers = build.call('numpy.astype', given[first], static_expression(np.int64))
    return [*given[:first], as_integers, *given[first + 1 :]]


def _may_be_square(known: Operands, base: gast.expr, exponent: gast.expr) -> bool:
    """Whether this may be one flag of NumPy's for each example to the power of two, a number of Python's."""
    flags = known.is_batched(base) and known.rank(base) == 0 and known.dtype(base).kind == 'b'
    number = known.is_python_number(exponent) and not known.is_batched(exponent)
    return flags and number and getattr(exponent, 'value', 2) == 2
