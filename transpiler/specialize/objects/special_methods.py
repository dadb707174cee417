"""Operators, comparisons, indices and tests of objects: the special methods of their classes."""

from __future__ import annotations

import enum
from types import MappingProxyType

import gast
import numpy as np

from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.source.reading.capture import MISSING
from transpiler.specialize.domain.bindings import Binding, Closure, Known, Partial, class_of_number, leaf_type
from transpiler.specialize.domain.operators import WORDS
from transpiler.specialize.domain.pytrees import is_instance
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.objects.instances import is_written
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.objects import Object
from transpiler.values.types import PYTHONS, Array, Scalar

COMPARED = MappingProxyType({
    gast.Lt: ('__lt__', '__gt__'), gast.Gt: ('__gt__', '__lt__'), gast.LtE: ('__le__', '__ge__'),
    gast.GtE: ('__ge__', '__le__'), gast.Eq: ('__eq__', '__eq__'), gast.NotEq: ('__ne__', '__ne__')})
NUMBERS = int, float, complex
OF_SEQUENCES = '__len__', '__getitem__', '__iter__', '__array__'


class Overloads(Component):
    """What Python asks the class of an object for."""

    def class_of(self, binding: Binding) -> type | None:
        """The class of an object of the program; a named tuple is a sequence."""
        match binding:
            case Object(type=type() as kind) if not issubclass(kind, tuple):
                return kind
            case Known(value) if is_instance(value):
                return self.ev.captures.consulted.class_of(value)
        return None

    def any_class_of(self, binding: Binding) -> type | None:
        """The same, of named tuples, numbers and enumerations too: they may have methods of their own."""
        match binding:
            case Object(type=type() as kind):
                return kind
            case Var(name) if name in self.ev.sizes.classes:
                return self.ev.sizes.classes[name]
            case Known(value) if isinstance(value, enum.Enum) or class_of_number(value) is not None:
                return type(value)
        return self.class_of(binding)

    def special(self, value: Binding, name: str) -> Binding | None:
        """The method of this name that somebody has written for the class of an object; None if nobody has."""
        kind = self.any_class_of(value)
        found = MISSING if kind is None else self.ev.attributes.class_attribute(kind, name)
        if found is MISSING or any(found is vars(one).get(name) for one in (object, tuple)):
            return None
        around = getattr(found, '__globals__', None)
        if issubclass(kind, (int, float, complex, enum.Enum)) and (around is None or around is vars(enum)):
            return None  # what numbers and enumerations do anyway
        if not is_written(found):
            raise UnsupportedFunction(f'`{name}` of `{kind.__name__}` is not supported', self.origin,
                                      why='it is no function with source, such as `dataclass` makes', instead='write a method')
        return Partial(Closure(self.ev.captures.source_of(found)), (value,))

    def binary(self, kind: type[gast.operator], left: Binding, right: Binding) -> Binding:
        if not self._may_answer(left, right):
            return self.ev.operations.binary(kind, left, right)
        self._check_no_array(left, right)
        tries = [(left, f'__{WORDS[kind]}__', right), (right, f'__r{WORDS[kind]}__', left)]
        found = self._first_answer(tries, left, right)
        return self.ev.operations.binary(kind, left, right) if found is None else found

    def _first_answer(self, tries: list[tuple[Binding, str, Binding]], left: Binding, right: Binding) -> Binding | None:
        """What the first method gives that does not pass; that of a class derived from the other's goes first."""
        classes = self._class_in_python(left), self._class_in_python(right)
        if None not in classes and classes[0] is not classes[1] and issubclass(classes[1], classes[0]):
            tries = tries[::-1]
        for value, name, other in tries:
            method = self.special(value, name)
            if method is None and self._is_number_for(value, other):
                return None
            answer = Known(NotImplemented) if method is None else self.ev.call(method, [other], {})
            if answer != Known(NotImplemented):
                return answer
        return None

    def _class_in_python(self, value: Binding) -> type | None:
        """The class of an object, or of a number of Python's."""
        type_ = leaf_type(value)
        weak = isinstance(type_, Scalar) and type_.weak
        return self.any_class_of(value) or (PYTHONS[type_.dtype.kind] if weak else None)

    def _is_number_for(self, value: Binding, other: Binding) -> bool:
        """Whether Python's own numbers answer: integers to integers, floats to both, complex numbers to all."""
        ranks = [next((k for k, one in enumerate(NUMBERS) if kind is not None and issubclass(kind, one)), None)
                 for kind in (self._class_in_python(value), self._class_in_python(other))]
        return None not in ranks and ranks[0] >= ranks[1]

    def _may_answer(self, left: Binding, right: Binding) -> bool:
        """Whether the class of one side is asked; NumPy's arrays and numbers make an array of a named tuple on their right."""
        for_array = self.class_of(right) is None and self._type_of_numpys(left) is not None
        return self.any_class_of(left) is not None or self.any_class_of(right) is not None and not for_array

    def _check_no_array(self, left: Binding, right: Binding) -> None:
        """NumPy's arrays do not ask the object on the right, and its numbers ask none that looks like a sequence."""
        kind = self.class_of(right)
        type_ = self._type_of_numpys(left)
        if type_ is None or kind is None or self.ev.attributes.class_attribute(kind, '__array_ufunc__') is None:
            return
        sequence = any(self.ev.attributes.class_attribute(kind, name) is not MISSING for name in OF_SEQUENCES)
        if isinstance(type_, Array) or sequence:
            raise UnsupportedFunction(
                f"an operator between an array, or a number of NumPy's, and an object of the class `{kind.__name__}`",
                self.origin,
                why='NumPy would make an array of objects',
                instead='put the object on the left',
            )

    def _type_of_numpys(self, value: Binding) -> Array | Scalar | None:
        """The type of an array, or of a number of NumPy's."""
        match value:
            case Var(_, type_) if isinstance(type_, Array) or isinstance(type_, Scalar) and not type_.weak:
                return type_
            case Known(np.ndarray() | np.generic() as known):
                return Array(known.dtype, ()) if isinstance(known, np.ndarray) else Scalar(known.dtype)
        return None

    def unary(self, kind: type[gast.unaryop], operand: Binding) -> Binding:
        method = self.special(operand, f'__{WORDS[kind]}__')
        return self.ev.operations.unary(kind, operand) if method is None else self.ev.call(method, [], {})

    def compare_two(self, kind: type, left: Binding, right: Binding) -> Binding:
        if kind in (gast.In, gast.NotIn):
            method = self.special(right, '__contains__')
            if method is not None:
                found = self.ev.tested(self.ev.call(method, [left], {}))
                return self.ev.expressions.negate(found) if kind is gast.NotIn else self.ev.call(Known(bool), [found], {})
        elif kind in COMPARED and self._may_answer(left, right):
            self._check_no_array(left, right)
            own, reflected = COMPARED[kind]
            found = self._first_answer([(left, own, right), (right, reflected, left)], left, right)
            if found is None and kind is gast.NotEq and self.class_of(left) is not None:
                found = self._first_answer([(left, '__eq__', right), (right, '__eq__', left)], left, right)
                found = found if found is None else self.ev.expressions.negate(found)
            if found is not None:
                return found
        return self.ev.deciding.compare_two(kind, left, right)

    def tested(self, test: Binding) -> Binding:
        """An object holds, unless its class says otherwise."""
        for name in ('__bool__', '__len__'):
            method = self.special(test, name)
            if method is not None:
                return self._as_flag(self.ev.call(method, [], {}), name)
        return self.ev.growing.tested(test) if self.class_of(test) is None else Known(True)

    def _as_flag(self, found: Binding, name: str) -> Binding:
        """What `__bool__` gives, which must be a flag of Python's, or whether what `__len__` gives is not 0."""
        kind = self.ev.call(Known(type), [found], {}).value
        title = f'numpy.{kind.__name__}' if issubclass(kind, np.generic) else kind.__name__
        if name == '__bool__' and kind is not bool:
            raise self.ev.inference.failing(TypeError(f'__bool__ should return bool, returned {title}'))
        if name == '__len__' and not hasattr(kind, '__index__'):
            raise self.ev.inference.failing(TypeError(f"'{title}' object cannot be interpreted as an integer"))
        return self.ev.call(Known(bool), [found], {})

    def get_item(self, base: Binding, index: Binding) -> Binding:
        method = self.special(base, '__getitem__')
        if method is not None:
            return self.ev.call(method, [index], {})
        return self.ev.lookups.get_item(base, index) if self.class_of(base) is None else self._asked(base, '__getitem__', index)

    def set_item(self, base: Container, index: Binding, value: Binding) -> None:
        if self.class_of(base) is None:
            self.ev.rows.set_item(base, index, value)
        else:
            self._asked(base, '__setitem__', index, value)

    def delete_item(self, base: Binding, index: Binding) -> None:
        if self.class_of(base) is None:
            self.ev.changes.delete_item(base, index)
        else:
            self._asked(base, '__delitem__', index)

    def length_of_object(self, value: Binding) -> Binding:
        return self._asked(value, '__len__')

    def iterated(self, value: Binding) -> Binding:
        """What the class of an object gives to be looped over; other values are that themselves."""
        if value == Known(None):
            raise self.ev.inference.failing(TypeError("'NoneType' object is not iterable"))
        method = self.special(value, '__iter__')
        if method is None:
            return value
        given = self.ev.current(self.ev.call(method, [], {}))
        if self.special(given, '__next__') is not None:
            raise UnsupportedFunction(
                f'an iterator of the class `{self.class_of(given).__name__}` is not supported', self.origin,
                why='how many items its `__next__` gives shows only by what it raises',
                instead='write `__iter__` as a generator function: `def __iter__(self): ... yield item`')
        return self.iterated(given)

    def _asked(self, value: Binding, name: str, *args: Binding) -> Binding:
        method = self.special(value, name)
        if method is None:
            raise TranspileError(f'{self.ev.describe(value)} has no `{name}`', self.origin, why='Python raises TypeError here')
        return self.ev.call(method, list(args), {})
