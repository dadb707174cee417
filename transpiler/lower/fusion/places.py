"""What names stand for at a point of a program, and where the elements of views lie: in which array, at which index of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import gast

from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.query import all_defined, names, walk
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


@dataclass
class Known:
    """What is known of names at one point of a program, as long as nothing that it was said with has changed.

    keyed: whether equal sizes of arguments in their types are equal
    values: the expressions that gave names their values
    sizes: those of arrays that operations over a domain have made
    same: sizes that were found to be equal to others
    seen: for each size an array and its axis that have it
    resolved: the views that were asked where they lie
    """

    core: Core
    keyed: bool = True
    values: dict[str, gast.expr] = field(default_factory=dict)
    sizes: dict[str, tuple[Size, ...]] = field(default_factory=dict)
    same: dict[Size, Size] = field(default_factory=dict)
    seen: dict[Size, tuple[str, int]] = field(default_factory=dict)
    resolved: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.counting = _never_negative(self.core)
        self.backward = _counting_back(self.core)

    def inside(self, block: Iterable[gast.stmt], turns: bool) -> Known:
        """What is known at the start of a block; in a loop, of any of its turns."""
        found = replace(self, values=dict(self.values), sizes=dict(self.sizes), same=dict(self.same), seen=dict(self.seen))
        if turns:
            found.forget(all_defined(block))
        return found

    def learn(self, name: str, value: gast.expr) -> None:
        self.forget([name])
        if name not in set(names(value)):
            self.values[name] = value

    def forget(self, changed: Collection[str]) -> None:
        changed = set(changed)
        self.values = {n: v for n, v in self.values.items() if not changed & {n, *names(v)}}
        self.sizes = {n: v for n, v in self.sizes.items() if not changed & {n, *mentioned(v)}}
        self.same = {a: b for a, b in self.same.items() if not changed & {*mentioned(a), *mentioned(b)}}
        self.seen = {s: place for s, place in self.seen.items() if not changed & {place[0], *mentioned(s)}}

    def place(self, array: str, ats: tuple[At, ...]) -> Place:
        """The array that `array` shows, and where in it; itself where only the run tells.

        >>> from transpiler.core.text import parse
        >>> import numpy as np
        >>> table = Array(np.dtype(float), (None, None))
        >>> core = parse('y = x[2:, ::3]; z = np.transpose(y); return z', types={'x': table, 'y': table, 'z': table})
        >>> known = Known(core, values={name: s.value for name, s in zip('yz', core.body)})
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
        self.resolved.add(array)
        return self.place(base, inner)

    def behind(self, entries: Sequence[gast.expr], ats: Sequence[At], ndim: int | None) -> tuple[At, ...] | None:
        """Where something lies in an array of so many axes that is at `ats` of what these entries pick."""
        if ndim is None:
            return None
        found: list[At] = []
        left = list(ats)
        for k, entry in enumerate(entries):
            if is_new(entry):
                left.pop(0)
            elif is_dots(entry):
                rest = sum(1 for e in entries[k + 1 :] if not is_new(e))
                while len(found) + rest < ndim:
                    found.append(left.pop(0))
            else:
                at = self._moved(entry, left.pop(0)) if isinstance(entry, gast.Slice) else self._at_number(entry)
                if at is None:
                    return None
                found.append(at)
        return (*found, *left)

    def _at_number(self, entry: gast.expr) -> At | None:
        value = number(entry, None)
        if value is not None:
            return At(offset=value)
        is_number = isinstance(entry, gast.Name) and isinstance(self.core.types.get(entry.id), Scalar)
        return At(names=(entry.id,)) if is_number else None

    def _moved(self, part: gast.Slice, at: At) -> At | None:
        """The index before a slice was taken, of what is at `at` in it."""
        step, first = number(part.step, 1), part.lower
        if step is None or step < 1 or at.axis is None and (at.offset < 0 or not set(at.names) <= self.counting):
            return None
        if step != 1 and at.names:
            return None
        if isinstance(first, gast.Name) and first.id in self.counting:
            return At(at.axis, at.step * step, at.offset * step, tuple(sorted((*at.names, first.id))))
        offset = number(first, 0)
        return None if offset is None or offset < 0 else At(at.axis, at.step * step, at.offset * step + offset, at.names)


def is_view(statement: gast.stmt) -> bool:
    """Whether it gives a name to a part of an array, or to all of it."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Subscript() | gast.Name()):
            return True
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Name(id='numpy.transpose'))):
            return True
    return False


def mentioned(size: Size) -> Iterator[str]:
    """The words in a size, the names of arrays and numbers among them."""
    for part in size:
        if isinstance(part, tuple):
            yield from mentioned(part)
        elif isinstance(part, str):
            yield part


def is_new(entry: gast.expr) -> bool:
    return isinstance(entry, gast.Constant) and entry.value is None


def is_dots(entry: gast.expr) -> bool:
    return isinstance(entry, gast.Constant) and entry.value is ...


def number(node: gast.expr | None, default: int | None) -> int | None:
    """The integer that is written there, `default` where nothing is, None for anything else."""
    match node:
        case None | gast.Constant(value=None):
            return default
        case gast.Constant(value=int(value)):
            return value
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=int(value))):
            return -value
    return None


def _never_negative(core: Core) -> frozenset[str]:
    """The counters of loops that do not go below zero."""
    found: dict[str, bool] = {}
    for statement in walk(core.body):
        match statement:
            case gast.For(target=gast.Name(id=name), iter=gast.Call(args=[start, stop, step])):
                forward = (number(step, None) or 0) > 0
                never = _is_at_least(start, 0) if forward else _is_at_least(step, -1) and _is_at_least(stop, -1)
                found[name] = found.get(name, True) and never
            case gast.Assign(targets=[gast.Name(id=name)]):
                found[name] = False
    return frozenset(name for name, never in found.items() if never and name not in core.inputs)


def _counting_back(core: Core) -> frozenset[str]:
    loops = (s for s in walk(core.body) if isinstance(s, gast.For))
    return frozenset(loop.target.id for loop in loops if not _is_at_least(loop.iter.args[2], 1))


def _is_at_least(node: gast.expr, least: int) -> bool:
    value = number(node, None)
    return value is not None and value >= least
