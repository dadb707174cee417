"""What calling a function of the program does to its arguments: which it writes, and which its results share memory with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import gast

from transpiler.analyses.memory.aliases import FROM_OUTSIDE, FROM_TAPES, ON_TAPES, OUTSIDE, Memory, memory
from transpiler.core import build
from transpiler.core.fixpoint import settled
from transpiler.core.functions import rewrite_calls
from transpiler.core.language import Core
from transpiler.core.query import callee, names


@dataclass(frozen=True)
class Summary:
    """Positions of parameters: those whose memory is written, is put on a tape, and for each result those whose it may be.

    `items` is None if two results may share memory; `FROM_TAPES` and `FROM_OUTSIDE` stand in it beside positions. `through` are
    the parameters from which derivatives may flow into the results, if not all; `gives`, those that are the results, if the
    rule says so.
    """

    writes: frozenset[int] = frozenset()
    pushes: frozenset[int] = frozenset()
    items: tuple[frozenset[int], ...] | None = None
    through: tuple[int, ...] | None = None
    gives: tuple[int, ...] = ()


def summarised(core: Core) -> Core:
    """The program with what its calls do marked on them (`writes` and `items`), found together for all functions.

    >>> from transpiler.core.text import parse
    >>> f = parse('a[0] = 1.0; call.f(a, b); return None', name='f', params=['a', 'b'])
    >>> program = summarised(parse('call.f(x, y); return x').with_functions({'f': f}))
    >>> from transpiler.core.links import links
    >>> sorted(links(program.body[0].value).writes)
    [0]
    """
    if not core.functions:
        return core
    found: Mapping[str, Summary] = {name: Summary(items=_no_items(f)) for name, f in core.functions.items()}
    marked = lambda found: {name: _marked(function, found) for name, function in core.functions.items()}
    found = settled(found, lambda found: {name: _summary(function) for name, function in marked(found).items()})
    return _marked(core, found).with_functions(marked(found))


def results(core: Core) -> list[gast.expr]:
    """What a function of the program gives, one by one."""
    match core.result:
        case gast.Tuple(elts=parts):
            return list(parts)
        case gast.Constant(value=None):
            return []
    return [core.result]


def _no_items(core: Core) -> tuple[frozenset[int], ...]:
    return (frozenset(),) * len(results(core))


def _marked(core: Core, found: Mapping[str, Summary]) -> Core:
    def mark(call: gast.Call) -> gast.Call:
        known = found[str(callee(call))]
        return build.linked(
            call, writes=known.writes, pushes=known.pushes, through=known.through, gives=known.gives, items=known.items)
    return rewrite_calls(core, mark)


def _summary(core: Core) -> Summary:
    apart = as_own(core)
    known: Memory = memory(apart)
    positions = {name: k for k, name in enumerate(core.inputs)}
    writes = frozenset(k for name, k in positions.items() if name in known.written)
    roots = [known.of(*names(part)) for part in results(core)]
    pushes = frozenset(positions[root] for root in known.of(ON_TAPES) if root in positions)
    popped = known.of(ON_TAPES) - positions.keys()
    boxed = {OUTSIDE} - popped      # what black boxes give: their memory is nobody's, or anybody's
    through, gives = (core.rule.through, core.rule.outs) if core.rule else (None, ())
    if any((a & b) - positions.keys() - boxed for k, a in enumerate(roots) for b in roots[:k]):
        return Summary(writes, pushes, None, through, gives)
    others = {**dict.fromkeys(popped, FROM_TAPES), **dict.fromkeys(boxed, FROM_OUTSIDE), **positions}
    return Summary(writes, pushes, tuple(frozenset(others[r] for r in own if r in others) for own in roots), through, gives)


def own_results(core: Core) -> list[bool]:
    """For each result of a function whether its memory is nobody else's.

    >>> from transpiler.core.text import parse
    >>> own_results(parse('a = x + 1; b = x[1:]; return a, b', name='f', params=['x']))
    [True, False]
    """
    items = _summary(core).items
    return [items is not None and not items[k] for k in range(len(results(core)))]


def given_back(core: Core) -> frozenset[str]:
    """The parameters of a function whose memory it may still refer to afterwards: in its results, or from lists.

    >>> from transpiler.core.text import parse
    >>> sorted(given_back(parse('b = x[1:]; c = y + b; return b, c', name='f', params='xy')))
    ['x']
    """
    found = _summary(core)
    if found.items is None:
        return frozenset(core.inputs)
    return frozenset(core.inputs[k] for k in found.pushes.union(*found.items) if k >= 0)


def as_own(core: Core) -> Core:
    """The function with every parameter owning its memory: no two arguments share any."""
    return replace(core, params=tuple(replace(param, kind='own') for param in core.params))
