"""Reading and writing elements, slices and gathers. Numba knows basic indices; `gathers.py` has those with arrays."""
from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.indices import copies, entries_of, is_dots, is_new
from transpiler.lower.context.context import Context
from transpiler.lower.context.conversions import held
from transpiler.lower.context.values import Value, array_type, called
from transpiler.lower.primitives import elementwise
from transpiler.lower.primitives.gathers import is_gather, pick, store
from transpiler.lower.primitives.shapes import put
from transpiler.lower.target import mathematics as ufuncs
from transpiler.values.types import Scalar

WIDTHS = {'b': 0, 'i': 1, 'u': 1, 'f': 2, 'c': 3}

# of integers; others differ where there is nothing to divide, or to shift
WITHOUT_LIMITS = gast.Add, gast.Sub, gast.Mult, gast.BitAnd, gast.BitOr, gast.BitXor


def lowered(context: Context, index: gast.expr, into: gast.Subscript | None = None) -> list[Value | gast.expr]:
    """Each entry: a slice, None or dots as they are; numbers and arrays as values, apart from what is written `into`."""
    found: list[Value | gast.expr] = []
    for entry in entries_of(index):
        if isinstance(entry, gast.Slice):
            parts = {k: None if getattr(entry, k) is None or is_new(getattr(entry, k)) else
                     context.number_of(getattr(entry, k)) for k in ('lower', 'upper', 'step')}
            found.append(gast.Slice(**parts))
        elif is_new(entry) or is_dots(entry):
            found.append(entry)
        else:
            value = context.value(entry)
            value = context.number(value)
            if value.is_scalar and value.dtype.kind not in 'iu':
                raise context.refuse(f'an index of type {value.type} cannot be compiled', 'it is no integer, slice or array')
            value = context.guards.index(value) if value.is_scalar else value
            found.append(value if into is None else context.views.apart(into, value, entry))
    return found


def basic(entries: list) -> gast.expr:
    nodes = [entry.node if isinstance(entry, Value) else entry for entry in entries]
    return nodes[0] if len(nodes) == 1 else build.expression(tuple(nodes))


def basic_rank(entries: list, ndim: int) -> int:
    """How many axes are left after basic indexing."""
    new = sum(map(is_new, entries))
    return ndim + new - sum(1 for e in entries if isinstance(e, Value))


def load(context: Context, base: Value, index: gast.expr) -> Value:
    """`base[index]`."""
    entries = lowered(context, index)
    if not is_gather(entries):
        left, dotted = basic_rank(entries, base.ndim), any(map(is_dots, entries))
        if base.ndim == 0:
            return base if dotted else context.number(base)
        if not left:
            shows = dotted and not copies(index, context.core.types)
            return _view_of_item(context, base, entries) if shows else Value(_part(base, entries), Scalar(base.dtype))
        whole = dotted and len(entries) == 1  # Numba has no `x[...]`
        index_node = gast.Slice(lower=None, upper=None, step=None) if whole else basic(entries)
        part = Value(build.subscript(base.node, index_node), array_type(base.dtype, left))
        # NumPy takes an array without axes for a number, but makes a copy
        return Value(build.call('numpy.copy', part.node), part.type) if copies(index, context.core.types) else part
    return pick(context, base, entries)


def _view_of_item(context: Context, base: Value, entries: list) -> Value:
    """`x[..., i]` of a vector: an array without axes, which shows its memory; Numba would give a number."""
    vector = build.subscript(base.node, basic([build.constant(None), *entries]))
    return Value(build.call(context.target.memory.of_one_item, vector), array_type(base.dtype, 0))


def write(context: Context, target: gast.Subscript, value: Value) -> None:
    """`base[index] = value`."""
    base, entries = context.value(target.value), lowered(context, target.slice, target)
    alone = value.is_scalar and not is_gather(entries)
    value = held(context, context.number(value), base.dtype, alone)
    if not is_gather(entries):
        if value.ndim and not basic_rank(entries, base.ndim):
            value = called(value.dtype, 0, context.target.arrays.only_item, value.node)
        if value.ndim and value.ndim <= basic_rank(entries, base.ndim):
            put(context, _part(base, entries), value)
        else:
            context.builder.assign(build.subscript(base.node, _whole(base, entries)), value.node)
        return
    store(context, base, entries, value, context.builder.assign)


def _whole(base: Value, entries: list) -> gast.expr:
    if not base.ndim:
        return build.expression(())
    return build.constant(...) if len(entries) == 1 and is_dots(entries[0]) else basic(entries)


def _part(base: Value, entries: list) -> gast.expr:
    """The view that is written."""
    whole = len(entries) == 1 and is_dots(entries[0])
    return base.node if whole else build.subscript(base.node, basic(entries))


def accumulate(context: Context, target: gast.Subscript, operator: type[gast.operator], value: Value) -> None:
    """`base[index] += value`: computed in the dtype that NumPy would take, and cut to the base's."""
    base, entries = context.value(target.value), lowered(context, target.slice, target)
    value = context.number(value)
    if is_gather(entries):
        store(context, base, entries, held(context, value, base.dtype, alone=False), context.builder.accumulate)
        return
    left = basic_rank(entries, base.ndim)
    ufunc = ufuncs.OPERATORS[operator]
    wider = WIDTHS[value.dtype.kind] > WIDTHS[base.dtype.kind]
    if not left or wider:
        if left and wider and not value.is_weak:
            raise context.refuse(f'{base.type} cannot take {value.type} in place', 'NumPy refuses to lose its digits')
        old = load(context, base, target.slice)
        adds = not left and base.dtype.itemsize == 8 and operator is gast.Add
        simple = adds and elementwise.loop(ufunc, [old, value])[-1] == base.dtype
        if simple:
            context.builder.accumulate(build.subscript(base.node, _whole(base, entries)), context.cast(value, base.dtype).node)
        else:
            write(context, target, elementwise.apply(context, ufunc, [old, value]))
        return
    if base.dtype.kind in 'iu' and operator not in WITHOUT_LIMITS:
        write(context, target, elementwise.apply(context, ufunc, [load(context, base, target.slice), value]))
        return
    if value.ndim == left and operator in (gast.Add, gast.Sub):     # Numba compiles helpers much faster than `view += array`
        into = context.target.memory.add_into if operator is gast.Add else context.target.memory.subtract_from
        context.builder.effect(build.call(into, _part(base, entries), context.cast(value, base.dtype).node))
        return
    node = gast.AugAssign(target=gast.Subscript(value=base.node, slice=_whole(base, entries), ctx=gast.Store()), op=operator(),
                          value=context.cast(value, base.dtype).node)
    context.builder.append(build.stamp(node, context.origin, context.builder.role))
