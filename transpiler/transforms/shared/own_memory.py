"""Results whose arrays are their caller's own: nobody else's memory, each its own, and open to writes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import gast

from transpiler.analyses.memory.aliases import OUTSIDE, memory
from transpiler.analyses.memory.nonempty_lists import is_made
from transpiler.analyses.memory.views import perhaps_read_only
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, names
from transpiler.passes import rewrite
from transpiler.transforms.shared.copies import Copies
from transpiler.values.types import Scalar, Tape


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
    owner, last = _Owner(core, role), core.body[-1]
    if parts is None:
        result = owner.own(last.value)
    else:
        others = [name for k, part in enumerate(last.value.elts) if k not in parts for name in names(part)]
        owner.taken |= owner.found.of(*others)
        result = build.like(last.value, elts=[owner.own(p) if k in parts else p for k, p in enumerate(last.value.elts)])
    made = owner.copies
    if not made.statements:
        return core
    return made.known_to(core.with_body((*core.body[:-1], *made.statements, build.give(result, last.origin, last.role))))


class _Owner:
    """Gives the parts of a result, with `copies` of those that are not their own memory; `taken` is that of others."""

    def __init__(self, core: Core, role: str):
        self.core, self.block, self.copies = core, core.body[:-1], Copies(core, role)
        self.found, self.closed, self.taken = memory(core), perhaps_read_only(core), {OUTSIDE}

    def own(self, node: gast.expr) -> gast.expr:
        match node:
            case gast.Name(id=name) if self.found.of(name):
                return node if self._takes(name) else build.name(self.copies.of(name))
            case gast.Tuple(elts=elements) | gast.List(elts=elements):
                return build.like(node, elts=list(map(self.own, elements)))
            case gast.Dict(values=values):
                return build.like(node, values=list(map(self.own, values)))
            case gast.Call(keywords=fields):
                return build.like(node, keywords=[build.like(field, value=self.own(field.value)) for field in fields])
        return node

    def _takes(self, name: str) -> bool:
        """Whether a name has memory of its own, which nobody else gets from now on."""
        roots = self._made(self.block, name)
        if name in self.closed or roots & self.taken:
            return False
        kind = self.core.types.get(name)
        if isinstance(kind, Tape) and not isinstance(kind.element, Scalar):
            items = self._items(name)
            if items is None:
                return False
            roots |= items
        self.taken |= roots
        return True

    def _items(self, tape: str) -> frozenset[str] | None:
        """The memory of the arrays that are put on a list; None if two may share it, or one is somebody else's too."""
        itself, seen = self.found.list_itself(tape), frozenset[str]()
        for block, other, item in _put_on_lists(self.block, ()):
            if other == tape or self.found.list_itself(other) & itself:
                for name in names(item):
                    roots = self._made(block, name)
                    shared = roots and not is_made(block, name, self.core.types)
                    if name in self.closed or shared or roots & self.taken or roots & seen:
                        return None
                    seen |= roots
        return seen

    def _made(self, block: Sequence[gast.stmt], name: str) -> frozenset[str]:
        """The memory that a name may show behind a block, in which it may have been made, whatever it was before."""
        return self.found.of(name) - ({OUTSIDE} if is_made(block, name, self.core.types) else set())


Put = tuple[Sequence[gast.stmt], str, gast.expr]


def _put_on_lists(block: Sequence[gast.stmt], around: Sequence[gast.stmt]) -> Iterator[Put]:
    """What is put on lists, and on which, each with the statements before it that run as often."""
    for place, statement in enumerate(block):
        before = [*around, *block[:place]]
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push' | 'tape.put'), args=[gast.Name(id=tape), *_, item])):
                yield before, tape, item
        for inner in blocks(statement):
            yield from _put_on_lists(inner, before if isinstance(statement, gast.If) else ())
