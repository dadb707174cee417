"""Lists of lists that are written into, made at once: `[[0.0] * m for _ in range(n)]` as an array, its lists as rows of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import gast
import numpy as np

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedSyntax
from transpiler.specialize.containers.array_lists import Table
from transpiler.specialize.domain.bindings import Binding, Conflict, Known, Ref, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import executes
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NeedStatic, Rewritten
from transpiler.specialize.iterables.eager import is_early
from transpiler.specialize.iterables.spaces import Items, count_of, items_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Enumerate
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.values.types import INT, Array, Scalar

NEW_ARRAYS = {'zeros', 'ones', 'empty', 'full', 'zeros_like', 'ones_like', 'empty_like', 'full_like', 'copy', 'array'}
TABLE, PLACE, TURNS = 'table!', 'place!', 'turns!'
PLAIN = (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Attribute, gast.Subscript, gast.Call, gast.expr_context,
         gast.operator, gast.unaryop)

ARITHMETIC = gast.Name, gast.Constant, gast.BinOp, gast.Add, gast.Sub, gast.Mult, gast.expr_context


@dataclass(frozen=True)
class Axis:
    """Items over which the expression runs, as `target`, or, without one, so many equal items."""

    target: gast.expr | None
    source: gast.expr


class Tables(Component):
    """What a comprehension makes whose lists are written into, and what else a program does with these."""

    def table(self, frame: Frame, node: gast.ListComp) -> ArrayList | None:
        """The table that a comprehension makes; None if its lists may differ in length, or hold more than numbers."""
        origin = self.ev.expressions.position(frame, node)
        axes, leaf = axes_of(node)
        if not _rectangular(axes):
            if _counted_on(axes):
                raise UnsupportedSyntax(
                    'lists of different lengths in a list, which are written to, are not supported', origin,
                    why='a list of lists that are written to is kept as one array, with a row for each',
                    instead='give all rows the same length, and write into the part of each that is meant')
            return None
        sources = [self.ev.evaluate(frame, axis.source) for axis in axes]
        found = [items_of(self.ev, s) if axis.target is not None else None for axis, s in zip(axes, sources, strict=True)]
        for axis, source, items in zip(axes, sources, found, strict=True):
            if axis.target is not None and (items is None or is_early(source, apart=False)):
                return None
        inner = Frame(frame.function, {}, frame, hints=frame.hints)
        item = self._one_item(inner, axes, found, leaf)
        sizes = tuple(source if items is None else count_of(self.ev, items.bounds)
                      for source, items in zip(sources, found, strict=True))
        type_ = leaf_type(item)
        if isinstance(item, Known) and type_ is not None:
            return self.ev.rows.filled(origin, sizes, item, type_)
        if isinstance(item, ArrayList):
            more = [self.ev.presence.extent(frame.env, dim) for dim in self.ev.resolve(item.array.type).dims or (None,)]
            type_ = Scalar(item.array.type.dtype, item.number is not None)
            sizes = None if None in more else (*sizes, *more)
        if not isinstance(type_, Scalar) or sizes is None:
            return None
        made = self.ev.rows.filled(origin, sizes, Known(0), type_)
        self._fill(inner, made, axes, sources, leaf, node)
        return made

    def as_table(self, frame: Frame, node: gast.ListComp, made: Binding) -> Binding:
        """A list of lists, however it was made: if they differ in length, NumPy raises."""
        inner = made.item if isinstance(made, DynamicList) else None
        if isinstance(inner, Var) and _makes_array(node.elt):
            return self._of_arrays(frame, node, made)
        if not isinstance(inner, ArrayList) or not _is_new(node.elt):
            return made
        origin, number = self.ev.expressions.position(frame, node), self.ev.placeholders.numbers_in(made)[1]
        array = self.ev.placeholders.array_of(made)
        element = self.ev.rows.element_of(origin, Scalar(array.type.dtype, number is not None))
        array = array if array.type.dtype == element.dtype else self.ev.cast(array, element.dtype)
        return self.ev.rows.made_table(origin, array, element, array.type.ndim)

    def _of_arrays(self, frame: Frame, node: gast.ListComp, made: DynamicList) -> Binding:
        """A list of arrays that are certainly of one shape, as one array."""
        element = self.ev.resolve(self.builder.types[made.items[0].name].element)
        if not isinstance(element, Array) or not element.dims or None in element.dims:
            return made
        return self.ev.rows.made_table(self.ev.expressions.position(frame, node), self.ev.placeholders.array_of(made),
                                       Scalar(element.dtype), 1)

    def _one_item(self, frame: Frame, axes: list[Axis], found: list[Items | None], leaf: gast.expr) -> Binding | None:
        """What the expression gives, tried out."""
        state, heap = self.builder.snapshot(), dict(self.ev.heap.contents)
        trial = Frame(frame.function, {}, frame.parent, hints=frame.hints)
        try:
            with self.builder.nested():
                for axis, items in zip(axes, found, strict=True):
                    if items is not None and items.needs_parts and not items.parts:
                        return None
                    if items is not None:
                        index = self.builder.fresh('k', INT)
                        self.ev.distribution.bind_target(trial, axis.target,
                                                         items.parts[0] if items.needs_parts else items.at(index))
                return self.ev.evaluate(trial, leaf)
        except NeedStatic:
            return None
        finally:
            self.builder.restore(state)
            self.ev.heap.contents = heap

    def _fill(self, frame: Frame, made: ArrayList, axes: list[Axis], sources: list[Binding], leaf: gast.expr, node) -> None:
        """Give every place its value, in loops."""
        frame.env[TABLE] = made.array
        turning = [k for k, axis in enumerate(axes) if axis.target is not None]
        places = [build.name(f'{PLACE}{k}') for k in turning]
        place = gast.Subscript(value=build.name(TABLE), slice=gast.Tuple(elts=places, ctx=gast.Load()), ctx=gast.Store())
        body: gast.stmt = gast.Assign(targets=[place], value=leaf, type_comment=None)
        for k in reversed(turning):
            frame.env[f'{TURNS}{k}'] = Enumerate((sources[k], Known(0)))
            target = gast.Tuple(elts=[build.name(f'{PLACE}{k}', build.STORE), axes[k].target], ctx=gast.Store())
            body = gast.For(target=target, iter=build.name(f'{TURNS}{k}'), body=[body], orelse=[], type_comment=None)
        self.ev.execute(frame, [build.placed(body, node)])

    @executes(gast.Assign)
    def _do_assign(self, frame: Frame, statement: gast.Assign) -> bool:
        match statement:
            case gast.Assign(targets=[gast.Tuple(elts=ours)], value=gast.Tuple(elts=theirs)) if _change_places(ours, theirs):
                value = self.ev.expressions.value_or_none(frame, statement.value)
                self.ev.distribution.bind_target(frame, statement.targets[0],
                                                 replace(value, items=tuple(map(self._copy_of_row, value.items))))
                return False
        return self.ev.statements._do_assign(frame, statement)

    def bind_target(self, frame: Frame, target: gast.expr, value: Binding) -> None:
        match target, value:
            case gast.Name(id=name), _:
                self.ev.rows.note_rows(value)
                if isinstance(value, ArrayList) and isinstance(value.table, Table):
                    self.ev.statements.name_after(frame, value.array, name)
        self.ev.rebinding.bind_target(frame, target, value)

    def _copy_of_row(self, item: Binding) -> Binding:
        written = isinstance(item, ArrayList) and item.table is not None
        return replace(item, items=(self.ev.operate_by_name('numpy.copy', list(item.items)),), table=None) if written else item

    def conflict(self, base: str, left: Binding, right: Binding) -> Conflict:
        """A list that is an array on one path is one on the other."""
        held = [self.ev.heap.contents.get(side.cell) if isinstance(side, Ref) else side for side in (left, right)]
        sides = [side for side in held if isinstance(side, Container)]
        growing = [side for side in sides if isinstance(side, DynamicList)] if all(side.python is list for side in sides) else []
        for origin in (self.ev.growing.grown.get(getattr(side.items[0], 'name', '')) for side in growing):
            if origin is not None and origin not in self.ev.assumed.rewritten:
                raise Rewritten(origin)
        match sides:
            case [ArrayList((a,), depth, one, Table() as table), ArrayList((b,), other, kind, Table() as last)]:
                if depth == other and one != kind:       # the numbers of both are NumPy's, then
                    wide = Scalar(np.result_type(a.type.dtype, b.type.dtype))
                    raise Rewritten((table if one is not None else last).origin, wide)
        return self.ev.joins.conflict(base, left, right)

    def bind(self, callee, args: list[Binding], keywords: dict[str, Binding]) -> dict[str, Binding]:
        for value in (*args, *keywords.values()):
            self.ev.rows.note_rows(value)
        return self.ev.parameters.bind(callee, args, keywords)

    def join(
        self, base: str, left: Binding, left_block: list, right: Binding, right_block: list, temporary: bool = False,
        place: str = '',
    ) -> Binding:
        if left != right:
            self.ev.rows.note_rows(left)
            self.ev.rows.note_rows(right)
        return self.ev.joins.join(base, left, left_block, right, right_block, temporary, place)


def axes_of(node: gast.expr) -> tuple[list[Axis], gast.expr]:
    """The axes of the array that a nest of comprehensions and products stands for, and the expression of an item."""
    match node:
        case gast.ListComp(elt=inner, generators=[gast.comprehension(target=target, iter=source, ifs=[])]):
            axis = Axis(target, source)
        case gast.BinOp(left=gast.List(elts=[inner]), op=gast.Mult(), right=source) | gast.BinOp(
                left=source, op=gast.Mult(), right=gast.List(elts=[inner])):
            axis = Axis(None, source)
        case gast.Call(func=gast.Name(id='list'), args=[inner], keywords=[]):
            return axes_of(inner)
        case _:
            return [], node
    axes, leaf = axes_of(inner)
    return [axis, *axes], leaf


def _is_new(node: gast.expr) -> bool:
    """Whether an expression makes a list that nobody else has."""
    match node:
        case gast.ListComp() | gast.List() | gast.Subscript(slice=gast.Slice()):
            return True
        case gast.Call(func=gast.Name(id='list' | 'sorted')) | gast.Call(func=gast.Attribute(attr='copy'), args=[]):
            return True
        case gast.BinOp(left=left, right=right):
            return any(isinstance(side, (gast.List, gast.ListComp, gast.BinOp)) for side in (left, right))
    return False


def _makes_array(node: gast.expr) -> bool:
    """Whether an expression makes an array that nobody else has."""
    match node:
        case gast.Call(func=gast.Attribute(attr=name)):
            return name in NEW_ARRAYS
    return isinstance(node, gast.BinOp)


def _change_places(targets: list[gast.expr], sources: list[gast.expr]) -> bool:
    """`m[i], m[j] = m[j], m[i]`: what was in one place each is in one place each."""
    texts = [sorted(map(gast.unparse, nodes)) for nodes in (targets, sources)]
    return texts[0] == texts[1] and any(isinstance(target, gast.Subscript) for target in targets)


def _counted_on(axes: list[Axis]) -> bool:
    """Whether the items on an axis are counted by a counter of another one: `[[0.0] * (i + 1) for i in range(n)]`."""
    counters: set[str] = set()
    for axis in axes:
        count = axis.source.args[-1] if _is_range(axis.source) else axis.source
        nodes = list(gast.walk(count))
        of_counters = any(isinstance(node, gast.Name) and node.id in counters for node in nodes)
        if of_counters and all(isinstance(node, ARITHMETIC) for node in nodes):
            return True
        if axis.target is not None and _is_range(axis.source):
            counters |= stores([axis.target])
    return False


def _is_range(source: gast.expr) -> bool:
    return isinstance(source, gast.Call) and isinstance(source.func, gast.Name) and source.func.id == 'range'


def _rectangular(axes: list[Axis]) -> bool:
    """Whether what one axis runs over is the same for all items of the others, and may be asked for before there is one."""
    before: set[str] = set()
    for axis in axes:
        nodes = list(gast.walk(axis.source))
        if before and not all(isinstance(node, PLAIN) for node in nodes):
            return False
        if any(isinstance(node, gast.Name) and node.id in before for node in nodes):
            return False
        before |= stores([axis.target]) if axis.target is not None else {'_'}
    return bool(axes) and axes[0].target is not None
