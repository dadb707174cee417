"""New arrays, copies and conversions; every dtype is written out."""
from __future__ import annotations

from dataclasses import replace

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.conversions import held, whole
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, array_type, called, dtype_name, weak
from transpiler.lower.primitives import elementwise
from transpiler.lower.primitives.shapes import put, sizes
from transpiler.values.types import INT, Array, Scalar, Tape, Type

FILLED = ('dtype', 'order', 'device', 'like')
LIKE = ('dtype', 'order', 'subok', 'shape', 'device')


@lowers('numpy.zeros', 'numpy.ones', 'numpy.empty')
def filled(context: Context, call: Call, type_: Type) -> Value:
    shape = tuple(sizes(context, call.bind('shape', *FILLED)[0]))
    return Value(build.call(call.name, shape, dtype_name(type_.dtype)), type_)


@lowers('numpy.full')
def full(context: Context, call: Call, type_: Type) -> Value:
    shape, value, *_ = call.bind('shape', 'fill_value', *FILLED)
    return spread(context, tuple(sizes(context, shape)), context.value(value), type_)


@lowers('numpy.zeros_like', 'numpy.ones_like', 'numpy.empty_like', 'numpy.full_like')
def filled_like(context: Context, call: Call, type_: Type) -> Value:
    """A new array in C order: NumPy would keep the order of the model, which no value depends on."""
    model = context.named(context.value(call.args[0]), 'x')
    kind = call.name.removesuffix('_like')
    if type_.ndim == 0:
        value = context.value(call.bind('a', 'fill_value', *LIKE)[1]) if kind == 'numpy.full' else weak(int(kind == 'numpy.ones'))
        return context.cast(context.number(value), type_.dtype)
    shape = build.attribute(model.node, 'shape')
    if kind == 'numpy.full':
        return spread(context, shape, context.value(call.bind('a', 'fill_value', *LIKE)[1]), type_)
    return Value(build.call(kind, shape, dtype_name(type_.dtype)), type_)


def spread(context: Context, shape, value: Value, type_: Type) -> Value:
    """An array of that shape with `value` broadcast into it."""
    value = context.cast(context.number(value), type_.dtype)
    if value.is_scalar:
        return Value(build.call('numpy.full', shape, value.node, dtype_name(type_.dtype)), type_)
    target = context.builder.define('filled', build.call('numpy.empty', shape, dtype_name(type_.dtype)), type_)
    put(context, build.name(target.name), value)
    return Value(build.name(target.name), type_)


@lowers('numpy.eye', 'numpy.identity', 'numpy.tri')
def eye(context: Context, call: Call, type_: Type) -> Value:
    rows, *rest = call.bind('n', 'dtype', 'like') if call.name == 'numpy.identity' else call.bind('N', 'M', 'k', *FILLED)
    columns, offset = rest[:2] if call.name != 'numpy.identity' else (None, None)
    given = [context.guards.index(context.value(v)).node for v in (rows, columns) if v is not None and not is_none(v)]
    if call.name == 'numpy.tri':    # whose sizes NumPy takes from ranges
        given = [build.call('python.max', v, 0) for v in given]
    n = context.named(Value(given[0], INT), 'n').node
    m = given[1] if len(given) > 1 else n
    k = build.constant(0) if offset is None else context.value(offset).node
    kernel = context.target.arrays.ones.format('lower' if call.name == 'numpy.tri' else 'diagonal')
    return Value(build.call(kernel, n, m, k, dtype_name(type_.dtype)), type_)


def is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


@lowers('numpy.copy', 'numpy.astype', 'numpy.ascontiguousarray', 'numpy.asarray', 'numpy.array')
def converted(context: Context, call: Call, type_: Type) -> Value:
    """An array, a number or nested sequences of these, as an array."""
    node = call.args[0] if call.args else next(iter(call.keywords.values()))
    if isinstance(node, (gast.Tuple, gast.List)):
        return from_sequence(context, node, type_)
    value = context.value(node)
    if value.ndim == 0 and value.dtype != type_.dtype:
        value = context.number(value)
    if value.is_scalar:
        value = held(context, value, type_.dtype, alone=False)
        if call.name in ('numpy.astype', 'numpy.copy') and isinstance(type_, Scalar):
            return _as_flag(value)
        return Value(build.call('numpy.array', value.node), Array(type_.dtype, ()))
    if value.dtype != type_.dtype:
        return context.cast(value, type_.dtype)
    if call.name == 'numpy.asarray':
        return value
    spelling = 'numpy.ascontiguousarray' if call.name == 'numpy.ascontiguousarray' else 'numpy.copy'
    return Value(build.call(spelling, value.node), value.type)


def from_sequence(context: Context, node: gast.expr, type_: Type) -> Value:
    """Numbers are written as one display; arrays are copied into a new one."""
    items = list(flat(node))
    values = [context.value(item) for _, item in items]
    if not items:
        return Value(build.call('numpy.empty', (0,) * type_.ndim, dtype_name(type_.dtype)), type_)
    if all(v.constant is not None for v in values):
        wide = {'f': 'float64', 'c': 'complex128', 'b': 'bool'}.get(type_.dtype.kind, 'int64')
        values = [held(context, v, type_.dtype, alone=True) if type_.dtype.kind in 'iu' else v for v in values]
        display = rebuilt(node, iter([context.cast(v, wide) for v in values]))
        return context.cast(Value(build.call('numpy.array', display), array_type(wide, type_.ndim)), type_.dtype)
    values = [held(context, context.number(v), type_.dtype, alone=True) for v in values]
    if all(v.is_scalar for v in values):
        return Value(build.call('numpy.array', rebuilt(node, iter(values))), type_)
    values = [context.named(v, 'item') for v in values]
    counts = [build.constant(n) for n in lengths(node)]
    target = context.builder.define('joined', build.call(
        'numpy.empty', (*counts, *context.shape(values[0])), dtype_name(type_.dtype)), type_)
    for (path, _), value in zip(items, values, strict=True):
        put(context, build.subscript(target.name, path if len(path) > 1 else path[0]), value)
    return Value(build.name(target.name), type_)


def flat(node: gast.expr, path: tuple[int, ...] = ()):
    """The items of nested sequences with their indices."""
    if not isinstance(node, (gast.Tuple, gast.List)):
        yield path, node
        return
    for k, item in enumerate(node.elts):
        yield from flat(item, (*path, k))


def lengths(node: gast.expr) -> list[int]:
    return [len(node.elts), *lengths(node.elts[0])] if isinstance(node, (gast.Tuple, gast.List)) else []


def rebuilt(node: gast.expr, values) -> gast.expr:
    if isinstance(node, (gast.Tuple, gast.List)):
        return gast.List(elts=[rebuilt(item, values) for item in node.elts], ctx=gast.Load())
    return next(values).node

NUMPY_KINDS = ['numpy.bool_', *dict.fromkeys(f'numpy.{np.dtype(code).name}' for code in '?bhilqBHILQfdFD')]
PYTHON_KINDS = {'float': 'float64', 'int': 'int64', 'bool': 'bool'}


@lowers('python.complex')
def complex_number(context: Context, call: Call, type_: Type) -> Value:
    parts = (context.cast(context.number(context.value(part)), 'float64') for part in call.args)
    return Value(build.call(call.name, *(part.node for part in parts)), type_)


@lowers('python.float', 'python.int', 'python.bool', 'python.item', *NUMPY_KINDS)
def number(context: Context, call: Call, type_: Type) -> Value:
    value = context.value(call.args[0])
    value = context.number(value)
    if call.name.startswith('python.'):
        if value.ndim:
            value = called(value.dtype, 0, context.target.arrays.only_item, value.node)
        kind = PYTHON_KINDS.get(call.name.removeprefix('python.'), value.dtype)
    else:
        kind = call.name.removeprefix('numpy.').removesuffix('_')
    if kind == 'bool' and value.dtype.kind != 'b':
        return elementwise.apply(context, np.not_equal, [value, Value(build.constant(0), INT)])
    of_float = call.name == 'python.int' and value.dtype.kind == 'f'
    if of_float or call.name in ('python.int', 'python.item') and value.dtype == np.uint64:
        return whole(context, value)
    made = held(context, value, np.dtype(kind), alone=False)
    return made if call.name.startswith('python.') else Value(_as_flag(made).node, Scalar(made.dtype))


def _as_flag(made: Value) -> Value:
    """A number of NumPy's; a constant flag says so, since Python's is an integer: `~True` is -2."""
    flag = made.dtype.kind == 'b' and made.constant is not None
    return Value(build.call('numpy.bool_', made.node), Scalar(made.dtype)) if flag else made


@lowers('python.len')
def length(context: Context, call: Call, type_: Type) -> Value:
    """Of an array, or of a range: how often a loop runs."""
    match call.args[0]:
        case gast.Name(id=name) if isinstance(context.type_of(name), Tape):
            return Value(build.call('python.len', name), INT)
        case gast.Call(func=gast.Name(id='range'), args=bounds):
            return Value(build.call('python.len', build.call('range', *map(context.number_of, bounds))), INT)
    return Value(context.shape(context.named(context.value(call.args[0]), 'x'))[0], INT)


@lowers('kernels.next_snapshot')
def next_snapshot(context: Context, call: Call, type_: Type) -> Value:
    return Value(build.call(context.target.host.next_snapshot, *map(context.number_of, call.args)), INT)


@lowers('tape.new', 'tape.list')
def empty_list(context: Context, call: Call, type_: Type) -> Value:
    """An empty list. It says what it is a list of, `[0.0][:0]`, if only called functions push on it, or if the program may read
    it for what it pushes first.
    """
    element = type_.element if isinstance(type_, Tape) else None
    says = call.name == 'tape.list' or context.bound in context.passed
    if not says or not isinstance(element, (Scalar, Array)):
        return Value(build.call(call.name), type_)
    dtype = dtype_name(element.dtype)
    if isinstance(element, Array):
        item = build.call('numpy.empty', build.expression((0,) * element.ndim), dtype)
    else:
        item = context.cast(weak(0), element.dtype).node
    return Value(build.subscript([item], gast.Slice(lower=None, upper=build.constant(0), step=None)), type_)


@lowers('tape.array')
def list_as_array(context: Context, call: Call, type_: Type) -> Value:
    items, dtype = call.args[0], dtype_name(type_.dtype)
    if type_.ndim == 1:
        return Value(build.call(context.target.host.numbers, items, dtype), type_)
    model = build.expression((build.constant(0),) * type_.ndim)
    return Value(build.call(context.target.host.stacked, items, dtype, model), type_)


@lowers('tape.of')
def array_as_list(context: Context, call: Call, type_: Type) -> Value:
    """Of the type of the list, as its zeros are: what else is put on it may be wider."""
    array = context.value(call.args[0])
    if isinstance(type_.element, (Scalar, Array)):
        array = context.cast(array, type_.element.dtype)
    return Value(build.call('tape.of' if array.ndim == 1 else context.target.host.apart, array.node), type_)


@lowers('tape.zeros')
def list_of_zeros(context: Context, call: Call, type_: Type) -> Value:
    return Value(build.call('tape.zeros', call.args[0], dtype_name(type_.element.dtype)), type_)


@lowers('tape.zeros_like')
def zeros_of_list(context: Context, call: Call, type_: Type) -> Value:
    if isinstance(type_.element, Scalar):
        return Value(build.call('tape.zeros', build.call('python.len', *call.args), dtype_name(type_.element.dtype)), type_)
    return Value(build.call(context.target.host.zeros_of, *call.args), type_)


@lowers('tape.pop', 'tape.item')
def item_of_list(context: Context, call: Call, type_: Type) -> Value:
    """An item as the program has it here: a list that gets others, later or on another path, holds all of them as the widest."""
    held = context.type_of(call.args[0].id)
    item = build.call(call.name, call.args[0], *map(context.guards.in_list, call.args[1:]))
    dtype = getattr(getattr(held, 'element', None), 'dtype', None)
    if not isinstance(type_, (Scalar, Array)) or dtype is None or dtype == type_.dtype:
        return Value(item, type_)
    if isinstance(type_, Array) and context.views.is_shared:
        return Value(item, type_)  # as its list holds it: that a copy is one would be noticed
    return Value(item, replace(type_, dtype=dtype))


@lowers('tape.copy', 'python.ValueError')
def unchanged(context: Context, call: Call, type_: Type) -> Value:
    return Value(build.call(call.name, *call.args), type_)


@lowers('numpy.size', 'numpy.ndim', 'numpy.shape')
def measured(context: Context, call: Call, type_: Type) -> Value:
    a, axis = call.bind('a', 'axis')
    value = context.value(a)
    if axis is not None and not is_none(axis):
        return Value(context.shape(context.named(value, 'x'))[context.literal(axis)], INT)
    return context.expressions.attribute(value, call.name.removeprefix('numpy.'))
