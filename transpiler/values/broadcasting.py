"""NumPy's broadcasting on symbolic dimensions, and what the pullback must sum."""
from __future__ import annotations

import re
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


def generalized(signature: str, shapes: tuple[Dims, ...]) -> tuple[Dims, dict[Symbol, Dim]]:
    """The `dims` of what a generalized ufunc gives, and what it demands of sizes: its signature says which are equal.

    >>> n, d = Dim.symbol('n', large=True), Dim.symbol('d')
    >>> dims, equalities = generalized('(n?,k),(k,m?)->(n?,m?)', ((None, n, Dim.of(1), Dim.of(3)), (n, d, Dim.of(1))))
    >>> [str(dim) for dim in dims], {str(s.name): str(size) for s, size in equalities.items()}
    (['None', 'n', '1', '1'], {'d': '3'})
    """
    *cores, made = [[axis for axis in core.split(',') if axis] for core in re.findall(r'\((.*?)\)', signature)]
    cores = [_present(core, len(shape)) for core, shape in zip(cores, shapes, strict=True)]
    missing = {axis for core in cores for axis in core[1]}
    equalities: dict[Symbol, Dim] = {}
    sizes: dict[str, Dim | None] = {}
    for (core, _), shape in zip(cores, shapes, strict=True):
        for axis, size in zip(core, shape[len(shape) - len(core) :], strict=True):
            known = sizes.get(axis)
            sizes[axis] = size if known is None else known
            if size is not None and known is not None:
                known, size = known.substitute(equalities), size.substitute(equalities)
                _equate(known, size, equalities)
                difference = (size - known).substitute(equalities)
                one = known.is_one and size.is_large or size.is_one and known.is_large
                if one or difference.is_constant and difference.constant:
                    raise ValueError(f'{axis} is {known} and {size}')
    loops = [tuple(d and d.substitute(equalities) for d in shape[: len(shape) - len(core)])
             for (core, _), shape in zip(cores, shapes, strict=True)]
    joint = broadcast(*loops)
    for symbol, size in joint.equalities.items():
        _equate(Dim.of(symbol).substitute(equalities), size.substitute(equalities), equalities)
    dims = (*joint.dims, *(sizes[axis] for axis in made if axis not in missing))
    dims = tuple(d and d.substitute(equalities) for d in dims)
    return dims, {symbol: size for symbol, size in equalities.items() if not size.is_one}   # that one is 1, NumPy sees itself


def _present(core: list[str], rank: int) -> tuple[list[str], list[str]]:
    """The axes of a signature that an operand of this rank has, and those that it lacks: `n?` may be lacking."""
    lacking = [axis for axis in core if axis.endswith('?')] if rank < len(core) else []
    if rank < len(core) - len(lacking):
        raise ValueError(f'an operand of rank {rank} does not have enough axes')
    return [axis for axis in core if axis not in lacking], lacking


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
