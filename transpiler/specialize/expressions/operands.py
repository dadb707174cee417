"""What an operation takes: atoms for the operands, sequences as arrays where NumPy makes arrays of them."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType
from transpiler.rules.base.registry import Rule
from transpiler.specialize.domain.bindings import Binding, Blank, Known
from transpiler.specialize.domain.literals import blank_number
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.mappings import DictView
from transpiler.specialize.structures.ranges import Range
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.dims import Dim
from transpiler.values.numbers import is_number, number_type
from transpiler.values.types import Array, Scalar, Tape, Type


class Operands(Component):
    """Bindings as operands."""

    def operand(self, binding: Binding) -> tuple[gast.expr, Any]:
        """The atom (or tuple or list of atoms) and the type of an operand."""
        match binding:
            case Var(name, type_):
                if isinstance(type_, Tape):
                    raise TranspileError(
                        'a list of arrays would have to be kept for each iteration of a loop',
                        self.origin,
                        why='each iteration makes it anew, and the pullback needs the shapes of the arrays in it',
                        instead='make an array of it, `np.array(...)`, where it is made',
                    )
                return build.name(name), self.ev.resolve(type_)
            case Known(value) if is_number(value):
                flag_of_ours = type(value) is np.bool_ and (self.ev.ours or self.derives)   # of which only the truth is asked
                if isinstance(value, np.generic) and not flag_of_ours:
                    strong = self.builder.define('c', build.call(f'numpy.{value.dtype}', value.item()), number_type(value))
                    return build.name(strong.name), strong.type
                return build.constant(bool(value) if flag_of_ours else value), number_type(value)
            case Blank(Scalar() as type_):
                return blank_number(type_), type_
            case Known(np.ndarray() as value):
                return self.ev.operand(self.constant_array(value))
            case DynamicList() | ArrayList():
                return self.ev.operand(self.ev.settled_entry(binding))
            case Tuple(items) | List(items):
                parts = [self.ev.operand(item) for item in items]
                return build.expression(binding.written(p[0] for p in parts)), tuple(p[1] for p in parts)
        if binding == Known(None):
            raise self.ev.inference.lacking()
        raise UnknownType(f'{self.ev.describe(binding)} stands where a number or an array is needed', self.origin,
                          instead='make a list of it: `list(...)`' if isinstance(binding, DictView) else '')

    def constant_array(self, value: np.ndarray) -> Var:
        nested = build.call('numpy.array', build.expression(value.tolist()), dtype=build.name(f'numpy.{value.dtype}'))
        return self.builder.define('table', nested, Array(value.dtype, tuple(map(Dim.of, value.shape))))

    def beside_arrays(self, kind: type[gast.AST], left: Binding, right: Binding) -> tuple[Binding, Binding]:
        """The operands of an operator: beside an array, or a number of NumPy's, a sequence is an array.

        Only times a number it is repeated, or not allowed.
        """
        numbers = () if kind is gast.Mult else (left, right)
        own = any(isinstance(side, Var) and _is_numpys(side.type) for side in numbers)
        if own or any(isinstance(side, Var) and isinstance(side.type, Array) for side in (left, right)):
            return self.array_like(left), self.array_like(right)
        return left, right

    def array_like(self, operand: Binding) -> Binding:
        """An operand as NumPy takes it: sequences of numbers are arrays."""
        match operand:
            case List(()) | Tuple(()) | Known([] | ()):     # an index of no items is one of integers
                return self.ev.operate_by_name('numpy.zeros', [], shape=0)
            case List() | Tuple() | Range() | DynamicList() | ArrayList() | Known(list() | tuple()):
                return self.ev.settled_entry(operand)
        return operand

    def sequence_of(self, rule: Rule, operand: Binding) -> Binding:
        """An operand that is a sequence for NumPy too: of arrays, unless nested sequences are what makes an array."""
        match operand:
            case List(items) | Tuple(items) if not rule.nested:
                return operand.anew(tuple(map(self.array_like, items)))
        return operand

    def python_numbers(self, operands: list[Binding]) -> list[Binding]:
        """A known number of NumPy's is a Python number beside arrays and numbers that have its dtype."""
        dtypes = [b.type.dtype for b in operands if isinstance(b, Var) and (isinstance(b.type, Array) or _is_numpys(b.type))]
        known = lambda b: isinstance(b, Known) and isinstance(b.value, np.number) and b.value.dtype in dtypes
        return [Known(b.value.item()) if known(b) else b for b in operands]

    def as_number(self, binding: Binding) -> Binding:
        """The number that an array without axes holds; anything else as it is."""
        type_ = self.ev.resolve(binding.type) if isinstance(binding, Var) else None
        return self.ev.load(binding, Tuple(())) if isinstance(type_, Array) and type_.ndim == 0 else binding

    def is_scalar(self, binding: Binding) -> bool:
        if isinstance(binding, Known):
            return is_number(binding.value)
        return isinstance(binding, Var) and isinstance(binding.type, Scalar)


def _is_numpys(type_: Type) -> bool:
    """Whether a value is a number of NumPy's, not of Python's."""
    return isinstance(type_, Scalar) and not type_.weak
