"""Batching: a program for one example becomes one for all of them, whose first axis is that of the examples."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import gast

from transpiler.core import build
from transpiler.core.build import rename
from transpiler.core.functions import reachable
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, defined, names
from transpiler.specialize.specialize import specialize_again
from transpiler.transforms.batch.custom_rules import BatchedRules, batched_results, batched_type
from transpiler.transforms.batch.dataflow import Flow, data_reads
from transpiler.transforms.batch.elements import elements_to_copy
from transpiler.transforms.batch.example_loops import Examples, Whole
from transpiler.transforms.batch.lifting import Lift
from transpiler.transforms.batch.loop_growth import joined
from transpiler.transforms.batch.operands import Cannot
from transpiler.transforms.batch.results import stacked
from transpiler.transforms.shared.placeholders import is_blank
from transpiler.transforms.shared.shape_expressions import Available
from transpiler.values.dims import Dim


def batch(
    core: Core, axes: Mapping[str, int | None], size: Dim, out_axes=0, compiled: bool = False, rules: BatchedRules | None = None
) -> Core:
    """The program for a batch of `size` examples.

    axes: for each input the axis of the examples in the batch, or None if all share it
    compiled: what has loops of its own runs for one example after the other, as loops are fast there
    rules: the functions with rules that a program is to call, of which this is one

    >>> import numpy as np
    >>> from transpiler.core.text import parse
    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT, Array
    >>> vector, matrix = (Array(np.dtype(float), tuple(Dim.symbol(s, True) for s in sizes)) for sizes in ('m', 'nm'))
    >>> step = lambda core: batch(core, {'v': 0, 'a': None}, Dim.symbol('k', True))
    >>> types = {'a': matrix, 'v': vector, 'w': vector}
    >>> show(step, 'w = a @ v; return w', types=types, params=['a', 'v'])
    transpose_a = a.T
    product = v @ transpose_a
    return product
    """
    batched = [name for name in core.inputs if axes[name] is not None]
    count = build.constant(size.constant) if size.is_constant else build.subscript(build.attribute(batched[0], 'shape'), 0)
    rules = rules or BatchedRules(core, size, functools.partial(batch, compiled=compiled))
    try:
        writer = _Writer(core, batched, count, compiled, rules)
        body = writer.written()
    except Whole:
        writer = _Writer(core, batched, count, compiled, rules, whole=True)
        body = writer.written()
    last, out_axes = core.body[-1], batched_results(core, writer.lift.operands.is_batched, out_axes)
    result = stacked(writer.lift, core.result, out_axes)
    moved = {name: writer.examples.fresh(core.base(name)) for name in batched if axes[name] != 0}
    entry = [build.assign(new, build.call('numpy.moveaxis', name, axes[name], 0), last.origin) for name, new in moved.items()]
    body = [*entry, *(rename(s, moved) for s in [*body, build.give(result, last.origin, last.role)])]
    types = {**core.types, **{name: batched_type(core.types[name], axes[name], size) for name in batched}}
    made = core.with_body(
        body,
        name=f'{core.name}_vmap',
        types=MappingProxyType(types),
        hints=MappingProxyType(writer.examples.hints),
    )
    made = rules.write(made)
    return specialize_again(made.with_functions(reachable(made, made.functions)))


class _Writer:
    """The statements of a program for all examples."""

    def __init__(
        self, core: Core, batched: Sequence[str], count: gast.expr, compiled: bool, rules: BatchedRules, whole: bool = False
    ):
        self.core = core
        self.flow = Flow(core, batched)
        self.lift = Lift(core, self.flow, count, rules)
        self.examples = Examples(core, self.flow, count, whole)
        self.flow.settle(self._lifts)
        if whole:
            self.flow.loop(core.body[:-1])
        elif compiled and self._has_loops():    # what is the same for all examples stays outside
            self.flow.loop([s for s in core.body[:-1] if self.flow.is_batched(s)])
        self.flow.settle(self._lifts)
        joined(core, self.flow)
        self.lift.copied = elements_to_copy(self.flow)

    def written(self) -> list[gast.stmt]:
        return self._block(self.core.body[:-1], Available(self.core.types, self.flow.names, self.core.inputs))

    def _has_loops(self) -> bool:
        return any(isinstance(s, (gast.For, gast.While)) and self.flow.is_batched(s) for s in self.core.body)

    def _lifts(self, statement: gast.stmt) -> bool:
        try:
            self._simple(statement)
        except Cannot:
            return False
        return True

    def _block(self, body: Sequence[gast.stmt], place: Available) -> list[gast.stmt]:
        made: list[gast.stmt] = []
        group: list[gast.stmt] = []

        def flush() -> None:
            nonlocal place
            if group:
                made.extend(self.examples.loop(list(group), place))
                place = place.with_more(sorted(all_defined(group) & self.flow.names))
                group.clear()

        for statement in body:
            if id(statement) in self.flow.looped:
                group.append(statement)
                continue
            moves = self.flow.may_move(statement, group) and not set(names(statement.value)) & all_defined(group)
            if not moves:
                flush()
            made.append(self._statement(statement, place))
            name = defined(statement)
            if name is not None and not blocks(statement) and not is_blank(statement, self.core.types[name]):
                place = place.with_more([name])
        flush()
        return made

    def _statement(self, statement: gast.stmt, place: Available) -> gast.stmt:
        if not blocks(statement):
            return self._simple(statement)
        made = build.map_blocks(statement, lambda block: self._block(list(block), place))
        return build.like(made, test=self.lift.deep(statement.test)) if isinstance(statement, gast.While) else made

    def _simple(self, statement: gast.stmt) -> gast.stmt:
        """A statement without others inside, for all examples at once."""
        flow, lift = self.flow, self.lift
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                return build.like(statement, value=lift.value(name, value))
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value) if base in flow.names:
                index, value = lift.indexes.place(base, index, value)
                return build.assign(build.subscript(base, index), value, statement.origin, statement.role)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value) if base in flow.names:
                index, value = lift.indexes.place(base, index, value, adds=True)
                return build.accumulate(build.subscript(base, index), value, statement.origin, statement.role)
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=tape), item]) as call):
                return build.like(statement, value=build.like(call, args=[call.args[0], lift.item(tape, item)]))
            case gast.Expr(value=gast.Call(func=gast.Name(id=name), args=args)):
                if name.startswith('python.') or any(lift.operands.is_batched(a) for a in args):
                    raise Cannot
            case gast.Raise(exc=exception):
                if data_reads(exception) & flow.names:
                    raise Cannot
                return build.like(statement, exc=lift.deep(exception))
        return statement
