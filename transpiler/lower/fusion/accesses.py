"""What names stand for at a point of a program, and where the elements of views lie: in which array, at which index of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

import gast

from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.polyhedral.signs import never_negative
from transpiler.core.indices import dots_spelled_out, entries_of, integer, is_new
from transpiler.core.language import Core
from transpiler.core.query import all_written, names, primitive
from transpiler.lower.fusion.facts import Facts
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Target
from transpiler.values.types import Array, Scalar

Size = tuple  # of an array along an axis; equal ones are equal: see `sizes.py`


@dataclass(frozen=True)
class At:
    """An index: `step` times the counter of an axis of the domain, if there is one, and `offset`, and the value of `names`."""

    axis: int | None = None
    step: int = 1
    offset: int = 0
    names: tuple[str, ...] = ()


Place = tuple[str, tuple[At, ...]]
FACTS = 'values', 'sizes', 'same', 'seen'


@dataclass
class Known:
    """What is known of names at one point of a program, as long as nothing that it was said with has changed.

    keyed: whether equal sizes of arguments in their types are equal
    ordered: the arrays that certainly lie in C order
    target: what code is compiled for
    values: the expressions that gave names their values
    sizes: those of arrays that operations over a domain have made
    same: sizes that were found to be equal to others
    seen: for each size an array and its axis that have it
    """

    core: Core
    keyed: bool = True
    ordered: frozenset[str] = frozenset()
    target: Target = CPU
    values: Facts[str, gast.expr] = field(default_factory=lambda: Facts(lambda name, value: (name, *names(value))))
    sizes: Facts[str, tuple[Size, ...]] = field(default_factory=lambda: Facts(lambda name, sizes: (name, *mentioned(sizes))))
    same: Facts[Size, Size] = field(default_factory=lambda: Facts(lambda one, other: mentioned((one, other))))
    seen: Facts[Size, tuple[str, int]] = field(default_factory=lambda: Facts(lambda size, place: (place[0], *mentioned(size))))

    def __post_init__(self) -> None:
        self.steady = _never_written(self.core)
        self.counting = never_negative(self.core)

    def inside(self, changed: Collection[str] = ()) -> Known:
        """What is known at the start of a block; of a loop, which changes the names `changed`, at that of any iteration."""
        found = replace(self, **{facts: getattr(self, facts).copy() for facts in FACTS})
        if changed:
            found.forget(changed)
        return found

    def learn(self, name: str, value: gast.expr) -> None:
        """A statement gives a value to `name`."""
        if name not in set(names(value)):
            self.values[name] = value

    def made(self, name: str, domain: tuple[Size, ...]) -> None:
        """An operation over that domain gives a value to `name`, which may have had another one until then."""
        self.forget([name])
        if all(size == ('#size', name, axis) or name not in mentioned(size) for axis, size in enumerate(domain)):
            self.sizes[name] = domain

    def forget(self, changed: Collection[str]) -> None:
        for facts in FACTS:
            getattr(self, facts).forget(changed)

    def pattern(self, array: str) -> gast.Call | None:
        """The call that made an array, if that tells all its elements, and nobody has changed one."""
        match self.values.get(array):
            case gast.Call(func=gast.Name(id='numpy.eye'), args=[_], keywords=keywords) as call:
                told = {keyword.arg for keyword in keywords} <= {'dtype'}
            case (gast.Call(func=gast.Name(id='numpy.full'), args=[_, value, *_])
                  | gast.Call(func=gast.Name(id='numpy.broadcast_to'), args=[value, _])) as call:
                told = isinstance(value, gast.Constant) or isinstance(self.core.types.get(getattr(value, 'id', '')), Scalar)
            case _:
                return None
        return call if told and array in self.steady else None

    def is_filled(self, array: str) -> bool:
        """Whether all its elements are one value, which is known."""
        return primitive(self.pattern(array)) in ('numpy.full', 'numpy.broadcast_to')

    def place(self, array: str, ats: tuple[At, ...]) -> Place:
        """The array that `array` shows, and where in it; itself where only the run tells.

        >>> from transpiler.core.text import parse
        >>> import numpy as np
        >>> table = Array(np.dtype(float), (None, None))
        >>> core = parse('y = x[2:, ::3]; z = np.transpose(y); return z', types={'x': table, 'y': table, 'z': table})
        >>> known = Known(core)
        >>> known.values |= {name: s.value for name, s in zip("yz", core.body)}
        >>> known.place('z', (At(0), At(1)))
        ('x', (At(axis=1, step=1, offset=2, names=()), At(axis=0, step=3, offset=0, names=())))
        """
        match self.values.get(array):
            case gast.Subscript(value=gast.Name(id=base), slice=index) if isinstance(type_ := self.core.types.get(base), Array):
                inner = self.behind(entries_of(index), ats, type_.ndim)
            case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=base)], keywords=[]):
                inner = ats[::-1]
            case gast.Name(id=base):
                inner = ats
            case _:
                return array, ats
        if inner is None:
            return array, ats
        return self.place(base, inner)

    def behind(self, entries: Sequence[gast.expr], ats: Sequence[At], ndim: int | None) -> tuple[At, ...] | None:
        """Where something lies in an array of so many axes that is at `ats` of what these entries pick."""
        if ndim is None:
            return None
        found: list[At] = []
        left = list(ats)
        for entry in dots_spelled_out(entries, ndim):
            if is_new(entry):
                left.pop(0)
            else:
                at = self._moved(entry, left.pop(0)) if isinstance(entry, gast.Slice) else self._at_number(entry)
                if at is None:
                    return None
                found.append(at)
        return tuple(found)

    def _at_number(self, entry: gast.expr) -> At | None:
        value = integer(entry)
        if value is not None:
            return At(offset=value)
        type_ = self.core.types.get(entry.id) if isinstance(entry, gast.Name) else None
        return At(names=(entry.id,)) if isinstance(type_, Scalar) and type_.dtype.kind == 'i' else None

    def _moved(self, part: gast.Slice, at: At) -> At | None:
        """The index before a slice was taken, of what is at `at` in it."""
        step, first = integer(part.step, 1), part.lower
        if first is None and part.upper is None and step == 1:
            return at
        if step is None or step < 1 or at.axis is None and (at.offset < 0 or not set(at.names) <= self.counting):
            return None
        if step != 1 and at.names:
            return None
        if isinstance(first, gast.Name) and first.id in self.counting:
            return At(at.axis, at.step * step, at.offset * step, tuple(sorted((*at.names, first.id))))
        offset = integer(first, 0)
        return None if offset is None or offset < 0 else At(at.axis, at.step * step, at.offset * step + offset, at.names)


def mentioned(size: Size) -> Iterator[str]:
    """The words in a size, the names of arrays and numbers among them."""
    for part in size:
        if isinstance(part, tuple):
            yield from mentioned(part)
        elif isinstance(part, str):
            yield part


@memoised
def _never_written(core: Core) -> frozenset[str]:
    """The arrays that no statement writes into, under any name."""
    found = memory(core)
    written = found.of(*all_written(core.body))
    return frozenset(name for name in core.types if not found.of(name) & written)
