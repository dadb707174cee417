"""Python's sets, of constants, and views of dicts: what they answer does not depend on the order of their members."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.operators import PYTHON, SYMBOLS
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import answers
from transpiler.specialize.iterables.spaces import parts_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import DictView, Shown
from transpiler.specialize.structures.sequences import Tuple

OPERATORS = gast.BitAnd, gast.BitOr, gast.BitXor, gast.Sub


class Sets(Component):
    """Views of keys and of pairs are sets; two views of values are equal if they are one object."""

    def method(self, method: Callable, args: Sequence[Binding]) -> Known:
        """What a method of a set gives."""
        if not hasattr(frozenset, method.__name__):
            raise self._changed()
        given = [_members(self.ev, arg, method.__name__) for arg in args]
        return self.ev.operations.fold(method, *given)

    def check_kept(self, kind: type[gast.operator], current: Binding) -> None:
        """`current |= value` changes a set in place."""
        if kind in OPERATORS and isinstance(current, Known) and isinstance(current.value, set):
            raise self._changed()

    def _changed(self) -> UnsupportedFunction:
        return UnsupportedFunction('a set is changed here', self.origin,
                                   why='its members are known when the code is generated, for all names that it has',
                                   instead='make a new one: `members = members | {...}`')

    def takes(self, *sides: Binding) -> bool:
        """Whether one of the sides of an operator or a comparison is such, and the other may be no constant."""
        return any(isinstance(side, Container) for side in sides) and any(
            isinstance(side, DictView) or _is_set(side) for side in sides)

    def compare_two(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        settled = Known(kind is gast.NotEq)
        asks_for_order = kind not in (gast.Eq, gast.NotEq)
        if not (_is_set(left) and _is_set(right)):
            if asks_for_order:
                raise self._no_operator(kind, left, right, "'{}' not supported between instances of '{}' and '{}'")
            self._check_one_object(left, right)
            return settled
        match left, right:
            case DictView(ours, 'items'), DictView(theirs, 'items') if not asks_for_order:
                one, other = _by_key(ours), _by_key(theirs)
                if one.keys() != other.keys():
                    return settled
                return self.ev.overloads.compare_two(kind, Tuple(tuple(one.values())), Tuple(tuple(map(other.get, one))))
        return self._as_python(PYTHON[kind], left, right, 'a compared set')

    def binary(self, kind: type[gast.operator], left: Binding, right: Binding) -> Binding:
        values = [side for side in (left, right) if isinstance(side, DictView) and side.which == 'values']
        if values or kind not in OPERATORS:
            raise self._no_operator(kind, left, right, "unsupported operand type(s) for {}: '{}' and '{}'")
        return self._as_python(PYTHON[kind], left, right, f'an operand of `{SYMBOLS[kind]}`')

    @answers(DictView, 'isdisjoint')
    def _isdisjoint(self, base: DictView, other: Binding) -> Binding:
        members = _members(self.ev, other, 'isdisjoint')
        return self._as_python(lambda view, others: view.isdisjoint(others), base, members, 'an argument of `isdisjoint`')

    def _as_python(self, function, left: Binding, right: Binding, what: str) -> Known:
        return self.ev.operations.fold(function, Known(self.ev.known(left, what)), Known(self.ev.known(right, what)))

    def _check_one_object(self, left: Binding, right: Binding) -> None:
        """Views of the values of one dict may be one object."""
        match left, right:
            case DictView((*_,), 'values', Shown(ours)), DictView((*_,), 'values', Shown(theirs)) if ours == theirs:
                raise UnsupportedFunction('views of the values of one dict are compared', self.origin,
                                          why='they are equal only if they are one object, and generated code makes its own',
                                          instead='compare `list(...)` of each')

    def _no_operator(self, kind: type[gast.AST], left: Binding, right: Binding, words: str):
        classes = (self.ev.call(Known(type), [side], {}).value.__name__ for side in (left, right))
        return self.ev.inference.failing(TypeError(words.format(SYMBOLS[kind], *classes)))


def _is_set(side: Binding) -> bool:
    """Whether it is a set of known members, or a view that is one."""
    return (isinstance(side, DictView) and side.which != 'values'
            or isinstance(side, Known) and isinstance(side.value, (set, frozenset)))


def _by_key(pairs: Sequence[Binding]) -> dict:
    return {pair.items[0].value: pair.items[1] for pair in pairs}


def _members(ev, items: Binding, what: str) -> Known:
    """What a set is made of, or compared with; for `what`."""
    if isinstance(items, Known):
        return items
    return Known(tuple(ev.known(part, 'a member of a set') for part in parts_of(ev, items, what)))


def _making(kind: type[set | frozenset]):
    def make(ev, items: Binding = Known(())) -> Known:
        return ev.operations.fold(kind, _members(ev, items, kind.__name__))
    return make


MAKING = {kind: _making(kind) for kind in (set, frozenset)}
