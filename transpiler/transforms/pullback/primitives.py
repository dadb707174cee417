"""The pullback of one operation: its rule's template, inlined, and what it gives each operand."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.core.indices import entries_of
from transpiler.core.query import names, primitive
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable
from transpiler.rules.base.registry import RULES, Rule
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.operators import BINARY, UNARY
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.sweeps.derivative_writer import dims_of, same_sizes
from transpiler.transforms.sweeps.part import Part
from transpiler.values.broadcasting import broadcast
from transpiler.values.types import Array, Scalar, Type


class Pullbacks(Part):
    """`pull_operation` adds what `target = operation` gives the cotangents of its operands."""

    def pull_operation(self, target: str, operation: gast.expr, bar: Bar) -> None:
        with self.sweep.reading.reads(target, operation):
            self._pull_operation(target, operation, bar)

    def _pull_operation(self, target: str, operation: gast.expr, bar: Bar) -> None:
        match operation:
            case gast.Name(id=source):
                self.sweep.add(source, bar.value, bar.owned, bar.small, bar.alone)
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                self._pull_load(target, base, index, bar)
            case gast.BinOp(left=left, op=op, right=right):
                self._pull_rule(target, RULES[BINARY[type(op)]], [left, right], {}, bar)
            case gast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
                self._pull_rule(target, RULES[UNARY[type(op)]], [operand], {}, bar)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                self._pull_rule(target, RULES['numpy.where'], [test, body, orelse], {}, bar)
            case gast.Call() if primitive(operation) == 'tape.pop':
                tape, whole = operation.args[0].id, self.sweep.whole(target, bar)
                if isinstance(self.value_type(whole.value), Array) and not whole.owned:
                    whole = self.sweep.copied(target, whole)  # what lies on the list must not change any more
                self.ev.tapes.push_tape(self.sweep.own(tape), whole.value)
            case gast.Call() if primitive(operation) == 'tape.new' or self.sweep.lists.pull_list(target, operation, bar):
                pass
            case gast.Call():
                self.pull_call(target, operation, bar)
            case gast.Constant() | gast.Attribute() | gast.Subscript() | gast.UnaryOp():
                pass
            case _:
                raise NotDifferentiable(f'`{type(operation).__name__}` has no pullback', self.ev.origin)

    def pull_call(self, target: str, operation: gast.Call, bar: Bar) -> None:
        rule = RULES[primitive(operation)]
        operands, statics = rule.bind(operation.args, {k.arg: k.value for k in operation.keywords})
        self._pull_rule(target, rule, operands, {name: self.binding(node) for name, node in statics.items()}, bar)

    def _pull_load(self, target: str, base: str, index: gast.expr, bar: Bar) -> None:
        """`v = a[index]`: `a_bar[index] += v_bar`, as often as the index names a place."""
        if (whole := whole_index(index)) is not None:
            ct = self.sweep.whole(target, bar).value
            seen = self.ev.load(ct, whole) if isinstance(ct, Var) and isinstance(self.value_type(ct), Array) else None
            if seen is not None and same_sizes(self.value_type(seen), self.type_of(base)):
                self.sweep.add(base, seen)
                return
        self.sweep.add_at(base, index, bar.value)

    def _pull_rule(self, target: str, rule: Rule, nodes: list[gast.expr], statics: dict[str, Binding], bar: Bar) -> None:
        operands = [self.binding(node) for node in nodes]
        self.sweep.derivatives.check_rule(rule, operands, statics)
        if rule.kind == 'inactive' or not any(map(self.sweep.derivatives.is_active, operands)):
            return
        if rule.picks:
            self.sweep.reading.picked |= {name for node in nodes for name in names(node) if name in self.active}
        if rule.kind == 'elementwise':
            self._pull_elementwise(target, rule, operands, statics, bar)
            return
        bar = self.sweep.whole(target, bar) if not isinstance(bar.value, Container) else bar
        parts = self.sweep.derivatives.inlined(rule, target, operands, statics, bar.value)
        given = [pair for operand, part in zip(operands, parts, strict=True) for pair in self.pairs(operand, part)]
        passed_on = sum(part == bar.value for _, part in given)
        for name, part in given:
            same = part == bar.value
            self.sweep.add(name, part, bar.owned and passed_on == 1 if same else self.sweep.derivatives.is_owned(part))

    def pairs(self, operand: Binding, part: Binding) -> Iterator[tuple[str, Binding]]:
        """The active names of an operand with their contributions; sequences get sequences."""
        if part == Known(None) or not self.sweep.derivatives.is_active(operand):
            return
        if isinstance(operand, Container):
            for item, piece in zip(operand.items, part.items, strict=True):
                yield from self.pairs(item, piece)
        elif part != Known(0):
            yield operand.name, part

    def _pull_elementwise(self, target: str, rule: Rule, operands: list[Binding], statics: dict[str, Binding], bar: Bar) -> None:
        result = self.type_of(target)
        spread_out = [o for o in operands if isinstance(o, Var) and not isinstance(o.type, Scalar)]
        vague = any(dims_of(o.type) is None if isinstance(o.type, Array) else True for o in spread_out) and len(spread_out) > 1
        if vague:
            bar = self.sweep.whole(target, bar)
        parts = self.sweep.derivatives.inlined(rule, target, operands, statics, bar.value)
        pairs = [pair for operand, part in zip(operands, parts, strict=True) for pair in self.pairs(operand, part)]
        given = list(dict.fromkeys(pairs))  # `x * x` gives x the same part twice
        wild = self._may_be_wild(target, bar.value)
        if self.sweep.here is not None:
            self.sweep.reading.unread |= self.sweep.flags.shields(self.sweep.here, rule, operands).keys()
        once = [part if rule.takes_ct else self.sweep.times(bar.value, part) for _, part in given]
        if wild and not rule.takes_ct:
            products = zip(given, once, strict=True)
            once = [self.sweep.reading.where_read(bar.value, part, product) for (_, part), product in products]
        values = [self.sweep.times(value, Known(pairs.count(pair))) for value, pair in zip(once, given, strict=True)]
        totals = [self._summed(value, name, target, result) for value, (name, _) in zip(values, given, strict=True)]
        itself = [value == bar.value and self._may_be(total, value) for value, total in zip(values, totals, strict=True)]
        for (name, part), value, total in zip(given, values, totals, strict=True):
            small = bar.small and (isinstance(part, Known) or rule.takes_ct and len(spread_out) == 1)
            owned = bar.owned and sum(itself) == 1 if value == bar.value else self.sweep.derivatives.is_owned(value)
            self.sweep.add(name, total, owned if self._may_be(total, value) else self.sweep.derivatives.is_owned(total), small)

    def _may_be_wild(self, target: str, value: Binding) -> bool:
        """Whether a partial of an operation may be infinite, or none, where nothing reads what it gives."""
        wild = target in self.sweep.flags.singular.wild
        selects = self.sweep.derivatives.is_selection
        return wild and (target in self.sweep.reading.unread or target in self.sweep.reading.picked and not selects(value))

    def _may_be(self, total: Binding, value: Binding) -> bool:
        """Whether a sum over axes may be the very value that was to be summed."""
        made = self.sweep.derivatives.definition(total)
        if total == value or made is None or primitive(made) != 'kernels.unbroadcast':
            return total == value
        return isinstance(value, Var) and getattr(made.args[0], 'id', '') == value.name  # and no read-only view of it

    def _summed(self, value: Binding, name: str, target: str, result: Type) -> Binding:
        """Sum over the axes along which the operand `name` was broadcast: known from the types, else found at run time."""
        type_, own = self.type_of(name), self.value_type(value)
        if isinstance(type_, Scalar) and isinstance(result, Scalar):
            return value
        if type_.ndim == own.ndim == result.ndim and self._only_array(target) == name:
            return value
        if any(t.ndim is None for t in (type_, own, result)):
            return self._summed_at_run_time(value, name, target, own)
        axes = broadcast(dims_of(result), dims_of(type_)).summed[1]
        if axes == () or axes is None and self._only_array(target) == name and same_sizes(own, type_):
            return value
        if isinstance(own, Scalar) and isinstance(type_, Scalar):
            return self.ev.binary(gast.Mult, value, self.ev.attribute(self.variable(target), 'size'))
        if not same_sizes(own, result):
            value = self.sweep.derivatives.spread(value, target)
        if axes is None:
            if self._only_array(target) == name:
                return value
            return self.ev.operate_by_name('kernels.unbroadcast', [value, self.variable(name)])
        return self._summed_over(value, axes, result.ndim - type_.ndim, result.ndim)

    def _summed_at_run_time(self, value: Binding, name: str, target: str, own: Type) -> Binding:
        operation_has_one_array = isinstance(own, Scalar) and not isinstance(self.type_of(name), Scalar)
        if operation_has_one_array or self._only_array(target) == name:
            return value
        return self.ev.operate_by_name('kernels.unbroadcast', [value, self.variable(name)])

    def _only_array(self, target: str) -> str | None:
        """The one operand of the operation being pulled back that is no number, if there is just one."""
        arrays = {n for n in self.operand_names if not isinstance(self.core.types.get(n), Scalar)}
        return next(iter(arrays)) if len(arrays) == 1 else None

    operand_names: frozenset[str] = frozenset()

    def _summed_over(self, value: Binding, axes: tuple[int, ...], extra: int, rank: int) -> Binding:
        leading, kept = tuple(a for a in axes if a < extra), tuple(a - extra for a in axes if a >= extra)
        if leading:
            axis = None if len(leading) == rank else leading[0] if len(leading) == 1 else leading
            value = self.ev.operate_by_name('numpy.sum', [value], axis=_static(axis))
        if kept:
            value = self.ev.operate_by_name(
                'numpy.sum', [value], axis=_static(kept[0] if len(kept) == 1 else kept), keepdims=True
            )
        return value


def whole_index(index: gast.expr) -> Binding | None:
    """For an index that only adds axes, such as `[:, None]`, the one that takes them away again: `[:, 0]`."""
    parts = entries_of(index)
    plain = [isinstance(p, gast.Slice) and p.lower is p.upper is p.step is None for p in parts]
    added = [isinstance(p, gast.Constant) and p.value is None for p in parts]
    if not any(added) or not all(a or b for a, b in zip(plain, added, strict=True)):
        return None
    full = Slice((Known(None),) * 3)
    return Tuple(tuple(Known(0) if new else full for new in added))


def _static(axis: int | tuple[int, ...] | None) -> Binding:
    return Tuple(tuple(map(Known, axis))) if isinstance(axis, tuple) else Known(axis)
