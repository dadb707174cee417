"""Calls that change an argument: `out=`, the methods of ufuncs (`np.add.at`), functions and methods that work in place."""

from __future__ import annotations

import inspect
from typing import Any

import gast
import numpy as np

from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.rules.arrays.inplace import EACH, REDUCTIONS
from transpiler.rules.base.lookup import enter_later, rule_of
from transpiler.rules.base.registry import Rule
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.types import Array, Scalar, Type

Keywords = dict[str, Binding]


class InPlace(Component):
    """Each is a computation followed by a store."""

    def apply(self, rule: Rule, args: list[Binding], keywords: Keywords) -> Binding:
        """Call the primitive of `rule`; with `out=`, write what it gives there, and give the array written."""
        args, keywords, out, where = _parted(rule, args, dict(keywords))
        if isinstance(out, Container) and len(out.items) == 1:
            out = out.items[0]
        if out == Known(None):
            if where != Known(True):
                raise UnsupportedFunction(
                    '`where=` without `out=` is not supported',
                    self.origin,
                    why='places where it does not hold would keep whatever was in memory',
                    instead='give an array as `out`, or use `np.where`',
                )
            return self.ev.operations.operate(rule, *self.ev.calls.bind_rule(rule, args, keywords))
        place: Binding = Known(...)
        if where != Known(True):
            target = self.ev.rows.writable(out)
            place = self._wide(where, target)
            args = [self.ev.settled_entry(arg) for arg in args]
            args = [self.ev.load(self._wide(arg, target), place) if isinstance(arg, Var) and _has_axes(arg) else arg
                    for arg in args]
        value = self.ev.operations.operate(rule, *self.ev.calls.bind_rule(rule, args, keywords))
        self._check_out(rule, out, value)
        self.ev.distribution.store(out, place, value)
        return out

    def _wide(self, value: Binding, target: Var) -> Var:
        """`value` in the shape of `target`."""
        own, type_ = self.ev.operand(value)[1], self.ev.resolve(target.type)
        dims = [t.dims if isinstance(t, Array) else None for t in (own, type_)]
        fits = dims[0] is not None and dims[0] == dims[1] and None not in dims[0]
        if fits:
            return value
        return self.ev.operate_by_name('numpy.broadcast_to', [value], shape=self.ev.expressions.shape(target, type_))

    def _check_out(self, rule: Rule, out: Binding, value: Binding) -> None:
        """What NumPy refuses, and where a reduction would be computed in the dtype of `out`."""
        if not isinstance(out, Var) or isinstance(value, Container):
            raise UnsupportedFunction(f'`out` of `{rule.name}` must be one array', self.origin)
        target, type_ = self.ev.resolve(out.type), self.ev.operand(value)[1]
        if not isinstance(target, Array) or not hasattr(type_, 'dtype'):
            return
        elementwise = isinstance(rule.primitive, np.ufunc)
        if elementwise:
            self.check_cast(target, type_, rule.name)
        if not elementwise and (target.dtype != type_.dtype or target.ndim is not None and target.ndim != type_.ndim):
            raise UnsupportedFunction(
                f'`{rule.name}` gives {type_}, but `out` is {target}', self.origin, instead='give an array of that very type'
            )

    def check_cast(self, target: Array, type_: Type, ufunc: str) -> None:
        """NumPy refuses to write floats into integers in place, and signed ones into unsigned; so do we, before any code runs."""
        pythons = isinstance(type_, Scalar) and type_.weak and type_.dtype.kind in 'bi' and target.dtype.kind in 'iu'
        if not pythons and not np.can_cast(type_.dtype, target.dtype, 'same_kind'):
            refusal = UnsupportedFunction(
                f'{type_} is written into {target} in place',
                self.origin,
                why='NumPy raises a casting error here',
                instead='make a float array first: `x = x.astype(float)`',
            )
            dtypes = f"from dtype('{type_.dtype}') to dtype('{target.dtype}')"
            raise self.ev.inference.failing(TypeError(
                f"Cannot cast ufunc '{ufunc.rpartition('.')[2]}' output {dtypes} with casting rule 'same_kind'"), refusal)

    def ufunc_method(self, ufunc: np.ufunc, name: str, args: list[Binding], keywords: Keywords) -> Binding:
        """`np.add.at(x, i, v)`, `np.subtract.outer(x, y)`, `np.add.reduce(x)`."""
        if name == 'at' and len(args) == 3 and not keywords:
            self._at_places(ufunc, *args)
            return Known(None)
        if name == 'outer' and len(args) == 2 and not keywords:
            rows, columns = map(self.ev.settled_entry, args)
            beside = Tuple((Known(Ellipsis), *[Known(None)] * (self.ev.operand(columns)[1].ndim or 0)))
            wide = rows if len(beside.items) == 1 or not isinstance(rows.type, Array) else self.ev.get_item(rows, beside)
            return self.ev.call(Known(ufunc), [wide, columns], {})
        enter_later(ufunc)
        function = REDUCTIONS.get(name, {}).get(ufunc)
        if function is None:
            raise UnsupportedFunction(f'`{ufunc.__name__}.{name}` is not supported', self.origin, instead='write a loop')
        return self.ev.call(Known(function), args, {'axis': Known(0), **keywords} if len(args) == 1 else keywords)

    def _at_places(self, ufunc: np.ufunc, base: Binding, index: Binding, value: Binding) -> None:
        if isinstance(value, Container):
            value = self.ev.settled_entry(value)
        target, (_, type_) = self.ev.rows.writable(base), self.ev.operand(value)
        if isinstance(target.type, Array) and hasattr(type_, 'dtype'):
            self.check_cast(target.type, type_, ufunc.__name__)
        signed = not isinstance(target.type, Array) or target.type.dtype.kind not in 'ub'
        if ufunc is np.add:
            self.ev.indexing.add_at(target, index, value)
        elif ufunc is np.subtract and signed:
            self.ev.indexing.add_at(target, index, self.ev.unary(gast.USub, value))
        elif rule_of(ufunc) is not None:
            self.ev.inline(Closure(self.ev.template(EACH)), [Known(ufunc), target, self.ev.indices.settled_index(index), value],
                           {})
        else:
            raise TranspileError(f'`{ufunc.__name__}.at` is not supported', self.origin, instead='write a loop')


def _has_axes(value: Var) -> bool:
    return not isinstance(value.type, Scalar)


def _parted(rule: Rule, args: list[Binding], keywords: Keywords) -> tuple[list[Binding], Keywords, Binding, Binding]:
    """The arguments of a call without `out` and, of a ufunc, `where`; and these."""
    out: Any = keywords.pop('out', Known(None))
    where: Any = Known(True)
    if isinstance(rule.primitive, np.ufunc):
        where = keywords.pop('where', where)
        if len(args) > rule.primitive.nin:
            out, args = args[rule.primitive.nin], args[: rule.primitive.nin]
    elif 'out' in rule.statics:
        position = list(rule.signature.parameters).index('out')
        by_position = rule.signature.parameters['out'].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        if by_position and len(args) > position:
            out, args = args[position], [*args[:position], Known(None), *args[position + 1 :]]
    elif out != Known(None):
        keywords['out'] = out
    return args, keywords, out, where
