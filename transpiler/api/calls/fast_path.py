"""The short way to a compiled program: calls with arguments of the very types and sizes of an earlier call skip all questions."""
from __future__ import annotations

import operator
from collections.abc import Sequence
from inspect import Parameter, Signature
from typing import Any

import numpy as np
from numpy import ndarray

from transpiler.api.calls.specialization import Specialisation
from transpiler.specialize.domain.identity import object_key, same_object

MANY = 256  # combinations of sizes that are remembered
NUMBERS = frozenset((float, int, bool, complex, *np.sctypeDict.values()))


class Strange(Exception):
    """A value of which the type alone does not say enough."""


def describe(value: Any, key: list[Any], leaves: list[Any]) -> None:
    """Append to `key` all that a program can depend on but the numbers themselves, and to `leaves` the numbers and arrays.

    >>> key, leaves = [], []
    >>> describe({'w': np.ones((2, 3)), 'b': 1.0}, key, leaves)
    >>> key, len(leaves)
    ([<class 'dict'>, 2, 'w', dtype('float64'), (2, 3), (24, 8), 'b', <class 'float'>], 2)
    """
    kind = type(value)
    if kind is ndarray:
        key += (value.dtype, value.shape, value.strides)
        leaves.append(value)
    elif kind in NUMBERS:
        key.append(kind)
        leaves.append(value)
    elif kind is tuple or kind is list:
        key += (kind, len(value))
        for item in value:
            describe(item, key, leaves)
    elif kind is dict:
        key += (kind, len(value))
        for name, item in value.items():
            key.append(name if type(name) is str else object_key(name))
            describe(item, key, leaves)
    else:
        raise Strange


class Shortcut:
    """What one call came to.

    made: the specialisation that ran; captured: what describes the values that the function captures
    integers: those that the program goes by, by their places among the numbers and arrays
    lasts: whether it depends on types and sizes of arguments alone; compiled, rebuild: `Specialisation.direct`
    """

    __slots__ = 'captured', 'compiled', 'integers', 'lasts', 'made', 'rebuild'

    def __init__(self, made: Specialisation, captured: list[Any], leaves: list[Any]):
        self.made, self.captured = made, captured
        self.integers = [(place, leaves[place]) for place in made.decisive]
        self.lasts = not (made.generated.guards or made.generated.captures or self.integers)
        self.compiled, self.rebuild = made.direct

    def holds(self, leaves: list[Any]) -> bool:
        """Whether nothing has changed but the numbers; `leaves` get those that are captured."""
        generated = self.made.generated
        for read, expected in generated.guards:
            value = read()
            if value is not expected and not same_object(value, expected):
                return False
        key: list[Any] = []
        for capture in generated.captures:
            describe(capture.read(), key, leaves)
        return key == self.captured and all(leaves[place] == value for place, value in self.integers)


class Shortcuts:
    """Those of one function, by what its positional arguments are."""

    def __init__(self, signature: Signature):
        params = signature.parameters.values()
        plain = all(p.kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for p in params)
        self.defaults = [p.default for p in params] if plain else []
        self.count = len(self.defaults)
        self.known: dict[tuple, Shortcut] = {}

    def _completed(self, args: Sequence[Any]) -> Sequence[Any]:
        """The arguments, and the defaults of those that are not given."""
        return args if len(args) >= self.count else [*args, *self.defaults[len(args):]]

    def find(self, args: Sequence[Any], leaves: list[Any]) -> Shortcut | None:
        """That for these arguments; `leaves`, which is empty, gets the numbers and arrays that it runs on."""
        key: list[Any] = []
        try:
            for value in args if len(args) >= self.count else self._completed(args):
                if type(value) is ndarray:      # as `describe` does; a call of it costs more
                    key.append(value.dtype)
                    key.append(value.shape)
                    key.append(value.strides)
                    leaves.append(value)
                else:
                    describe(value, key, leaves)
            shortcut = self.known.get(tuple(key))
            return shortcut if shortcut is None or shortcut.lasts or shortcut.holds(leaves) else None
        except (Strange, TypeError):  # a TypeError is a key of a dict that cannot be hashed
            return None

    def learn(self, args: Sequence[Any], made: Specialisation, flat: Sequence[Any]) -> None:
        """Remember a call, if `flat`, which the program ran on, are the numbers and arrays of the arguments, in order.

        Not one that runs as Python, because compiled code is not there yet.
        """
        key: list[Any] = []
        captured: list[Any] = []
        leaves: list[Any] = []
        try:
            for value in self._completed(args):
                describe(value, key, leaves)
            for capture in made.generated.captures:
                describe(capture.read(), captured, leaves)
        except Strange:
            return
        if len(leaves) == len(flat) and all(map(operator.is_, leaves, flat)) and made.ready(flat):
            if len(self.known) >= MANY:
                self.known.clear()
            self.known[tuple(key)] = Shortcut(made, captured, leaves)

    def forget(self) -> None:
        self.known.clear()
