"""Loops that keep few states: the turns between two kept states are run again before they are reversed.

`for t in range(0, n, 1, snapshots=k)` saves nothing of its turns but the state at the start of at most `k` of them. Which,
says `kernels/schedule.py`. A reversed turn puts the nearest state back, runs on from it, keeping further states while there is
room, and then runs its own turn with all that its pullback needs.
"""

from __future__ import annotations

import gast

from transpiler.analyses.aliases import tape_of
from transpiler.analyses.effects import is_pure
from transpiler.analyses.liveness import live_before
from transpiler.analyses.views import bases
from transpiler.core import build
from transpiler.core.query import all_defined, all_reads, all_written, blocks, defined, snapshots_of, walk, written
from transpiler.errors import UnsafeMutation, UnsupportedSyntax
from transpiler.transforms.mutation import rename
from transpiler.transforms.slots import Block, Nest
from transpiler.values.types import BOOL, INT, Array, Tape, Unknown

State = dict[str, str]  # the names and arrays that a turn starts with, each with the tape that its values are kept on


def plain(statement: gast.stmt) -> gast.stmt:
    """The statement with ordinary loops only.

    >>> from transpiler.core.text import parse
    >>> snapshots_of(plain(parse('for t in range(0, n, 1, snapshots=5): x = x + 1\\nreturn x').body[0]))
    """
    if snapshots_of(statement) is not None:
        statement = build.like(statement, iter=build.like(statement.iter, keywords=[]))
    inner = {f: [plain(s) for s in getattr(statement, f)] for f in ('body', 'orelse') if getattr(statement, f, None)}
    return build.like(statement, **inner) if blocks(statement) else statement


def expand(storage, primal: Block, pullback: Block) -> tuple[Block, Block]:
    """Two sweeps in which loops with snapshots, and their reversed loops, are spelled out; lists stand at the outermost level."""
    pairs = _Pairs(storage)
    forward: Block = []
    backward = {id(s): [s] for s in pullback}
    partners = {id(s.mirror): s for s in pullback if hasattr(s, 'mirror')}
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
            return [plain(statement)], []
        if snapshots_of(statement) is not None:
            made = _Checkpointed(self.storage, statement, partner)
            self.tapes += made.tapes
            return made.forward(), made.backward()
        if isinstance(statement, gast.If):
            arms = ('orelse', 'body') if partner.turned else ('body', 'orelse')
        else:
            arms = ('body',)
        inner, again = {}, {}
        for arm, other in zip(arms, ('body', 'orelse'), strict=False):
            inner[arm], again[other] = self.block(getattr(statement, arm), getattr(partner, other))
        new = build.like(statement, **inner)
        return [new], [build.like(partner, mirror=new, **again)]

    def block(self, primal: Block, pullback: Block) -> tuple[Block, Block]:
        partners = {id(s.mirror): s for s in pullback if hasattr(s, 'mirror')}
        made = [(partners.get(id(s)), self.pair(s, partners.get(id(s)))) for s in primal]
        backward = {id(partner): again for partner, (_, again) in made}
        return [s for _, (new, _) in made for s in new], [new for s in pullback for new in backward.get(id(s), [s])]


class _Checkpointed:
    """One loop with snapshots and its reversed loop."""

    def __init__(self, storage, loop: gast.For, partner: gast.For):
        self.storage, self.loop, self.partner = storage, plain(loop), partner
        self.body = self.loop.body
        self.sweep, self.builder, self.origin = storage.sweep, storage.builder, loop.origin
        self.mutation = self.sweep.mutation
        self.snapshots, self.turns = snapshots_of(loop), loop.iter.args[1]
        self.inside = all_defined([loop])
        self.carried = {name for name in all_defined(loop.body) if self.sweep.definitions_of.outside(name, loop)}
        original = next(key for key, new in storage.rebuilt.items() if new is loop)
        self.later = self.mutation.later[original]
        self._check()
        self.arrays = sorted(self._arrays())
        read = live_before(loop.body) | all_reads(partner.body)
        self.state = [*sorted(self.carried & read), *self.arrays]
        self.constants = self._constants()
        self.tapes: Block = []
        self.marks = self._tape('marks', INT)
        self.kept = {name: self._tape(self.sweep.core.base(name), self.builder.types[name]) for name in self.state}
        self.held = self._number('held')
        self.body_forward, self.body_backward = self._one_turn(loop)

    def _one_turn(self, loop: gast.For) -> tuple[Block, Block]:
        """A turn and its pullback, with storage of its own; what the turn hands to the next one is left out."""
        forward, backward = self.storage.weave(*expand(self.storage, loop.body, self.partner.body), Nest())
        return [s for s in forward if defined(s) not in self.carried and not _is_print(s)], backward

    # what a turn starts with

    def _check(self) -> None:
        """Refuse what cannot be run twice."""
        for statement in walk(self.loop.body):
            tape = tape_of(statement)
            if tape is not None and tape not in self.inside:
                raise UnsupportedSyntax(
                    'a list grows or shrinks in a loop with snapshots',
                    statement.origin,
                    why='its turns are run again for the derivative',
                    instead='write into an array: `ys[t] = y`',
                )
            value = getattr(statement, 'value', None)
            effect = isinstance(statement, gast.Expr) and written(statement) is None and not _is_print(statement)
            if tape is None and (effect or isinstance(statement, gast.Assign) and not is_pure(value)):
                raise UnsupportedSyntax(
                    'this call has an effect, and stands in a loop with snapshots',
                    statement.origin,
                    why='its turns are run again for the derivative',
                    instead='move it out of the loop',
                )

    def _arrays(self) -> set[str]:
        """The arrays from outside that a turn writes into."""
        found = set()
        for name in all_written(self.loop.body):
            root = [name, *bases(name, self.mutation.views)][-1]
            memory = self.mutation.memory.of(root)
            if root not in self.inside:
                found.add(root)
            elif root in self.carried or not memory <= self.inside:
                raise UnsafeMutation(
                    f'`{self.sweep.core.base(name)}` is written in a loop with snapshots, and shows other memory in every turn',
                    self.origin,
                    why='the state of the loop would have to be kept with all its names for the same memory',
                    instead='write into one array through the whole loop, or give the name a new array in every turn',
                )
        return found

    def _constants(self) -> State:
        """Copies of the arrays that the turns only read, and that are written after the loop."""
        own = self.mutation.memory.of(*self.arrays)
        found = {}
        for name in sorted(all_reads(self.loop.body) - self.inside):
            type_, memory = self.builder.types.get(name), self.mutation.memory.of(name)
            if isinstance(type_, (Array, Unknown)) and memory & self.later and not memory & own:
                found[name] = self.builder.fresh(self.sweep.core.base(name), type_).name
        return found

    # the statements of both sweeps

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
            value = self.builder.fresh(self.sweep.core.base(name), self.builder.types[name], temporary=True).name
            made.append(self._assign(value, build.call('numpy.copy', renamed.get(name, name))))
        return [*made, build.effect(build.call('tape.push', self.kept[name], value), self.origin, 'storage')]

    def _snapshot(self, turn: str, mark: str, stop: gast.expr, renamed: State) -> Block:
        """Keep the state if this is the turn for it, and choose the next one."""
        here, free = self._number('here', BOOL), self._number('free')
        body = [build.effect(build.call('tape.push', self.marks, turn), self.origin, 'storage')]
        body += [statement for name in self.state for statement in self._push(name, renamed)]
        body += [
            self._assign(self.held, build.binary(self.held, gast.Add, 1)),
            self._assign(free, build.binary(self.snapshots, gast.Sub, self.held)),
            self._assign(mark, build.call('kernels.next_snapshot', turn, stop, free)),
        ]
        test = self._assign(here, build.compare(turn, gast.Eq, mark))
        return [test, build.branch(here, body, [], self.origin, 'storage')]

    def forward(self) -> Block:
        """The loop, keeping states on its way."""
        mark = self._number('mark')
        copies = [self._assign(kept, build.call('numpy.copy', name)) for name, kept in self.constants.items()]
        keep = self._snapshot(self.loop.target.id, mark, self.turns, {})
        self.loop.body = [*keep, *self.body]
        return [*copies, self._assign(self.held, 0), self._assign(mark, 0), self.loop]

    def backward(self) -> Block:
        """The reversed loop: put the last state back, run on from it to the turn that is next, reverse that."""
        core, builder = self.sweep.core, self.builder
        fresh = lambda name: builder.fresh(core.base(name), builder.types[name], core.is_temporary(name)).name
        own = {name: fresh(name) for name in sorted(self.inside)}
        again = {**own, **self.constants}
        turn, other = own[self.loop.target.id], self._number('turn')
        start, mark, stop = self._number('start'), self._number('mark'), self._number('stop')
        body = [
            self._assign(start, build.call('tape.pop', self.marks)),
            *(statement for name in self.state for statement in self._restored(name, own)),
            self._assign(self.held, build.binary(self.held, gast.Sub, 1)),
            self._assign(mark, start),
            self._assign(stop, build.binary(turn, gast.Add, 1)),
        ]
        keep = self._snapshot(other, mark, build.name(stop), own)
        run = [rename(_as_storage(s), {**again, self.loop.target.id: other}) for s in self.body if not _is_print(s)]
        body.append(build.counted(other, start, turn, 1, [*keep, *run], self.origin, 'storage'))
        body += [rename(_as_storage(s), again) for s in self.body_forward]
        body += [rename(s, own) for s in self.body_backward]
        loop = build.like(rename(build.like(self.partner, body=[]), own), body=body)
        del loop.mirror
        before, after = self._final()
        return [*before, loop, *after]

    def _restored(self, name: str, own: State) -> Block:
        popped = build.call('tape.pop', self.kept[name])
        if name not in self.arrays:
            return [self._assign(own[name], popped)]
        value = self.builder.fresh(self.sweep.core.base(name), self.builder.types[name], temporary=True).name
        return [self._assign(value, popped), self._put_back(name, value)]

    def _put_back(self, name: str, value: str) -> gast.stmt:
        statement = self._assign(build.subscript(name, build.constant(...)), value)
        statement.undoes = self.loop
        return statement

    def _final(self) -> tuple[Block, Block]:
        """Arrays that are results keep what they hold after the loop."""
        before, after = [], []
        for name in self.arrays:
            if self.mutation.memory.of(name) & self.mutation.memory.returned:
                value = self.builder.fresh(self.sweep.core.base(name), self.builder.types[name], temporary=True).name
                before.append(self._assign(value, build.call('numpy.copy', name)))
                after.append(self._put_back(name, value))
        return before, after


def _is_print(statement: gast.stmt) -> bool:
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name(id='python.print'))):
            return True
    return False


def _as_storage(statement: gast.stmt) -> gast.stmt:
    """The statement, and all in it, as one of the second sweep."""
    inner = {f: [_as_storage(s) for s in getattr(statement, f)] for f in ('body', 'orelse') if getattr(statement, f, None)}
    return build.like(statement, role='storage', **inner)
