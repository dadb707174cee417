"""Evaluating what decides: comparisons, `and`, `or`, conditional expressions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Collection, Sequence

import gast
import numpy as np

from transpiler.core.variables import Var
from transpiler.errors import UnknownType, UnsupportedSyntax
from transpiler.rules.python import CONTAINED
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.domain.operators import PYTHON
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import evaluates
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.kinds.mixtures import without_kinds
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict, DictView
from transpiler.specialize.structures.ranges import Range
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.numbers import is_number
from transpiler.values.types import BOOL, Array, Scalar

ORDERS = gast.Lt, gast.LtE, gast.Gt, gast.GtE


class Deciding(Component):
    """One method per kind of expression that asks something."""

    @evaluates(gast.Compare)
    def _compare(self, frame: Frame, node: gast.Compare) -> Binding:
        """`a < b < c` is `a < b and b < c`, with `b` evaluated once."""
        asked = self._class_beside_none(frame, node)
        if asked is not None:
            return asked
        left = self._side(frame, node.left, node)
        return self._chain(frame, left, list(node.ops), list(node.comparators), node)

    def _class_beside_none(self, frame: Frame, node: gast.Compare) -> Binding | None:
        """`type(a) is float` where `a` may be None, which has a class, too; None for every other comparison."""
        match node:
            case gast.Compare(left=gast.Call(func=gast.Name(id='type') as asked, args=[gast.Name() as a]), ops=[op]):
                value = self.ev.expressions.value_or_none(frame, a)
                if is_optional(value) and self.ev.evaluate(frame, asked) == Known(type):
                    sides = [value, self._side(frame, node.comparators[0], node)]
                    return self.ev.parameters.with_and_without(
                        sides, lambda given: self.compare_two(type(op), self.ev.call(Known(type), given[:1], {}), given[1]))
        return None

    def _side(self, frame: Frame, side: gast.expr, node: gast.Compare) -> Binding:
        asks_for_none = all(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn, gast.Eq, gast.NotEq)) for op in node.ops)
        return self.ev.expressions.value_or_none(frame, side) if asks_for_none else self.ev.evaluate(frame, side)

    def _chain(self, frame: Frame, left: Binding, ops: list, comparators: list, node: gast.Compare) -> Binding:
        right = self._side(frame, comparators[0], node)
        with self.builder.at(self.ev.expressions.blame(frame, node)):
            first = self.ev.distribution.compare_two(type(ops[0]), left, right)
        if len(ops) == 1:
            return first
        return self.ev.choose(frame, first, lambda: self._chain(frame, right, ops[1:], comparators[1:], node), lambda: first)

    def compare_two(self, kind: type, left: Binding, right: Binding) -> Binding:
        if kind in (gast.Is, gast.IsNot):
            for one, other in ((left, right), (right, left)):
                if is_optional(one) and other == Known(None):
                    return self.ev.expressions.negate(one.flag) if kind is gast.Is else one.flag
            if is_optional(left) or is_optional(right):
                return self._beside_none(kind, left, right)
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Var) and isinstance(other, Known) and isinstance(other.value, bool):
                    return self._is_flag(kind, one, other)
            same = self.is_same(left, right)
            return self.ev.expressions.negate(same) if kind is gast.IsNot else same
        if kind in (gast.In, gast.NotIn):
            found = self._is_in(left, self.ev.indexing.surely(right))
            return found if kind is gast.In else self.ev.expressions.negate(found)
        if is_optional(left) or is_optional(right):
            return self._compare_with_none(kind, left, right)
        left, right = self.ev.operands.beside_arrays(kind, left, right)
        if self.ev.sets.takes(left, right):
            return self.ev.sets.compare_two(kind, left, right)
        if kind in (gast.Eq, gast.NotEq) and (_never_equal(left, right) or _never_equal(right, left)):
            return Known(kind is gast.NotEq)
        items = _whole_items(left), _whole_items(right)
        if kind in (gast.Eq, gast.NotEq) and None not in items:
            return self._compare_items(kind, *items)
        sequences = _sequence(left), _sequence(right)
        if kind in ORDERS and None not in sequences and sequences[0][0] is sequences[1][0]:
            return self._order_of(kind, *(items for _, items in sequences))
        if isinstance(left, Container) or isinstance(right, Container):
            return Known(PYTHON[kind](self.ev.known(left, 'a compared container'), self.ev.known(right, 'a compared container')))
        return self.ev.compare(kind, left, right)

    def _compare_with_none(self, kind: type, left: Binding, right: Binding) -> Binding:
        """`left == right` where one of them may be None, which is equal to None alone."""
        if Known(None) in (left, right):
            flag = (right if left == Known(None) else left).flag
            return self.ev.expressions.negate(flag) if kind is gast.Eq else flag
        return self._beside_none(kind, left, right)

    def _beside_none(self, kind: type, left: Binding, right: Binding) -> Binding:
        """What a comparison gives if one of its sides is a value, and if it is None."""
        return self.ev.parameters.with_and_without([left, right], lambda sides: self.ev.distribution.compare_two(kind, *sides))

    def _members(self, container: Binding) -> Collection[Binding]:
        """What `in` looks for in a container: the keys of a dict, else the items."""
        if isinstance(container, Dict):
            return [Known(key) for key in container.keys]
        if isinstance(container, (Tuple, List, DictView)):
            return container.items
        return [Known(member) for member in self.ev.known(container, 'the container of `in`')]

    def _is_in(self, left: Binding, right: Binding) -> Binding:
        """`left in right`; of an array: whether any item, at whatever depth, is equal."""
        if isinstance(right, Var) and isinstance(self.ev.resolve(right.type), Array) and self.ev.operands.is_scalar(left):
            equal = self.ev.compare(gast.Eq, right, left)
            return self.ev.call(Known(bool), [self.ev.operate_by_name('numpy.any', [equal])], {})
        if not isinstance(right, (Container, Known)):
            raise UnknownType('`in` needs a container that is known', self.origin, instead='write a loop')
        if isinstance(right, DynamicList):
            return self.ev.inline(Closure(self.ev.template(CONTAINED)), [right, left], {})
        if isinstance(right, (Known, Range, Text)):
            right = Known(self.ev.known(right, 'the container of `in`'))
            if isinstance(left, (Known, Text)) or isinstance(right.value, str):
                return self._is_in_known(left, right)
        members = self._members(right)
        numbers = [left, *members]
        if any(isinstance(n, Var) for n in numbers) and all(self.ev.operands.is_scalar(n) or _is_number(n) for n in numbers):
            return self._is_one_of(left, members)
        if any(is_optional(n) or n == Known(None) for n in numbers) and not all(isinstance(n, Known) for n in numbers):
            return self.ev.inline(Closure(self.ev.template(CONTAINED)), [Tuple(tuple(members)), left], {})
        return Known(self.ev.known(left, 'the left side of `in`') in [self.ev.known(m, 'the container of `in`') for m in members])

    def _is_in_known(self, left: Binding, right: Known) -> Known:
        """`left in right` as Python answers it: a text is in another one if it is a part of that."""
        if isinstance(right.value, str) and not isinstance(left, (Known, Text)):
            kind = self.ev.call(Known(type), [left], {}).value
            raise self.ev.inference.failing(TypeError(f"'in <string>' requires string as left operand, not {kind.__name__}"))
        return self.ev.operations.fold(operator.contains, right, Known(self.ev.known(left, 'the left side of `in`')))

    def _is_one_of(self, number: Binding, members: Collection[Binding]) -> Binding:
        """Whether a number is one of a few, some of which show at run time."""
        asked = [self.ev.compare(gast.Eq, number, member) for member in members]
        open_ = [one for one in asked if isinstance(one, Var)]
        if Known(True) in asked or not open_:
            return Known(Known(True) in asked)
        return self.ev.call(Known(bool), [functools.reduce(functools.partial(self.ev.binary, gast.BitOr), open_)], {})

    def is_same(self, left: Binding, right: Binding) -> Binding:
        """`left is right`: lists, dicts and objects are what they are wherever they are held."""
        if isinstance(left, Known) and isinstance(right, Known):
            return Known(left.value is right.value)
        cells = [getattr(side, 'cell', None) for side in (left, right)]
        if None not in cells:
            return self.ev.elements.is_same_cell(*cells)
        if Known(None) in (left, right) or _never_same(left, right) or _never_same(right, left):
            return Known(False)
        raise UnsupportedSyntax(f'`is` between {self.ev.describe(left)} and {self.ev.describe(right)} is not supported',
                                self.origin,
                                why='generated code makes its own objects, so the answer may differ', instead='use `==` or `!=`')

    def _is_flag(self, kind: type, value: Var, flag: Known) -> Binding:
        """`value is True`, which no flag of NumPy's is."""
        type_ = self.ev.resolve(value.type)
        is_flag = isinstance(type_, Scalar) and self.ev.joins.on_all_paths(value, type_, _is_pythons_flag)
        number = isinstance(type_, Scalar) and type_.dtype is not None and type_.dtype.kind != 'b'
        if number or isinstance(type_, Array) or self.ev.ours and not is_flag:
            return Known(kind is gast.IsNot)
        if not is_flag:
            raise UnsupportedSyntax(
                f'`is {flag.value}` of {self.ev.describe(value)} is not supported',
                self.origin,
                why="it may be a flag of NumPy's, which is neither `True` nor `False`",
                instead='leave out the comparison: `if flag`, `if not flag`',
            )
        return self.ev.compare(gast.Eq if kind is gast.Is else gast.NotEq, value, flag)

    def _compare_items(self, kind: type, left: Sequence[Binding], right: Sequence[Binding]) -> Binding:
        """`a.shape == b.shape`: tuples of whole numbers are equal if all their items are."""
        settled = Known(kind is gast.NotEq)
        if len(left) != len(right):
            return settled
        found = [self.ev.overloads.compare_two(kind, one, other) for one, other in zip(left, right, strict=True)]
        asked = [one for one in found if isinstance(one, Var)]
        if settled in found or not asked:
            return settled if settled in found else Known(kind is gast.Eq)
        joined = gast.BitAnd if kind is gast.Eq else gast.BitOr
        return functools.reduce(functools.partial(self.ev.binary, joined), asked)

    def _order_of(self, kind: type, left: Sequence[Binding], right: Sequence[Binding]) -> Binding:
        """`(a, b) < (c, d)`: the first items that differ decide, or the lengths."""
        if not left or not right:
            return Known(PYTHON[kind](len(left), len(right)))
        others = lambda: self._order_of(kind, left[1:], right[1:])
        if left[0] == right[0]:
            return others()
        equal = self.ev.distribution.compare_two(gast.Eq, left[0], right[0])
        return self.ev.choose(None, equal, others, lambda: self.ev.distribution.compare_two(kind, left[0], right[0]))

    @evaluates(gast.BoolOp)
    def _boolop(self, frame: Frame, node: gast.BoolOp) -> Binding:
        """`a and b` evaluates `b` only if `a` holds."""
        return self._sides(frame, node, self.ev.expressions.value_or_none)

    def _sides(self, frame: Frame, node: gast.BoolOp, value_of: Callable[[Frame, gast.expr], Binding]) -> Binding:
        first = value_of(frame, node.values[0])
        if len(node.values) == 1:
            return first
        rest = gast.BoolOp(op=node.op, values=node.values[1:])
        both = (lambda: value_of(frame, rest)), (lambda: first)
        return self.ev.choose(frame, first, *(both if isinstance(node.op, gast.And) else both[::-1]))

    def test(self, frame: Frame, node: gast.expr) -> Binding:
        """An expression of which nobody asks more than whether it holds."""
        if not isinstance(node, gast.BoolOp):
            return self.ev.tested(self.ev.expressions.value_or_none(frame, node))
        found: list[Binding] = []

        def side(frame: Frame, node: gast.expr) -> Binding:
            test = self.ev.distribution.test(frame, node)
            holds = self.ev.branches.truth(test)
            found.append(test if holds is None else Known(holds))  # a tuple holds, and need not be of one kind with a flag
            return found[-1]
        either = self._sides(frame, node, side)
        decisive = Known(isinstance(node.op, gast.Or))
        return decisive if found[1:] == [decisive] else either  # `a and False`, whatever `a` is

    @evaluates(gast.IfExp)
    def _ifexp(self, frame: Frame, node: gast.IfExp) -> Binding:
        test = self.ev.distribution.test(frame, node.test)
        if frame.function is None:  # in core programs both are numbers, and computed already
            return self.ev.selections.select(test, self.ev.evaluate(frame, node.body), self.ev.evaluate(frame, node.orelse))
        arms = [functools.partial(self.ev.expressions.value_or_none, frame, arm) for arm in (node.body, node.orelse)]
        return self.ev.choose(frame, test, *arms)


def _never_same(left: Binding, right: Binding) -> bool:
    """A list, dict or object is none of another kind."""
    changes = isinstance(left, Container) and left.mutable and not isinstance(left, DynamicList)
    return changes and isinstance(right, Container) and (type(left), left.mutable) != (type(right), right.mutable)


def _never_equal(left: Binding, right: Binding) -> bool:
    """A text, None or a number is not equal to what is of another sort."""
    number = isinstance(left, Var) and isinstance(left.type, Scalar) or isinstance(left, Known) and is_number(left.value)
    text = isinstance(right, Known) and isinstance(right.value, (str, type(None)))
    return number and (text or _is_sequence(right)) or text and _is_sequence(left)


def _sequence(binding: Binding) -> tuple[type, Sequence[Binding]] | None:
    """Whether this is a tuple or a list, and its items; None for all else."""
    match binding:
        case Known((tuple() | list()) as values):
            return type(values), tuple(map(Known, values))
        case Tuple(items):
            return tuple, items
        case List(items):
            return list, items
    return None


def _whole_items(binding: Binding) -> Sequence[Binding] | None:
    """The items of a tuple of whole numbers; None for all else: in a tuple a NaN may equal itself, and arrays give no answer."""
    match binding:
        case Known(tuple() as values):
            items = tuple(map(Known, values))
        case Tuple():
            items = binding.items
        case _:
            return None
    return items if all(_is_whole(item) or _whole_items(item) is not None for item in items) else None


def _is_pythons_flag(type_: Scalar) -> bool:
    return type_.weak and without_kinds(type_) == BOOL


def _is_whole(binding: Binding) -> bool:
    match binding:
        case Known(value):
            return isinstance(value, (int, np.integer))
        case Var(_, Scalar(dtype)):
            return dtype.kind in 'iub'
    return False


def _is_sequence(binding: Binding) -> bool:
    return isinstance(binding, (Tuple, List, Dict))


def _is_number(binding: Binding) -> bool:
    return isinstance(binding, Known) and is_number(binding.value)
