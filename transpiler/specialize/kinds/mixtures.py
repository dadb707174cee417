"""Numbers that are of one kind on some paths, of another on others: where that matters, and one variable for each kind.

Python's int stays an int where it meets NumPy's: `n = 3 if c else a[1]` is a Python number or of the dtype of `a`, and so
`n * 100` is 300, or wraps around. Generated Python needs nothing for that; where code has one type for each name (compiled,
or of all examples at once), such a number is kept apart: what it is, beside a variable for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transpiler.errors import Origin, TranspileError
from transpiler.specialize.evaluation.signals import Assumptions, Restart
from transpiler.values.joining import join_types
from transpiler.values.kinds import LISTED, Kind, Kinds, is_held, is_taken, joined_kinds, without_value
from transpiler.values.types import Array, Scalar, Tape, Type


class Separate(Restart):
    """It matters of which kind a number is: what these places give is to be kept apart.

    refusal: what to say where they are already, or where there are none, as for an item of a list
    """

    def __init__(self, found: Iterable[Kinds], origin: Origin | None):
        found = list(found)
        self.places = frozenset[str]().union(*(kinds.places for kinds in found))
        kinds = sorted({str(kind) for one in found for kind in one.each})
        self.refusal = TranspileError(
            f'a number is {" or ".join(kinds)} here', origin,
            why='what this gives depends on which of them it is, and what is generated has one type for each name',
            instead='make it one of them where it comes from: `int(v)`, `float(v)`, `complex(v)`, `np.uint8(3)`, '
                    '`x.dtype.type(3)`',
        )
        super().__init__(', '.join(sorted(self.places)))

    def revised(self, known: Assumptions) -> Assumptions:
        """With the places that were found to matter; what cannot be kept apart any more is refused."""
        separation = known.separation or Separation()
        if self.places <= separation.places:
            raise self.refusal from None
        return replace(known, separation=replace(separation, places=separation.places | self.places))


class Asked(Restart):
    """A program asks of which kind a number is, and nobody has kept in mind of which kinds numbers may be."""

    def revised(self, known: Assumptions) -> Assumptions:
        return replace(known, separation=Separation(widened=True, asked=True))


class OneDtype(Restart):
    """Arrays of several dtypes are put on one list, which does not tell them apart: all arrays are of the wider one."""

    def revised(self, known: Assumptions) -> Assumptions:
        return replace(known, separation=Separation(compiled=known.separation.compiled, widened=True))


@dataclass(frozen=True)
class Separation:
    """The places whose kinds of numbers are kept apart.

    compiled: variables may be of another dtype than what they hold
    widened: arrays of two dtypes are not kept apart, but are of the wider one: what is made of them, and what is made again of
    those that a list has kept, is rounded alike
    asked: only questions are, as `isinstance(n, int)`: the code is Python, whose operations look at the number
    """

    places: frozenset[str] = frozenset()
    compiled: bool = False
    widened: bool = False
    asked: bool = False


NO_AXES = -1     # in the place of the rank, of an array that is no number: it may be a view


def sort_of(type_: Type | None) -> tuple | None:
    """What tells kinds of numbers apart, and dtypes and ranks of arrays; None for all else.

    >>> sort_of(Scalar(np.dtype(float)))[-1], sort_of(Array(np.dtype(float), ()))[-1]
    (0, -1)
    """
    match type_:
        case Scalar(dtype, weak):
            return dtype.num, weak, 0
        case Array(dtype, dims) if dims is not None:
            return dtype.num, False, len(dims) or NO_AXES
    return None


def number_of(sort: tuple) -> int:
    """The number that a kind has at run time.

    >>> number_of(sort_of(Scalar(np.dtype(np.uint8)))) == number_of(sort_of(Scalar(np.dtype(np.uint8), True)))
    False
    """
    dtype, weak, rank = sort
    return 1000 * rank + 2 * dtype + weak


def of_items(held: Tape, more: Tape, separation: 'Separation | None' = None) -> Tape:
    """The type of a list that holds what is on two, which knows of which kinds the numbers on it may be.

    Of NumPy's floats the most precise one is on the list, which does for all of them. A value that all of Python's numbers
    on it have is known where the list holds them as they are: in compiled code, and in a batch those of the same dtype.

    >>> whole = Tape(Scalar(np.dtype(int), True), True)
    >>> sorted(map(str, of_items(whole, Tape(Scalar(np.dtype(np.int8)))).element.kinds.each))
    ["Python's int", 'int8']
    """
    whole, types = join_types(held, more), (held.element, more.element)
    if not held.lasting or not all(isinstance(t, Scalar) for t in types):
        return whole
    found = [kinds_in(t) for t in types]
    asked = separation is not None and separation.asked     # whether an integer is one
    kinds = Kinds(frozenset().union(*(one.each for one in found))) if asked else joined_kinds(found, '')
    real = any(kind.dtype.kind in 'fc' for kind in kinds.each)
    dtypes = {np.dtype(np.float64) if real and kind.is_whole else kind.dtype for kind in kinds.each}
    if separation is None or asked or not separation.compiled and len(dtypes) > 1:
        kinds = replace(kinds, each=frozenset(map(without_value, kinds.each)))
    floats = all(kind.dtype.kind in 'fc' and not kind.weak for kind in kinds.each)
    if len(kinds.sorts) < 2 or floats or one_of_pythons(kinds):
        known = len(kinds.sorts) < 2 and all(kind.value is not None or kind.span is not None for kind in kinds.each)
        return replace(whole, element=replace(whole.element, kinds=kinds if known else None))
    wide, narrow = np.result_type(*(kind.dtype for kind in kinds.each)), join_types(*types).dtype
    dtype = narrow if all(is_held(kind, narrow) for kind in kinds.each) else wide
    return replace(whole, element=Scalar(dtype, all(kind.weak for kind in kinds.each), kinds=kinds))


def items_differ(element: Type | None) -> bool:
    """Whether what is made of the items of a list depends on which of several kinds each is; double precision is one kind.

    So are integers of Python's beside it that are known to be small: their sum is exact.
    """
    kinds = element.kinds if isinstance(element, Scalar) else None
    return kinds is not None and len(kinds.sorts) > 1 and not _are_double(kinds)


def of_all_items(element: Type) -> tuple[np.dtype, bool]:
    """The dtype of an array of the items of a list, and whether an array of some of them is as good in that one."""
    kinds = element.kinds if isinstance(element, Scalar) else None
    dtypes = {kind.dtype for kind in kinds.each} if kinds is not None else {element.dtype}
    return np.result_type(*dtypes), len(dtypes) == 1 or _are_double(kinds)


def check_rows(elements: Iterable[Type | None], origin: Origin | None) -> None:
    """Refuse to keep lists in arrays, whose numbers all are of one kind, if theirs are not."""
    differing = [element.kinds for element in elements if items_differ(element)]
    if differing:
        raise Separate(differing, origin).refusal


def _are_double(kinds: Kinds) -> bool:
    found = {kind.dtype for kind in kinds.each if not kind.is_whole or kind.bound is None or kind.bound > LISTED}
    return bool(found) and found <= {np.dtype(np.float64), np.dtype(np.complex128)}


def one_of_pythons(kinds: Kinds) -> bool:
    """Whether these are Python's numbers, for which one variable does: all flags, all integers, all floats, or all complex.

    Flags show what they are, floats have not all digits of integers, and functions have other domains for complex numbers.
    """
    return all(kind.weak for kind in kinds.each) and len({kind.dtype.kind for kind in kinds.each}) == 1


def are_mixed(left: Type, right: Type) -> bool:
    """Whether one variable stands for two numbers that are of two kinds."""
    return isinstance(left, Scalar) and isinstance(right, Scalar) and sort_of(left) != sort_of(right)


def kinds_in(type_: Scalar, value: Any = None) -> Kinds:
    return type_.kinds or Kinds(frozenset({Kind(type_.dtype, type_.weak, value)}))


def of_kinds(type_: Scalar, kinds: Kinds) -> Scalar:
    """A type with the kinds that its values may be of, if these are several, or of one whose value is known."""
    if len(kinds.sorts) > 1:
        return replace(type_, kinds=kinds, size=None)
    return replace(type_, kinds=kinds if all(kind.value is not None for kind in kinds.each) else None)


def of_sorts(type_: Scalar, each: Iterable[Type]) -> Scalar:
    """A type that knows that its values are of one of these, if they are numbers."""
    kinds = frozenset(Kind(one.dtype, one.weak) for one in each if isinstance(one, Scalar))
    return of_kinds(type_, joined_kinds([Kinds(kinds)], '')) if kinds else type_


def with_value(type_: Type | None, value: Any) -> Type | None:
    """The type of a variable that starts with a number of Python's that is known."""
    if not isinstance(type_, Scalar) or not type_.weak or isinstance(value, (bool, type(None))):
        return type_
    return replace(type_, kinds=kinds_in(replace(type_, kinds=None), value))


def check_listed(held: Type | None, type_: Type, separation: Separation | None) -> None:
    """Raise OneDtype if arrays are kept apart of which a list would hold several dtypes."""
    both = isinstance(held, Array) and isinstance(type_, Array) and held.dtype != type_.dtype
    if both and separation is not None and not separation.widened:
        raise OneDtype


def joined(place: str, pairs: Sequence[tuple[Type, Any]], separation: Separation, origin: Origin | None) -> Type:
    """The type of a variable that is one of two on two paths, whose values are known or None.

    Raises Separate if no type takes both as they are.
    """
    (left, _), (right, _) = pairs
    arrays = not separation.widened and isinstance(left, Array) and isinstance(right, Array)
    if arrays and sort_of(left) != sort_of(right):
        if None not in (left.dims, right.dims) and len(left.dims) == len(right.dims):
            raise Separate([Kinds(frozenset({Kind(t.dtype, False) for t in (left, right)}), frozenset({place}))], origin)
    type_ = join_types(left, right)
    if not (isinstance(left, Scalar) and isinstance(right, Scalar)):
        return type_
    kinds = joined_kinds([kinds_in(t, value) for t, value in pairs], place)
    if one_of_pythons(kinds):
        return of_kinds(type_, kinds) if len(kinds.sorts) == 1 else replace(type_, kinds=None)
    wide = np.result_type(*(kind.dtype for kind in kinds.each))
    for dtype in (type_.dtype, wide) if separation.compiled else (type_.dtype,):
        fits = is_taken if dtype == type_.dtype else is_held
        if separation.asked or all(fits(kind, dtype) for kind in kinds.each):
            return of_kinds(Scalar(dtype, all(kind.weak for kind in kinds.each), type_.size), kinds)
    raise Separate([kinds], origin)


def mixed(types: Any) -> Iterator[Scalar]:
    for type_ in types:
        if isinstance(type_, (tuple, list)):
            yield from mixed(type_)
        elif isinstance(type_, Scalar) and type_.kinds is not None:
            yield type_


def is_mixed(types: Sequence[Any]) -> bool:
    """Whether one of these numbers may be of several kinds."""
    return next(mixed(types), None) is not None


def without_kinds(type_: Any) -> Any:
    """A type, or several, of variables that are of the kind that it says."""
    if isinstance(type_, (tuple, list)):
        return type(type_)(map(without_kinds, type_))
    if isinstance(type_, Tape):
        return replace(type_, element=without_kinds(type_.element))
    return replace(type_, kinds=None) if isinstance(type_, Scalar) and type_.kinds is not None else type_


def check_passed(given: Type | None, value: Any, own: Type, origin: Origin | None) -> None:
    """Refuse to hand a number to a function that calls itself, or back from it, if what is made of it there is another kind.

    Such a function is written once, for one kind of each number, and of each item. Python's 0, and floats that fit, do no harm.
    """
    if isinstance(given, Tape) and isinstance(own, Tape):
        given, own = given.element, own.element
    if not isinstance(given, Scalar) or not isinstance(own, Scalar):
        return
    for kind in kinds_in(given, value).each:
        fits = kind.value is not None and is_held(kind, own.dtype) and (own.dtype.kind in 'fc' or kind.value == 0)
        small = min(kind.dtype.itemsize, own.dtype.itemsize) < 8 and {kind.dtype.kind, own.dtype.kind} != {'b'}
        long = kind.is_whole and own.dtype.kind in 'fc' and not is_held(kind, own.dtype)
        if (small or long) and kind.dtype != own.dtype and not fits:
            both = Kinds(frozenset({kind, Kind(own.dtype, own.weak)}))
            raise Separate([both], origin).refusal


def check_asked(ev, type_: Type, ask: Callable[[Type], Any]) -> None:
    """Raise Separate, or Asked to know, if the answer to a question about a number may depend on the kind."""
    if not isinstance(type_, Scalar) or ev.derives:
        return
    if ev.separation is None:
        if ev.mixed:
            raise Asked
    elif type_.kinds is not None and len({str(ask(Scalar(*sort))) for sort in type_.kinds.sorts}) > 1:
        raise Separate([type_.kinds], ev.origin)


def check_shown(ev, type_: Type | None, conversion: int) -> None:
    """Raise Separate if the text of a number, in code with one type for each name, may depend on the kind."""
    apart = ev.separation is not None and not ev.separation.asked and not ev.derives
    if not apart or not isinstance(type_, Scalar) or type_.kinds is None:
        return
    digits = lambda kind: kind.dtype.name if kind.dtype.kind in 'fc' else kind.dtype.kind.replace('u', 'i')
    shown = {str(kind) if conversion == ord('r') else digits(kind) for kind in type_.kinds.each}
    if len(shown) > 1:
        raise Separate([type_.kinds], ev.origin)
