"""Whether it matters of which kind a number is: what an operation gives, how that is computed, what fits where it is written.

It does, unless one variable for all kinds does the same as each of them: results have the same dtypes and are computed in the
same one, and numbers of Python's, of which NumPy asks whether they fit, do. Where all values are known, what they give tells.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transpiler.errors import Origin, TranspileError
from transpiler.specialize.domain.operators import EXACT, GROWING, OPERATOR, ORDERING, RAISING
from transpiler.specialize.kinds.mixtures import Separate, mixed, number_of, of_kinds, sort_of, without_kinds
from transpiler.values.kinds import Kind, Kinds, Span, is_held, joined_kinds, longest
from transpiler.values.types import PYTHONS, Array, Scalar, Type

LONGEST = range(-2**63, 2**63)
MANY = 16            # combinations of kinds

Infer = Callable[[Sequence[Any]], Type]


def inferred(
    name: str, types: Sequence[Any], values: Sequence[Any], infer: Infer, origin: Origin | None, asked: bool = False
) -> Type:
    """The type of what a primitive gives of numbers that may be of several kinds; `values` are those that are known, or None.

    Raises Separate if what it gives, or how it is computed, depends on the kind; if that is only `asked`, all kinds are given.
    """
    plain = tuple(without_kinds(t) for t in types)
    whole = _of_all(plain, types, values, infer, origin)
    found = [Kinds(frozenset({Kind(whole.dtype, whole.weak)}))] if isinstance(whole, Scalar) else []
    places = frozenset[str]().union(*(t.kinds.places for t in mixed(types)))
    for case, kinds in _cases(types, values, origin):
        gives = _of_one(case, infer)
        if asked and gives is None:
            continue
        given = _agreed(name, (case, kinds, gives), (plain, whole)) if gives is not None else None
        if given is None and not asked:
            raise Separate([t.kinds for t in mixed(types)], origin)
        if found:
            found.append(Kinds(frozenset({Kind(gives.dtype, gives.weak, *given or ())})))
    if not found or sort_of(whole) in map(sort_of, plain) and len(found) == 1:
        return whole
    return of_kinds(whole, replace(joined_kinds(found[1:], ''), places=places))


def _of_all(plain: Sequence[Any], types: Sequence[Any], values: Sequence[Any], infer: Infer, origin: Origin | None) -> Type:
    """What is given if one variable stands for all kinds; what is refused then may do for one of them."""
    try:
        return infer(plain)
    except TranspileError:
        if any(_of_one(case, infer) is not None for case, _ in _cases(types, values, origin)):
            raise Separate([t.kinds for t in mixed(types)], origin) from None
        raise


def _of_one(case: Sequence[Any], infer: Infer) -> Type | None:
    try:
        return infer(case)
    except TranspileError:
        return None


def _agreed(name: str, one: tuple, other: tuple) -> tuple[Any, Span | None] | None:
    """The value that is given for one kind, and its span, as far as they are known; None if for all kinds something else is."""
    (case, kinds, gives), (plain, whole) = one, other
    values = [getattr(kind, 'value', None) for kind in kinds]
    alike = _dtypes(gives) == _dtypes(whole) and _computed(name, case) == _computed(name, plain)
    other = _grows(name, case, plain) or _raises(name, case, plain) or _shows(name, kinds, (case, plain), gives)
    if alike and not other and _fit(case, values, plain, whole):
        return None, None
    if name not in OPERATOR or not isinstance(whole, Scalar):
        return None
    if None in values:
        return _of_spans(name, kinds, _computed(name, plain))
    value, same = _outcome(name, values), _outcome(name, map(_as, plain, values))
    fits = not isinstance(value, int) or value in LONGEST
    held = fits and (isinstance(value, type) or is_held(Kind(gives.dtype, gives.weak, value), whole.dtype))
    return (None if isinstance(value, type) else value, None) if held and _are_same(value, same) else None


def _as(type_: Any, value: Any) -> Any:
    """A known number as one of a type."""
    if not isinstance(type_, Scalar):
        return value
    return PYTHONS[type_.dtype.kind](value) if type_.weak else type_.dtype.type(value)


def _outcome(name: str, values: Iterable[Any]) -> Any:
    """What an operator gives, or the class of what it raises."""
    try:
        with np.errstate(all='ignore'):
            return OPERATOR[name](*values)
    except (ArithmeticError, ValueError, TypeError) as error:
        return type(error)


def _are_same(value: Any, same: Any) -> bool:
    """Whether two outcomes are equal, zeros in their signs too."""
    if isinstance(value, type) or isinstance(same, type):
        return value is same
    other = np.asarray(same).item()
    return other == value and (value != 0 or isinstance(other, complex) or math.copysign(1, other) == math.copysign(1, value))


def _of_spans(name: str, kinds: Sequence[Kind | None], dtype: np.dtype | None) -> tuple[Any, Span | None] | None:
    """What is known of a result if floats of `dtype`, in which it is computed, do as well as Python's integers of some size."""
    if dtype is None or dtype.kind != 'f' or not any(kind is not None and kind.is_whole for kind in kinds):
        return None
    spans = [kind.span if kind is not None else None for kind in kinds]
    bounds = [kind.bound if kind is not None else None for kind in kinds]
    if name in ORDERING:     # rounded, a longer one stays on the same side of what is held
        return (None, None) if any(bound is not None and bound < longest(dtype) for bound in bounds) else None
    if None in bounds or max(bounds) > longest(dtype):
        return None
    if name == 'numpy.true_divide':
        return (None, None) if kinds[1].value else None
    if name not in EXACT or _may_be_no_zero(name, spans):
        return None
    ends = [OPERATOR[name](*pair) for pair in itertools.product(*spans)]
    return (None, (min(ends), max(ends))) if max(map(abs, ends)) <= longest(dtype) else None


def _may_be_no_zero(name: str, spans: Sequence[Span]) -> bool:
    """Whether floats may give -0.0, which integers do not know."""
    if name != 'numpy.multiply':
        return False
    return any(low <= 0 <= high and least < 0 for (low, high), (least, _) in (spans, spans[::-1]))


def _fit(case: Sequence[Any], known: Sequence[Any], plain: Sequence[Any], whole: Any) -> bool:
    """Whether numbers of Python's fit for certain into what is made of them: NumPy asks that of them, and not of its own."""
    if isinstance(whole, tuple):
        return all(_fit(case, known, plain, part) for part in whole)
    dtype = getattr(whole, 'dtype', None)
    pairs = list(zip(case, known, plain, strict=True)) if dtype is not None else ()
    return all(_fits(dtype, type_, value) for type_, value, one in pairs if type_ != one)


def _fits(dtype: np.dtype, type_: Any, value: Any) -> bool:
    if isinstance(type_, (tuple, list)):
        return all(_fits(dtype, part, None) for part in type_)
    if isinstance(type_, Scalar) and type_.dtype.kind == 'c':     # magnitudes and parts are taken of either kind alike
        return True
    return not isinstance(type_, Scalar) or is_stored_alike(Kind(type_.dtype, type_.weak, value), dtype)


def is_stored_alike(kind: Kind, dtype: np.dtype) -> bool:
    """Whether an array of a dtype takes a number of that kind as it takes one of NumPy's of that value.

    >>> whole = np.dtype(np.int64)
    >>> [is_stored_alike(kind, np.dtype(np.uint8)) for kind in (Kind(whole, False), Kind(whole, True), Kind(whole, True, 3))]
    [True, False, True]
    """
    as_floats = dtype.kind == 'f' and kind.dtype.kind != 'c'
    return not kind.weak or as_floats or dtype.kind in 'cbO' or is_held(kind, dtype)


def check_stored(type_: Type, dtype: np.dtype, origin: Origin | None) -> None:
    """Raise Separate if what a place of that dtype is given depends on the kind of a number that is written there."""
    kinds = type_.kinds if isinstance(type_, Scalar) else None
    if kinds is not None and len(kinds.sorts) > 1 and not all(
            is_stored_alike(kind, dtype) and (dtype.kind in 'fc' or is_held(kind, type_.dtype)) for kind in kinds.each):
        raise Separate([kinds], origin)


def _grows(name: str, case: Sequence[Any], plain: Sequence[Any]) -> bool:
    """Whether Python's integers get longer here, where those of NumPy wrap around."""
    pythons = [all(isinstance(t, Scalar) and t.weak and t.dtype.kind in 'bi' for t in types) for types in (case, plain)]
    return name in GROWING and pythons == [True, False]


def _computed(name: str, types: Sequence[Any]) -> np.dtype | None:
    """The dtype in which an operation of two operands is done; integers are compared as they are."""
    if len(types) < 2 or not all(isinstance(t, (Scalar, Array)) for t in types):
        return None
    if name in ORDERING and all(t.dtype.kind in 'biu' for t in types):
        return None
    return np.result_type(*(t.dtype.type(0).item() if isinstance(t, Scalar) and t.weak else t.dtype for t in types))


def _dtypes(type_: Any) -> Any:
    return tuple(map(_dtypes, type_)) if isinstance(type_, tuple) else getattr(type_, 'dtype', None)


def _raises(name: str, case: Sequence[Any], plain: Sequence[Any]) -> bool:
    """Whether Python's integers raise where NumPy's floats give NaN, or infinity."""
    pythons = [all(isinstance(t, Scalar) and t.weak for t in types) for types in (case, plain)]
    return name in RAISING and pythons == [True, False] and any(
        one.dtype.kind in 'bi' and other.dtype.kind == 'f' for one, other in zip(case, plain, strict=True))


def _shows(name: str, kinds: Sequence[Kind | None], types: tuple, gives: Any) -> bool:
    """Whether digits of an integer show that a float does not hold: unless it is made one here, or compared with NumPy's."""
    case, plain = types
    long = any(kind is not None and kind.is_whole and isinstance(one, Scalar) and not is_held(kind, one.dtype)
               for kind, one in zip(kinds, plain, strict=True))
    compared = name in ORDERING and not all(isinstance(t, Scalar) and t.weak for t in case)
    return long and not compared and any(dtype is None or dtype.kind not in 'fc' for dtype in _flat(_dtypes(gives)))


def _flat(dtypes: Any) -> tuple:
    return tuple(dtype for part in dtypes for dtype in _flat(part)) if isinstance(dtypes, tuple) else (dtypes,)


def _cases(types: Sequence[Any], values: Sequence[Any], origin: Origin | None) -> Iterator[tuple]:
    """Every combination of kinds: the types, and what is known of those of numbers, else None."""
    ways = [_ways(type_, value) for type_, value in zip(types, values, strict=True)]
    if np.prod([len(way) for way in ways]) > MANY:
        raise Separate([t.kinds for t in mixed(types)], origin)
    for case in itertools.product(*ways):
        yield tuple(t for t, _ in case), tuple(kind for _, kind in case)


def _ways(type_: Any, value: Any) -> list[tuple[Any, Kind | None]]:
    if isinstance(type_, (tuple, list)):
        parts = itertools.product(*(_ways(part, None) for part in type_))
        return [(type(type_)(t for t, _ in part), None) for part in parts]
    if isinstance(type_, Scalar) and type_.kinds is not None:
        each = sorted(type_.kinds.each, key=lambda kind: number_of((kind.dtype.num, kind.weak, 0)))
        return [(Scalar(kind.dtype, kind.weak), kind) for kind in each]
    return [(type_, Kind(type_.dtype, type_.weak, value) if isinstance(type_, Scalar) else None)]
