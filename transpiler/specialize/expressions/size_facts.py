"""What is known of sizes: which are equal, and which are at least as large as others."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from transpiler.core.variables import Var
from transpiler.specialize.domain.abstraction import Place, Presumption, Sizes, value_key
from transpiler.specialize.domain.bindings import Binding, Known, class_of_number
from transpiler.specialize.evaluation.component import Component
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array, Scalar, Type


@dataclass(eq=False)
class SizeFacts(Component):
    """Equalities that operations demand, and what calls show: a slice that ends inside of its array has the size it says."""

    equal: dict[Symbol, Dim] = field(default_factory=dict)
    fixed: list[tuple[Symbol, Dim]] = field(default_factory=list)  # those that hold whatever the program does
    letters: Sizes = field(default_factory=Sizes)
    classes: dict[str, type] = field(default_factory=dict)  # of numbers among what is given, if they are of the program

    def equate(self, equalities: Mapping[Symbol, Dim]) -> None:
        """What NumPy would raise for otherwise."""
        for symbol, value in equalities.items():
            if not symbol.key and not value.is_found:  # the arguments' sizes are the same in every iteration, these may not be
                value = value.substitute(self.equal)
                self.fix_size(symbol, value)
                positive = _positive(value)
                if symbol.large and positive is not None and not value.is_large:
                    self.fix_size(positive, _bounded(positive, value, 2))

    def value_of(self, number: Binding) -> Dim | None:
        """An integer among the arguments, of which the call at hand tells what it is."""
        if self.ev.presumed is None or not isinstance(number, Var) or number.name not in self.letters.numbers:
            return None
        size = Dim.of(Symbol(number.name, key=value_key(number.name), signed=True)).substitute(self.equal)
        self.builder.types[number.name] = replace(self.builder.types[number.name], size=size)
        return size

    def is_never_negative(self, dim: Dim) -> bool:
        """Whether it is not. If it is not in the call at hand, the program is made for calls in which it is not."""
        dim = dim.substitute(self.equal)
        if dim.symbol_alone is None and self.ev.presumed is not None:
            for symbol in dim.atoms:
                self.is_never_negative(Dim.of(symbol))
            dim = dim.substitute(self.equal)
        return dim.is_at_least(0) or self._presume(dim)

    def is_length(self, dim: Dim) -> bool:
        """Whether it is not, for the size of a slice: one without items is left to the run, one of integers may be 1."""
        value = self.letters.value(dim.substitute(self.equal)) if self.ev.presumed is not None else None
        if value == 0 and not dim.is_constant:
            return False
        known = self.is_never_negative(dim)
        dim = dim.substitute(self.equal)
        if known and value is not None and dim.is_found and not dim.is_large:
            self._presume(dim)
        return known

    def is_any(self, count: Dim) -> bool | None:
        """Whether a count is at least 1; what shows only in the call at hand is what the program is made for."""
        count = count.substitute(self.equal)
        value = self.letters.value(count) if self.ev.presumed is not None else None
        if count.is_at_least(1) or (-count).is_at_least(0) or value is None:
            return decided(operator.gt, count)
        if value <= 0 or not self._presume(count):
            self.ev.presumed.append(Presumption(count, min(value, 2) if value > 0 else None))
        return value > 0

    def _presume(self, dim: Dim) -> bool:
        value = self.letters.value(dim) if self.ev.presumed is not None else None
        symbol = _positive(dim)
        if value is None or value < 0 or symbol is None or value == 0 and dim.symbol_alone:
            return False
        least = min(value, 2)
        if least < 2 and symbol in (dim - Dim.of(symbol)).atoms:  # `n - n//2` is 1: that does not say what `n` is
            return False
        self.ev.presumed.append(Presumption(dim, least))
        self.fixed.append((symbol, _bounded(symbol, dim, 2) if least == 2 else Dim.of(symbol) - dim + least))
        self.fix_size(*self.fixed[-1])
        return True

    def resolve(self, type_: Type) -> Type:
        """The type with sizes replaced by those they were found equal to."""
        if not self.equal:
            return type_
        match type_:
            case Array(dtype, dims) if dims is not None:
                return Array(dtype, tuple(None if d is None else d.substitute(self.equal) for d in dims))
            case Scalar(dtype, weak, Dim() as size):
                return Scalar(dtype, weak, size.substitute(self.equal))
            case tuple():
                return type(type_)(map(self.ev.resolve, type_))
        return type_

    @contextmanager
    def perhaps_run(self) -> Iterator[list[gast.stmt]]:
        """Fill a block that may never run: what it demands of sizes holds in it alone."""
        before, after = dict(self.equal), len(self.fixed)
        with self.builder.nested() as block:
            yield block
        self.equal = before
        for symbol, size in self.fixed[after:]:
            self.fix_size(symbol, size)

    def fix_size(self, symbol: Symbol, size: Dim) -> None:
        """A size is this expression of others from now on."""
        self.equal = {known: own.substitute({symbol: size}) for known, own in self.equal.items()}
        self.equal[symbol] = size

    def given_number(self, variable: Var, value: Any, place: Place) -> None:
        """Remember what is known of a number that the program is given, besides its type."""
        self.letters.number(variable.name, value, place)
        kind = class_of_number(value)
        if kind is not None:
            self.classes[variable.name] = kind


def presumably_less(ev, size: Binding, bound: Known) -> Known:
    """What definitions ask of a size, which may show only in the call at hand; no, of one that is not known then either."""
    own = ev.numbers.size_of(size)
    return Known(own is not None and ev.sizes.is_any(own - bound.value + 1) is False)


def decided(comparison: Callable[[int, int], bool], difference: Dim) -> bool | None:
    """What a comparison of two sizes gives, by their difference, where it is the same for all sizes.

    >>> import operator
    >>> n = Dim.symbol('n', large=True)
    >>> decided(operator.gt, n - 1), decided(operator.eq, n), decided(operator.lt, n - 2), decided(operator.eq, n - 2)
    (True, False, False, None)
    """
    if difference.is_constant:
        return comparison(difference.constant, 0)
    signs = [sign for sign, least in ((1, -difference), (-1, difference)) if not least.is_at_least(0)]
    signs += [0] if not (difference.is_at_least(1) or (-difference).is_at_least(1)) else []
    answers = {comparison(sign, 0) for sign in signs}
    return answers.pop() if len(answers) == 1 else None


def _positive(dim: Dim) -> Symbol | None:
    """A symbol that is larger the larger `dim` is."""
    return next((s for s, coefficient in dim.terms if coefficient == 1 and not s.factors and s.quotient is None), None)


def _bounded(symbol: Symbol, dim: Dim, least: int) -> Dim:
    """The symbol, known to be so large that `dim` is at least `least`."""
    if dim.symbol_alone == symbol:
        return Dim.of(replace(symbol, large=True, signed=False))
    return Dim.of(replace(symbol, bounds=(*symbol.bounds, Dim.of(symbol) - dim + least)))
