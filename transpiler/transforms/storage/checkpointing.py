"""Loops that keep few states: the iterations between two kept states are run again before they are reversed.

`for t in range(0, n, 1, snapshots=k)` saves nothing of its iterations but the state at the start of at most `k` of them. Which,
says `kernels/schedule.py`. A reversed iteration puts the nearest state back, runs on from it, keeping further states while there
is room, and then runs its own iteration with all that its pullback needs.
"""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.links import link, links
from transpiler.core.query import defined, snapshots_of
from transpiler.transforms.shared.printing import is_print
from transpiler.transforms.storage.checkpoint_marks import is_once, plain, without_loop
from transpiler.transforms.storage.iteration_state import Iterations
from transpiler.transforms.storage.trip_counts import Block, Nest
from transpiler.values.types import BOOL, INT, Tape

State = dict[str, str]  # names, and under which others their values are kept


def expand(storage, primal: Block, pullback: Block) -> tuple[Block, Block]:
    """Two sweeps in which loops with snapshots, and their reversed loops, are spelled out; lists stand at the outermost level."""
    pairs = _Pairs(storage)
    forward: Block = []
    backward = {id(s): [s] for s in pullback}
    partners = {id(mirror): s for s in pullback if (mirror := links(s).mirror) is not None}
    for statement in primal:
        partner = partners.get(id(statement))
        made, again = pairs.pair(statement, partner)
        forward += [*pairs.tapes, *made]
        pairs.tapes = []
        if partner is not None:
            backward[id(partner)] = again
    return forward, [new for s in pullback for new in backward[id(s)]]


class _Pairs:
    """Statements and their mirror images; `tapes` are lists to be set up before the outermost loop."""

    def __init__(self, storage):
        self.storage, self.tapes = storage, []

    def pair(self, statement: gast.stmt, partner: gast.stmt | None) -> tuple[Block, Block]:
        if partner is None:
            return [statement] if links(statement).backwards is not None else plain([statement]), []
        if snapshots_of(statement) is not None:
            made = (_Once if is_once(statement) else _Checkpointed)(self.storage, statement, partner)
            self.tapes += made.tapes
            return made.forward(), made.backward()
        if isinstance(statement, gast.If):
            arms = ('orelse', 'body') if links(partner).turned else ('body', 'orelse')
        else:
            arms = ('body',)
        inner, again = {}, {}
        for arm, other in zip(arms, ('body', 'orelse'), strict=False):
            inner[arm], again[other] = self.block(getattr(statement, arm), getattr(partner, other))
        new = build.like(statement, **inner)
        return [new], [link(build.like(partner, **again), mirror=new)]

    def block(self, primal: Block, pullback: Block) -> tuple[Block, Block]:
        partners = {id(mirror): s for s in pullback if (mirror := links(s).mirror) is not None}
        made = [(partners.get(id(s)), self.pair(s, partners.get(id(s)))) for s in primal]
        backward = {id(partner): again for partner, (_, again) in made}
        return [s for _, (new, _) in made for s in new], [new for s in pullback for new in backward.get(id(s), [s])]


class _Checkpointed:
    """One loop with snapshots and its reversed loop."""

    def __init__(self, storage, loop: gast.For, partner: gast.For):
        self.storage, self.loop, self.partner = storage, loop, partner
        self.body = plain(loop.body)
        self.sweep, self.builder, self.origin = storage.sweep, storage.builder, loop.origin
        self.mutation = self.sweep.mutation
        self.snapshots, self.iterations = snapshots_of(loop), loop.iter.args[1]
        original = next(key for key, new in storage.rebuilt.items() if new is loop)
        found = Iterations(self.sweep, loop, partner, self.mutation.later[original])
        self.inside, self.carried, self.arrays = found.inside, found.carried, found.arrays
        self.state, self.constants = found.state, found.constants
        self.tapes: Block = []
        self._prepare()
        self.body_forward, self.body_backward = self._one_iteration(loop)

    def _one_iteration(self, loop: gast.For) -> tuple[Block, Block]:
        """An iteration and its pullback, with storage of its own; what the iteration hands to the next one is left out."""
        forward, backward = self.storage.weave(*expand(self.storage, loop.body, self.partner.body), Nest())
        return [s for s in forward if defined(s) not in self.carried and not is_print(s)], backward

    def _prepare(self) -> None:
        """Set up the lists that states are kept on."""
        self.marks = self._tape('marks', INT)
        self.kept = {name: self._tape(self.sweep.core.base(name), self.builder.types[name]) for name in self.state}
        self.held = self._number('held')

    def _tape(self, base: str, element) -> str:
        tape = self.builder.fresh(f'{base}_tape' if base != 'marks' else base, Tape(element)).name
        self.tapes.append(build.assign(tape, build.call('tape.new'), self.origin, 'storage'))
        return tape

    def _number(self, base: str, type_=INT) -> str:
        return self.builder.fresh(base, type_, temporary=type_ is BOOL).name

    def _assign(self, target, value) -> gast.stmt:
        return build.assign(target, value, self.origin, 'storage')

    def _is_changed(self, name: str) -> bool:
        """Whether the memory of a name is written anywhere."""
        return bool(self.mutation.memory.of(name) & self.mutation.memory.written)

    def _push(self, name: str, renamed: State) -> Block:
        value = renamed.get(name, name)
        made = []
        if self._is_changed(name):
            value = self._fresh(name, temporary=True)
            made.append(self._assign(value, build.call('numpy.copy', renamed.get(name, name))))
        return [*made, build.effect(build.call('tape.push', self.kept[name], value), self.origin, 'storage')]

    def _snapshot(self, iteration: str, mark: str, stop: gast.expr, renamed: State) -> Block:
        """Keep the state if this is the iteration for it, and choose the next one."""
        here, free = self._number('here', BOOL), self._number('free')
        body = [build.effect(build.call('tape.push', self.marks, iteration), self.origin, 'storage')]
        body += [statement for name in self.state for statement in self._push(name, renamed)]
        body += [
            self._assign(self.held, build.binary(self.held, gast.Add, 1)),
            self._assign(free, build.binary(self.snapshots, gast.Sub, self.held)),
            self._assign(mark, build.call('kernels.next_snapshot', iteration, stop, free)),
        ]
        test = self._assign(here, build.compare(iteration, gast.Eq, mark))
        return [test, build.branch(here, body, [], self.origin, 'storage')]

    def forward(self) -> Block:
        """The loop, keeping states on its way."""
        mark = self._number('mark')
        copies = [self._assign(kept, build.call('numpy.copy', name)) for name, kept in self.constants.items()]
        keep = self._snapshot(self.loop.target.id, mark, self.iterations, {})
        self.last = build.like(self.loop, iter=build.like(self.loop.iter, keywords=[]), body=[*keep, *self.body])
        return [*copies, self._assign(self.held, 0), self._assign(mark, 0), self.last]

    def backward(self) -> Block:
        """The reversed loop: put the last state back, run on from it to the iteration that is next, reverse that."""
        own = {name: self._fresh(name) for name in sorted(self.inside)}
        again = {**own, **self.constants}
        iteration, other = own[self.loop.target.id], self._number('turn')
        start, mark, stop = self._number('start'), self._number('mark'), self._number('stop')
        body = [
            self._assign(start, build.call('tape.pop', self.marks)),
            *(statement for name in self.state for statement in self._restored(name, own)),
            self._assign(self.held, build.binary(self.held, gast.Sub, 1)),
            self._assign(mark, start),
            self._assign(stop, build.binary(iteration, gast.Add, 1)),
        ]
        keep = self._snapshot(other, mark, build.name(stop), own)
        # names of their own: a branch of the iteration that is next may leave them alone
        passing = {name: self._fresh(name) for name in sorted(self.inside - {*self.state})}
        passing = {**again, **passing, self.loop.target.id: other}
        run = [rename(_again(s), passing) for s in self.body if not is_print(s)]
        body.append(build.counted(other, start, iteration, 1, [*keep, *run], self.origin, 'storage'))
        body += self._iteration(own)
        loop = link(build.like(rename(build.like(self.partner, body=[]), own), body=body), mirror=None)
        before, after = self._final()
        return [*before, loop, *after]

    def _iteration(self, own: State) -> Block:
        """The iteration that is next, run again, and its pullback."""
        again = {**own, **self.constants}
        return [*(rename(_again(s), again) for s in self.body_forward), *(rename(s, own) for s in self.body_backward)]

    def _fresh(self, name: str, temporary: bool | None = None) -> str:
        core, type_ = self.sweep.core, self.builder.types[name]
        return self.builder.fresh(core.base(name), type_, core.is_temporary(name) if temporary is None else temporary).name

    def _restored(self, name: str, own: State) -> Block:
        popped = build.call('tape.pop', self.kept[name])
        if name not in self.arrays:
            return [self._assign(own[name], popped)]
        value = self._fresh(name, temporary=True)
        return [self._assign(value, popped), self._put_back(name, value)]

    def _put_back(self, name: str, value: str) -> gast.stmt:
        statement = self._assign(build.subscript(name, build.constant(...)), value)
        return link(statement, undoes=self.last, array=name)

    def _final(self) -> tuple[Block, Block]:
        """Arrays that are results keep what they hold after the loop."""
        before, after = [], []
        for name in self.arrays:
            if self.mutation.memory.of(name) & self.mutation.memory.returned:
                value = self._fresh(name, temporary=True)
                before.append(self._assign(value, build.call('numpy.copy', name)))
                after.append(self._put_back(name, value))
        return before, after


class _Once(_Checkpointed):
    """A loop of one iteration: its state is kept under names, and the iteration stands where the loop stood."""

    def _prepare(self) -> None:
        self.kept = {name: self._fresh(name) for name in self.state}

    def forward(self) -> Block:
        kept = {**self.constants, **self.kept}
        changed = lambda name: name in self.constants or self._is_changed(name)
        copies = [self._assign(new, build.call('numpy.copy', old) if changed(old) else old) for old, new in kept.items()]
        self.last = self.body[-1]
        return [*copies, *without_loop(build.like(self.loop, body=self.body))]

    def backward(self) -> Block:
        own = {name: self._fresh(name) for name in sorted(self.inside)}
        before, after = self._final()
        back = lambda name, kept: self._put_back(name, kept) if name in self.arrays else self._assign(own[name], kept)
        restored = [back(name, kept) for name, kept in self.kept.items()]
        return [*before, *restored, self._assign(own[self.loop.target.id], 0), *self._iteration(own), *after]


def _again(statement: gast.stmt) -> gast.stmt:
    """The statement, and all in it, as what the second sweep runs again."""
    return build.map_blocks(statement, lambda block: list(map(_again, block)), role='again')
