"""Symbolic array dimensions: affine expressions such as `n`, `n - 1`, `n + m`, and constants.

A symbol stands for one size. Sizes of arguments are keyed on "is it 1", so an argument's symbol is known not to be 1
(`large`); any other symbol may be.
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Symbol:
    name: str
    large: bool = False


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
    def of(value: 'int | Dim') -> 'Dim':
        return value if isinstance(value, Dim) else Dim((), int(value))

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def is_one(self) -> bool:
        return not self.terms and self.constant == 1

    @property
    def symbol_alone(self) -> Symbol | None:
        """The symbol that this is, if it is nothing but that."""
        return self.terms[0][0] if len(self.terms) == 1 and self.terms[0][1] == 1 and self.constant == 0 else None

    @property
    def is_large(self) -> bool:
        """Known not to be 1."""
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
