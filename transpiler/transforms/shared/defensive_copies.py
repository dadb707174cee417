"""Copies of what must not be shared: of arguments that the primal writes into, and of results."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import MappingProxyType

import gast

from transpiler.analyses.memory.aliases import OUTSIDE, memory
from transpiler.analyses.memory.nonempty_lists import is_made
from transpiler.analyses.memory.views import read_only
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.language import Core, Hint
from transpiler.core.links import link
from transpiler.core.query import all_written, names, walk
from transpiler.passes import rewrite
from transpiler.transforms.shared.copies import Copies
from transpiler.values.types import Array, Unknown


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


@rewrite('keep results')
def keep_results(core: Core) -> Core:
    """Copy the arrays among the results that a loop writes into: then the pullback may run their memory backwards.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import INT, Array
    >>> import numpy as np
    >>> types = dict.fromkeys('ux', Array(np.dtype(float), (None,))) | {'i': INT}
    >>> show(keep_results, '''
    ... u = np.copy(x)
    ... for i in range(0, 3, 1):
    ...     u[i] = 0.5
    ... return u''', types=types)
    u = x.copy()
    for i in range(3):
        u[i] = 0.5
    u_result = u.copy()
    return u_result
    """
    found, last = memory(core), core.body[-1]
    loops = [s for s in walk(core.body) if isinstance(s, (gast.For, gast.While))]
    changed = found.of(*all_written(loops))
    kept = {n: f'{n}_result' for n in names(last) if isinstance(core.types.get(n), Array) and found.of(n) & changed}
    if not kept:
        return core
    types = dict(core.types)
    kept = {name: unused(copy, types) for name, copy in kept.items()}
    types |= {copy: types[name] for name, copy in kept.items()}
    hints = {**core.hints, **{copy: Hint(f'{core.base(name)}_result') for name, copy in kept.items()}}
    copies = [build.assign(copy, build.call('numpy.copy', name), last.origin, 'primal') for name, copy in kept.items()]
    body = [*core.body[:-1], *copies, rename(last, kept)]
    return core.with_body(body, types=MappingProxyType(types), hints=MappingProxyType(hints))


@rewrite('memory of their own')
def with_own_memory(core: Core, role: str, parts: Collection[int] | None = None) -> Core:
    """Copy the arrays in a result that the caller could reach otherwise too, or could not write into.

    parts: those of the result that this goes for; None for all of it

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, Array
    >>> import numpy as np
    >>> types = {'y': FLOAT, **dict.fromkeys(['x', 'x_dot', 'wide'], Array(np.dtype(float), (None,)))}
    >>> step = lambda core: with_own_memory(core, 'tangent')
    >>> show(step, 'y = np.sum(x); wide = np.broadcast_to(y, (3,)); return (x_dot, wide)', types=types, params=['x', 'x_dot'])
    y = np.sum(x)
    wide = np.broadcast_to(y, (3,))
    x_dot_1 = x_dot.copy()
    wide_1 = wide.copy()
    return x_dot_1, wide_1
    """
    found, closed, taken, copies = memory(core), read_only(core), {OUTSIDE}, Copies(core, role)
    last = core.body[-1]

    def own(node: gast.expr) -> gast.expr:
        match node:
            case gast.Name(id=name) if found.of(name):
                roots = found.of(name) - ({OUTSIDE} if is_made(core.body[:-1], name, core.types) else set())
                if name not in closed and not roots & taken:
                    taken.update(roots)
                    return node
                return build.name(copies.of(name))
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return build.like(node, elts=list(map(own, elements)))
            case gast.Dict(values=values):
                return build.like(node, values=list(map(own, values)))
            case gast.Call(keywords=fields):
                return build.like(node, keywords=[build.like(field, value=own(field.value)) for field in fields])
        return node

    if parts is None:
        result = own(last.value)
    else:
        taken |= found.of(*(name for k, part in enumerate(last.value.elts) if k not in parts for name in names(part)))
        result = build.like(last.value, elts=[own(part) if k in parts else part for k, part in enumerate(last.value.elts)])
    if not copies.statements:
        return core
    return copies.known_to(core.with_body((*core.body[:-1], *copies.statements, build.give(result, last.origin, last.role))))


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
    for statement in copies:
        link(statement, protects=True)  # the order of its items is not what the primal has
    body = [rename(s, renamed) for s in core.body]
    return core.with_body([*copies, *body], types=MappingProxyType(types), hints=MappingProxyType(hints)), renamed
