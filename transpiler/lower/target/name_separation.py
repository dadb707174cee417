"""Names that Numba keeps apart."""
from __future__ import annotations

import re

from transpiler.core.functions import everywhere
from transpiler.core.language import Core
from transpiler.core.query import all_defined
from transpiler.optimize.rewriting.rename import rename_program
from transpiler.passes import rewrite

NUMBERED = re.compile(r'_\d+$')


@rewrite('separate names', surface=True)
def separate_names(core: Core) -> Core:
    """Let no variable end in an underscore and a number.

    Numba calls the versions of `y` `y.1`, `y.2` and writes `y_1` for that in fused expressions, where it would take
    a variable `y_1` for the same and fail.

    >>> from transpiler.passes import show
    >>> show(separate_names, 'y_1 = 2 * y; return y_1')
    y1 = 2 * y
    return y1
    """
    return everywhere(core, _separated)


def _separated(core: Core) -> Core:
    names = [*core.inputs, *sorted(all_defined(core.body) - set(core.inputs))]
    taken, table = set(names), {}
    for name in filter(NUMBERED.search, names):
        stem, _, number = name.rpartition('_')
        apart = f'{stem}{number}'
        while apart in taken or NUMBERED.search(apart):
            apart += 'v'
        taken.add(apart)
        table[name] = apart
    return rename_program(core, table) if table else core
