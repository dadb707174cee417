"""Writes that derivatives cannot follow, since they cannot tell whom they change: why, and what to write instead."""

from __future__ import annotations

import gast

from transpiler.analyses.memory.aliases import ON_TAPES, memory
from transpiler.analyses.memory.order_dependent_views import undecided
from transpiler.analyses.memory.views import NO_VIEWS
from transpiler.core.language import Core
from transpiler.core.query import defined, primitive
from transpiler.errors import UnsafeMutation


def may_be_a_copy(core: Core, statement: gast.stmt, call: gast.Call) -> UnsafeMutation:
    """The refusal of a statement that gives a view or a copy, as the operand of `call` happens to lie in memory."""
    shown, made = _shown(core, call), core.base(defined(statement))
    why, instead = _of_order(core, call)
    what = f'`{made}` may be a view of {shown}, and one of them is written'
    return UnsafeMutation(what, statement.origin, why=why, instead=instead)


def cannot_follow(core: Core, name: str, other: str, statement: gast.stmt) -> UnsafeMutation:
    """The refusal of a write into `name`, whose memory `other` may show."""
    why, instead = _reason(core, name, other)
    what = f'`{core.base(name)}` is written in place, and may share its memory with {described(core, other)}, which is read later'
    return UnsafeMutation(what, statement.origin, why=why, instead=instead)


def described(core: Core, name: str) -> str:
    return 'a list' if name == ON_TAPES else f'`{core.base(name)}`'


def _reason(core: Core, name: str, other: str) -> tuple[str, str]:
    found = memory(core)
    for made, call in undecided(core):
        if found.of(defined(made)) & found.of(name, other):
            return _of_order(core, call)
    given = [s for s in core.statements if isinstance(s, gast.Assign) and defined(s) in _between(core, name, other)]
    for view in (primitive(s.value) for s in given):
        if view in NO_VIEWS:
            shown = view.replace('numpy', 'np')
            return (f'`{shown}` shows it, and the derivative cannot follow writes that are seen through it',
                    f'take a copy of what it shows: `{shown}(...).copy()`')
    for target in (name, other):
        if sum(defined(s) == target for s in given) > 1:
            base = core.base(target)
            return (f'what `{base}` shows depends on the path that is taken, so the derivative cannot follow the write',
                    f'give `{base}` memory of its own on every path: `x.copy()`')
    return ('whether they do is decided at run time, so the derivative cannot follow the write',
            f'write into an array of its own: `{core.base(name)} = {core.base(name)}.copy()` before')


def _between(core: Core, *ends: str) -> set[str]:
    """The names that show the memory of one of these."""
    found = memory(core)
    roots = found.of(*ends)
    return {n for s in core.statements if (n := defined(s)) is not None and found.of(n) & roots}


def _of_order(core: Core, call: gast.Call) -> tuple[str, str]:
    made, shown = (primitive(call) or '').replace('numpy', 'np'), _shown(core, call)
    said = next((k.value.value for k in call.keywords if k.arg == 'order' and isinstance(k.value, gast.Constant)), 'C')
    if said != 'C':
        return (f"`{made}(..., order='{said}')` gives a view or a copy, as {shown} lies in memory, which is not followed",
                f"take a copy: `{made}(..., order='{said}').copy()`, and write its items back")
    return (f'`{made}` gives a view if {shown} lies in C order, else a copy, and that it does is not certain here',
            'make what it shows by `x.copy()` or `np.ascontiguousarray(x)`, which lie in C order, or take a copy: `x.flatten()`')


def _shown(core: Core, call: gast.Call) -> str:
    operand = call.args[0]
    named = isinstance(operand, gast.Name) and not core.is_temporary(operand.id)
    return f'`{core.base(operand.id)}`' if named else 'what it is given'
