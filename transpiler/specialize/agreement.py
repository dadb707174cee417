"""Whether it matters of which kind a number is: what an operation gives, how that is computed, what fits where it is written.

It does, unless one variable for all kinds does the same as each of them: results have the same dtypes and are computed in the
same one, and numbers of Python's, of which NumPy asks whether they fit, do. Where all values are known, what they give tells.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from transpiler.errors import Origin, TranspileError
from transpiler.specialize.mixtures import Separate, mixed, number_of, of_kinds, sort_of, without_kinds
from transpiler.specialize.operators import GROWING, OPERATOR, ORDERING
from transpiler.values.kinds import Kind, Kinds, is_held, joined_kinds
from transpiler.values.types import Array, Scalar, Type

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
    whole = infer(plain) if asked else _of_all(plain, types, values, infer, origin)
    found = [Kinds(frozenset({Kind(whole.dtype, whole.weak)}))] if isinstance(whole, Scalar) else []
    places = frozenset[str]().union(*(t.kinds.places for t in mixed(types)))
    for case, known in _cases(types, values, origin):
        gives = _of_one(case, infer)
        if asked and gives is None:
            continue
        value = _agreed(name, (case, known, gives), (plain, whole)) if gives is not None else _DIFFERS
        if value is _DIFFERS and not asked:
            raise Separate([t.kinds for t in mixed(types)], origin)
        if found:
            found.append(Kinds(frozenset({Kind(gives.dtype, gives.weak, None if value is _DIFFERS else value)})))
    if not found or sort_of(whole) in map(sort_of, plain) and len(found) == 1:
        return whole
    kinds = joined_kinds(found[1:], '')
    return of_kinds(whole, replace(kinds, places=places))


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


_DIFFERS = object()


def _agreed(name: str, one: tuple, other: tuple) -> Any:
    """The value that is given for one kind, None if it is not known; or that it is not what is given for all of them."""
    (case, known, gives), (plain, whole) = one, other
    alike = _dtypes(gives) == _dtypes(whole) and _computed(name, case) == _computed(name, plain)
    if alike and not _grows(name, case, plain) and _fit(case, known, plain, whole):
        return None
    if name not in OPERATOR or None in known or not isinstance(whole, Scalar):
        return _DIFFERS
    try:
        with np.errstate(all='ignore'):
            value = OPERATOR[name](*known)
            same = OPERATOR[name](*(t.dtype.type(v) if isinstance(t, Scalar) and not t.weak else v
                                    for t, v in zip(plain, known, strict=True)))
    except (ArithmeticError, ValueError, TypeError):
        return _DIFFERS
    fits = not isinstance(value, int) or value in LONGEST
    held = fits and is_held(Kind(gives.dtype, gives.weak, value), whole.dtype)
    return value if held and np.asarray(same).item() == value else _DIFFERS


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
    if kinds is not None and len(kinds.sorts) > 1 and not all(is_stored_alike(kind, dtype) for kind in kinds.each):
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


def _cases(types: Sequence[Any], values: Sequence[Any], origin: Origin | None) -> Iterator[tuple]:
    """Every combination of kinds: the types, and the values that are known."""
    ways = [_ways(type_, value) for type_, value in zip(types, values, strict=True)]
    if np.prod([len(way) for way in ways]) > MANY:
        raise Separate([t.kinds for t in mixed(types)], origin)
    for case in itertools.product(*ways):
        yield tuple(t for t, _ in case), tuple(v for _, v in case)


def _ways(type_: Any, value: Any) -> list[tuple[Any, Any]]:
    if isinstance(type_, (tuple, list)):
        parts = itertools.product(*(_ways(part, None) for part in type_))
        return [(type(type_)(t for t, _ in part), None) for part in parts]
    if isinstance(type_, Scalar) and type_.kinds is not None:
        each = sorted(type_.kinds.each, key=lambda kind: number_of((kind.dtype.num, kind.weak, 0)))
        return [(Scalar(kind.dtype, kind.weak), kind.value) for kind in each]
    return [(type_, value)]
