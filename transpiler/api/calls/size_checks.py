"""What a generated program takes for granted of the sizes of its arguments, checked at each call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transpiler.core.language import Core
from transpiler.specialize.domain.abstraction import Place, Presumption, Sizes, leaves_of, value_key, valued
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Scalar

Axis = tuple[int, int | None]  # an array among the run-time arguments, and an axis of it; an integer has none


@dataclass(frozen=True)
class Granted:
    """What a program goes by, so that calls can be held against it.

    numbers: those that the sizes in it have in the key, by symbol; places: of the integers in it
    """

    presumption: Presumption
    numbers: Mapping[str, int]
    places: Mapping[str, Place]

    def holds(self, sizes: Mapping[int, int], values: Mapping[str, Any]) -> bool:
        """Whether it is true of a call with these sizes, by their numbers, and arguments."""
        def found(symbol: Symbol) -> int | None:
            if not symbol.key:
                return sizes[self.numbers[symbol.name]]
            name, position = self.places[symbol.key]
            return int(leaves_of(values[name])[position])

        value, least = valued(self.presumption.dim, found), self.presumption.least
        if value is None or least is None:
            return value is not None and value <= 0
        return value == least or value > least == 2


def granted(presumed: Sequence[Presumption], letters: Sizes, numbers: Mapping[int, int]) -> list[Granted]:
    """Presumptions with what they speak of: sizes are `numbers` in the order of the key."""
    sizes = {dim.terms[0][0].name: numbers[size] for size, dim in letters.known.items() if dim.terms and size in numbers}
    places = {value_key(name): place for name, (_, place) in letters.numbers.items()}
    return [Granted(one, sizes, {s.key: places[s.key] for s in one.dim.atoms if s.key}) for one in presumed]


class Demands:
    """Sizes of arguments that must follow from those of others; the operation where NumPy notices may be left out.

    numbers: of every array among the run-time arguments its sizes, as numbered by `key_of`: those are equal at every call;
        none if there is nothing to check
    """

    def __init__(self, core: Core, numbers: Sequence[tuple[int, ...]]):
        self.inputs = core.inputs
        types = [core.types[name] for name in core.inputs] if numbers else []
        found: dict[Axis, Dim] = {(leaf, axis): dim for leaf, own in enumerate(types)
                                  for axis, dim in enumerate(getattr(own, 'dims', None) or ()) if dim}
        integers: dict[Axis, Dim] = {(leaf, None): own.size for leaf, own in enumerate(types)
                                     if isinstance(own, Scalar) and own.size is not None}
        first: dict[Symbol, Axis] = {}
        for place, dim in {**found, **integers}.items():
            if dim.symbol_alone is not None:
                first.setdefault(dim.symbol_alone, place)
        number = lambda place: numbers[place[0]][place[1]]
        self.demands = [
            (place, dim, {symbol: first[symbol] for symbol in dim.atoms})
            for place, dim in found.items()
            if all(symbol in first for symbol in dim.atoms)
            and not (dim.is_one or dim.symbol_alone in first and first[dim.symbol_alone][1] is not None
                     and number(first[dim.symbol_alone]) == number(place))
        ]

    def misfit(self, leaves: Sequence[Any]) -> ValueError | None:
        """What NumPy would raise if sizes do not fit."""
        for place, dim, sources in self.demands:
            given = {symbol: _number(leaves, source) for symbol, source in sources.items()}
            wanted = max(valued(dim, given.get) or 0, 0)
            if _number(leaves, place) != wanted:
                known = [f'{self._spoken(one)} is {_number(leaves, one)}' for one in [*sources.values(), place]]
                instead = '' if sources else f', not {wanted}'
                return ValueError(f'operands could not be broadcast together: {", ".join(known)}{instead}')
        return None

    def _spoken(self, place: Axis) -> str:
        name = f'`{self.inputs[place[0]]}`'
        return name if place[1] is None else f'axis {place[1]} of {name}'


def _number(leaves: Sequence[Any], place: Axis) -> int:
    leaf, axis = place
    return int(leaves[leaf]) if axis is None else leaves[leaf].shape[axis]
