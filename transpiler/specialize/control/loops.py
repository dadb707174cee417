"""Loops: counted ones, those over rows and containers, and `while`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.core import build
from transpiler.core.links import link, links
from transpiler.core.query import without_exit
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType, UnsupportedSyntax
from transpiler.specialize.containers.heap import Grows
from transpiler.specialize.control.loop_trial import Growth, Iteration
from transpiler.specialize.control.peeling import PEELS
from transpiler.specialize.domain.bindings import Binding, Known, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.ranks import Unrolling, unknown_length
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.iterables.eager import check_unnoticed, is_early
from transpiler.specialize.iterables.mutated import check_lists_kept, item_now
from transpiler.specialize.iterables.spaces import Items, items_of, without_first
from transpiler.specialize.iterables.unread import check_all_made
from transpiler.specialize.structures.ranges import Checkpointed
from transpiler.values.types import INT, Unknown

FEW = 16  # iterations; a list that grows by so many items stays one of known length


class Loops(Component):
    """`for` and `while`."""

    @executes(gast.For)
    def _do_for(self, frame: Frame, statement: gast.For) -> bool:
        return self.ev.interleaving.loop(frame, statement, lambda: self._at_once(frame, statement))

    def _at_once(self, frame: Frame, statement: gast.For) -> bool:
        block, start = self.builder.block, len(self.builder.block)
        iterator = self.ev.overloads.iterated(self.ev.evaluate(frame, statement.iter))
        with self.ev.rebinding.running_over(iterator):
            return self.ev.distribution.for_each(frame, statement, iterator, block, start)

    def for_each(self, frame: Frame, statement: gast.For, iterator: Binding, block: list[gast.stmt], start: int) -> bool:
        if without_exit(statement.body)[1] is not None:
            check_all_made(self.ev, iterator, 'a loop that is left early',
                           instead='loop over it where it is made, without a name or `zip` in between')
        items = items_of(self.ev, iterator)
        made, cells, asked = len(block), dict(self.ev.heap.contents), next(self.ev.heap.clock)
        if items is None and isinstance(iterator, Var) and isinstance(self.ev.resolve(iterator.type), Unknown):
            raise UnknownType('a loop over a value of unknown type', self.origin,
                              instead='annotate the parameter, or give example arguments')
        if items is None:
            raise UnsupportedSyntax(
                f'a loop over {self.ev.describe(iterator)} is not supported',
                self.origin,
                instead='loop over a range, an array, or a tuple or list',
            )
        if items.needs_parts:
            now = lambda place, item: item_now(self.ev, iterator, place, len(items.parts), item)
            ends = self._unrolled(frame, statement, items.parts, now)
            if is_early(iterator, apart=True):
                check_unnoticed(self.ev, frame, statement, iterator, block, start, made, cells, asked)
            return ends
        if all(isinstance(bound, Known) for bound in items.bounds) and not range(*(bound.value for bound in items.bounds)):
            return False
        touched, options = len(self.ev.growing.touched), {}
        match iterator:
            case Checkpointed((_, snapshots)):
                options = {'snapshots': snapshots}
        peels = PEELS if self.ev.ranks_apart and frame.function is not None else None
        run = lambda: self._counted(frame, statement, items, options, peels)
        ends = self.ev.peeling.settling(frame, run, lambda error: self._each_written(frame, statement, items, error))
        check_lists_kept(self.ev, iterator, self.ev.growing.touched[touched:])
        if is_early(iterator, apart=False):
            check_unnoticed(self.ev, frame, statement, iterator, block, start, made, cells, asked)
        return ends

    def _unrolled(
        self,
        frame: Frame,
        statement: gast.For,
        items: Sequence[Binding],
        now: Callable[[int, Binding], Binding] = lambda place, item: item,
        start: int = 0,
    ) -> bool:
        """One iteration after the other; those after an iteration that may leave the loop are nested in a branch.

        `now` gives the item at a place, should the loop have changed the container meanwhile.
        """
        body, leave = without_exit(statement.body)
        for position, item in enumerate(items[start:], start + 1):
            self.ev.distribution.bind_target(frame, statement.target, now(position - 1, item))
            if self.ev.execute(frame, body):
                return True
            left = Known(False) if leave is None else self.ev.evaluate(frame, leave)
            if self.ev.branches.truth(left):
                return False
            if position == len(items):
                now(position - 1, item)  # there would be another iteration, had this one added an item
                return False
            if self.ev.branches.truth(left) is None:
                live = frame.live.get(id(statement))
                rest = partial(self._unrolled, frame, statement, items, now, position)
                gone = partial(self.ev.peeling.leave, frame, leave)
                return self.ev.branches.branch(frame, left, gone, rest, live.after if live else None, statement)
        return False

    def _each_written(self, frame: Frame, statement: gast.For, items: Items, error: TranspileError) -> bool:
        """All iterations one after the other; how many they are must be known for that."""
        if items.parts is not None:
            return self._unrolled(frame, statement, items.parts)
        raise unknown_length(self.ev, items.bounds, error)

    def _counted(
        self, frame: Frame, statement: gast.For, items: Items, options: Mapping[str, Binding], peels: int | None
    ) -> bool:
        """A loop over positions, of which so many iterations may be written before it."""

        def peel(more: int) -> bool:
            enter = lambda: self.ev.distribution.bind_target(frame, statement.target, items.at(items.bounds[0]))
            others = lambda: self._counted(frame, statement, without_first(self.ev, items, Known(1)), options, more)
            return self.ev.peeling.peeled(frame, statement, self.has_items(items.bounds), enter, others)

        return self.ev.peeling.peeling(frame, lambda peels: self._by_position(frame, statement, items, options, peels), peel,
                                       peels)

    def _by_position(
        self, frame: Frame, statement: gast.For, items: Items, options: Mapping[str, Binding], peels: int | None
    ) -> bool:
        """A loop over positions; it is unrolled if its body needs them as constants, and there are not too many."""

        state = self.ev.places.before(frame)
        few = items.parts is not None and len(items.parts) <= FEW
        growth = Growth(not few, items.parts is None, peels)
        try:
            if items.axes and not self._breaks_or_changes(frame, statement, items.axes):
                return self._nested(frame, statement, items, growth)

            def once(index: Var, iteration: Iteration) -> None:
                self.ev.distribution.bind_target(frame, statement.target, items.at(index))
                self.ev.whiles.iteration(frame, statement, iteration)

            return self._loop(frame, statement, items.bounds, self._index_name(frame, statement), once, options, growth)
        except (NeedStatic, Grows) as need:
            index_wanted = isinstance(need, Grows) or need.name not in state[0][0]
            if items.parts is None and index_wanted and isinstance(need, Unrolling):
                return self._each_written(frame, statement, items, need.error)
            if items.parts is None or not index_wanted:
                raise
            self.ev.places.return_to(frame, state)
            return self._unrolled(frame, statement, items.parts)

    def _breaks_or_changes(self, frame: Frame, statement: gast.For, axes: Sequence[Items]) -> bool:
        """Whether the body leaves the loop, or gives other values to what bounds the axes."""
        changed = {frame.env[name] for name in stores(statement.body) if isinstance(frame.env.get(name), Var)}
        return without_exit(statement.body)[1] is not None or any(bound in changed for items in axes for bound in items.bounds)

    def _nested(self, frame: Frame, statement: gast.For, items: Items, growth: Growth, chosen: tuple[Binding, ...] = ()) -> bool:
        """All combinations: a loop for each axis in that of the one before it."""
        axis = items.axes[len(chosen)]

        def once(index: Var, iteration: Iteration) -> None:
            now = (*chosen, axis.at(index))
            if len(now) < len(items.axes):
                self._nested(frame, statement, items, growth, now)
            else:
                self.ev.distribution.bind_target(frame, statement.target, items.joined(now))
                self.ev.whiles.iteration(frame, statement, iteration)

        base = 'k'
        match statement.target:
            case gast.Tuple(elts=[gast.Tuple(elts=names), _]) | gast.Tuple(elts=names) if len(names) == len(items.axes):
                if isinstance(names[len(chosen)], gast.Name):
                    base = self.ev.branches.base_of(frame, names[len(chosen)].id)[0]
                else:
                    base = base
        return self._loop(frame, statement, axis.bounds, base, once, {}, growth)

    def _index_name(self, frame: Frame, statement: gast.For) -> str:
        """What the position is called: as the program calls it, in `for i in range(n)` and `for i, v in enumerate(x)`."""
        match statement:
            case gast.For(
                target=gast.Name(id=name),
                iter=gast.Call(func=gast.Name(id='range')) | gast.Call(args=[gast.Call(func=gast.Name(id='range')), *_]),
            ):
                return self.ev.branches.base_of(frame, name)[0]
            case gast.For(target=gast.Tuple(elts=[gast.Name(id=name), _]), iter=gast.Call(func=gast.Name(id='enumerate'))):
                return self.ev.branches.base_of(frame, name)[0]
        return 'k'

    def _loop(
        self,
        frame: Frame,
        statement: gast.For,
        bounds: tuple[Binding, ...],
        base: str,
        once: Callable[[Var, Iteration], None],
        options: Mapping[str, Binding],
        growth: Growth,
    ) -> bool:
        """A counted loop; `once` runs its body when it is given the number of the iteration."""
        atoms = [self.ev.operand(bound)[0] for bound in (*bounds, *options.values())]

        def run(iteration: Iteration) -> None:
            index = self.builder.fresh(base, leaf_type(Known(0)))
            iteration.test = build.name(index.name)
            if self.ev.numbers.is_natural(bounds[0]) and self.ev.numbers.is_natural(bounds[2]):
                self.builder.natural.add(index.name)
            once(index, iteration)

        def node(iteration: Iteration) -> gast.stmt:
            body, extra = self.ev.whiles.with_exit(iteration), dict(zip(options, atoms[3:], strict=True))
            if extra and without_exit(body)[1] is not None:
                raise UnsupportedSyntax(
                    'a loop with snapshots cannot be left early',
                    self.origin,
                    why='how its iterations are run again is planned before the first one',
                    instead='let the loop run to its end, or leave out the snapshots',
                )
            made = build.counted(iteration.test.id, *atoms[:3], body, self.origin, self.builder.role, **extra)
            return link(made, note=links(statement).note)

        iteration = self.ev.rebinding.settle(frame, statement, run, growth)
        reads = frozenset(b.name for b in bounds if isinstance(b, Var))
        self.ev.iterations.finish(frame, iteration, lambda: node(iteration), lambda ev: ev.loops.has_iterations(bounds), reads)
        return False

    def has_iterations(self, bounds: tuple[Binding, ...]) -> Binding:
        """Whether a range has any iterations."""
        start, stop, step = bounds
        if isinstance(step, Known):
            return self.ev.compare(gast.Lt if step.value > 0 else gast.Gt, start, stop)
        atoms = [self.ev.operand(bound)[0] for bound in bounds]
        trips = self.builder.define('trips', build.call('python.len', build.call('range', *atoms)), INT)
        return self.ev.compare(gast.Gt, trips, Known(0))

    def has_items(self, bounds: tuple[Binding, ...]) -> Binding:
        """Whether a range has any iterations; what shows only in the call at hand is what the program is made for."""
        start, stop, step = bounds
        if isinstance(step, Known):
            first, last = (self.ev.numbers.size_of(bound) or self.ev.sizes.value_of(bound) for bound in (start, stop))
            between = None if first is None or last is None else last - first
            known = None if between is None else self.ev.sizes.is_any(between if step.value > 0 else -between)
            if known is not None:
                return Known(known)
        return self.has_iterations(bounds)
