"""Copies of what must not be shared: of arguments that the primal writes into, and of results that loops do."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from types import MappingProxyType

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.language import Core, Hint
from transpiler.core.links import link
from transpiler.core.query import all_written, names
from transpiler.passes import rewrite
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
    loops = [s for s in core.statements if isinstance(s, (gast.For, gast.While))]
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
