"""Example arguments drawn from a function's annotations."""
from __future__ import annotations

import ast
import itertools
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from transpiler.cli.examples import Example
from transpiler.errors import UnknownType
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.abstraction import Sizes, read_annotation
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array, Scalar

SIZES = (3, 4, 2, 5)       # of the first symbols; different, so that a transposed result is noticed


@dataclass
class Draws:
    """Random numbers between 0.3 and 1.5, inside the domain of most functions; one size for each symbol."""

    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    sizes: dict[Symbol, int] = field(default_factory=dict)

    def value(self, meaning: Any) -> Any:
        """A value of the type, or tree of types, that an annotation means; raises KeyError where it does not say enough.

        >>> Draws().value(read_annotation("{'w': float64[n, 2], 'k': int}", Sizes()))['w'].shape
        (3, 2)
        """
        match meaning:
            case dict():
                return {key: self.value(part) for key, part in meaning.items()}
            case tuple() | list():
                return type(meaning)(self.value(part) for part in meaning)
            case Scalar(dtype, weak):
                number = self.numbers(dtype, ())
                return number.item() if weak else dtype.type(number)
            case Array(dtype, dims) if dims is not None:
                return self.numbers(dtype, tuple(map(self.size, dims)))
        raise KeyError(meaning)

    def numbers(self, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
        if dtype.kind == 'b':
            return np.ones(shape, dtype)
        if dtype.kind in 'iu':
            return np.full(shape, 2, dtype) if not shape else self.rng.integers(0, 2, shape).astype(dtype)
        numbers = self.rng.uniform(0.3, 1.5, shape)
        return np.asarray(numbers + 1j * self.rng.uniform(0.3, 1.5, shape) if dtype.kind == 'c' else numbers, dtype)

    def size(self, dim: Dim | None) -> int:
        if dim is None:
            return SIZES[0]
        for symbol, _ in dim.terms:
            self.sizes.setdefault(symbol, SIZES[len(self.sizes)] if len(self.sizes) < len(SIZES) else len(self.sizes) + 2)
        return sum(factor * self.sizes[symbol] for symbol, factor in dim.terms) + dim.constant


def draw_example(function: Function) -> Example:
    """Arguments for a function from its annotations; a parameter that has a default keeps it. Raises UnknownType."""
    draws, sizes = Draws(), Sizes()
    arguments = function.node.args
    positional = arguments.posonlyargs + arguments.args
    optional = {p.id for p in positional[len(positional) - len(arguments.defaults):]}
    optional |= {p.id for p, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is not None}
    required = [p for p in itertools.chain(positional, arguments.kwonlyargs) if p.id not in optional]
    values = {}
    for parameter in required:
        try:
            values[parameter.id] = draws.value(read_annotation(_text(parameter.annotation), sizes))
        except KeyError:
            raise UnknownType(f'`{function.name}` has no examples: the type of its parameter `{parameter.id}` is not known',
                              function.origin(parameter), why='example arguments are drawn from the annotations',
                              instead='give example arguments with `--args`, or annotate it, as in `x: "float64[n]"`') from None
    by_keyword = {p.id: values.pop(p.id) for p in arguments.kwonlyargs if p.id in values}
    return Example(tuple(values.values()), by_keyword)


def _text(annotation: gast.expr | None) -> str | None:
    return None if annotation is None else ast.unparse(gast.gast_to_ast(annotation))
