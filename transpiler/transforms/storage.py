"""Storage: make every value of the primal that the pullback reads available where it is read.

At the top level nothing is saved: locals stay alive. Inside loops a value of one turn is recomputed in the reversed turn
where that is cheap, and saved otherwise: in an array allocated before the nest if all trip counts are known there, on a
tape if not. A name carried from turn to turn is saved at the start of the turn, any other where it is complete.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import gast
import numpy as np

from transpiler.analyses.effects import is_ufunc
from transpiler.core import build
from transpiler.core.query import all_defined, blocks, defined, names, primitive, reads, walk
from transpiler.specialize.bindings import Known, Var
from transpiler.transforms.mutation import rename
from transpiler.transforms.sweep import Sweep
from transpiler.values.types import Array, Scalar, Tape

Block = list[gast.stmt]
CHEAP_CALLS = {'numpy.transpose', 'python.float', 'python.int', 'python.bool', 'python.abs', 'python.len'}


@dataclass(frozen=True)
class Nest:
    """The loops around a place, outermost first, and the values of a turn that a reversed turn has at hand, under which names."""

    loops: tuple[gast.stmt, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    @property
    def at_hand(self) -> frozenset[str]:
        return frozenset(self.renamed)

    @property
    def inside(self) -> set[str]:
        """The names whose values belong to one turn of the outermost loop."""
        return all_defined(self.loops[:1])


@dataclass
class Plan:
    """What one block saves and recomputes."""

    saved: list[str] = field(default_factory=list)
    recomputed: Block = field(default_factory=list)


def store(sweep: Sweep, primal: Block, pullback: Block) -> tuple[Block, Block]:
    """The two sweeps with saves in the first and loads in the second."""
    storage = Storage(sweep)
    primal = storage.rebuild(primal)
    for statement in walk(pullback):
        if hasattr(statement, 'mirror'):
            statement.mirror = storage.rebuilt[id(statement.mirror)]
    return storage.weave(primal, pullback, Nest())


class Storage:
    """Weaves saves and loads into a pair of sweeps."""

    def __init__(self, sweep: Sweep):
        self.sweep, self.builder = sweep, sweep.run.builder
        self.memory = sweep.mutation.memory
        self.rebuilt: dict[int, gast.stmt] = {}
        self.preludes: dict[int, Block] = {}
        types = sweep.core.types.values()
        self.mixed = any(getattr(t, 'dtype', None) is not None and t.dtype.kind in 'fc' and t.dtype != np.float64 for t in types)

    def rebuild(self, body: Block) -> Block:
        """The primal with the copies that the pullback asked for, and with turns counted where it needs their number."""
        made: Block = []
        for statement in body:
            made += self.sweep.mutation.before.get(id(statement), [])
            new = statement
            if blocks(statement):
                inner = {f: self.rebuild(getattr(statement, f)) for f in ('body', 'orelse') if getattr(statement, f, None)}
                new = build.like(statement, **inner)
                counter = self.sweep.counters.get(id(statement))
                if counter is not None:
                    made.append(build.assign(counter.name, 0, statement.origin, 'storage'))
                    more = build.assign(counter.name, build.binary(counter.name, gast.Add, 1), statement.origin, 'storage')
                    new.body = [*new.body, more]
            self.rebuilt[id(statement)] = new
            made.append(new)
            made += self.sweep.mutation.after.get(id(statement), [])
        return made

    def weave(self, primal: Block, pullback: Block, nest: Nest) -> tuple[Block, Block]:
        """One block and its mirror image."""
        starts: Block = []
        loads: Block = []
        follows: dict[int, Block] = {}
        if nest.loops:
            plan = self._plan(primal, pullback, nest)
            for name in plan.saved:
                save, load = self._slot(name, nest)
                place = self._completion(name, primal, nest)
                (starts if place is None else follows.setdefault(id(place), [])).extend(save)
                loads += load
            loads = [rename(s, nest.renamed) for s in loads + plan.recomputed]
            own = self._apart({name for s in loads if (name := defined(s)) in nest.inside})
            loads, pullback = [rename(s, own) for s in loads], [rename(s, own) for s in pullback]
            nest = Nest(nest.loops, {**nest.renamed, **own})
        mirrors = {id(s.mirror): s for s in pullback if hasattr(s, 'mirror')}
        replaced = {}
        forward = list(starts)
        for statement in primal:
            partner = mirrors.get(id(statement))
            new = statement
            if partner is not None:
                new, replaced[id(partner)] = self._weave_pair(statement, partner, nest)
            forward += [*self.preludes.pop(id(statement), []), new, *follows.get(id(statement), [])]
        return forward, loads + [replaced.get(id(s), s) for s in pullback]

    def _apart(self, own: set[str]) -> dict[str, str]:
        """Names of their own for the values of a reversed turn: after the loops the primal's mean the last values still."""
        core = self.sweep.core
        return {name: self.builder.fresh(core.base(name), self.builder.types[name], core.is_temporary(name)).name for name in sorted(own)}

    def _weave_pair(self, statement: gast.stmt, partner: gast.stmt, nest: Nest) -> tuple[gast.stmt, gast.stmt]:
        """A loop or branch and its mirror image."""
        if isinstance(statement, gast.If):
            arms = ('orelse', 'body') if partner.turned else ('body', 'orelse')
            pairs = [self.weave(getattr(statement, arm), other, nest) for arm, other in zip(arms, (partner.body, partner.orelse), strict=True)]
            new = build.like(statement, **{arm: pair[0] for arm, pair in zip(arms, pairs, strict=True)})
            return new, build.like(partner, body=pairs[0][1], orelse=pairs[1][1])
        target = {statement.target.id} if isinstance(statement, gast.For) else set()
        own = self._apart(target)
        partner = rename(partner, own)
        forward, backward = self.weave(statement.body, partner.body, Nest((*nest.loops, statement), {**nest.renamed, **own}))
        return build.like(statement, body=forward), build.like(partner, body=backward)

    def _plan(self, primal: Block, pullback: Block, nest: Nest) -> Plan:
        """Save what is needed, or what it can be recomputed from, whichever is less."""
        needed = sorted(self._outer_reads(pullback) & self._belonging(primal, nest) - nest.at_hand)
        local = {name: s for s in primal if (name := defined(s)) is not None and isinstance(s, gast.Assign)}
        once = {name for name in local if self._count(primal, name) == 1 and name not in self._carried(nest)}
        recomputed: dict[str, gast.stmt] = {}
        saved: dict[str, None] = {}
        for name in needed:
            self._trace(name, {n: local[n] for n in once}, nest, recomputed, saved)
        if len(saved) > len(needed):
            return Plan(needed)
        order = {id(s): k for k, s in enumerate(primal)}
        again = [build.stamp(build.like(s), s.origin, 'storage') for s in sorted(recomputed.values(), key=lambda s: order[id(s)])]
        return Plan(list(saved), again)

    def _trace(self, name: str, local: dict[str, gast.stmt], nest: Nest, recomputed: dict, saved: dict) -> None:
        """Recompute `name`, and what it is computed from, as far as that is cheap; save the rest."""
        if name in nest.at_hand or name not in nest.inside or name in recomputed or name in saved:
            return
        statement = local.get(name)
        if statement is None or not self._is_cheap(statement.value):
            saved[name] = None
            return
        for source in dict.fromkeys(names(statement.value)):
            self._trace(source, local, nest, recomputed, saved)
        recomputed[name] = statement

    def _is_cheap(self, value: gast.expr) -> bool:
        """Numbers are recomputed, arrays are kept; memory is read again only if nobody writes it."""
        match value:
            case gast.Subscript(value=gast.Name(id=base)):
                return not self.memory.of(base) & self.memory.written
            case gast.Attribute() | gast.Subscript() | gast.Constant():
                return True
            case gast.Call():
                name = primitive(value)
                return (name in CHEAP_CALLS or is_ufunc(name)) and self._is_number(value)
            case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.IfExp():
                return self._is_number(value)
        return False

    def _is_number(self, value: gast.expr) -> bool:
        return all(isinstance(self.builder.types.get(name), Scalar) for name in names(value))

    def _belonging(self, primal: Block, nest: Nest) -> set[str]:
        """The names whose value this block gives: the carried names of its loop belong to the loop's body."""
        own = all_defined(primal)
        return own | self._carried(nest) if primal is nest.loops[-1].body else own

    def _carried(self, nest: Nest) -> set[str]:
        inner = nest.loops[-1]
        return {name for name in all_defined(inner.body) if self._defined_outside(name, inner)}

    def _defined_outside(self, name: str, loop: gast.stmt) -> bool:
        inside = self._count([loop], name)
        return self.sweep.total.get(name, inside) > inside

    def _count(self, body: Block, name: str) -> int:
        return sum(1 for s in walk(body) if defined(s) == name)

    def _outer_reads(self, pullback: Block) -> set[str]:
        """The names read in a reversed block whose values do not belong to a loop or branch inside it."""
        found: set[str] = set()
        for statement in pullback:
            found |= reads(statement)
            mirror = getattr(statement, 'mirror', None)
            for inner in blocks(statement):
                deeper = self._outer_reads(inner)
                found |= deeper - all_defined([mirror]) if mirror is not None else deeper
        return found

    def _completion(self, name: str, primal: Block, nest: Nest) -> gast.stmt | None:
        """The statement after which `name` has the value that is needed; None for the start of the turn."""
        if name in self._carried(nest):
            return None
        return [s for s in primal if name in all_defined([s])][-1]

    def _slot(self, name: str, nest: Nest) -> tuple[Block, Block]:
        """Where one value per turn is kept: the statements that save and load it."""
        type_ = self.builder.types[name]
        trips = self._trips(nest) if isinstance(type_, Scalar) and not (type_.weak and self.mixed) else None
        prelude = self.preludes.setdefault(id(nest.loops[0]), [])
        origin = self._origin(name, nest)
        base, temporary = self.sweep.core.base(name), self.sweep.core.is_temporary(name)
        with self.builder.at(origin, 'storage'):
            if trips is None:
                tape = self.builder.fresh(f'{base}_tape', Tape(type_), temporary=False)
                prelude.append(build.assign(tape.name, build.call('tape.new'), origin, 'storage'))
                push = build.effect(build.call('tape.push', tape.name, name), origin, 'storage')
                return [push], [build.assign(name, build.call('tape.pop', tape.name), origin, 'storage')]
            shape = build.expression(tuple(trips)) if len(trips) > 1 else trips[0]
            dtype = None if type_.dtype == np.float64 else build.name(f'numpy.{type_.dtype.name}')
            kept = self.builder.fresh(f'{base}_at', Array(type_.dtype, (None,) * len(trips)), temporary=False)
            prelude.append(build.assign(kept.name, build.call('numpy.empty', shape, dtype=dtype), origin, 'storage'))
            (save, first), (load, second) = self._index(nest), self._index(nest)
            return ([*save, build.assign(build.subscript(kept.name, first), name, origin, 'storage')],
                    [*load, build.assign(name, build.subscript(kept.name, second), origin, 'storage')])

    def _origin(self, name: str, nest: Nest):
        found = [s.origin for s in walk(nest.loops[-1:]) if defined(s) == name and s.origin]
        return found[0] if found else nest.loops[-1].origin

    def _index(self, nest: Nest) -> tuple[Block, gast.expr]:
        """The number of the turn, from the loop variables, and the statements that compute it."""
        run = self.sweep.run
        with self.builder.nested() as block:
            turns = []
            for loop in nest.loops:
                start, _, step = (self.sweep.binding(a) for a in loop.iter.args)
                index = Var(loop.target.id, self.builder.types[loop.target.id])
                if start != Known(0):
                    index = run.binary(gast.Sub, index, start)
                if step == Known(-1):
                    index = run.unary(gast.USub, index)
                elif step != Known(1):
                    index = run.binary(gast.FloorDiv, index, step)
                turns.append(run.operand(index)[0])
        return block, turns[0] if len(turns) == 1 else build.expression(tuple(turns))

    def _trips(self, nest: Nest) -> list[gast.expr] | None:
        """The trip count of every loop of the nest, computed before it; None if one is not known there."""
        counts = []
        for loop in nest.loops:
            if not isinstance(loop, gast.For):
                return None
            atoms = [self._outside(a, nest) for a in loop.iter.args]
            if any(a is None for a in atoms):
                return None
            counts.append(self._count_of(atoms, nest))
        return counts

    def _count_of(self, atoms: list[gast.expr], nest: Nest) -> gast.expr:
        start, stop, step = atoms
        plain = all(isinstance(a, gast.Constant) for a in (start, step)) and (start.value, step.value) == (0, 1)
        if all(isinstance(a, gast.Constant) for a in atoms):
            return build.constant(len(range(start.value, stop.value, step.value)))
        size = getattr(self.builder.types.get(getattr(stop, 'id', '')), 'size', None)
        if plain and size is not None and len(size.terms) == 1 and size.constant >= 0 and size.terms[0][1] > 0:
            return stop
        length = self.builder.fresh('trips', self.builder.types.get(getattr(stop, 'id', ''), Scalar(np.dtype(np.int64), True)), temporary=True)
        counted = build.assign(length.name, build.call('python.len', build.call('range', *atoms)), nest.loops[0].origin, 'storage')
        self.preludes.setdefault(id(nest.loops[0]), []).append(counted)
        return build.name(length.name)

    def _outside(self, atom: gast.expr, nest: Nest) -> gast.expr | None:
        """A bound as it is before the outermost loop: itself, or computed there again from what does not change."""
        if not isinstance(atom, gast.Name) or atom.id not in nest.inside:
            return atom
        found = [s for s in walk(nest.loops[:1]) if defined(s) == atom.id]
        if len(found) != 1 or not isinstance(found[0], gast.Assign) or not self._is_cheap(found[0].value):
            return None
        sources = {name: self._outside(build.name(name), nest) for name in names(found[0].value)}
        if any(s is None for s in sources.values()):
            return None
        again = self.builder.fresh(self.sweep.core.base(atom.id), self.builder.types[atom.id], temporary=True)
        value = _replaced(found[0].value, sources)
        self.preludes.setdefault(id(nest.loops[0]), []).append(build.assign(again.name, value, found[0].origin, 'storage'))
        return build.name(again.name)


def _replaced(node, values: dict[str, gast.expr]):
    if isinstance(node, gast.Name):
        return values.get(node.id, node)
    if isinstance(node, list):
        return [_replaced(part, values) for part in node]
    if isinstance(node, gast.expr):
        return build.like(node, **{f: _replaced(v, values) for f, v in gast.iter_fields(node)})
    return node
