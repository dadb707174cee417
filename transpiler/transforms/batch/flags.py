"""Python's flags: it counts with them, as they are integers; NumPy's, which arrays hold, stay flags or give an error."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.transforms.batch.indexing import Indexes


def counted(
    indexes: Indexes, dtype: np.dtype | None, given: Sequence[gast.expr], operands: Sequence[gast.expr],
    operator: gast.operator | None = None,
) -> Sequence[gast.expr]:
    """What is given for operands: where Python makes integers of flags, the first array of these as integers.

    So does NumPy of one flag to a power, but it squares arrays of flags in 8 bits.
    """
    squared = isinstance(operator, gast.Pow) and _may_be_square(indexes, *operands)
    if dtype != np.int64 or not (squared or all(map(indexes.is_flag, operands))):
        return given
    first = next(k for k, operand in enumerate(operands) if indexes.is_batched(operand))
    as_integers = build.call('numpy.astype', given[first], static_expression(np.int64))
    return [*given[:first], as_integers, *given[first + 1 :]]


def _may_be_square(indexes: Indexes, base: gast.expr, exponent: gast.expr) -> bool:
    """Whether this may be one flag of NumPy's for each example to the power of two, a number of Python's."""
    flags = indexes.is_batched(base) and indexes.rank(base) == 0 and indexes.dtype(base).kind == 'b'
    number = indexes.is_python_number(exponent) and not indexes.is_batched(exponent)
    return flags and number and getattr(exponent, 'value', 2) == 2
