"""Copies of arrays and of lists of run-time length, with what is on them."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

import gast

from transpiler.core import build
from transpiler.core.language import Core, Hint
from transpiler.core.naming import unique
from transpiler.values.types import INT, Scalar, Tape, Type


@dataclass
class Copies:
    """Writes `statements` that copy what names of a program hold; `types` and `hints` learn the names that are made.

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.emit import emit
    >>> from transpiler.values.types import Array
    >>> core = parse('return t', params=['t'], types={'t': Tape(Array(np.dtype(float), (None,)), True)})
    >>> copies = Copies(core, 'primal')
    >>> name = copies.of('t')
    >>> print(emit(core.with_body([*copies.statements, build.give(build.name(name))])).text.partition('np')[2].strip())
    def f(t):
        t_1 = []
        length = len(t)
        for k in range(length):
            item = t[k]
            copied = np.copy(item)
            t_1.append(copied)
        return t_1
    """

    core: Core
    role: str
    statements: list[gast.stmt] = field(default_factory=list)
    types: dict[str, Type] = field(init=False)
    hints: dict[str, Hint] = field(init=False)

    def __post_init__(self):
        self.types, self.hints = dict(self.core.types), dict(self.core.hints)

    def of(self, name: str, suffix: str = '') -> str:
        """What a copy of `name` is called."""
        type_ = self.types[name]
        copy = self._fresh(f'{name}{suffix}', type_, self.core.hints.get(name, Hint(name)))
        if isinstance(type_, Tape) and not isinstance(type_.element, Scalar):
            self._items(copy, name, type_)
        else:
            operation = 'tape.copy' if isinstance(type_, Tape) else 'numpy.copy'
            self.statements.append(self._assigned(copy, build.call(operation, name)))
        return copy

    def known_to(self, core: Core) -> Core:
        """The program, which knows of the names that were made."""
        return core.with_body(core.body, types=MappingProxyType(self.types), hints=MappingProxyType(self.hints))

    def _items(self, copy: str, name: str, type_: Tape) -> None:
        length, place = (self._fresh(base, INT, Hint(base, temporary=True)) for base in ('length', 'k'))
        item, own = (self._fresh(base, type_.element, Hint(base, temporary=True)) for base in ('item', 'copied'))
        put = [
            self._assigned(item, build.call('tape.item', name, place)),
            self._assigned(own, build.call('numpy.copy', item)),
            build.effect(build.call('tape.push', copy, own), self._origin, self.role),
        ]
        self.statements += [
            self._assigned(copy, build.call('tape.list' if type_.lasting else 'tape.new')),
            self._assigned(length, build.call('python.len', name)),
            build.counted(place, 0, length, 1, put, self._origin, self.role),
        ]

    def _assigned(self, name: str, value: gast.expr) -> gast.stmt:
        return build.assign(name, value, self._origin, self.role)

    @property
    def _origin(self):
        return self.core.body[-1].origin

    def _fresh(self, base: str, type_: Type, hint: Hint) -> str:
        name = unique(base, self.types)
        self.types[name], self.hints[name] = type_, hint
        return name
