"""Python's own functions, as the specialiser runs them."""

from __future__ import annotations

import builtins
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.rules.registry import known
from transpiler.specialize import dtypes
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.iteration import count_of, items_of, parts_of, reversed_bounds
from transpiler.values.types import BOOL, INT, Array, Scalar, Type


def _range(run, *bounds: Binding, snapshots: Binding | None = None) -> Binding:
    first, *rest = bounds
    start, stop, step = (Known(0), first, Known(1)) if not rest else (first, rest[0], rest[1] if len(rest) > 1 else Known(1))
    if step == Known(0):
        raise TranspileError('the step of a range is zero', run.origin, why='Python raises ValueError here')
    turns = Container('range', (start, stop, step))
    return turns if snapshots is None else Container('checkpointed', (turns, snapshots))


def _reversed(run, sequence: Binding) -> Binding:
    match sequence:
        case Container('range', bounds):
            return Container('range', reversed_bounds(run, bounds))
        case Container('dict'):
            return Container('reversed', (Container('tuple', tuple(map(Known, sequence.keys))),))
    return Container('reversed', (sequence,))


def _enumerate(run, value: Binding, start: Binding = Known(0)) -> Binding:
    return Container('enumerate', (value, start))


def _zip(run, *values: Binding, strict: Binding = Known(False)) -> Binding:
    if strict != Known(False):
        raise UnsupportedFunction('`zip(..., strict=True)` is not supported', run.origin, instead='compare lengths with `assert`')
    return Container('zip', values)


def _len(run, value: Binding) -> Binding:
    match value:
        case Container('range', bounds):
            return count_of(run, bounds)
        case Container('zip' | 'enumerate' | 'reversed'):
            raise UnsupportedFunction('an iterator has no length', run.origin, instead='make a list of it: `list(...)`')
        case Container('growing'):
            return run.length_of(value)
        case Container(_, items):
            return Known(len(items))
        case Var(_, Array() as type_) if type_.ndim:
            return run.size(value, 0, run.resolve(type_).dims[0])
        case Var(name):
            return run.builder.define('length', build.call('python.len', name), INT)
        case Known(known):
            return Known(len(known))
    raise UnsupportedFunction(f'`len` of {run.describe(value)} is not supported', run.origin)


def _converter(kind: type, type_: Scalar):
    def convert(run, value: Binding = Known(kind())) -> Binding:
        if isinstance(value, Known):
            return run.fold(kind, value)
        atom, from_ = run.operand(value)
        if from_ == type_:
            return value
        return run.builder.define(f'{kind.__name__}_', build.call(f'python.{kind.__name__}', atom), type_)

    return convert


def _to_complex(run, real: Binding = Known(0), imaginary: Binding = Known(0)) -> Binding:
    if all(isinstance(part, Known) for part in (real, imaginary)):
        return run.fold(complex, real, imaginary)
    return run.binary(gast.Add, real, run.binary(gast.Mult, Known(1j), imaginary))


def _to_float(run, value: Binding = Known(0.0)) -> Binding:
    return run.fold(float, value) if isinstance(value, Known) else run.operate_by_name('python.float', [value])


def _extreme(name: str, comparison: str):
    def extreme(run, *values: Binding, **keywords: Binding) -> Binding:
        if keywords:
            raise UnsupportedFunction(f'the keyword `{next(iter(keywords))}` of `{name}` is not supported', run.origin)
        if len(values) == 1:
            whole = _whole(run, values[0])
            if isinstance(whole, Var):
                return _of_its_kind(run, values[0], run.operate_by_name(f'numpy.{name}', [whole]))
            values = parts_of(run, values[0], name)
        best = values[0]
        for value in values[1:]:
            best = _better(run, comparison, best, value)
        return best

    return extreme


def _better(run, comparison: str, best: Binding, value: Binding) -> Binding:
    """Python's rule: the first of equals stays."""
    test = run.compare(getattr(gast, comparison), value, best)
    return run.choose(None, test, lambda: value, lambda: best)


def _settled_generator(value: Binding) -> Binding:
    while isinstance(value, Container) and value.kind == 'generator':
        value = value.items[0]
    return value


def _whole(run, value: Binding) -> Binding:
    """The items of a list that grows at run time as an array; anything else as it is."""
    value = _settled_generator(value)
    return run.array_of(value) if isinstance(value, Container) and value.kind == 'growing' else value


def _of_its_kind(run, items: Binding, number: Binding) -> Binding:
    """What NumPy made of a list that grows, as Python's own number if it holds such; a sum of flags is an integer."""
    items = _settled_generator(items)
    kind = run.number_in(items) if isinstance(items, Container) else None
    if kind is None:
        return number
    return run.call(Known(int if kind is bool and number.type.dtype.kind != 'b' else kind), [number], {})


def _sum(run, value: Binding, start: Binding = Known(0)) -> Binding:
    items, value = value, _whole(run, value)
    if isinstance(value, Var):
        total = run.operate_by_name('numpy.sum', [value], axis=Known(0) if value.type.ndim != 1 else Known(None))
        if value.type.dims is None or value.type.dims[0] is None or not value.type.dims[0].is_large:
            run.builder.block[-1].value.integer = True  # Python's 0, if there are no items
        total = _of_its_kind(run, items, total)
        return total if start == Known(0) else run.binary(gast.Add, start, total)
    total, items = start, list(parts_of(run, value, 'sum'))
    for item in items:  # the sum of a single array is another array
        total = item if total == Known(0) and len(items) > 1 else run.binary(gast.Add, total, item)
    return total


def _quantifier(name: str, operator: type[gast.boolop]):
    """`any` and `all`: of an array, or of items one after the other."""

    def quantifier(run, value: Binding) -> Binding:
        value = _whole(run, value)
        if isinstance(value, Var):
            return run.operate_by_name(f'numpy.{name}', [value])
        found: Binding = Known(operator is gast.And)
        for item in reversed(parts_of(run, value, name)):
            later, now = (lambda found=found: found), (lambda item=item: item)
            first, second = (later, now) if operator is gast.And else (now, later)
            found = run.choose(None, item, first, second)
        return run.call(Known(bool), [found], {})

    return quantifier


def _dict(run, mapping: Binding = Container('dict', ()), **more: Binding) -> Binding:
    entries = run.entries(mapping, '`dict`') | more
    return Container('dict', tuple(entries.values()), tuple(entries))


def _print(run, *values: Binding) -> Binding:
    atoms = [build.constant(v.value) if isinstance(v, Known) else run.operand(v)[0] for v in values]
    run.builder.effect(build.call('python.print', *atoms))
    return Known(None)


def _isinstance(run, value: Binding, kinds: Binding) -> Binding:
    wanted = run.known(kinds, 'the class of isinstance')
    if isinstance(value, Known):
        return Known(isinstance(value.value, wanted))
    classes = {'tuple': tuple, 'list': list, 'dict': dict}
    if isinstance(value, Container):
        return Known(issubclass(classes.get(value.kind, value.type or object), wanted))
    return Known(issubclass(_python_class(run, value.type), wanted))


def _hasattr(run, value: Binding, name: Binding) -> Binding:
    wanted = run.known(name, 'the name of an attribute')
    if isinstance(value, Known):
        return Known(hasattr(value.value, wanted))
    if isinstance(value, Container) and value.kind in ('object', 'state'):
        return Known(wanted in value.keys or hasattr(value.type, wanted))
    raise UnsupportedFunction(f'`hasattr` of {run.describe(value)} is not supported', run.origin)


def _callable(run, value: Binding) -> Binding:
    match value:
        case Known(held):
            return Known(callable(held))
        case Container('object' | 'state'):
            return _hasattr(run, value, Known('__call__'))
    return Known(not isinstance(value, (Var, Container)))


def _python_class(run, type_: Type) -> type:
    match run.resolve(type_):
        case Array():
            return np.ndarray
        case Scalar(dtype, weak):
            return {'f': float, 'i': int, 'b': bool, 'c': complex}[dtype.kind] if weak else dtype.type
    raise UnsupportedFunction(
        '`isinstance` of a value of unknown type', run.origin, instead='annotate it, or give example arguments'
    )


def _collect(kind: str):
    def collect(run, value: Binding = Container('tuple', ())) -> Binding:
        items = items_of(run, value)
        if kind == 'tuple' or items is None or items.parts is not None:
            return Container(kind, parts_of(run, value, kind))
        made = run.current(run.held(Container('list', ())))
        run.container_method('extend', made, [value], {})
        return run.current(made)

    return collect


def _divmod(run, left: Binding, right: Binding) -> Binding:
    return Container('tuple', (run.binary(gast.FloorDiv, left, right), run.binary(gast.Mod, left, right)))


def _pow(run, base: Binding, exponent: Binding) -> Binding:
    return run.binary(gast.Pow, base, exponent)


def _slice(run, *bounds: Binding) -> Binding:
    start, stop, step = (Known(None), *bounds, Known(None)) if len(bounds) == 1 else (*bounds, Known(None))[:3]
    return Container('slice', (start, stop, step))


def _ix(run, *rows: Binding) -> Binding:
    """`np.ix_`: each row of indices along an axis of its own; a mask stands for the indices where it holds."""
    grid = []
    for axis, row in enumerate(map(run.settled_entry, rows)):
        if isinstance(row, Var) and getattr(row.type, 'dtype', None) == np.bool_:
            row = run.operate_by_name('numpy.flatnonzero', [row])
        shape = Container('tuple', tuple(Known(-1 if k == axis else 1) for k in range(len(rows))))
        grid.append(run.operate_by_name('numpy.reshape', [row], shape=shape))
    return Container('tuple', tuple(grid))


BUILTINS: dict[Any, Any] = {
    builtins.range: _range,
    builtins.reversed: _reversed,
    builtins.enumerate: _enumerate,
    builtins.zip: _zip,
    builtins.len: _len,
    builtins.float: _to_float,
    builtins.int: _converter(int, INT),
    builtins.bool: _converter(bool, BOOL),
    builtins.complex: _to_complex,
    builtins.min: _extreme('min', 'Lt'),
    builtins.max: _extreme('max', 'Gt'),
    builtins.sum: _sum,
    builtins.print: _print,
    builtins.isinstance: _isinstance,
    builtins.hasattr: _hasattr,
    builtins.callable: _callable,
    builtins.tuple: _collect('tuple'),
    builtins.list: _collect('list'),
    builtins.dict: _dict,
    builtins.any: _quantifier('any', gast.Or),
    builtins.all: _quantifier('all', gast.And),
    known: lambda run, value: Known(isinstance(value, Known)),
    builtins.divmod: _divmod,
    builtins.pow: _pow,
    builtins.slice: _slice,
    np.ix_: _ix,
    **dtypes.QUESTIONS,
}
