"""A number whose kind depends on the path: what it is, beside a variable for each kind (`mixtures.py` tells where it matters)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace

import gast
import numpy as np

from transpiler.analyses.memory.call_effects import results
from transpiler.core.language import Core
from transpiler.core.query import gives
from transpiler.core.variables import Var
from transpiler.errors import Origin
from transpiler.specialize.domain.bindings import Binding, Blank, Known, alike, flatten, leaf_type
from transpiler.specialize.domain.optionals import with_items
from transpiler.specialize.kinds.mixtures import Separate, check_passed, kinds_in, number_of, of_kinds, one_of_pythons, sort_of
from transpiler.specialize.structures.alternatives import EitherNumber
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.kinds import Kind, Kinds, is_held, joined_kinds
from transpiler.values.numbers import number_type
from transpiler.values.types import Scalar, Tape, Type

HELD = 'either'      # the name of what is of several kinds, in a frame of its own
LATER = '!after'     # the place of a name after a loop that may have had no iterations


@dataclass(frozen=True)
class Answer:
    """What a test gave for each kind of what it asks about: True, False, or None where that shows at run time."""

    test: Var
    which: Binding
    truths: dict[tuple | None, bool | None]

    def kinds(self, truth: bool) -> set[tuple | None]:
        return {sort for sort, given in self.truths.items() if given is truth}


def is_either(binding: Binding | None) -> bool:
    return isinstance(binding, EitherNumber)


def apart(left: Binding, right: Binding) -> tuple[EitherNumber, EitherNumber]:
    """Two numbers as what they are, beside a variable for each kind that one of them may be of.

    >>> [one.which == Known(number_of(sort_of(leaf_type(Known(3))))) for one in apart(Known(3), Known(0.5))]
    [True, False]
    """
    types: dict[tuple, Type] = {}
    for side in (left, right):
        for item in side.numbers if is_either(side) else (side,):
            types.setdefault(sort_of(leaf_type(item)), leaf_type(item))
    sorts = tuple(sorted(types))
    one, other = (_of_sorts(side, {sort: types[sort] for sort in sorts}) for side in (left, right))
    return one, other


def _of_sorts(side: Binding, types: Mapping[tuple, Type]) -> EitherNumber:
    if is_either(side) and side.sorts == tuple(types):
        return side
    own = dict(zip(side.sorts, side.numbers, strict=True)) if is_either(side) else {sort_of(leaf_type(side)): side}
    which = side.which if is_either(side) else Known(number_of(sort_of(leaf_type(side))))
    return EitherNumber((which, *(own.get(sort) or Blank(type_) for sort, type_ in types.items())), tuple(types))


def without(either: EitherNumber, gone: Set[tuple]) -> Binding:
    """What may be of several kinds where it is known to be none of these; the very same where nothing else is left."""
    left = [(sort, item) for sort, item in zip(either.sorts, either.numbers, strict=True) if sort not in gone]
    if len(left) == 1 and not isinstance(left[0][1], Blank):
        return left[0][1]
    if len(left) < 2 or len(left) == len(either.sorts):
        return either
    sorts, items = zip(*left, strict=True)
    return EitherNumber((either.which, *items), sorts)


def kept(end: Binding, start: Binding | None) -> Binding:
    """What an iteration of a loop ends with: where it says nothing of a kind, what it began with."""
    if not isinstance(end, Container) or not isinstance(start, Container) or not alike(end, start):
        return end
    items = [old if is_either(end) and isinstance(new, Blank) else kept(new, old)
             for new, old in zip(end.items, start.items, strict=True)]
    return with_items(end, items)


def merged(left: EitherNumber, right: EitherNumber, join: Callable[[str, Binding, Binding], Binding]) -> EitherNumber:
    """One for two on two paths that have the same kinds; nobody reads what stands for a kind that a path does not have."""
    which = join('kind', left.which, right.which)
    items = [_member(one, other, join) for one, other in zip(left.numbers, right.numbers, strict=True)]
    return replace(left, items=(which, *items))


def _member(left: Binding, right: Binding, join: Callable[[str, Binding, Binding], Binding]) -> Binding:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Blank) and not isinstance(other, Var):
            return other
    return join('', left, right)


def check_returned(core: Core, result: Binding, origin: Origin | None) -> None:
    """Refuse a function that calls itself and gives numbers of several kinds, of which its callers know one."""
    given = results(core)
    parts = result.items if isinstance(result, Tuple) else (result,) if len(given) == 1 else ()
    for part, own in zip(parts, given, strict=True):
        for leaf in part.numbers if is_either(part) else (part,):
            if isinstance(own, gast.Name) and own.id in core.types:
                check_passed(leaf_type(leaf), getattr(leaf, 'value', None), core.types[own.id], origin)


def with_returned(core: Core, part: gast.expr, type_: Type) -> Type:
    """The type of a result for a caller, which knows of the numbers of Python's that it may be instead."""
    if not isinstance(part, gast.Name) or not isinstance(type_, Scalar):
        return type_
    found, pending = [kinds_in(type_)], [part.id]
    given = [pair for statement in core.statements for pair in gives(statement)]
    for name in pending:     # gets longer in the loop
        for target, value in given:
            if target == name and isinstance(value, gast.Constant):
                found.append(kinds_in(number_type(value.value), value.value))
            elif target == name and isinstance(value, gast.Name) and value.id not in pending:
                pending.append(value.id)
    kinds = Kinds(joined_kinds(found, '').each)
    return type_ if one_of_pythons(kinds) else of_kinds(type_, kinds)


def check_result(ev, result: Binding, each: bool) -> None:
    """Raise Separate if a number in a result may be of another kind than its variable, but for Python's floats among NumPy's.

    each: the kind is what the caller gets; else all results are of one dtype, which holds all of them
    """
    for leaf in flatten(result):
        type_ = leaf_type(leaf)
        listed = isinstance(type_, Tape)
        type_ = ev.tapes.list_type(leaf.name).element if listed else type_
        kinds = getattr(type_, 'kinds', None)
        if kinds is not None and (kinds.places or listed) and not all(_is_given(kind, type_, each) for kind in kinds.each):
            raise Separate([kinds], ev.origin)


def _is_given(kind: Kind, type_: Scalar, each: bool) -> bool:
    if kind.is_whole and kind.dtype.kind == 'i' and is_held(kind, np.dtype(np.float64)):
        kind = Kind(np.dtype(np.float64), True, kind.bound) if type_.dtype.kind in 'fc' else kind     # it is given as that float
    if kind.dtype.kind in 'fc' and type_.dtype.kind in 'fc':
        return kind.dtype == type_.dtype or kind.value is not None and not each
    return kind.sort == (type_.dtype, type_.weak) if each else np.result_type(kind.dtype, type_.dtype) == type_.dtype
