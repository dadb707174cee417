"""From example values and annotations to bindings: what is known of an argument before the program runs."""

from __future__ import annotations

import ast
import enum
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnknownType
from transpiler.specialize.domain.bindings import Binding, Known, class_of_number
from transpiler.specialize.domain.pytrees import attributes, can_change, made
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.dims import Dim, Symbol
from transpiler.values.numbers import is_number, number_type
from transpiler.values.types import BOOL, COMPLEX, FLOAT, INT, Array, Scalar, Type, Unknown

LETTERS = 'nmkpqrst'
SMALL = {0: 0, 1: 1}  # sizes that a specialisation is made for, and their numbers in keys
PYTHON_TYPES = {'float': FLOAT, 'int': INT, 'bool': BOOL, 'complex': COMPLEX}


Place = tuple[str, int]  # a parameter, and which of its numbers and arrays


def value_key(name: str) -> str:
    """The key of the symbol of an integer."""
    return f'value of {name}'


def valued(dim: Dim, of: Callable[[Symbol], int | None]) -> int | None:
    """What an expression is if `of` tells what its symbols are; None if it cannot."""
    total = dim.constant
    for symbol, coefficient in dim.terms:
        if symbol.factors:
            parts = [valued(Dim.of(factor), of) for factor in symbol.factors]
            value = None if None in parts else math.prod(parts)
        elif symbol.quotient is not None:
            whole = valued(symbol.quotient[0], of)
            value = None if whole is None else whole // symbol.quotient[1]
        else:
            value = of(symbol)
        if value is None:
            return None
        total += coefficient * value
    return total


@dataclass
class Sizes:
    """Letters for the sizes of arguments: `of` gives equal sizes one symbol, `apart` gives each its own; 0 and 1 stay.

    numbers: the variables of integers among the arguments, what they are in the call at hand, and where they come from
    """

    used: int = 0
    named: dict[str, Dim] = field(default_factory=dict)
    known: dict[int, Dim] = field(default_factory=dict)
    numbers: dict[str, tuple[int, Place]] = field(default_factory=dict)

    def of(self, size: int) -> Dim:
        if size not in self.known:
            self.known[size] = self.apart(size)
        return self.known[size]

    def value(self, dim: Dim) -> int | None:
        """What an expression of sizes is in the call that the program is made for; None if it is none of those alone.

        >>> sizes = Sizes()
        >>> sizes.value(2 * sizes.of(5) - sizes.of(7)), sizes.value(Dim.symbol('q'))
        (3, None)
        """
        sizes = {dim.terms[0][0].name: size for size, dim in self.known.items() if dim.terms}
        numbers = {value_key(name): number for name, (number, _) in self.numbers.items()}
        return valued(dim, lambda symbol: numbers.get(symbol.key) if symbol.key else sizes.get(symbol.name))

    def number(self, name: str, value: Any, place: Place) -> None:
        """Remember what a variable is, should it be an integer; products of smaller ones wrap around."""
        if isinstance(value, (int, np.int64)) and not isinstance(value, bool):
            self.numbers[name] = int(value), place

    def apart(self, size: int) -> Dim:
        if size in SMALL:
            return Dim.of(size)
        letter = LETTERS[self.used % len(LETTERS)] + (str(self.used // len(LETTERS)) if self.used >= len(LETTERS) else '')
        self.used += 1
        return Dim.symbol(letter, large=True)


@dataclass(frozen=True)
class Presumption:
    """What a program takes for granted of sizes of arguments and integers: `dim` is `least`, or if that is 2, at least 2.

    least: None if `dim` is not positive
    """

    dim: Dim
    least: int | None


def is_data(value: Any) -> bool:
    """Whether a value is a number or an array, or a tuple, list or dict, whose items may change from call to call."""
    if isinstance(value, (tuple, list)):
        return not isinstance(value, tuple) or any(map(is_data, value))
    if isinstance(value, dict):
        return True
    return is_given(value)


def is_given(value: Any) -> bool:
    """Whether a value is an input of the program: a number or an array; members of enumerations are what they are."""
    return is_number(value) and not isinstance(value, enum.Enum) or isinstance(value, np.ndarray)


def abstract(value: Any, name: str, make: Callable[[str, Type], Var], size: Callable[[int], Dim]) -> Binding:
    """The binding of an example argument; `make(base, type)` creates the variables of its leaves, `size` their sizes."""
    if isinstance(value, enum.Enum):
        return Known(value)
    if is_number(value):
        return make(name, number_type(value))
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in 'fcbiu':
            raise UnknownType(f'`{name}` is an array of dtype {value.dtype}', instead='use numbers')
        return make(name, Array(value.dtype, tuple(map(size, value.shape))))
    if isinstance(value, dict):
        return Dict(tuple(abstract(v, _key_name(name, k), make, size) for k, v in value.items()), tuple(value))
    if (parts := attributes(value)) is not None:
        items = tuple(Known(part) if fixed else abstract(part, k, make, size) for k, (part, fixed) in parts.items())
        return Object(items, tuple(parts), type(value), can_change(type(value)))
    if isinstance(value, (tuple, list)):
        items = tuple(abstract(v, f'{name}_{k}', make, size) for k, v in enumerate(value))
        return Tuple(items) if isinstance(value, tuple) else List(items)
    return Known(value)


def _key_name(name: str, key: Any) -> str:
    return key if isinstance(key, str) and key.isidentifier() else f'{name}_{key}' if isinstance(key, int) else name


def items_in(value: Any) -> list[Any] | None:
    """What a container holds, as `abstract` takes it apart; None for anything else."""
    if isinstance(value, dict):
        return list(value.values())
    if (parts := attributes(value)) is not None:
        return [part for part, _ in parts.values()]
    return list(value) if isinstance(value, (tuple, list)) else None


def leaves_of(value: Any) -> list[Any]:
    """The run-time leaves of an argument, in the order of `abstract`."""
    if isinstance(value, dict):
        return [leaf for v in value.values() for leaf in leaves_of(v)]
    if (parts := attributes(value)) is not None:
        return [leaf for part, fixed in parts.values() if not fixed for leaf in leaves_of(part)]
    if isinstance(value, (tuple, list)):
        return [leaf for v in value for leaf in leaves_of(v)]
    return [value] if is_given(value) else []


def made_plain(value: Any) -> Any:
    """The same with plain numbers for those of classes of the program, in containers too.

    >>> class Grams(float): pass
    >>> made_plain({'a': (Grams(1.0), 'b')})
    {'a': (1.0, 'b')}
    """
    if class_of_number(value) is not None and not isinstance(value, enum.Enum):
        return build.plain(value)
    if isinstance(value, dict):
        return {key: made_plain(part) for key, part in value.items()}
    if (parts := attributes(value)) is not None:
        return made(type(value), {name: part if fixed else made_plain(part) for name, (part, fixed) in parts.items()})
    if isinstance(value, (tuple, list)):
        return type(value)(map(made_plain, value))
    return value


def annotated(meaning: Any, name: str, make: Callable[[str, Type], Var]) -> Binding:
    """The binding of a parameter of which only an annotation is known."""
    if isinstance(meaning, dict):
        return Dict(tuple(annotated(v, _key_name(name, k), make) for k, v in meaning.items()), tuple(meaning))
    if isinstance(meaning, (tuple, list)):
        items = tuple(annotated(v, f'{name}_{k}', make) for k, v in enumerate(meaning))
        return Tuple(items) if isinstance(meaning, tuple) else List(items)
    return make(name, meaning)


def read_annotation(text: str | None, sizes: Sizes) -> Any:
    """The meaning of an annotation's text; what it does not say is unknown.

    >>> str(read_annotation("float64[n, 3]", Sizes())), str(read_annotation('float', Sizes()))
    ('float64[n, 3]', 'float')
    >>> {k: str(v) for k, v in read_annotation("{'w': float32[d, h], 'b': 'float32[h]'}", Sizes()).items()}
    {'w': 'float32[d, h]', 'b': 'float32[h]'}
    """
    if not text:
        return Unknown()
    try:
        return _meaning(ast.parse(text.strip(), mode='eval').body, sizes)
    except (SyntaxError, TypeError, ValueError):  # no Python, or a dict whose keys are no literals
        return Unknown()


def _meaning(node: ast.expr, sizes: Sizes) -> Any:
    match node:
        case ast.Constant(value=str(text)):
            return read_annotation(text, sizes)
        case ast.Dict(keys=keys, values=values):
            return {ast.literal_eval(k): _meaning(v, sizes) for k, v in zip(keys, values, strict=True)}
        case ast.Tuple(elts=elements):
            return tuple(_meaning(e, sizes) for e in elements)
        case ast.List(elts=elements):
            return [_meaning(e, sizes) for e in elements]
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in PYTHON_TYPES:
            return PYTHON_TYPES[name]
        case ast.Name(id=name) | ast.Attribute(attr=name):
            dtype = _dtype(name)
            return Scalar(dtype) if dtype is not None else Unknown()
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=index):
            return _array(name, index, sizes)
    return Unknown()


def _array(name: str, index: ast.expr, sizes: Sizes) -> Type:
    if name in ('NDArray', 'ndarray'):
        inner = index.elts[-1] if isinstance(index, ast.Tuple) and index.elts else index
        inner = inner.slice if isinstance(inner, ast.Subscript) else inner
        dtype = _dtype(inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, 'id', ''))
        return Array(dtype, None) if dtype is not None else Unknown()
    dtype = _dtype(name)
    if dtype is None:
        return Unknown()
    entries = index.elts if isinstance(index, ast.Tuple) else [index]
    if any(isinstance(e, ast.Constant) and e.value is Ellipsis for e in entries):
        return Array(dtype, None)
    return Array(dtype, tuple(_size(e, sizes) for e in entries))


def _size(node: ast.expr, sizes: Sizes) -> Dim | None:
    match node:
        case ast.Constant(value=int(size)):
            return Dim.of(size)
        case ast.Name(id=letter):
            return sizes.named.setdefault(letter, Dim.symbol(letter, large=True))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            first, second = _size(left, sizes), _size(right, sizes)
            return None if first is None or second is None else first + second if isinstance(op, ast.Add) else first - second
    return None


def _dtype(name: str) -> np.dtype | None:
    try:
        dtype = np.dtype(name)
    except TypeError:
        return None
    return dtype if dtype.kind in 'fcbiu' else None
