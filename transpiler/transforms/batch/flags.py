"""Python's flags: it counts with them, as they are integers; NumPy's, which arrays hold, stay flags or give an error."""

from __future__ import annotations

from collections.abc import Sequence

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.transforms.batch.indexing import Indexes


def counted(
    indexes: Indexes, dtype: np.dtype | None, given: Sequence[gast.expr], operands: Sequence[gast.expr]
) -> Sequence[gast.expr]:
    """What is given for operands: where Python makes integers of flags, the first array of these as integers."""
    if dtype != np.int64 or not all(map(indexes.is_flag, operands)):
        return given
    first = next(k for k, operand in enumerate(operands) if indexes.is_batched(operand))
    as_integers = build.call('numpy.astype', given[first], static_expression(np.int64))
    return [*given[:first], as_integers, *given[first + 1 :]]
