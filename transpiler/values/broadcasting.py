"""NumPy's broadcasting on symbolic dimensions, and what the pullback must sum."""
from __future__ import annotations

from dataclasses import dataclass

from transpiler.values.dims import Dim, Symbol, solve

Dims = tuple['Dim | None', ...]


@dataclass(frozen=True)
class Broadcast:
    """The `dims` of a broadcast result, and for each operand the axes of the result that its cotangent sums over.

    An entry of `summed` is None where the sizes do not decide it (a size that may be 1 met another): the pullback then
    looks at run time. `equalities` holds what broadcasting assumes of sizes known not to be 1.
    """

    dims: Dims
    summed: tuple[tuple[int, ...] | None, ...]
    equalities: dict[Symbol, Dim]


def broadcast(*shapes: Dims) -> Broadcast:
    """Broadcast symbolic shapes against each other.

    >>> n, d = Dim.symbol('n', large=True), Dim.symbol('d', large=True)
    >>> result = broadcast((n, d), (Dim.of(1), d), (d,), ())
    >>> [str(dim) for dim in result.dims], result.summed
    (['n', 'd'], ((), (0,), (0,), (0, 1)))
    >>> broadcast((Dim.symbol('m'),), (n,)).summed
    (None, ())
    """
    rank = max(map(len, shapes), default=0)
    equalities: dict[Symbol, Dim] = {}
    dims = tuple(_joint([shape[len(shape) - rank + axis] for shape in shapes if len(shape) - rank + axis >= 0], equalities)
                 for axis in range(rank))
    known = [tuple(d and d.substitute(equalities) for d in shape) for shape in shapes]
    dims = tuple(d and d.substitute(equalities) for d in dims)
    return Broadcast(dims, tuple(_summed(shape, dims) for shape in known), equalities)


def _joint(sizes: list[Dim | None], equalities: dict[Symbol, Dim]) -> Dim | None:
    """The size of one axis of the result."""
    sizes = [size if size is None else size.substitute(equalities) for size in sizes]
    candidates = list(dict.fromkeys(size for size in sizes if size is None or not size.is_one))
    if not candidates:
        return Dim.of(1)
    sure = [size for size in candidates if size is not None and size.is_large]
    for other in sure[1:]:
        _equate(sure[0], other.substitute(equalities), equalities)
    if sure:
        return sure[0].substitute(equalities)
    return candidates[0] if len(candidates) == 1 and sizes.count(None) <= 1 else None


def _equate(left: Dim, right: Dim, equalities: dict[Symbol, Dim]) -> None:
    left = left.substitute(equalities)
    if left == right:
        return
    if left.is_constant and right.is_constant:
        raise ValueError(f'operands could not be broadcast together: {left} is not {right}')
    solved = solve(left, right)
    if solved is not None:
        for key in equalities:
            equalities[key] = equalities[key].substitute(dict([solved]))
        equalities |= [solved]


def _summed(shape: Dims, dims: Dims) -> tuple[int, ...] | None:
    extra = len(dims) - len(shape)
    axes = list(range(extra))
    for axis, (own, result) in enumerate(zip(shape, dims[extra:], strict=True), extra):
        if own is not None and own == result:
            continue
        if own is None or not own.is_one:
            return None
        axes.append(axis)
    return tuple(axes)
