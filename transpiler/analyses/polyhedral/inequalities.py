"""Systems of linear equations and inequalities in integers, solvable or not: Fourier and Motzkin's elimination."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd

from transpiler.values.dims import Dim, Symbol

LIMIT = 300  # inequalities; with more the answer is "perhaps"

Terms = dict[Symbol, int]
Row = tuple[Terms, int]


class _Contradiction(Exception):
    """The system has no solution."""


def impossible(zero: Iterable[Dim], positive: Iterable[Dim]) -> bool:
    """Surely no integers make every form in `zero` 0 and every form in `positive` at least 0; False if it is not known.

    >>> i, j = Dim.symbol('i'), Dim.symbol('j')
    >>> impossible([i - j], [i - j - 1]), impossible([], [i - j]), impossible([2 * i - 2 * j - 1], [])
    (True, False, True)
    """
    try:
        equations = [(dict(form.terms), form.constant) for form in zero]
        rows = [(dict(form.terms), form.constant) for form in positive]
        return _eliminate(_tightened(_solved(equations, rows)))
    except _Contradiction:
        return True


def projected(positive: Iterable[Dim], kept: Callable[[Symbol], bool]) -> list[Dim] | None:
    """What the forms being at least 0 says of the symbols that are `kept`, as such forms; None if that is impossible.

    >>> i, n, m = Dim.symbol('i'), Dim.symbol('n'), Dim.symbol('m')
    >>> [str(form) for form in projected([i, n - i - 1, i - m], lambda symbol: symbol.name in 'nm')]
    ['n - 1', '-m + n - 1']
    """
    try:
        rows = _tightened((dict(form.terms), form.constant) for form in positive)
        while rows and len(rows) <= LIMIT and (symbol := _cheapest(rows, kept)) is not None:
            rows = _without(rows, symbol)
    except _Contradiction:
        return None
    return [Dim(tuple(sorted(terms.items())), constant) for terms, constant in rows if all(map(kept, terms))]


def _solved(equations: list[Row], rows: list[Row]) -> list[Row]:
    """The inequalities after every equation was solved for one of its symbols; one that cannot be is kept as two inequalities."""
    while equations:
        terms, constant = equations.pop()
        divisor = gcd(*terms.values())
        if not divisor or constant % divisor:
            if constant:
                raise _Contradiction
            continue
        terms, constant = {s: c // divisor for s, c in terms.items()}, constant // divisor
        unit = next((s for s, c in terms.items() if abs(c) == 1), None)
        if unit is None:
            rows = [*rows, (terms, constant), ({s: -c for s, c in terms.items()}, -constant)]
            continue
        sign = -terms.pop(unit)
        solution = {s: sign * c for s, c in terms.items()}, sign * constant
        equations = [_replaced(row, unit, solution) for row in equations]
        rows = [_replaced(row, unit, solution) for row in rows]
    return rows


def _replaced(row: Row, symbol: Symbol, solution: Row) -> Row:
    terms, constant = row
    factor = terms.get(symbol)
    if factor is None:
        return row
    return _sum(({s: c for s, c in terms.items() if s != symbol}, constant), solution, factor)


def _sum(row: Row, other: Row, factor: int) -> Row:
    """`row + factor * other`"""
    terms = dict(row[0])
    for symbol, coefficient in other[0].items():
        total = terms.get(symbol, 0) + factor * coefficient
        if total:
            terms[symbol] = total
        else:
            terms.pop(symbol, None)
    return terms, row[1] + factor * other[1]


def _tightened(rows: Iterable[Row]) -> list[Row]:
    """Divided by common factors, the constant rounded down; of rows with the same terms the strictest one is left."""
    strictest: dict[frozenset, Row] = {}
    for terms, constant in rows:
        if not terms:
            if constant < 0:
                raise _Contradiction
            continue
        divisor = gcd(*terms.values())
        if divisor > 1:
            terms, constant = {s: c // divisor for s, c in terms.items()}, constant // divisor
        key = frozenset(terms.items())
        known = strictest.get(key)
        if known is None or constant < known[1]:
            strictest[key] = terms, constant
    return list(strictest.values())


def _eliminate(rows: list[Row]) -> bool:
    """Combine every lower with every upper bound of one symbol after the other; without a contradiction, "perhaps"."""
    while rows and len(rows) <= LIMIT:
        rows = _without(rows, _cheapest(rows))
    return False


def _cheapest(rows: list[Row], kept: Callable[[Symbol], bool] = lambda symbol: False) -> Symbol | None:
    """The symbol that is not kept whose elimination leaves the fewest rows."""
    bounds: dict[Symbol, list[int]] = {}
    for terms, _ in rows:
        for symbol, coefficient in terms.items():
            if not kept(symbol):
                bounds.setdefault(symbol, [0, 0])[coefficient > 0] += 1
    return min(bounds, key=lambda s: (bounds[s][0] * bounds[s][1] - sum(bounds[s]), s), default=None)


def _without(rows: list[Row], symbol: Symbol | None) -> list[Row]:
    below = [row for row in rows if row[0].get(symbol, 0) > 0]
    above = [row for row in rows if row[0].get(symbol, 0) < 0]
    others = [row for row in rows if symbol not in row[0]]
    return _tightened(others + [_combined(low, high, symbol) for low in below for high in above])


def _combined(low: Row, high: Row, symbol: Symbol) -> Row:
    """The positive combination of two rows in which `symbol` cancels."""
    up, down = low[0][symbol], -high[0][symbol]
    common = gcd(up, down)
    scaled = {s: c * (down // common) for s, c in low[0].items()}, low[1] * (down // common)
    return _sum(scaled, high, up // common)
