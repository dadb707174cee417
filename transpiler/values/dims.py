"""Symbolic array dimensions: affine expressions such as `n`, `n - 1`, `n + m`, and constants.

A symbol stands for one size. Calls are keyed on which sizes of arguments are 0 or 1, so an argument's symbol is known to be at
least 2 (`large`); any other symbol may be less. A symbol with a `key` stands for a number that a program comes across: the
length of a slice, say. Equal keys mean equal numbers, in the same iteration of the loops around them if it is `local`.
"""
from __future__ import annotations

import functools
import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field

DEEP = 4  # so many bounds of symbols are used one after the other


@dataclass(frozen=True, order=True)
class Symbol:
    name: str
    large: bool = False
    key: str = ''
    local: bool = False
    signed: bool = False  # it may be negative: it is no size, but a number from which sizes are made
    whole: 'Dim | None' = field(default=None, compare=False, repr=False)  # it is this, or 0 if this is negative
    bounds: 'tuple[Dim, ...]' = field(default=(), repr=False)  # it is known to be at least each of these
    factors: 'tuple[Symbol, ...]' = field(default=(), compare=False, repr=False)  # it is the product of these
    quotient: 'tuple[Dim, int] | None' = field(default=None, compare=False, repr=False)  # it is this, divided and rounded down

    @property
    def is_made(self) -> bool:
        """Whether it is a product or a quotient of others."""
        return bool(self.factors) or self.quotient is not None

    def substituted(self, sizes: 'dict[Symbol, Dim]') -> 'Dim':
        """What this is if symbols are these sizes; so are those that it is made of."""
        if self in sizes:
            return sizes[self]
        if any(factor in sizes for factor in self.factors):
            return functools.reduce(Dim.times, (factor.substituted(sizes) for factor in self.factors))
        if self.quotient is not None and (whole := self.quotient[0].substitute(sizes)) != self.quotient[0]:
            return whole.divided(self.quotient[1])
        return Dim.of(self)


def _product(factors: tuple[Symbol, ...]) -> Symbol:
    factors = tuple(sorted(factors))
    large, local, signed = all(f.large for f in factors), any(f.local for f in factors), any(f.signed for f in factors)
    return Symbol('*'.join(f.name for f in factors), large, f'product {factors!r}', local, signed, factors=factors)


@dataclass(frozen=True, order=True)
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
    def of(value: 'int | Symbol | Dim') -> 'Dim':
        if isinstance(value, Symbol):
            return Dim(((value, 1),))
        return value if isinstance(value, Dim) else Dim((), int(value))

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def is_one(self) -> bool:
        return not self.terms and self.constant == 1

    @property
    def is_local(self) -> bool:
        """Whether it may be another number in every iteration of a loop."""
        return any(symbol.local for symbol, _ in self.terms)

    @property
    def is_found(self) -> bool:
        """Whether it is made of other numbers than the sizes of arguments."""
        return any(symbol.key for symbol, _ in self.terms)

    @property
    def atoms(self) -> 'list[Symbol]':
        """The symbols in it, and in its products and quotients, that are not made of others."""
        found: list[Symbol] = []
        for symbol, _ in self.terms:
            parts = symbol.factors or ((symbol.quotient[0],) if symbol.quotient is not None else ())
            found += [atom for part in parts for atom in Dim.of(part).atoms] if parts else [symbol]
        return found

    def is_at_least(self, least: int) -> bool:
        """Whether it certainly is.

        >>> n = Dim.symbol('n', large=True)
        >>> (n - 2).is_at_least(0), (n - 3).is_at_least(0), (n - Dim.symbol('m')).is_at_least(0)
        (True, False, False)
        >>> m = Symbol('m', large=True, bounds=(2 * n,))
        >>> (Dim(((m, 1),)) - n).is_at_least(2), (Dim(((m, 1),)) - 3 * n).is_at_least(0)
        (True, False)
        """
        return self._is_at_least(least, DEEP)

    def _is_at_least(self, least: int, deep: int) -> bool:
        if any(symbol.signed for symbol, _ in self.terms):
            return False
        if all(coefficient > 0 for _, coefficient in self.terms):
            if sum(2 * coefficient for symbol, coefficient in self.terms if symbol.large) + self.constant >= least:
                return True
        return deep > 0 and any(more._is_at_least(least * times, deep - 1) for more, times in self._less())

    def _less(self) -> 'Iterator[tuple[Dim, int]]':
        """Expressions that this is at least, times a number."""
        for symbol, coefficient in self.terms:
            alone = Dim.of(symbol)
            if coefficient > 0:
                yield from ((self - alone + bound, 1) for bound in symbol.bounds)
            elif symbol.quotient is not None:
                whole, divisor = symbol.quotient
                yield (self - alone * coefficient) * divisor + whole * coefficient, divisor

    @property
    def is_natural(self) -> bool:
        """Whether it is a sum of multiples of sizes, and of no negative ones."""
        return self.constant >= 0 and all(coefficient > 0 and not symbol.signed for symbol, coefficient in self.terms)

    @property
    def symbol_alone(self) -> Symbol | None:
        """The symbol that this is, if it is nothing but that."""
        return self.terms[0][0] if len(self.terms) == 1 and self.terms[0][1] == 1 and self.constant == 0 else None

    @property
    def is_large(self) -> bool:
        """Known to be at least 2, or a constant other than 1."""
        return self.is_at_least(2) if self.terms else self.constant != 1

    def __add__(self, other: 'int | Dim') -> 'Dim':
        other = Dim.of(other)
        if not other.terms or not self.terms:
            return Dim(self.terms or other.terms, self.constant + other.constant)
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

    def times(self, other: 'Dim') -> 'Dim':
        """The product: a sum of products of symbols, each of which is a symbol again.

        >>> n, m = Dim.symbol('n'), Dim.symbol('m')
        >>> str((n + 1).times(m)), (n + 1).times(m) - m.times(n) == m, str((n - 1).times(n + 1))
        ('m + m*n', True, 'n*n - 1')
        """
        total = self * other.constant + Dim(other.terms) * self.constant
        for a, first in self.terms:
            for b, second in other.terms:
                total = total + Dim.of(_product((*(a.factors or (a,)), *(b.factors or (b,))))) * (first * second)
        return total

    def divided(self, divisor: int) -> 'Dim':
        """The quotient, rounded down.

        >>> n = Dim.symbol('n', large=True)
        >>> str((4 * n + 2).divided(2)), str(n.divided(2)), (n - n.divided(2)).is_at_least(1)
        ('2*n + 1', 'n//2', True)
        """
        if all(coefficient % divisor == 0 for _, coefficient in self.terms):
            terms = tuple((symbol, coefficient // divisor) for symbol, coefficient in self.terms)
            return Dim(terms, self.constant // divisor)
        name, signed = f'{self}//{divisor}' if self.symbol_alone else f'({self})//{divisor}', not self.is_at_least(0)
        return Dim.of(Symbol(name, False, f'{self!r} // {divisor}', self.is_local, signed, quotient=(self, divisor)))

    def substitute(self, sizes: dict[Symbol, 'Dim']) -> 'Dim':
        if not any(symbol in sizes or symbol.is_made for symbol, _ in self.terms):
            return self
        total = Dim.of(self.constant)
        for symbol, coefficient in self.terms:
            total = total + symbol.substituted(sizes) * coefficient
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


def solve(left: Dim, right: Dim, fixed: Container[Symbol] = ()) -> tuple[Symbol, Dim] | None:
    """A symbol, and what it is if both sizes are equal: a sum of other sizes if possible, and a symbol of `right`.

    >>> n, m, k = Dim.symbol('n'), Dim.symbol('m'), Dim.symbol('k')
    >>> [f'{symbol.name} = {size}' for symbol, size in (solve(n, m), solve(m, n + k), solve(m - 3 * n, n + 1), solve(m + 1, k))]
    ['m = n', 'm = k + n', 'm = 4*n + 1', 'k = m + 1']
    >>> solve(2 * n, 3 * m), str(solve(n.times(m), k)[0].name)
    (None, 'k')
    """
    difference = right - left
    sizes = [(symbol, Dim.of(symbol) - difference * coefficient) for symbol, coefficient in difference.terms
             if abs(coefficient) == 1 and symbol not in fixed]
    sizes = [(symbol, size) for symbol, size in sizes if symbol not in size.atoms]
    behind = [symbol for symbol, _ in right.terms]
    return min(sizes, key=lambda pair: (pair[0].is_made, not pair[1].is_natural, pair[0] not in behind), default=None)


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
