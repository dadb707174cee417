"""Python's own functions, as the specialiser runs them."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.errors import UnsupportedFunction
from transpiler.rules.python import EXTREME_BY_KEY
from transpiler.rules.registry import known
from transpiler.specialize import dtypes, iterators
from transpiler.specialize.bindings import Binding, Closure, Container, Known, Var
from transpiler.specialize.early import check_all_made
from transpiler.specialize.iteration import items_of, parts_of
from transpiler.specialize.operators import PYTHON
from transpiler.specialize.texts import text_of, written
from transpiler.values.types import BOOL, INT, Array, Scalar, Type


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


def _round(run, number: Binding, ndigits: Binding = Known(None)) -> Binding:
    """The nearest integer, of two the even one."""
    if isinstance(number, Known):
        return run.fold(round, number, ndigits)
    if ndigits != Known(None):
        raise UnsupportedFunction('`round` to some digits is not supported', run.origin, instead='`np.round`',
                                  why='Python rounds the number as it would be printed, compiled code by its binary digits')
    return run.call(Known(int), [run.operate_by_name('numpy.rint', [number])], {})


def _extreme(name: str, comparison: str):
    def extreme(run, *values: Binding, key: Binding = Known(None), **keywords: Binding) -> Binding:
        if keywords:
            raise UnsupportedFunction(f'the keyword `{next(iter(keywords))}` of `{name}` is not supported', run.origin)
        if key != Known(None):
            sequence = values[0] if len(values) == 1 else Container('tuple', values)
            better = Known(PYTHON[getattr(gast, comparison)])
            return run.inline(Closure(run.template(EXTREME_BY_KEY)), [sequence, key, better], {})
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
        check_all_made(run, value, name)
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
    run.builder.effect(build.call('python.print', *(written(run, value) for value in values)))
    return Known(None)


def _to_text(conversion: str):
    def convert(run, value: Binding = Known(''), layout: Binding = Known('')) -> Binding:
        form = ord(conversion) if conversion else -1, run.known(layout, 'a format')
        return text_of(run, [(value, form)])
    return convert


def _isinstance(run, value: Binding, kinds: Binding) -> Binding:
    wanted = run.known(kinds, 'the class of isinstance')
    if isinstance(value, Known):
        return Known(isinstance(value.value, wanted))
    classes = {'tuple': tuple, 'list': list, 'dict': dict, 'text': str, 'range': range, 'slice': slice, 'growing': list}
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


def _operator(kind: type[gast.AST]):
    """A function of the module `operator`."""
    def apply(run, *operands: Binding) -> Binding:
        if len(operands) == 1:
            return run.unary(kind, *operands)
        return (run.compare if issubclass(kind, gast.cmpop) else run.binary)(kind, *operands)
    return apply


def _of_constants(function: Callable[..., int]):
    """A function of integers, whose results may be larger than those of compiled code: its arguments must be known before."""
    def apply(run, *numbers: Binding) -> Binding:
        what = f'an argument of `{function.__name__}`'
        return run.fold(function, *(Known(run.known(number, what)) for number in numbers))
    return apply


def _errstate(run, **modes: Binding) -> Binding:
    """`np.errstate` where it only says which warnings are wanted."""
    for mode in modes.values():
        if run.known(mode, 'what `np.errstate` does') not in (None, 'ignore', 'warn'):
            raise UnsupportedFunction('`np.errstate` is supported for "ignore" and "warn"', run.origin,
                                      why='generated code computes other things besides, which may be infinite or NaN')
    return Container('context', ())


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
    **iterators.SEQUENCES,
    builtins.float: _to_float,
    builtins.int: _converter(int, INT),
    builtins.bool: _converter(bool, BOOL),
    builtins.str: _to_text('s'),
    builtins.repr: _to_text('r'),
    builtins.ascii: _to_text('a'),
    builtins.format: _to_text(''),
    builtins.complex: _to_complex,
    builtins.round: _round,
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
    np.errstate: _errstate,
    **{function: _operator(kind) for kind, function in PYTHON.items()},
    **{function: _of_constants(function) for function in (
        math.comb, math.factorial, math.gcd, math.isqrt, math.lcm, math.perm)},
    **dtypes.QUESTIONS,
}
