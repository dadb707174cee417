"""Writing core statements: fresh names, their types and hints, and the block that is being filled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast

from transpiler.core import build
from transpiler.core.language import Core, Hint
from transpiler.core.query import all_defined
from transpiler.core.variables import Var
from transpiler.errors import Origin
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Type


class _At:
    """A context in which a builder stamps another origin and role on what it writes; entered for every expression."""

    __slots__ = 'builder', 'inside', 'outside'

    def __init__(self, builder: Builder, origin: Origin | None, role: str | None):
        self.builder, self.inside = builder, (origin, role or builder.role)

    def __enter__(self) -> None:
        self.outside = self.builder.origin, self.builder.role
        self.builder.origin, self.builder.role = self.inside

    def __exit__(self, *raised: object) -> None:
        self.builder.origin, self.builder.role = self.outside


@dataclass
class Builder:
    """The program under construction. `block` receives statements; `origin` and `role` are stamped on them."""

    block: list[gast.stmt] = field(default_factory=list)
    types: dict[str, Type] = field(default_factory=dict)
    hints: dict[str, Hint] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    origin: Origin | None = None
    role: str = 'primal'
    lasting: dict[str, Type] = field(default_factory=dict)
    symbols: set[str] = field(default_factory=set)  # the keys of sizes found so far
    natural: set[str] = field(default_factory=set)  # integers that are never negative
    negated: set[str] = field(default_factory=set)  # those with a minus before them
    changing: set[str] = field(default_factory=set)  # names that mean another value after a loop than in it
    around: list[list[gast.stmt]] = field(default_factory=list)  # the blocks in which that one will stand
    homes: dict[str, list[gast.stmt]] = field(default_factory=dict)  # where variables have been assigned last
    numbers: dict[str, int] = field(default_factory=dict)  # the last one that a fresh name was told apart by
    holding: dict[str, bool] = field(default_factory=dict)  # flags that are known in the arm that is being filled
    opposites: dict[str, str] = field(default_factory=dict)  # `not_a` -> `a`

    @classmethod
    def of(cls, core: Core) -> Builder:
        """One that goes on with a program: no fresh name is one of its own."""
        used = {*core.inputs, *core.types, *all_defined(core.body), core.name}
        return cls(types=dict(core.types), hints=dict(core.hints), used=used)

    def fresh(self, base: str, type_: Type, temporary: bool = False, lasting: bool = False) -> Var:
        """A new variable called after `base`: `base`, else `base_1`, `base_2`, ...; a lasting one survives `restore`."""
        base = 'range_' if base == 'range' else base  # which is a word of the core language
        number = self.numbers.get(base, 0)
        if f'{base}_{number}' not in self.used:     # taken back, or none was given yet
            number = 0
        name = f'{base}_{number}' if number else base
        while name in self.used:
            number += 1
            name = f'{base}_{number}'
        self.used.add(name)
        self.numbers[base] = number
        self.types[name] = type_
        self.hints[name] = Hint(base, temporary)
        if lasting:
            self.lasting[name] = type_
        return Var(name, type_)

    def rename_hint(self, name: str, base: str, temporary: bool = False) -> None:
        """A temporary that the user's code gives a name is called so; it may stay a temporary."""
        if name in self.hints and self.hints[name].temporary:
            self.hints[name] = Hint(base, temporary)

    def is_older(self, name: str) -> bool:
        """Whether the value of a variable was there before the block that is being filled: in one around it."""
        home = self.homes.get(name)
        return any(home is block for block in self.around)

    @contextmanager
    def knowing(self, flag: str, holds: bool) -> Iterator[None]:
        """In an arm of `if flag`, where it holds or does not."""
        before, (asked, same) = self.holding, self._asked(flag)
        self.holding = {**before, asked: holds == same}
        try:
            yield
        finally:
            self.holding = before

    def known_flag(self, flag: str) -> bool | None:
        """Whether a flag holds in the arm that is being filled; None if that shows only at run time."""
        asked, same = self._asked(flag)
        return self.holding[asked] == same if asked in self.holding else None

    def _asked(self, flag: str) -> tuple[str, bool]:
        """The flag that a flag is, or is the opposite of; whether it is that itself."""
        return self.opposites.get(flag, flag), flag not in self.opposites

    def assign(self, target: Any, value: Any) -> None:
        if isinstance(target, str):
            self.homes[target] = self.block
        self.block.append(build.assign(target, value, self.origin, self.role))

    def define(self, base: str, value: Any, type_: Type, temporary: bool = True) -> Var:
        """`base = value` with a fresh name; a size that is not known is the same wherever this name's is asked for."""
        var = self.fresh(base, type_, temporary)
        if isinstance(type_, Array) and type_.dims is not None and None in type_.dims:
            dims = [self.found(f'{axis} of {var.name}') if dim is None else dim for axis, dim in enumerate(type_.dims)]
            var = Var(var.name, Array(type_.dtype, tuple(dims)))
            self.types[var.name] = var.type
        self.assign(var.name, value)
        return var

    def found(self, key: str, signed: bool = False) -> Dim:
        """A symbol for a number that only the run knows."""
        while key in self.symbols:
            key += "'"
        self.symbols.add(key)
        return Dim.found(key, signed=signed)

    def accumulate(self, target: Any, value: Any) -> None:
        self.block.append(build.accumulate(target, value, self.origin, self.role))

    def effect(self, value: Any) -> None:
        self.block.append(build.effect(value, self.origin, self.role))

    def append(self, statement: gast.stmt) -> None:
        self.block.append(statement)

    @contextmanager
    def nested(self) -> Iterator[list[gast.stmt]]:
        """Fill a block of its own; the caller puts it where it belongs."""
        self.around.append(self.block)
        opposites = dict(self.opposites)    # what a loop finds is of one iteration
        self.block = []
        try:
            yield self.block
        finally:
            self.block, self.opposites = self.around.pop(), opposites

    def at(self, origin: Origin | None, role: str | None = None) -> '_At':
        """What is written inside has this origin, and role."""
        return _At(self, origin, role)

    def inner(self) -> 'Builder':
        """For a function of its own: it knows the names used here."""
        known = dict(self.types), dict(self.hints), set(self.used)
        sets = {kind: set(getattr(self, kind)) for kind in ('symbols', 'natural', 'negated', 'changing')}
        return Builder([], *known, self.origin, 'primal', **sets)

    def snapshot(self) -> tuple:
        """For trial runs: what `restore` puts back, so that discarded code leaves no trace in the names."""
        return dict(self.types), dict(self.hints), set(self.used), len(self.block), *self._of_now()

    def _of_now(self) -> tuple[set[str], ...]:
        return set(self.symbols), set(self.natural), set(self.negated)

    def restore(self, state: tuple) -> None:
        types, hints, used, length, *sets = state
        kept = {name: self.hints[name] for name in self.lasting}
        self.types, self.hints, self.used = {**types, **self.lasting}, {**hints, **kept}, {*used, *self.lasting}
        self.symbols, self.natural, self.negated = map(set, sets)
        del self.block[length:]

    def adopt(self, other: 'Builder') -> None:
        """Take over the lasting variables of a builder that started from this one's names."""
        for name, type_ in other.lasting.items():
            self.lasting[name] = self.types[name] = type_
            self.hints[name] = other.hints[name]
            self.used.add(name)
