"""Where paths meet: one binding for two, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import gast

from transpiler.core import build
from transpiler.core.query import all_defined
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.normalize.flags import is_flag
from transpiler.specialize.containers.heap import Meeting
from transpiler.specialize.control.definedness import is_absent
from transpiler.specialize.domain.bindings import (
    Binding,
    Blank,
    Conflict,
    Known,
    Maybe,
    Ref,
    Unbound,
    alike,
    leaf_type,
    never,
    same_shape,
)
from transpiler.specialize.domain.literals import as_kind
from transpiler.specialize.domain.optionals import is_optional, levelled, with_items
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.expressions.inference import kind_of
from transpiler.specialize.kinds.eithers import apart, is_either, merged
from transpiler.specialize.kinds.mixtures import Separate, are_mixed, check_asked, joined, sort_of, without_kinds
from transpiler.specialize.structures.alternatives import EitherNumber, Optional
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.values.intervals import TOO_LONG, WORD, is_inside
from transpiler.values.joining import join_types
from transpiler.values.types import BOOL, Scalar, Type

Block = list[gast.stmt]
Side = tuple[Binding | None, Block]

SHOWN = {'return': 'the result', 'result': 'the result', 'choice': 'what is chosen'}


@dataclass(eq=False)
class Joins(Component):
    """Merging the bindings of two paths, writing the copies that make them one variable."""

    meeting: Meeting | None = None

    def merge(self, frame: Frame, name: str, test: Binding, left: Side, right: Side) -> Binding:
        """One binding for what `name` is on two paths: where `test` holds, and where it does not."""
        base, temporary = self.ev.branches.base_of(frame, name)
        reads = frozenset({test.name}) if isinstance(test, Var) else None
        for (here, block), (there, _), defined in (
            (left, right, lambda ev: test),
            (right, left, lambda ev: ev.expressions.negate(test)),
        ):
            if is_absent(there):
                if isinstance(there, Unbound):
                    there.miss(reads)
                if is_absent(here):
                    return here or there
                return self.ev.presence.perhaps(frame, base, (here, block), temporary, defined, reads)
        here, there = levelled(left[0], right[0])
        if is_optional(here) and is_optional(there):
            (flag, one), (other_flag, other) = here.items, there.items
            value = self.ev.tables.join(base, one, left[1], other, right[1], temporary, name)
            flags = self._as_test(test, flag, other_flag) or self.ev.tables.join(
                f'has_{base}', flag, left[1], other_flag, right[1], True)
            return Optional((flags, value))
        if is_flag(name) or isinstance(test, Var) and test.type == BOOL:
            return self._as_test(test, left[0], right[0]) or self.ev.tables.join(base, *left, *right, temporary, name)
        return self.ev.tables.join(base, *left, *right, temporary, name)

    def _as_test(self, test: Binding, left: Binding, right: Binding) -> Binding | None:
        """A flag that holds on the one path and not on the other: it is the test itself, or what it is not."""
        if (left, right) == (Known(True), Known(False)):
            return test
        return self.ev.expressions.negate(test) if (left, right) == (Known(False), Known(True)) else None

    def join(
        self, base: str, left: Binding, left_block: Block, right: Binding, right_block: Block, temporary: bool = False,
        place: str = '',
    ) -> Binding:
        """One binding for `left` (at the end of `left_block`) and `right` (at the end of `right_block`), which `place` holds.

        What no name holds, as an item of a dict, is at the place that its variable is called after.
        """
        if left == right:
            return left
        place = place or base
        if isinstance(left, Ref) and isinstance(right, Ref):
            return self.meeting.join(left, right, lambda a,
                                     b: self.ev.tables.join(base, a, left_block, b, right_block, temporary))
        if isinstance(left, Maybe) or isinstance(right, Maybe):
            return self._join_maybe(base, left, left_block, right, right_block, temporary, place)
        left, right = self.kept_apart(place, *levelled(left, right))
        if is_either(left):
            left, right = self._as_long_as_held(left, left_block), self._as_long_as_held(right, right_block)
            return merged(left, right, lambda kind, a,
                          b: self.ev.tables.join(kind or base, a, left_block, b, right_block, temporary))
        if isinstance(left, DynamicList):
            return self.ev.tables.conflict(base, left, right)  # two lists, or a list and something else
        if isinstance(left, Container) and isinstance(right, Container) and same_shape(left, right):
            names = (f'has_{base}', base) if is_optional(left) else (base,) * len(left.items)
            items = tuple(
                self.ev.tables.join(name, a, left_block, b, right_block, temporary, place)
                for name, a, b in zip(names, left.items, right.items, strict=True)
            )
            return left.anew(items)
        types = leaf_type(left), leaf_type(right)
        if types[0] is None or types[1] is None:
            return self.ev.tables.conflict(base, left, right)
        variable = self.builder.fresh(base, self.type_for(place, types, (left, right)), temporary)
        self.note_kinds(variable, left, right)
        for block, side in ((left_block, left), (right_block, right)):
            block.append(build.assign(variable.name, self.converted(side, variable), self.origin, self.builder.role))
        return variable

    def _as_long_as_held(self, side: EitherNumber, block: Block) -> EitherNumber:
        """What one path gives, which raises where that is an integer too long for compiled code."""
        long = [isinstance(item, Known) and type(item.value) is int and not is_inside((item.value, item.value), WORD)
                for item in side.items]
        if not any(long) or self.ev.separation is None or not self.ev.separation.compiled:
            return side
        block.append(build.fail(build.call('python.OverflowError', build.constant(TOO_LONG)), self.origin, self.builder.role))
        return replace(side, items=tuple(Known(0) if one else item for item, one in zip(side.items, long, strict=True)))

    def kept_apart(self, place: str, left: Binding, right: Binding) -> tuple[Binding, Binding]:
        """The two beside what they are, if the kinds of what `place` holds are kept apart and differ, or their ranks do."""
        if is_either(left) or is_either(right):
            return self.told_apart(left, right)
        sorts = sort_of(leaf_type(left)), sort_of(leaf_type(right))
        if None in sorts or sorts[0] == sorts[1] or self.derives:
            return left, right
        asked = self.ev.separation is not None and place in self.ev.separation.places
        return self.told_apart(left, right) if asked or self.ev.ranks_apart and sorts[0][-1] != sorts[1][-1] else (left, right)

    def told_apart(self, left: Binding, right: Binding) -> tuple[Binding, Binding]:
        """The two beside what they are; an item of a list does not tell, if it may be of several kinds."""
        for side in (left, right):
            kinds = None if is_either(side) else getattr(leaf_type(side), 'kinds', None)
            if kinds is not None and len(kinds.sorts) > 1:
                raise Separate([kinds], self.origin)
        return apart(left, right)

    def on_one_level(self, place: str, left: Binding, right: Binding) -> tuple[Binding, Binding]:
        """What `place` holds at two times as the same kind of thing, at any depth; the very same where there is nothing to do."""
        left, right = self.kept_apart(place, *levelled(left, right))
        if is_either(left) or not alike(left, right):
            return left, right
        pairs = [self.on_one_level(place, one, other) for one, other in zip(left.items, right.items, strict=True)]
        return with_items(left, [one for one, _ in pairs]), with_items(right, [other for _, other in pairs])

    def note_kinds(self, variable: Var, *values: Binding) -> None:
        """Remember of what kinds a variable is that holds one of these values."""
        kinds: set[Type] = set()
        for value in values:
            kinds |= self.ev.inference.on_paths(value) or {kind_of(leaf_type(value))}
        if len(kinds) > 1:
            self.ev.inference.unlike[variable.name] = frozenset(kinds)

    def on_all_paths(self, value: Binding, type_: Type, ask: Callable[[Type], Any]) -> Any:
        """The answer to a question about the type of a value, which the program asks; it must be the same on all paths."""
        check_asked(self.ev, type_, ask)
        if self.ev.separation is not None and isinstance(type_, Scalar):
            return ask(type_)     # it is of one kind: others are kept apart
        kinds = self.ev.inference.on_paths(value) if not self.ev.ours else ()
        if len(answers := {ask(kind) for kind in kinds}) > 1:
            raise TranspileError(
                f'what is asked of the type shows only at run time: {" or ".join(sorted(map(str, answers)))}', self.origin,
                why='the value is of one kind on one path, of another on another',
                instead='ask on each path, or make it one kind: `float(...)`, `np.asarray(..., dtype=float)`')
        return ask(type_)

    def tell_flag(self, number: Binding) -> None:
        """What is made of a number is another thing if it is a flag, as it may be on some paths: the source is asked to tell."""
        is_flag = lambda kind: isinstance(kind, Scalar) and kind.dtype.kind == 'b'
        answers = set(map(is_flag, self.ev.inference.on_paths(number)))
        if self.ev.mixed is not None and (self.ev.separation is not None or len(answers) > 1):
            check_asked(self.ev, leaf_type(number), is_flag)

    def type_for(self, place: str, types: Sequence[Type], values: Sequence[Binding]) -> Type:
        """The type of a variable that has one of two values, on two paths."""
        left, right = map(self.ev.resolve, types)
        if self.ev.separation is None or self.derives:
            if self.ev.mixed is False:
                self.ev.mixed = are_mixed(left, right)
            return join_types(without_kinds(left), without_kinds(right))
        known = [value.value if isinstance(value, Known) else None for value in values]
        return joined(place, list(zip((left, right), known, strict=True)), self.ev.separation, self.origin)

    def _join_maybe(
        self, base: str, left: Binding, left_block: Block, right: Binding, right_block: Block, temporary: bool, place: str
    ) -> Binding:
        """A name that may have no value on one path, or on both."""
        maybe, block, other = (left, left_block, right) if isinstance(left, Maybe) else (right, right_block, left)
        if maybe.binding == other and maybe.defined is not never and all_defined(block).isdisjoint(maybe.reads or ()):
            return maybe  # one path has found it to be defined: it still may not be
        values, flags = [], []
        for side, block in ((left, left_block), (right, right_block)):
            value, flag = self.ev.presence.settled(base, side, block) if isinstance(side, Maybe) else (side, Known(True))
            values.append(value)
            flags.append(flag)
        value = self.ev.tables.join(base, values[0], left_block, values[1], right_block, temporary, place)
        if isinstance(value, Conflict):
            return value
        flag = self.ev.tables.join(f'{base}_bound', flags[0], left_block, flags[1], right_block, True)
        return Maybe(value, lambda ev: flag, frozenset({flag.name}) if isinstance(flag, Var) else frozenset(), safe=True)

    def conflict(self, base: str, left: Binding, right: Binding) -> Conflict:
        sides, described = (self.ev.current(left), self.ev.current(right)), (self.ev.describe(left), self.ev.describe(right))
        shown, instead = SHOWN.get(base, f'`{base}`'), 'give it the same structure on both paths'
        kinds = {getattr(side, 'python', None) for side in sides}
        if kinds == {list}:
            instead = 'append to one list on both paths, or make an array of each'
        elif kinds == {dict} and sides[0].keys != sides[1].keys:
            described = tuple(f'a dict with the keys {list(side.keys)}' for side in sides)
            instead = 'give it a value for each of its keys before'
        why = f'on one path it is {described[0]}, on the other {described[1]}'
        return Conflict(lambda origin: TranspileError(f'{shown} has no single kind here', origin, why=why, instead=instead))

    def converted(self, binding: Binding, variable: Var, env: Mapping[str, Binding] = MappingProxyType({})) -> gast.expr:
        """The atom of a number or variable on its way into a merged variable; `env` is where a blank may look for sizes.

        Python's integer stays one beside floats, unless the variable is of one type in each code that is made of it.
        """
        if isinstance(binding, Blank):
            return self.ev.presence.blank(env, variable.type)
        atom = self.ev.operand(binding)[0]
        as_it_is = (self.ev.separation is None or self.ev.separation.asked) and isinstance(variable.type,
                                                                                           Scalar) and not self.derives
        return atom if as_it_is else as_kind(atom, variable.type)


def in_sequence(copies: list[tuple[str, gast.expr]], temporary) -> list[tuple[str, gast.expr]]:
    """Parallel copies as a sequence: no name is overwritten before it is read; a cycle goes through a temporary.

    >>> pairs = in_sequence([('a', build.name('b')), ('b', build.name('a'))], lambda name: 't')
    >>> [(target, source.id) for target, source in pairs]
    [('t', 'a'), ('a', 'b'), ('b', 't')]
    """
    pending = [(t, s) for t, s in copies if not (isinstance(s, gast.Name) and s.id == t)]
    done = []
    while pending:
        sources = [s.id for _, s in pending if isinstance(s, gast.Name)]
        ready = next((pair for pair in pending if pair[0] not in sources), None)
        if ready is None:
            target = pending[0][0]
            spare = temporary(target)
            done.append((spare, build.name(target)))
            pending = [(t, build.name(spare) if isinstance(s, gast.Name) and s.id == target else s) for t, s in pending]
            continue
        pending.remove(ready)
        done.append(ready)
    return done
