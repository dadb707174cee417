"""Where an integer is wanted, as an index, a bound, a size, a count: a float raises there, whatever its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import gast
import numpy as np

from transpiler.analyses.memory.effects import ASKING
from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.rules.base.registry import Rule
from transpiler.rules.python import OF_INTEGERS
from transpiler.specialize.domain.bindings import Binding, Closure, Known, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.kinds.mixtures import Separate
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import INT, PYTHONS, Scalar

BOUND = 'slice indices must be integers or None or have an __index__ method'
PLACE = 'only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices'
INDEX, AS_INDEX = ASKING


class WholeNumbers(Component):
    """Numbers of which Python, or NumPy, asks `__index__`: one that is an int on some paths is taken on these.

    Each method gives the number where it is an integer for certain, and raises as Python does where it is none. Where that shows
    only at run time, Python's code asks `operator.index`; code with one type for each name has both kinds.
    """

    def index(self, number: Binding) -> Binding:
        """A bound, or a size."""
        return self._asked(number, TypeError(f"'{self._class_of(number)}' object cannot be interpreted as an integer"))

    def count(self, number: Binding) -> Binding:
        """How often a sequence is repeated."""
        return self._asked(number, TypeError(f"can't multiply sequence by non-int of type '{self._class_of(number)}'"))

    def item(self, kind: str, index: Binding) -> Binding:
        """What picks from a list or tuple."""
        if isinstance(index, Slice):
            return self.part(index)
        error = TypeError(f'{kind} indices must be integers or slices, not {self._class_of(index)}')
        return self._asked(index, error)

    def part(self, part: Slice) -> Slice:
        """A slice."""
        return replace(part, items=tuple(b if b == Known(None) else self._asked(b, TypeError(BOUND)) for b in part.items))

    def place(self, index: Binding) -> Binding:
        """What picks from an array."""
        refusal = self.ev.indices.no_index(index)
        refusal.certain, refusal.raised = True, IndexError(PLACE)
        return self._asked(index, refusal.raised, refusal)

    def pythons(self, number: Binding) -> Binding:
        """A bound as one of Python's integers."""
        return self.ev.call(Known(int), [self.index(number)], {})

    def static(self, rule: Rule, key: str, given: Binding) -> Binding:
        """An argument that may show at run time only: an integer, or of one kind where NumPy takes floats, too."""
        if key not in rule.runtime:
            return given
        if isinstance(given, (Tuple, List)):
            return replace(given, items=tuple(self.static(rule, key, item) for item in given.items))
        kinds = self.ev.inference.kinds_of(given)
        if self.are_apart and len({kind.dtype.kind == 'b' for kind in kinds}) > 1:     # a flag is no size for NumPy
            raise Separate([self.ev.resolve(given.type).kinds], self.origin)
        if all(map(_is_index, kinds)) and not (isinstance(given, Known) and isinstance(given.value, (float, complex))):
            return given
        if key not in rule.real:
            return self.index(given)
        if len(kinds) > 1 and self.are_apart:
            raise Separate([self.ev.resolve(given.type).kinds], self.origin)
        return given

    def again(self, primitive: str, number: Binding) -> Binding:
        """What asks a number in a program that has it already: where kinds are known, the number, or what raises."""
        type_ = leaf_type(number)
        if not isinstance(type_, Scalar) or _is_index(type_) and (type_.kinds is None or len(type_.kinds.sorts) < 2):
            pythons = type_ == INT or not isinstance(type_, Scalar) or primitive == AS_INDEX
            return number if pythons else self.ev.call(Known(int), [number], {})    # of a flag, or of NumPy's integer
        if self.derives:     # the primal has asked
            return self.ev.call(Known(int), [number], {})
        if self._is_left:
            return self._written(primitive, number)
        return self.place(number) if primitive == AS_INDEX else self.index(number)

    def _asked(self, number: Binding, error: Exception, refusal: TranspileError | None = None) -> Binding:
        if self.derives or self._is_left:
            return number     # it is an integer: the primal has asked, or the program that is run again
        found = {_is_index(kind) for kind in self.ev.inference.kinds_of(number)}
        if isinstance(number, Known) and number.value is not None:
            found = {hasattr(number.value, '__index__') and not isinstance(number.value, np.bool_)}
        if found == {False}:
            raise self.ev.inference.failing(error, refusal)
        if False not in found:
            return number
        if self.are_apart:
            raise Separate([self.ev.resolve(number.type).kinds], self.origin)
        return self._written(AS_INDEX if isinstance(error, IndexError) else INDEX, number)

    def _written(self, primitive: str, number: Binding) -> Var:
        return self.builder.define('index', build.call(primitive, self.ev.operand(number)[0]), INT)

    @property
    def _is_left(self) -> bool:
        """Whether a program of ours is run again, whose questions Python answers."""
        return not self.are_apart and self.ev.mixed is None

    @property
    def are_apart(self) -> bool:
        """Whether code is made that has one type for each name."""
        return self.ev.separation is not None and not self.ev.separation.asked

    def _class_of(self, number: Binding) -> str:
        """The name of the class that Python's messages tell."""
        if isinstance(number, Known):
            value = number.value
            return f'numpy.{value.dtype.name}' if isinstance(value, np.generic) else type(value).__name__
        kind = next((kind for kind in self.ev.inference.kinds_of(number) if not _is_index(kind)), None)
        if kind is None:
            return 'numpy.ndarray'
        return PYTHONS[kind.dtype.kind].__name__ if kind.weak else f'numpy.{kind.dtype.name}'


def _is_index(type_: Scalar) -> bool:
    """Whether numbers of a type have `__index__`.

    >>> [_is_index(Scalar(np.dtype(dtype), weak)) for dtype, weak in (('i1', False), (bool, True), (bool, False), (float, True))]
    [True, True, False, False]
    """
    return type_.dtype.kind in 'iu' or type_.weak and type_.dtype.kind == 'b'


def of_integers(function: Callable[..., int]):
    """A function of integers: of known ones if they can be known, since compiled code has no larger ones than of 64 bits."""
    def apply(ev, *numbers: Binding) -> Binding:
        if ev.origin in ev.assumed.rewritten:
            return ev.inline(Closure(ev.template(OF_INTEGERS[function])), list(map(ev.wholes.index, numbers)), {})
        try:
            known = [Known(ev.known(number, f'an argument of `{function.__name__}`')) for number in numbers]
        except NeedStatic as need:
            need.lookup = need.lookup or ev.origin
            raise
        return ev.operations.fold(function, *known)
    return apply


def power(ev, base: Binding, exp: Binding, mod: Binding = Known(None)) -> Binding:
    """`pow`, of integers alone where there is a modulus."""
    if mod != Known(None):
        return of_integers(pow)(ev, base, exp, mod)
    ev.operations.check_power(gast.Pow, base, exp)
    return ev.binary(gast.Pow, base, exp)
