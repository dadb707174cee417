"""Comparisons that the primal makes for the pullback: flags are a byte each, and the numbers compared need not be kept."""
from __future__ import annotations

from collections.abc import Callable, Container, Iterable

import gast

from transpiler.analyses.dataflow.definitions import counts
from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.links import links
from transpiler.core.query import all_defined, defined, names
from transpiler.core.text import dump
from transpiler.transforms.storage.trip_counts import Block
from transpiler.values.types import Array, Type

Types = dict[str, Type]
Cost = Callable[[Block], int]
Needed = Callable[[Block], set[str]]
LIKE = ('numpy.zeros_like', 'numpy.ones_like', 'numpy.full_like')


def flags_of(
    primal: Block, pullback: Block, types: Types, known: Container[str], inside: set[str], carried: set[str]
) -> Block:
    """The statements of a reversed iteration that compare arrays of the iteration as they are where the primal statement stands.

    `pulls` of a statement of the pullback is the primal statement that it belongs to; `known` are the names of the primal,
    `inside` those whose values belong to one iteration, `carried` those by which the pullback means what they are at its start.
    """
    places = {id(s): place for place, s in enumerate(primal)}
    times = counts(primal)
    made = {defined(s): place for place, s in enumerate(primal) if isinstance(s, gast.Assign)}

    def is_there(name: str, place: int) -> bool:
        if name not in inside:
            return name in known
        return name not in carried and times[name] == 1 and made.get(name, place + 1) <= place

    found = []
    for statement in pullback:
        place = places.get(id(links(statement).pulls))
        match statement:
            case gast.Assign(targets=[gast.Name(id=flag)], value=gast.Compare() as value) if place is not None:
                is_array = any(isinstance(types.get(name), Array) for name in names(value))
                if isinstance(types[flag], Array) and is_array and all(is_there(name, place) for name in names(value)):
                    found.append(statement)
    return found


def made_once(pullback: Block, flags: Block) -> tuple[Block, Block]:
    """The pullback and its flags with each comparison made once."""
    first: dict[tuple[int, str], str] = {}
    same: dict[str, str] = {}
    for flag in flags:
        name = str(defined(flag))
        known = first.setdefault((id(links(flag).pulls), dump(flag.value)), name)
        if known != name:
            same[name] = known
    if not same:
        return pullback, flags
    pullback = [rename(s, same) for s in pullback if defined(s) not in same]
    return pullback, [s for s in pullback if defined(s) in first.values()]


def worth_it(pullback: Block, flags: Block, weight: Callable[[str], int], cost: Cost) -> Block:
    """The flags that are better kept than made in the pullback of numbers that are kept."""
    chosen = list(flags)

    def price(some: Block) -> int:
        return cost(without(pullback, some)) + sum(weight(str(defined(flag))) for flag in some)

    if not flags:
        return []
    total, kept = price(chosen), cost(pullback)
    for flag in flags:
        fewer = [other for other in chosen if other is not flag]
        if (less := price(fewer)) <= total:
            chosen, total = fewer, less
    return chosen if total < kept else []


def without(block: Block, some: Block) -> Block:
    left_out = {id(s) for s in some}
    return [s for s in block if id(s) not in left_out]


def ahead(primal: Block, flags: Block) -> Block:
    """The primal with the flags, each after the statement that it belongs to."""
    made: Block = []
    for statement in primal:
        made.append(statement)
        made += [build.stamp(build.like(flag), flag.origin, 'storage') for flag in flags if links(flag).pulls is statement]
    return made


def shaped_by_others(pullback: Block, primal: Block, types: Types, around: Iterable[str], is_given: Callable[[Array], bool],
                     needed: Needed) -> Block:
    """The pullback with the shapes of arrays that it has anyway, where it takes nothing but the shape of others.

    around: names that can be read in any case, whether the pullback needs them or not
    is_given: whether the sizes in a type are those of arguments, so that arrays of one type are of one shape
    needed: the names that a block, and what is computed again for it, reads
    """
    shapes = [s for s in pullback if _model(s) is not None]
    if not shapes:
        return pullback
    values = needed(without(pullback, shapes))
    given: dict[Type | tuple, str] = {}

    def give(name: str | None) -> None:
        type_ = types.get(name) if name is not None else None
        if isinstance(type_, Array) and is_given(type_):
            given[type_] = given[type_.dims] = str(name)

    certain = {defined(s) for s in primal if isinstance(s, gast.Assign)}    # what a branch defines may have no value
    for name in (*around, *sorted(values & certain - all_defined(pullback))):
        give(name)
    made: Block = []
    for statement in pullback:
        model, value = _model(statement), getattr(statement, 'value', None)
        whole = isinstance(value, gast.Call) and not value.keywords
        wanted = types[model] if model is not None and whole else getattr(types.get(model), 'dims', None)
        if model is not None and model not in values and wanted in given:
            statement = build.like(statement, value=rename(value, {model: given[wanted]}))
        made.append(statement)
        give(defined(statement))
    return made


def _model(statement: gast.stmt) -> str | None:
    """The array of which a statement reads the shape alone."""
    match statement:
        case gast.Assign(value=gast.Call(func=gast.Name(id=name), args=[gast.Name(id=model), *_], keywords=more)) if name in LIKE:
            return model if {k.arg for k in more} <= {'dtype'} else None
        case gast.Assign(value=gast.Attribute(value=gast.Name(id=model), attr='size' | 'shape')):
            return model
        case gast.Assign(value=gast.Subscript(value=gast.Attribute(value=gast.Name(id=model), attr='shape'))):
            return model
    return None
