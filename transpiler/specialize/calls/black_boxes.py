"""Calls of black boxes: functions that are called as they are, wherever the program runs, with results of declared types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.build import static_expression
from transpiler.core.links import link
from transpiler.errors import TranspileError, UnknownType
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.abstraction import Sizes, read_annotation
from transpiler.specialize.domain.bindings import Binding, Known, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import Array, Scalar, Type

PLAIN = (bool, int, float, complex, str, type(None))


@dataclass(frozen=True, eq=False)
class Box:
    """A function that is not looked into, as a core program calls it: `box.name(a, b)`, the call carrying this as `box`.

    results: for each result the position of the argument that it is like, or its type
    """

    name: str
    function: Any = field(repr=False)
    results: tuple[int | Type, ...]
    single: bool = True

    def __deepcopy__(self, memo: dict) -> 'Box':
        return self

    def __call__(self, *args: Any) -> Any:
        """Call the function, and make sure that the results are what was declared: generated code relies on that."""
        found = self.function(*args)
        given = (found,) if self.single else found
        if not self.single and (not isinstance(found, (tuple, list)) or len(found) != len(self.results)):
            raise TypeError(f'`{self.name}` gives {type(found).__name__}, not {len(self.results)} results, as declared')
        for value, declared in zip(given, self.results, strict=True):
            wrong = _mismatch(value, args[declared] if isinstance(declared, int) else declared)
            if wrong:
                raise TypeError(f'`{self.name}` gives {wrong}, as declared')
        return found


def _mismatch(value: Any, declared: Any) -> str | None:
    """What a result is, and should be; `declared` is a type, or a value that it should be like."""
    own = np.asarray(value)
    if isinstance(declared, Scalar):
        return None if own.ndim == 0 and own.dtype == declared.dtype else f'{own.dtype} of shape {own.shape}, not {declared}'
    if isinstance(declared, Array):
        sizes = [(d.constant if d is not None and d.is_constant else None) for d in declared.dims or ()]
        fits = isinstance(value, np.ndarray) and own.dtype == declared.dtype and own.ndim == len(sizes)
        fits = fits and all(size in (None, n) for size, n in zip(sizes, own.shape, strict=True))
        return None if fits else f'{own.dtype} of shape {own.shape}, not {declared}'
    like = np.asarray(declared)
    same = (own.dtype, own.shape, isinstance(value, np.ndarray)) == (like.dtype, like.shape, isinstance(declared, np.ndarray))
    return None if same else f'{own.dtype} of shape {own.shape}, not {like.dtype} of shape {like.shape}'


@dataclass(eq=False)
class Boxes(Component):
    """Writing the call of a black box."""

    declared: dict[str, Any] = field(default_factory=dict)

    def call_box(self, function: Function, arguments: dict[str, Binding]) -> Binding:
        box = self._box(function, arguments)
        args = [self._boxed(function, name, binding) for name, binding in arguments.items()]
        types = [self._type_like(list(arguments.values()), result) for result in box.results]
        node = link(build.call(f'box.{box.name}', *args), box=box)
        if box.single:
            return self.builder.define('result', node, types[0])
        whole = self.builder.define('results', node, tuple(types))
        parts = [self.builder.define('part', build.subscript(whole.name, k), type_) for k, type_ in enumerate(types)]
        return Tuple(tuple(parts))

    def open_box(self, box: Box, args: list[Binding]) -> Binding:
        """The same call, when a core program is run again."""
        types = [self._type_like(args, result) for result in box.results]
        node = link(build.call(f'box.{box.name}', *(self._atom(arg) for arg in args)), box=box)
        return self.builder.define('result', node, types[0] if box.single else tuple(types))

    def _box(self, function: Function, arguments: dict[str, Binding]) -> Box:
        declared, names, number, name = function.declared, list(arguments), 0, function.name
        while self.declared.setdefault(name, declared) is not declared:
            number += 1
            name = f'{function.name}_{number}'
        single = not isinstance(declared.result, (tuple, list))
        wanted = [declared.result] if single else list(declared.result)
        return Box(name, declared.function, tuple(self._meaning(function, names, result) for result in wanted), single)

    def _meaning(self, function: Function, names: list[str], result: Any) -> int | Type:
        if isinstance(result, str) and result in names:
            return names.index(result)
        if isinstance(result, int) and not isinstance(result, bool) and -len(names) <= result < len(names):
            return result % len(names)
        type_ = read_annotation(getattr(result, '__name__', str(result)), Sizes())
        if isinstance(type_, Array) and type_.dims is not None:
            return Array(type_.dtype, tuple(d if d is not None and d.is_constant else None for d in type_.dims))
        if isinstance(type_, Scalar):
            return type_
        raise TranspileError(
            f'`result={result!r}` of `{function.name}` is no type',
            self.origin,
            why='the code around a black box depends on the types of its results',
            instead="name the argument that the result is like, or its type: `result='x'`, `result='float64[n]'`",
        )

    def _type_like(self, args: list[Binding], result: int | Type) -> Type:
        if not isinstance(result, int):
            return result
        type_ = leaf_type(args[result])
        if type_ is None:
            raise TranspileError('the result of a black box is like an argument that is no number and no array', self.origin)
        return self.ev.resolve(type_)

    def _boxed(self, function: Function, name: str, binding: Binding) -> gast.expr:
        try:
            return self._atom(binding)
        except UnknownType:
            raise UnknownType(
                f'`{name}` of `{function.name}` is {self.ev.describe(binding)}',
                self.origin,
                why='a black box is given numbers, arrays, constants, and tuples and lists of them',
                instead='let the function that is made a primitive take it from around it',
            ) from None

    def _atom(self, binding: Binding) -> gast.expr:
        match binding:
            case Tuple(items) | List(items):
                return build.expression(binding.written(map(self._atom, items)))
            case Known(value) if type(value) in PLAIN:
                return static_expression(value)
        return self.ev.operand(binding)[0]
