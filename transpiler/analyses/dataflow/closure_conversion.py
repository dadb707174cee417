"""What functions read from around them, as parameters: a function of a program is called with all that it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast

from transpiler.core import build
from transpiler.core.fixpoint import settled
from transpiler.core.functions import Functions, calls_in, rewrite_calls
from transpiler.core.language import Core, Leaf, Param
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, all_reads, all_written, callee


def closed(functions: Functions) -> dict[str, Core]:
    """Functions with what they read from around them as further parameters, which their calls among each other pass on.

    >>> from transpiler.core.text import parse
    >>> f = parse('v = call.f(n); w = v * k; return w', name='f', params=['n'])
    >>> closed({'f': f})['f'].inputs
    ('n', 'k')
    """
    free = {name: _free(core, set()) for name, core in functions.items()}
    types: dict[str, Any] = {n: core.types[n] for name, core in functions.items() for n in free[name] if n in core.types}
    hints: dict[str, Any] = {n: core.hints[n] for name, core in functions.items() for n in free[name] if n in core.hints}
    free = settled(free, lambda free: {
        name: _free(core, {n for g in calls_in(core) for n in free.get(g, ())}) for name, core in functions.items()})

    def passing(call: gast.Call) -> gast.Call:
        return build.like(call, args=[*call.args, *(build.name(n) for n in sorted(free.get(str(callee(call)), ())))])

    def close(name: str, core: Core) -> Core:
        more = parameters(sorted(free[name]), hints, [p.name for p in core.params])
        known = {**core.types, **{n: types[n] for n in free[name] if n in types}}
        return replace(rewrite_calls(core, passing), params=core.params + more, types=known)
    return {name: close(name, core) for name, core in functions.items()}


def parameters(leaves: Sequence[str], hints: Mapping[str, Any], taken: Iterable[str] = ()) -> tuple[Param, ...]:
    """Parameters of a function for these variables, called after what they stand for."""
    supply = Supply(taken)
    return tuple(Param(supply.take(hints[leaf].base if leaf in hints else leaf), Leaf(leaf)) for leaf in leaves)


def _free(core: Core, passed_on: set[str]) -> frozenset[str]:
    return frozenset((all_reads(core.body) | all_written(core.body) | passed_on) - all_defined(core.body) - set(core.inputs))
