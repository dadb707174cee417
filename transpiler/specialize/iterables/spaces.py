"""What a loop runs over: how many items there are, and the item at a position."""

from __future__ import annotations

import enum
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, reduce

import gast

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, known_range
from transpiler.specialize.structures.alternatives import EitherNumber, Optional
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Enumerate, Flat, Generator, Islice, NdEnumerate, Product, Reversed, Zip
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.ranges import Checkpointed, Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.types import INT, Array, Scalar

Bounds = tuple[Binding, Binding, Binding]
UNROLLED = 200  # iterations; beyond that, an index into a container must be a constant


@dataclass(frozen=True)
class Items:
    """A sequence of items; `parts` are all of them where their number is known and each has a place of its own.

    `bounds` is the range of positions that visits them in order, `at` the item at one of these positions.
    `axes`: the sequences of which these are all combinations; `joined` makes an item of one of each.
    """

    bounds: Bounds
    at: Callable[[Binding], Binding]
    parts: tuple[Binding, ...] | None = None
    needs_parts: bool = False
    axes: tuple['Items', ...] = ()
    joined: Callable[[tuple[Binding, ...]], Binding] = lambda chosen: Tuple(chosen)


def items_of(ev, value: Binding) -> Items | None:
    """The items of anything that Python can loop over; None for what it cannot, or what is not known enough.

    A container made of others in the program can only be taken apart (`needs_parts`); an array, a range, and what `zip`,
    `enumerate` and `reversed` make of them, are visited by position.
    """
    match value:
        case Range(bounds):
            known = known_range(value)
            return Items(bounds, lambda k: k, None if known is None or len(known) > UNROLLED else tuple(map(Known, known)))
        case Checkpointed((iterations, _)):
            items = items_of(ev, iterations)
            return items if items is None or items.needs_parts else from_zero(ev, items)
        case Zip(values):
            return _zipped(ev, values)
        case Enumerate((inner, start)):
            return _numbered(ev, inner, start)
        case Reversed((inner,)):
            return _backwards(ev, inner)
        case Islice((inner, *bounds)):
            return _part(ev, inner, *bounds)
        case Product(values):
            return _combined(ev, values)
        case NdEnumerate((places, array)):
            return _at_places(ev, places, lambda place: Tuple((place, ev.load(array, place))))
        case Flat((places, array)):
            return _at_places(ev, places, lambda place: ev.load(array, place))
        case Generator():
            return items_of(ev, value.runs_over)
        case DynamicList():
            return Items((Known(0), ev.placeholders.length_of(value), Known(1)), lambda k: ev.rows.item_at(value, k))
        case ArrayList((array,)):
            return Items(items_of(ev, array).bounds, lambda k: ev.get_item(value, k))
        case Slice() | Text() | EitherNumber() | Optional():
            return None
        case Object() if ev.overloads.class_of(value) is not None or ev.overloads.special(value, '__iter__') is not None:
            return None  # a loop asks `__iter__` once: `iterated`
        case Dict(_, keys):
            return _taken_apart(tuple(map(Known, keys)))
        case Container(items=items):
            return _taken_apart(items)
        case Known(tuple() | list() | str() | dict() | range() as known):
            return _taken_apart(tuple(map(Known, known)))
        case Known(set() | frozenset()):
            raise _without_order(ev)
        case Known(enum.EnumMeta() as members) if type(members) is enum.EnumMeta:
            return _taken_apart(tuple(map(Known, members)))
        case Var(_, Array() as type_) if type_.ndim:
            return Items((Known(0), ev.expressions.size(value, 0, ev.resolve(type_).dims[0]), Known(1)), partial(ev.load, value))
    return None


def _without_order(ev) -> UnsupportedFunction:
    return UnsupportedFunction('the members of a set are asked for one by one', ev.origin,
                               why='a set has no order, so sums over it vary',
                               instead='use a tuple, a list or a dict, or `sorted(...)`')


def has_parts(ev, value: Binding) -> bool:
    """Whether `value` can be taken apart when the code is generated."""
    items = items_of(ev, value)
    return items is not None and items.parts is not None or _few_rows(ev, value) is not None


def _few_rows(ev, value: Binding) -> int | None:
    """How many rows an array has, if that is known and few."""
    if not (isinstance(value, Var) and isinstance(value.type, Array) and value.type.ndim):
        return None
    first = ev.resolve(value.type).dims[0]
    return first.constant if first is not None and first.is_constant and first.constant <= UNROLLED else None


def parts_of(ev, value: Binding, what: str) -> tuple[Binding, ...]:
    """The items of a sequence that can be taken apart; for `what`."""
    items = items_of(ev, ev.overloads.iterated(value))
    if items is not None and items.parts is not None:
        return items.parts
    if (rows := _few_rows(ev, value)) is not None:
        return tuple(ev.load(value, Known(k)) for k in range(rows))
    raise UnsupportedFunction(
        f'`{what}` of {ev.describe(value)} is not supported',
        ev.origin,
        why='its length must be known when the code is generated',
        instead='loop over `range(...)` and index',
    )


def _taken_apart(parts: tuple[Binding, ...]) -> Items:
    return Items((Known(0), Known(len(parts)), Known(1)), lambda k: parts[k.value], parts, needs_parts=True)


def _zipped(ev, values: tuple[Binding, ...]) -> Items | None:
    """As many as the shortest has."""
    found = [items_of(ev, value) for value in values]
    if None in found or not found:
        return None if found else _taken_apart(())
    parts = [items.parts for items in found]
    rows = tuple(Tuple(row) for row in zip(*parts, strict=False)) if None not in parts else None
    if any(items.needs_parts for items in found):
        return _taken_apart(rows) if rows is not None else _cut_short(ev, found)
    starting = [from_zero(ev, items) for items in found]
    length = reduce(partial(_shorter, ev), (items.bounds[1] for items in starting))
    return Items((Known(0), length, Known(1)), lambda k: Tuple(tuple(items.at(k) for items in starting)), rows)


def _combined(ev, values: tuple[Binding, ...]) -> Items | None:
    """All combinations, the last of the values changing with every iteration."""
    found = [items_of(ev, value) for value in values]
    if None in found:
        return None
    parts = None
    if all(items.parts is not None for items in found):
        rows = tuple(Tuple(row) for row in itertools.product(*(items.parts for items in found)))
        parts = rows if len(rows) <= UNROLLED else None
    if any(items.needs_parts for items in found):
        return None if parts is None else _taken_apart(parts)
    starting = [from_zero(ev, items) for items in found]
    counts = [items.bounds[1] for items in starting]
    strides = list(itertools.accumulate(reversed(counts[1:]), partial(ev.binary, gast.Mult), initial=Known(1)))[::-1]

    def at(k: Binding) -> Binding:
        places = []
        for count, stride in zip(counts, strides, strict=True):
            place = k if stride == Known(1) else ev.binary(gast.FloorDiv, k, stride)
            places.append(place if not places else ev.binary(gast.Mod, place, count))
        return Tuple(tuple(items.at(place) for items, place in zip(starting, places, strict=True)))

    total = ev.binary(gast.Mult, counts[0], strides[0]) if counts else Known(1)
    return Items((Known(0), total, Known(1)), at, parts, False, tuple(found))


def _at_places(ev, places: Binding, item: Callable[[Binding], Binding]) -> Items:
    """An item for each place of an array."""
    found = items_of(ev, places)
    return Items(found.bounds, lambda k: item(found.at(k)), None, False, found.axes,
                 lambda chosen: item(Tuple(chosen)))


def _cut_short(ev, found: list[Items]) -> Items | None:
    """A container of the program beside an array: one iteration for each of its items; a shorter array is an error."""
    count = min(len(items.parts) for items in found if items.needs_parts)
    starting = [from_zero(ev, items) for items in found]
    for items in starting:
        length = items.bounds[1]
        if isinstance(length, Known) and length.value < count:
            count = length.value
    for items in starting:
        if not isinstance(items.bounds[1], Known):
            shorter = ev.compare(gast.Lt, items.bounds[1], Known(count))
            ev.operations.raise_if(shorter, 'zip: an array is shorter than the sequence beside it')
    return _taken_apart(tuple(Tuple(tuple(items.at(Known(k)) for items in starting)) for k in range(count)))


def from_zero(ev, items: Items) -> Items:
    """The same items at positions 0, 1, 2, ..."""
    start, _, step = items.bounds
    if (start, step) == (Known(0), Known(1)):
        return items
    length = count_of(ev, items.bounds)
    return Items(
        (Known(0), length, Known(1)),
        lambda k: items.at(ev.binary(gast.Add, start, k if step == Known(1) else ev.binary(gast.Mult, k, step))),
        items.parts,
        items.needs_parts,
    )


def count_of(ev, bounds: Bounds) -> Binding:
    """How many iterations a range has."""
    start, stop, step = bounds
    if all(isinstance(b, Known) for b in bounds):
        return Known(len(range(start.value, stop.value, step.value)))
    if start == Known(0) and step == Known(1) and _is_size(ev, stop):
        return stop
    return ev.builder.define('trips', build.call('python.len', build.call('range', *(ev.operand(b)[0] for b in bounds))), INT)


def _is_size(ev, value: Binding) -> bool:
    """The size of an array, which is never negative."""
    size = ev.resolve(value.type).size if isinstance(value, Var) and isinstance(value.type, Scalar) else None
    return size is not None and size.is_at_least(0)


def _shorter(ev, left: Binding, right: Binding) -> Binding:
    sized = all(isinstance(b, Var) and b.type.size is not None for b in (left, right))
    if left == right or sized and ev.resolve(left.type).size == ev.resolve(right.type).size:
        return left
    test = ev.compare(gast.Lt, left, right)
    return ev.choose(None, test, lambda: left, lambda: right)


def _part(ev, inner: Binding, lower: Binding, upper: Binding, every: Known) -> Items | None:
    """The items at a range of positions, as far as there are so many."""
    items = items_of(ev, inner)
    if items is None:
        return None
    if not items.needs_parts and (upper, every) == (Known(None), Known(1)):
        return without_first(ev, items, lower)
    items = from_zero(ev, items)
    parts = items.parts
    if parts is not None and isinstance(lower, Known) and isinstance(upper, Known):
        parts = parts[lower.value:upper.value:every.value]
    elif items.needs_parts:
        return None
    if items.needs_parts:
        return _taken_apart(parts)
    end = items.bounds[1] if upper == Known(None) else _shorter(ev, items.bounds[1], upper)
    return Items((lower, end, every), items.at, parts)


def without_first(ev, items: Items, count: Binding) -> Items:
    """Those after so many."""
    start, stop, step = items.bounds
    later = ev.binary(gast.Add, start, ev.binary(gast.Mult, count, step))
    parts = items.parts[count.value:] if items.parts is not None and isinstance(count, Known) else None
    return items if count == Known(0) else Items((later, stop, step), items.at, parts)


def _numbered(ev, inner: Binding, start: Binding) -> Items | None:
    items = items_of(ev, inner)
    if items is None:
        return None
    pair = lambda number, item: Tuple((number, item))
    first = start.value if isinstance(start, Known) else None
    if items.needs_parts:
        return _taken_apart(tuple(pair(ev.binary(gast.Add, start, Known(k)), part) for k, part in enumerate(items.parts)))
    items = from_zero(ev, items)
    parts = None if items.parts is None or first is None else tuple(pair(Known(first + k), p) for k, p in enumerate(items.parts))
    return Items(items.bounds, lambda k: pair(k if first == 0 else ev.binary(gast.Add, k, start), items.at(k)), parts)


def _backwards(ev, inner: Binding) -> Items | None:
    items = items_of(ev, inner)
    if items is None:
        return None
    parts = None if items.parts is None else items.parts[::-1]
    if items.needs_parts:
        return _taken_apart(parts)
    return Items(reversed_bounds(ev, items.bounds), items.at, parts)


def reversed_bounds(ev, bounds: Bounds) -> Bounds:
    """The range that counts the other way round."""
    start, stop, step = bounds
    if all(isinstance(b, Known) for b in bounds):
        backwards = range(start.value, stop.value, step.value)[::-1]
        return Known(backwards.start), Known(backwards.stop), Known(backwards.step)
    if step in (Known(1), Known(-1)):
        first, end = ev.binary(gast.Sub, stop, step), ev.binary(gast.Sub, start, step)
        return first, end, ev.unary(gast.USub, step)
    trips = count_of(ev, bounds)
    first = ev.binary(gast.Add, start, ev.binary(gast.Mult, ev.binary(gast.Sub, trips, Known(1)), step))
    return first, ev.binary(gast.Sub, start, step), ev.unary(gast.USub, step)
