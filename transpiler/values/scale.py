"""Bringing the sizes of a call down to what can be probed: every size that is not small gets a symbol that stands for it."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import INT, Array, Scalar

SMALL = 16          # constant sizes up to here are probed as they are
NEAR = 1000         # affine sizes further than this from their symbols are taken to be unknown


@dataclass(frozen=True)
class Scaled:
    """A call with symbols for sizes: `unknown` symbols stand for sizes of which nothing is known, `constants` for large ones.

    `least` is a bound that all probed sizes exceed if they can, so that an offset of 7 stays inside; `axes` are those of the
    operand with most.
    """

    operands: tuple
    statics: dict[str, Any]
    unknown: frozenset[Symbol]
    constants: dict[Symbol, Dim]
    least: int
    axes: int


def scaled(operands: tuple, statics: dict[str, Any], runtime: tuple[str, ...]) -> Scaled:
    """Name the unknown and the large sizes in operands, and in the statics named in `runtime`.

    >>> import numpy as np
    >>> made = scaled((Array(np.dtype(float), (Dim.of(784), None, Dim.of(10))),), {'shape': (784, 3)}, ('shape',))
    >>> print(made.operands[0], [str(s) for s in made.statics['shape']])
    float64[#784, ?0, 10] ['int', '3']
    """
    unknown: list[Symbol] = []
    constants: dict[Symbol, Dim] = {}
    bounds, ranks = [0], [0]

    def size(dim: Dim | None) -> Dim:
        if dim is None or (dim.terms and abs(dim.constant) > NEAR):
            unknown.append(Symbol(f'?{len(unknown)}'))
            return Dim(((unknown[-1], 1),))
        if dim.terms or dim.constant <= SMALL:
            return dim
        symbol = Symbol(f'#{dim.constant}', large=True)
        constants[symbol] = dim
        return Dim(((symbol, 1),))

    def visit(value: Any, is_size: bool) -> Any:
        match value:
            case tuple() | list():
                return type(value)(visit(item, is_size) for item in value)
            case Array(dtype, dims):
                ranks.append(len(dims))
                return Array(dtype, tuple(map(size, dims)))
            case Scalar(dtype, weak, Dim() as own) if not own.terms or abs(own.constant) <= NEAR:
                return Scalar(dtype, weak, size(own))
            case Scalar(dtype, weak, _):
                return Scalar(dtype, weak)
            case bool():
                return value
            case int() if is_size and value > SMALL:
                return Scalar(INT.dtype, True, size(Dim.of(value)))
            case int():
                bounds.append(min(abs(value), NEAR))
        return value
    operands = visit(operands, False)
    statics = {name: visit(value, name in runtime) for name, value in statics.items()}
    return Scaled(operands, statics, frozenset(unknown), constants, max(bounds), max(ranks))
