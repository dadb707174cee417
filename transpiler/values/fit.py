"""Choosing sizes for probes, and reading affine expressions off what NumPy makes of them."""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from transpiler.values.dims import Dim, Symbol

PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79)
MANY = 5        # axes


@dataclass(frozen=True)
class Run:
    """One probe: the size of each symbol; `index` varies the numbers whose value is unknown."""

    sizes: dict[Symbol, Dim]
    index: int

    def size(self, dim: Dim) -> int:
        total = dim.constant
        for symbol, coefficient in dim.terms:
            total += coefficient * self.size(self.sizes[symbol])
        return total

    def knows(self, dim: Dim) -> bool:
        """Whether the probe gives every symbol of a size a value."""
        return all(symbol in self.sizes for symbol, _ in dim.terms)

    def number(self, dtype: np.dtype) -> int:
        """A number of unknown value: 1 for floats, something irregular for integers that may be a size."""
        return (2, 3, 2, 4, 6, 3, 2, 5)[self.index % 8] if dtype.kind in 'iu' else 1


def runs(
    symbols: list[Symbol], equalities: dict[Symbol, Dim] | None = None, least: int = 0, most_axes: int = 0
) -> Iterator[Run]:
    """Enough probes to tell an affine expression of `symbols` from anything else; all sizes are above `least`.

    Sizes rise with the symbols in one probe and fall in the next, so that the smaller of two is no affine expression, and
    by more in one than in another, so that the product of two differences is none. Arrays of many axes get small sizes, for
    they are made.
    """
    steps, most = (PRIMES, 3) if most_axes < MANY else (range(2, 2 + len(PRIMES)), 2)
    for index in range(len(symbols) + 3):
        sizes = [steps[(index + k * (1 + index % most)) % len(steps)] + least for k in range(len(symbols))]
        chosen = dict(zip(symbols, map(Dim.of, sizes if index % 2 == 0 else reversed(sizes)), strict=True))
        yield Run({**(equalities or {}), **chosen}, index)


def fit(values: list[int], made: list[Run], symbols: list[Symbol]) -> Dim | None:
    """The affine expression of `symbols` that takes these values in the probes `made`, or None.

    >>> n, m = Symbol('n'), Symbol('m')
    >>> made = list(runs([n, m]))
    >>> sizes = [(run.size(Dim(((n, 1),))), run.size(Dim(((m, 1),)))) for run in made]
    >>> str(fit([2 * a + b - 1 for a, b in sizes], made, [n, m])), fit([min(a, b) for a, b in sizes], made, [n, m])
    ('m + 2*n - 1', None)
    """
    if len(set(values)) == 1:
        return Dim.of(values[0])
    table = np.array([[run.size(Dim(((s, 1),))) for s in symbols] + [1] for run in made])
    solution = np.rint(np.linalg.lstsq(table.astype(float), np.array(values, float), rcond=None)[0]).astype(int)
    if not np.array_equal(table @ solution, values):
        return None
    found = Dim.of(int(solution[-1]))
    for symbol, coefficient in zip(symbols, solution, strict=False):
        found = found + int(coefficient) * Dim(((symbol, 1),))
    return found


def equate(dims: list[Dim], fixed: frozenset[Symbol] = frozenset(), most: int = 3) -> Iterator[dict[Symbol, Dim]]:
    """Sets of equalities between these sizes, the smallest first; `fixed` symbols are not given values.

    >>> n, m = Dim.symbol('n'), Dim.symbol('m')
    >>> [{s.name: str(d) for s, d in e.items()} for e in equate([n, m + 1, Dim.of(3)], most=1)]
    [{}, {'m': 'n - 1'}, {'n': '3'}, {'m': '2'}]
    """
    pairs = list(itertools.combinations(dims, 2))
    for count in range(most + 1):
        for chosen in itertools.combinations(pairs, count):
            equalities = _solved(chosen, fixed)
            if equalities is not None:
                yield equalities


def all_one(symbols: list[Symbol], most: int = 2) -> Iterator[dict[Symbol, Dim]]:
    """Sets of symbols taken to be 1, the smallest first.

    >>> [{s.name: str(d) for s, d in e.items()} for e in all_one([Symbol('n'), Symbol('m')])]
    [{'n': '1'}, {'m': '1'}, {'n': '1', 'm': '1'}]
    """
    for count in range(1, most + 1):
        for chosen in itertools.combinations(symbols, count):
            yield dict.fromkeys(chosen, Dim.of(1))


def _solved(pairs, fixed: frozenset[Symbol]) -> dict[Symbol, Dim] | None:
    """One symbol of each equality, the later one if possible, in terms of the others."""
    equalities: dict[Symbol, Dim] = {}
    for left, right in pairs:
        difference = right.substitute(equalities) - left.substitute(equalities)
        coefficients = dict(difference.terms)
        usable = [s for s, _ in right.terms + left.terms if coefficients.get(s) in (1, -1) and s not in fixed]
        usable += [s for s in coefficients if coefficients[s] in (1, -1) and s not in fixed]
        if not usable:
            return None
        symbol, sign = usable[0], coefficients[usable[0]]
        value = (difference - sign * Dim(((symbol, 1),))) * -sign
        equalities = {s: d.substitute({symbol: value}) for s, d in equalities.items()}
        equalities[symbol] = value
    return equalities
