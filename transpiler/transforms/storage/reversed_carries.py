"""Values that a reversed iteration has from the iteration after it: what an iteration ends with, the next one starts with."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.fixpoint import settled
from transpiler.core.links import link, links
from transpiler.core.query import all_defined, defined, names, reads, snapshots_of, walk, without_exit
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.storage.rematerialization import Recompute

Block = list[gast.stmt]


def carry_backwards(pullback: Block, sweep: Sweep, again: Recompute) -> Block:
    """The pullback with variables that hand values from iteration to iteration in its reversed loops.

    Where an iteration ends with `h = h_1`, the reversed iteration finds `h_1` in what the iteration after it started with; where
    buffers swap names, they swap them back. What is handed over so is not saved.
    """
    made: Block = []
    for statement in pullback:
        statement = build.map_blocks(statement, lambda block: carry_backwards(block, sweep, again))
        mirror = links(statement).mirror
        if isinstance(mirror, (gast.For, gast.While)) and snapshots_of(mirror) is None:
            before, statement = _Carrying(mirror, statement, sweep, again).result()
            made += before
        made.append(statement)
    return made


class _Carrying:
    """One loop and its reversed one."""

    def __init__(self, loop: gast.stmt, backwards: gast.stmt, sweep: Sweep, again: Recompute):
        self.loop, self.backwards, self.sweep, self.again = loop, backwards, sweep, again
        self.builder = sweep.ev.builder
        outside = sweep.definitions_of.outside
        self.ends = {x: source for x, source in _ends(without_exit(loop.body)[0]).items() if outside(x, loop) and x != source}
        self.carried = {x for x in all_defined(loop.body) if outside(x, loop)}
        read = {name for s in walk(backwards.body) for name in reads(s)}
        self.needed = read.union(*(names(s.value) for s in again.closure(sorted(read))))

    def chosen(self) -> dict[str, str]:
        """The carried names to follow backwards, each with the name whose value it ends an iteration with."""
        wanted = lambda found: {
            x: source
            for x, source in found.items()
            if (source in self.needed or source in found) and (x in self.needed or x in found.values())
        }
        return settled({x: source for x, source in self.ends.items() if source in self.carried or self._is_kept(source)}, wanted)

    def _is_kept(self, name: str) -> bool:
        """Whether a value of the iteration would be saved: it is needed, and not cheap to have again."""
        statement = self.again.definition(name)
        here = statement is not None and any(s is statement for s in self.loop.body)
        source = self.again.source(name)
        return here and name in self.needed and (source is None or not self.again.is_cheap(source))

    def result(self) -> tuple[Block, gast.stmt]:
        chosen = self.chosen()
        if not chosen:
            return [], self.backwards
        origin = self.loop.origin
        handed = {x: self._fresh(x) for x in chosen}
        renamed = {source: self._fresh(source) for source in chosen.values()}
        before = [build.assign(handed[x], x, origin, 'storage') for x in chosen]
        start = [build.assign(renamed[source], handed[x], origin, 'storage') for x, source in chosen.items()]
        end = [build.assign(handed[x], renamed.get(x, x), origin, 'storage') for x in chosen]
        body = [*start, *(rename(s, renamed) for s in self.backwards.body), *end]
        return before, link(build.like(self.backwards, body=body), carries=renamed)

    def _fresh(self, name: str) -> str:
        core = self.sweep.core
        return self.builder.fresh(core.base(name), self.builder.types[name], core.is_temporary(name)).name


def _ends(body: Block) -> dict[str, str]:
    """The names that an iteration ends by giving others, from the copies at its end.

    >>> from transpiler.core.text import parse
    >>> loop = parse('for k in range(0, n, 1): y = x + 1; t = a; a = b; b = t; x = y\\nreturn x').body[0]
    >>> _ends(loop.body) == {'t': 'a', 'a': 'b', 'b': 'a', 'x': 'y'}
    True
    """
    first = len(body)
    while first and isinstance(body[first - 1], gast.Assign) and _is_copy(body[first - 1]):
        first -= 1
    ends: dict[str, str] = {}
    for statement in body[first:]:
        source = statement.value.id
        ends[defined(statement)] = ends.get(source, source)
    return ends


def _is_copy(statement: gast.Assign) -> bool:
    return defined(statement) is not None and isinstance(statement.value, gast.Name)
