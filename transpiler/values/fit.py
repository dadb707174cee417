"""Choosing sizes for probes, and reading affine expressions off what NumPy makes of them."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transpiler.values.dims import Dim, Symbol, solve

PRIMES = (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79)
LOW = tuple(range(2, 2 + len(PRIMES)))
MANY = 5        # axes
ROUNDS = 200    # so often a size that is too small is raised

Equalities = dict[Symbol, Dim]


@dataclass(frozen=True)
class Run:
    """One probe: the size of each symbol; `index` varies the numbers whose value is unknown."""

    sizes: dict[Symbol, int]
    index: int

    def size(self, dim: Dim) -> int:
        return dim.constant + sum(coefficient * self.sizes[symbol] for symbol, coefficient in dim.terms)

    def knows(self, dim: Dim) -> bool:
        """Whether the probe gives every symbol of a size a value."""
        return all(symbol in self.sizes for symbol, _ in dim.terms)

    def number(self, dtype: np.dtype) -> int:
        """A number of unknown value: 1 for floats, something irregular for integers that may be a size."""
        return (2, 3, 2, 4, 6, 3, 2, 5)[self.index % 8] if dtype.kind in 'iu' else 1


def runs(symbols: Sequence[Symbol], dims: Sequence[Dim] = (), zero: Sequence[Dim] = (), least: int = 0, axes: int = 0) -> list:
    """Enough probes (`Run`) to tell an affine expression of `symbols` from anything else; none if there are no such sizes.

    All of `zero` are 0 in them; the symbols and `dims` are positive, and above `least` if they can be. Sizes rise with the
    symbols in one probe and fall in the next, so that the smaller of two is no affine expression, and by more in one than in
    another, so that the product of two differences is none. Arrays of many axes get small sizes, for they are made.

    >>> n, m = Symbol('n'), Symbol('m')
    >>> [(run.sizes[n], run.sizes[m]) for run in runs([n, m], [], [3 * Dim.of(n) - 5 * Dim.of(m)])]
    [(15, 9), (15, 9), (35, 21), (25, 15), (40, 24)]
    """
    steps, most = (PRIMES, 3) if axes < MANY else (LOW, 2)
    lattice, made = Lattice.of(symbols, dims, zero), []
    for index in range(len(symbols) + 3):
        wanted = [steps[(index + k * (1 + index % most)) % len(steps)] + least for k in range(lattice.count)]
        if index % 2:
            wanted[:len(symbols)] = wanted[:len(symbols)][::-1]
        made.append(lattice.run(wanted, index))
    return [] if None in made else made


def lowest(symbols: Sequence[Symbol], dims: Sequence[Dim], zero: Sequence[Dim]) -> Run | None:
    """The probe with the smallest sizes that are not special: those from 2 on."""
    lattice = Lattice.of(symbols, dims, zero)
    return lattice.run([2] * lattice.count, 0)


@dataclass(frozen=True)
class Lattice:
    """The integers that symbols can be where some forms are 0.

    places: what to multiply free integers and a 1 with, to get them and a 1; None if there are none
    needed: the coefficients of the forms that are positive, sizes and symbols but those that are mere numbers
    """

    symbols: tuple[Symbol, ...]
    places: np.ndarray | None
    needed: np.ndarray

    @staticmethod
    def of(symbols: Sequence[Symbol], dims: Sequence[Dim], zero: Sequence[Dim]) -> Lattice:
        symbols = (*symbols, *dict.fromkeys(s for form in zero for s, _ in form.terms if s not in symbols))
        forms = [Dim.of(symbol) for symbol in symbols if not symbol.signed]
        forms += [dim for dim in dims if dim.terms and dim.symbol_alone is None]
        needed = np.array([_coefficients(form, symbols) for form in forms], int).reshape(-1, len(symbols) + 1)
        return Lattice(symbols, _solutions(symbols, zero), needed)

    @property
    def count(self) -> int:
        """How many numbers to choose sizes by."""
        return len(self.symbols) + len(self.needed)

    def run(self, wanted: list[int], index: int) -> Run | None:
        """The probe with sizes of at least `wanted`, or of less if that is what there is."""
        if self.places is None:
            return None
        start = np.array([*wanted[:self.places.shape[1] - 1], 1])
        for bounds in (wanted, [1] * len(wanted)):
            free = _raised(start.copy(), self.needed @ self.places, np.array(bounds[:len(self.needed)]))
            if free is not None:
                return Run(dict(zip(self.symbols, map(int, self.places @ free), strict=False)), index)
        return None


def _coefficients(form: Dim, symbols: Sequence[Symbol]) -> np.ndarray:
    terms = dict(form.terms)
    return np.array([*(terms.get(symbol, 0) for symbol in symbols), form.constant])


def _solutions(symbols: Sequence[Symbol], zero: Sequence[Dim]) -> np.ndarray | None:
    """Euclid's algorithm on the coefficients: what is left is one free integer times their greatest common divisor."""
    places = np.eye(len(symbols) + 1, dtype=int)
    for form in zero:
        while True:
            row = _coefficients(form, symbols) @ places
            used = sorted(np.flatnonzero(row[:-1]), key=lambda k: abs(row[k]))
            if len(used) < 2:
                break
            for other in used[1:]:
                places[:, other] -= places[:, used[0]] * (row[other] // row[used[0]])
        if row[-1] % (row[used[0]] if used else 1) or (row[-1] and not used):
            return None
        if used:
            places[:, -1] -= places[:, used[0]] * (row[-1] // row[used[0]])
            places = np.delete(places, used[0], axis=1)
    return places


def _raised(free: np.ndarray, needed: np.ndarray, bounds: np.ndarray) -> np.ndarray | None:
    """Free integers for which what is `needed` is at least its bound; what is the same for all of them, at least 0."""
    varies = np.any(needed[:, :-1], axis=1)
    for iteration in range(ROUNDS):
        lacking = np.where(varies, bounds, 0) - needed @ free
        worst = int(np.argmax(lacking)) if len(lacking) else 0
        if not len(lacking) or lacking[worst] <= 0:
            return free
        row = needed[worst, :-1]
        places = np.flatnonzero(row > 0) if np.any(row > 0) else np.flatnonzero(row)
        if not len(places):
            return None
        place = places[iteration % len(places)]
        free[place] += np.sign(row[place]) * -(-lacking[worst] // abs(row[place]))
    return None


def fit(values: list[int], made: list[Run], symbols: list[Symbol], dims: Sequence[Dim] = ()) -> Dim | None:
    """The affine expression of `symbols` that takes these values in the probes `made`, one of `dims` if possible, or None.

    >>> n, m = Symbol('n'), Symbol('m')
    >>> made = runs([n, m])
    >>> sizes = [(run.sizes[n], run.sizes[m]) for run in made]
    >>> str(fit([2 * a + b - 1 for a, b in sizes], made, [n, m])), fit([min(a, b) for a, b in sizes], made, [n, m])
    ('m + 2*n - 1', None)
    """
    if len(set(values)) == 1:
        return Dim.of(values[0])
    known = next((dim for dim in dims if [run.size(dim) for run in made] == values), None)
    if known is not None:
        return known
    table = np.array([[run.sizes[s] for s in symbols] + [1] for run in made])
    solution = np.rint(np.linalg.lstsq(table.astype(float), np.array(values, float), rcond=None)[0]).astype(int)
    if not np.array_equal(table @ solution, values):
        return None
    found = Dim.of(int(solution[-1]))
    for symbol, coefficient in zip(symbols, solution, strict=False):
        found = found + int(coefficient) * Dim.of(symbol)
    return found


@dataclass(frozen=True)
class Demand:
    """Sizes that are taken to be equal.

    equalities: what symbols are in terms of others, as far as they are sums of multiples of others; zero: differences that are 0
    """

    equalities: Equalities
    zero: tuple[Dim, ...]

    @staticmethod
    def of(equalities: Equalities) -> Demand:
        return Demand(equalities, tuple(Dim.of(symbol) - size for symbol, size in equalities.items()))


def demands(dims: list[Dim], constants: Equalities, differ: Callable[[Dim, Dim], bool], most: int = 3) -> Iterator[Demand]:
    """Sets of equalities between these sizes, the smallest first; those of sizes that `differ` in the call at hand come last.

    constants: symbols that stand for numbers

    >>> n, m = Dim.symbol('n'), Dim.symbol('m')
    >>> found = demands([n, m + 1, Dim.of(3)], {}, lambda left, right: False, most=1)
    >>> [{s.name: str(d) for s, d in demand.equalities.items()} for demand in found]
    [{}, {'n': 'm + 1'}, {'n': '3'}, {'m': '2'}]
    """
    pairs = list(itertools.combinations(dims, 2))
    true = [pair for pair in pairs if not differ(*pair)]
    for chosen in itertools.chain(_sets(true, most), _sets(pairs, most) if len(true) < len(pairs) else ()):
        demand = _demand(chosen, constants)
        if demand is not None:
            yield demand


def all_one(symbols: list[Symbol], most: int = 2) -> Iterator[Demand]:
    """Sets of symbols taken to be 1, the smallest first.

    >>> [{s.name: str(d) for s, d in demand.equalities.items()} for demand in all_one([Symbol('n'), Symbol('m')])]
    [{'n': '1'}, {'m': '1'}, {'n': '1', 'm': '1'}]
    """
    for chosen in _sets(symbols, most):
        if chosen:
            yield Demand.of(dict.fromkeys(chosen, Dim.of(1)))


def _sets(items: Sequence, most: int) -> Iterator[tuple]:
    return itertools.chain.from_iterable(itertools.combinations(items, count) for count in range(most + 1))


def _demand(pairs: Sequence[tuple[Dim, Dim]], constants: Equalities) -> Demand | None:
    """What follows from these equalities; None if one of them follows from the others, or contradicts them."""
    equalities: Equalities = {}
    for left, right in pairs:
        left, right = left.substitute(equalities), right.substitute(equalities)
        if (right - left).substitute(constants).is_constant:
            return None
        solved = solve(left, right, constants)
        if solved is not None:
            equalities = {symbol: size.substitute(dict([solved])) for symbol, size in equalities.items()}
            equalities |= [solved]
    return Demand(equalities, tuple(right - left for left, right in pairs))
