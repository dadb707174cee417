"""Arrays that nobody looks at any more: their memory may be used again."""

from __future__ import annotations

from collections.abc import Collection

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.memory_order import order_matters
from transpiler.core.language import Core
from transpiler.core.query import defined


def is_last_use(core: Core, statement: gast.stmt, array: str, new: str) -> bool:
    """Whether `new`, which `statement` binds, may have the memory of `array`.

    All of that, whatever the path, was made here for the whole array; no list holds it, no other name that may show it is
    read after the statement, and it matters to nobody in which order the items lie, which what is made anew may have in another.

    >>> from transpiler.core.text import parse
    >>> core = parse('a = np.exp(x); b = a[1:]; c = a * 2; d = c + b; return d')
    >>> is_last_use(core, core.body[2], 'a', 'c'), is_last_use(core, core.body[3], 'c', 'd')
    (False, True)
    """
    found = memory(core)
    roots = found.of(array)
    sharing = {name for name, own in found.roots.items() if own & roots}
    ours = all(name.isidentifier() for name in sharing | roots) and sharing.isdisjoint(core.inputs)  # and on no list
    if not roots or not ours or (sharing - {new}) & live_after(core)[statement] or found.of(array, new) & order_matters(core):
        return False
    return not any(_shows_a_part(s, sharing) for s in core.statements)


def _shows_a_part(statement: gast.stmt, sharing: Collection[str]) -> bool:
    """Whether a name gets something that is neither new nor all that another name has."""
    if not isinstance(statement, gast.Assign) or defined(statement) not in sharing:
        return False
    return not isinstance(statement.value, gast.Name) and not is_fresh(statement.value)
