"""Symbolic array dimensions: affine expressions such as `n`, `n - 1`, `n + m`, and constants.

A symbol stands for one size. Calls are keyed on which sizes of arguments are 0 or 1, so an argument's symbol is known to be at
least 2 (`large`); any other symbol may be less. A symbol with a `key` stands for a number that a program comes across: the
length of a slice, say. Equal keys mean equal numbers, in the same turn of the loops around them if it is `local`.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, order=True)
class Symbol:
    name: str
    large: bool = False
    key: str = ''
    local: bool = False
    signed: bool = False  # it may be negative: it is no size, but a number from which sizes are made
    whole: 'Dim | None' = field(default=None, compare=False, repr=False)  # it is this, or 0 if this is negative


@dataclass(frozen=True)
class Dim:
    """The sum of `coefficient * symbol` terms (sorted by symbol) and a constant.

    >>> n = Dim.symbol('n')
    >>> str(n - 1), str(2 * n + 3), n + 1 == 1 + n, Dim.of(1).is_one
    ('n - 1', '2*n + 3', True, True)
    """

    terms: tuple[tuple[Symbol, int], ...] = ()
    constant: int = 0

    @staticmethod
    def symbol(name: str, large: bool = False) -> 'Dim':
        return Dim(((Symbol(name, large), 1),))

    @staticmethod
    def found(key: str, local: bool = True, signed: bool = False, whole: 'Dim | None' = None) -> 'Dim':
        """A number of which nothing is known but when it is the same."""
        return Dim(((Symbol('?', False, key, local, signed, whole), 1),))

    @staticmethod
    def of(value: 'int | Dim') -> 'Dim':
        return value if isinstance(value, Dim) else Dim((), int(value))

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def is_one(self) -> bool:
        return not self.terms and self.constant == 1

    @property
    def is_local(self) -> bool:
        """Whether it may be another number in every turn of a loop."""
        return any(symbol.local for symbol, _ in self.terms)

    @property
    def is_found(self) -> bool:
        """Whether it is made of other numbers than the sizes of arguments."""
        return any(symbol.key for symbol, _ in self.terms)

    def is_at_least(self, least: int) -> bool:
        """Whether it certainly is.

        >>> n = Dim.symbol('n', large=True)
        >>> (n - 2).is_at_least(0), (n - 3).is_at_least(0), (n - Dim.symbol('m')).is_at_least(0)
        (True, False, False)
        """
        if any(coefficient < 0 or symbol.signed for symbol, coefficient in self.terms):
            return False
        return sum(2 * coefficient for symbol, coefficient in self.terms if symbol.large) + self.constant >= least

    @property
    def symbol_alone(self) -> Symbol | None:
        """The symbol that this is, if it is nothing but that."""
        return self.terms[0][0] if len(self.terms) == 1 and self.terms[0][1] == 1 and self.constant == 0 else None

    @property
    def is_large(self) -> bool:
        """Known to be at least 2, or a constant other than 1."""
        if not self.terms:
            return self.constant != 1
        return self.symbol_alone is not None and self.symbol_alone.large

    def __add__(self, other: 'int | Dim') -> 'Dim':
        other = Dim.of(other)
        total = dict(self.terms)
        for symbol, coefficient in other.terms:
            total[symbol] = total.get(symbol, 0) + coefficient
        return Dim(tuple(sorted((s, c) for s, c in total.items() if c)), self.constant + other.constant)

    __radd__ = __add__

    def __mul__(self, factor: int) -> 'Dim':
        return Dim(tuple((s, c * factor) for s, c in self.terms if factor), self.constant * factor)

    __rmul__ = __mul__

    def __neg__(self) -> 'Dim':
        return self * -1

    def __sub__(self, other: 'int | Dim') -> 'Dim':
        return self + -Dim.of(other)

    def __rsub__(self, other: int) -> 'Dim':
        return Dim.of(other) - self

    def substitute(self, sizes: dict[Symbol, 'Dim']) -> 'Dim':
        total = Dim.of(self.constant)
        for symbol, coefficient in self.terms:
            total = total + sizes.get(symbol, Dim(((symbol, 1),))) * coefficient
        return total

    def __str__(self) -> str:
        text = ''
        for symbol, coefficient in self.terms:
            factor = '' if abs(coefficient) == 1 else f'{abs(coefficient)}*'
            sign = '-' if coefficient < 0 else '+'
            text += f' {sign} {factor}{symbol.name}' if text else f'{"-" if coefficient < 0 else ""}{factor}{symbol.name}'
        if self.constant or not text:
            text = f'{text} {"-" if self.constant < 0 else "+"} {abs(self.constant)}' if text else str(self.constant)
        return text


def product(dims: 'Sequence[Dim | None]') -> Dim | None:
    """How many items an array of these sizes has, if that is an affine expression.

    >>> n = Dim.symbol('n')
    >>> str(product([n, Dim.of(3)])), str(product([n, None, Dim.of(0)])), product([n, n])
    ('3*n', '0', None)
    """
    if Dim.of(0) in dims:
        return Dim.of(0)
    others = [dim for dim in dims if dim is None or not dim.is_constant]
    factor = math.prod(dim.constant for dim in dims if dim is not None and dim.is_constant)
    return Dim.of(factor) if not others else others[0] * factor if len(others) == 1 and others[0] is not None else None
