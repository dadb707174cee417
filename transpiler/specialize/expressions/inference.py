"""The types of what primitives give: NumPy is asked, for each kind that numbers may be of."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.links import link
from transpiler.core.query import RAISES
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType, UnsupportedFunction
from transpiler.specialize.domain.literals import described, shown
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.signals import NoValue
from transpiler.specialize.kinds.agreement import MANY, inferred
from transpiler.specialize.kinds.mixtures import Asked, is_mixed, without_kinds
from transpiler.values.operands import TooLarge
from transpiler.values.probe import infer, numpys_own_error
from transpiler.values.types import Array, Scalar, Type


def kind_of(type_: Type) -> Type:
    """A type without sizes; an array without axes stays one."""
    if isinstance(type_, Array):
        return Array(type_.dtype, () if type_.dims == () else None)
    return Scalar(type_.dtype, type_.weak) if isinstance(type_, Scalar) else type_


@dataclass(eq=False)
class Inference(Component):
    """Types of results."""

    unlike: dict[str, frozenset[Type]] = field(default_factory=dict)  # what variables are on several paths, where kinds differ

    def infer(self, name: str, primitive: Any, types, statics: dict[str, Any], atoms: Sequence[gast.expr] = ()) -> Type:
        """The type of the result, which must not depend on the kinds that numbers may be of; `atoms` are the operands."""
        try:
            if not is_mixed(types) or self.derives:
                return self._inferred(name, primitive, without_kinds(types), statics)
            values = [atom.value if isinstance(atom, gast.Constant) else None for atom in atoms or types]
            asked = self.ev.separation is not None and self.ev.separation.asked
            return inferred(name, types, values, lambda case: self._inferred(name, primitive, case, statics), self.origin, asked)
        except UnsupportedFunction as refusal:
            several = any(len(self._ways(atom, type_)) > 1 for atom, type_ in zip(atoms, types, strict=False))
            if several and self.ev.separation is None and self.ev.mixed and not self.derives:
                raise Asked from None    # it may do for another kind
            if refusal.raised is None or self.ev.assumed.rewritten:
                raise
            raise self.failing(refusal.raised, refusal) from None

    def noted(self, variable: Var, name: str, primitive: Any, types, statics: dict[str, Any], atoms: Sequence[gast.expr]) -> Var:
        """A result; of what kinds it is is remembered, where operands are of one kind on one path, of another on another."""
        ways = [self._ways(atom, type_) for atom, type_ in zip(atoms, types, strict=True)] if self.unlike else []
        kinds = set()
        for case in itertools.islice(itertools.product(*ways), MANY) if any(len(way) > 1 for way in ways) else ():
            with suppress(UnsupportedFunction):
                kinds.add(kind_of(self._inferred(name, primitive, case, statics)))
        if len(kinds) > 1:
            self.unlike[variable.name] = frozenset(kinds)
        return variable

    def on_paths(self, value: Any) -> frozenset[Type]:
        """What a variable is on several paths, where kinds differ: nothing of one of this name that an attempt before has had."""
        kinds = self.unlike.get(value.name, frozenset()) if isinstance(value, Var) else frozenset()
        dtype = getattr(self.ev.resolve(value.type), 'dtype', None) if kinds else None
        held = dtype is None or all(np.can_cast(getattr(kind, 'dtype', dtype), dtype, 'same_kind') for kind in kinds)
        return kinds if held else frozenset()

    def kinds_of(self, number: Any) -> Sequence[Scalar]:
        """The types that a variable has on one path or another, if it is a number."""
        type_ = self.ev.resolve(number.type) if isinstance(number, Var) else None
        if not isinstance(type_, Scalar):
            return ()
        if type_.kinds is not None and len(type_.kinds.sorts) > 1:
            return [Scalar(*sort) for sort in type_.kinds.sorts]
        known = self.on_paths(number) if self.ev.separation is None else ()
        return [kind for kind in known if isinstance(kind, Scalar)] or (type_,)

    def _ways(self, atom: gast.expr, type_: Any) -> list[Any]:
        """The types that an operand has on one path or another."""
        match atom, type_:
            case gast.Name(id=name), Array() | Scalar():
                own = (kind for kind in self.on_paths(Var(name, type_)) if type(kind) is type(type_))
                return [Array(kind.dtype, type_.dims) if isinstance(kind, Array) else kind for kind in own] or [type_]
            case (gast.List(elts=parts) | gast.Tuple(elts=parts)), tuple() | list() if len(parts) == len(type_):
                return [type(type_)(case) for case in itertools.product(*map(self._ways, parts, type_))]
        return [type_]

    def _inferred(self, name: str, primitive: Any, types, statics: dict[str, Any]) -> Type:
        """The type of the result; equalities of sizes that NumPy itself demands are remembered."""
        try:
            type_, equalities = infer(primitive, [self.ev.resolve(t) for t in types], statics, self.ev.sizes.letters.value)
        except TooLarge as error:
            raise UnsupportedFunction(
                f'`{shown(name)}` of arrays of so many axes is out of reach', self.origin, why=str(error),
                instead='let sizes grow, not the number of axes') from None
        except (ValueError, TypeError, IndexError, np.linalg.LinAlgError) as error:
            operands = ', '.join(map(described, types))
            refusal = UnsupportedFunction(
                f'`{shown(name)}` does not take ({operands})', self.origin, why=str(error).splitlines()[0])
            refusal.certain, refusal.raised = True, numpys_own_error(primitive, list(map(self.ev.resolve, types)), statics)
            raise refusal from error
        self.ev.sizes.equate(equalities)
        return type_

    def lacking(self) -> NoValue:
        """None stands for a value: where that is reached, the program raises as Python does, in words of its own."""
        error = TypeError('None stands where a value is needed')
        refusal = UnknownType('None stands where a number or an array is needed', self.origin, why='Python raises TypeError here')
        refusal.certain, refusal.raised = True, error
        return self.failing(error, refusal)

    def failing(self, error: Exception, refusal: TranspileError | None = None) -> NoValue:
        """What raises for certain, if it is reached: Python's exception, in its words; `refusal`: what to say if it always is."""
        kind = next(base for base in type(error).__mro__ if '._' not in base.__module__)
        plain = all(isinstance(arg, (str, int, float)) for arg in error.args) and kind is type(error)
        args = error.args if plain else (str(error),)
        name = f'python.{kind.__name__}' if kind.__module__ == 'builtins' else f'{RAISES}{kind.__module__}:{kind.__qualname__}'
        failure = build.fail(build.call(name, *map(build.constant, args)), self.origin, self.builder.role)
        link(failure, refusal=refusal)
        return NoValue(failure)
