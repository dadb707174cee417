"""Functions that a program calls are lent the arrays that they get."""
from __future__ import annotations

from transpiler.analyses.memory.call_effects import given_back
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.passes import rewrite
from transpiler.values.types import Array


@rewrite('lending', surface=True)
def lend_arrays(core: Core, target: Target = CPU) -> Core:
    """Let the functions of a program not hold the arrays that they are called with: whoever calls them does.

    Numba counts who holds an array, at every call and wherever it ends: for functions that call themselves, and are small,
    that takes longer than the rest. An array that a function gives back, or puts on a list, it does hold; parts of loops run
    once a thread.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> from transpiler.values.types import FLOAT
    >>> f = parse('y = x[0]; return y', name='f', params='x', types={'x': Array(np.dtype(float), (None,)), 'y': FLOAT})
    >>> lent = lend_arrays(parse('v = call.f(x); return v', params='x').with_functions({'f': f}))
    >>> [Spelling().statement(statement) for statement in lent.functions['f'].body]
    ['x = lent(x)', 'y = x[0]', 'return y']
    """
    if not core.functions:
        return core
    return core.with_functions({name: f if f.is_part else _lent(f, target) for name, f in core.functions.items()})


def _lent(core: Core, target: Target) -> Core:
    kept = given_back(core)
    arrays = [n for n in core.inputs if n not in kept and isinstance(core.types.get(n), Array) and core.types[n].ndim]
    first = [build.assign(name, build.call(target.memory.borrowed, name), core.origin) for name in arrays]
    return core.with_body([*first, *core.body])
