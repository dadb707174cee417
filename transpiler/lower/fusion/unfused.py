"""What Numba fuses itself: operations of which only the run tells the sizes, with what they alone read."""

from __future__ import annotations

from collections import Counter

import gast

from transpiler.analyses.memory.bailout import Quiet, never
from transpiler.core.language import Core
from transpiler.core.query import defined, names
from transpiler.lower.fusion.accesses import Known
from transpiler.lower.fusion.operations import operation
from transpiler.lower.fusion.pointwise import is_elementwise, takes_long
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.optimize.rewriting.use_counts import occurrences
from transpiler.values.types import Array


def left_alone(core: Core, quiet: Quiet = never, target: Target = CPU) -> frozenset[str]:
    """The arrays that are read once, by an operation that becomes no loop: written as one expression they need no memory.

    What functions give that loops compute as vectors is none of them: that saves more.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.dims import Dim
    >>> from transpiler.values.types import Array
    >>> row, other = (Array(np.dtype(float), (dim,)) for dim in (Dim.symbol('n', large=True), None))
    >>> sorted(left_alone(parse('y = x * x; z = y + w; return z', types={'x': row, 'y': row, 'w': other, 'z': other})))
    ['y']
    """
    statements = core.statements
    read, made = Counter(name for s in statements for name in occurrences(s)), Counter(map(defined, statements))
    known, alone = Known(core, target=target), set[str]()
    vectors = {defined(s) for s in statements if takes_long(s, core.types, target)}
    for statement in reversed(statements):
        name = defined(statement) if isinstance(statement, gast.Assign) else None
        if name is None or not isinstance(core.types.get(name), Array) or not is_elementwise(statement.value):
            continue
        found = operation(statement, known)
        if name in alone or found is None or not quiet(statement) and not all(a.forced for a in found.agreements):
            alone |= {n for n in names(statement.value) if read[n] == 1 and made[n] == 1 and n not in vectors}
    return frozenset(alone)
