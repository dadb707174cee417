"""Memory of its own for everything that the primal writes into: what the derivative then follows is one name per memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import MappingProxyType

import gast

from transpiler.analyses.aliases import Memory, memory, tape_of
from transpiler.analyses.effects import is_fresh
from transpiler.analyses.liveness import live_after
from transpiler.core import build
from transpiler.core.language import Core, Hint
from transpiler.core.query import all_written, blocks, defined, names, walk
from transpiler.passes import rewrite
from transpiler.transforms.mutation import rename
from transpiler.values.types import Array, Scalar, Unknown


@rewrite('protect arguments')
def protect_arguments(core: Core) -> Core:
    """Copy the arguments that the primal writes into, by whatever name: a derivative never changes what the caller passed.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> show(protect_arguments, 'y = x; y[0] = 1.0; return x', types=dict.fromkeys('xy', Array(np.dtype(float), (None,))))
    x_ = x.copy()
    y = x_
    y[0] = 1.0
    return x_
    """
    arrays = [name for name in core.inputs if isinstance(core.types.get(name), (Array, Unknown))]
    if not all_written(core.body):
        return core
    apart, copies = _copied(core, arrays)
    changed = [name for name in arrays if copies[name] in memory(apart).written]
    return _copied(core, changed)[0] if changed else core


def unused(name: str, taken: Collection[str]) -> str:
    """`name`, with underscores until nobody else is called so."""
    while name in taken:
        name += '_'
    return name


def _copied(core: Core, chosen: Sequence[str]) -> tuple[Core, dict[str, str]]:
    """The program working on copies of some arguments, and what these are called."""
    types, hints = dict(core.types), dict(core.hints)
    renamed: dict[str, str] = {}
    for name in chosen:
        copy = unused(name, types)
        types[copy], hints[copy] = types[name], Hint(core.base(name), core.is_temporary(name))
        renamed[name] = copy
    copies = [build.assign(copy, build.call('numpy.copy', name), core.body[0].origin, 'primal') for name, copy in renamed.items()]
    body = [rename(s, renamed) for s in core.body]
    return core.with_body([*copies, *body], types=MappingProxyType(types), hints=MappingProxyType(hints)), renamed


@rewrite('own memory')
def own_memory(core: Core) -> Core:
    """Copy where a name that is written later takes memory over from another that nobody reads any more.

    Both arms of a branch, or the turns of a loop, may give an array under one name; nobody can tell a copy then, and the
    memory that is written has one name.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xyz', Array(np.dtype(float), (None,)))
    >>> show(own_memory, 'y = np.exp(x); z = y[1:]; z[0] = 1.0; return z', types=types)
    y = np.exp(x)
    z_ = y[1:]
    z = z_.copy()
    z[0] = 1.0
    return z
    """
    while True:
        found = memory(core)
        shared = [
            name
            for name in sorted(all_written(core.body))
            if found.of(name) != {name} and isinstance(core.types.get(name), Array)
        ]
        chosen = {id(s) for name in shared for s in _handovers(core, found, name)}
        if not chosen:
            return core
        core = _with_copies(core, chosen)


def _handovers(core: Core, found: Memory, name: str) -> list[gast.stmt]:
    """The assignments by which `name` gets memory of others, if all of them can copy it."""
    taken = [s for s in walk(core.body) if defined(s) == name and not (isinstance(s, gast.Assign) and is_fresh(s.value))]
    return taken if all(_is_handover(core, found, s) for s in taken) else []


def _is_handover(core: Core, found: Memory, statement: gast.stmt) -> bool:
    """Whether the memory that a statement gives a name is reached through no other name that is read later."""
    if not isinstance(statement, gast.Assign) or tape_of(statement):
        return False
    shared = found.of(*names(statement.value))
    others = live_after(core)[statement] - {statement.targets[0].id}
    return not any(found.of(other) & shared for other in others if not isinstance(core.types.get(other), Scalar))


def _with_copies(core: Core, chosen: set[int]) -> Core:
    """The program with copies at the chosen assignments."""
    types, hints = dict(core.types), dict(core.hints)

    def rebuilt(statement: gast.stmt) -> list[gast.stmt]:
        if id(statement) not in chosen:
            inner = {
                f: [new for s in getattr(statement, f) for new in rebuilt(s)]
                for f in ('body', 'orelse')
                if getattr(statement, f, None)
            }
            return [build.like(statement, **inner) if blocks(statement) else statement]
        name, value = statement.targets[0].id, statement.value
        if isinstance(value, gast.Name):
            return [build.like(statement, value=build.call('numpy.copy', value))]
        view = unused(name, types)
        types[view], hints[view] = types[name], Hint(core.base(name), temporary=True)
        return [
            build.assign(view, value, statement.origin, statement.role),
            build.like(statement, value=build.call('numpy.copy', view)),
        ]

    body = [new for statement in core.body for new in rebuilt(statement)]
    return core.with_body(body, types=MappingProxyType(types), hints=MappingProxyType(hints))
