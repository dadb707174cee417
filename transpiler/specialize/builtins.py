"""Python's own functions, as the specialiser runs them."""

from __future__ import annotations

import builtins
import collections
import copy
import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.errors import UnsupportedFunction
from transpiler.rules.registry import divisor, known, numpys
from transpiler.specialize import divisors, dtypes, iterators, sorting, totals
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.iteration import items_of, parts_of
from transpiler.specialize.operators import PYTHON
from transpiler.specialize.printing import print_
from transpiler.specialize.structures import is_instance
from transpiler.specialize.texts import text_of
from transpiler.values.types import INT, PYTHONS, Array, Scalar, Type


def _converter(kind: type, type_: Scalar):
    def convert(run, value: Binding = Known(kind())) -> Binding:
        if isinstance(value, Known):
            return run.fold(kind, value)
        atom, from_ = run.operand(value)
        if from_ == type_:
            return value
        return run.builder.define(f'{kind.__name__}_', build.call(f'python.{kind.__name__}', atom), type_)

    return convert


def _to_complex(run, real: Binding = Known(0), imag: Binding = Known(0)) -> Binding:
    if all(isinstance(part, Known) for part in (real, imag)):
        return run.fold(complex, real, imag)
    if run.is_complex(imag):
        return run.binary(gast.Add, real, run.binary(gast.Mult, Known(1j), imag))
    if run.is_complex(real):
        turned = run.operate_by_name('numpy.imag', [real])
        imag = turned if imag == Known(0) else run.binary(gast.Add, turned, imag)
        real = run.operate_by_name('numpy.real', [real])
    return run.operate_by_name('python.complex', [real, imag])


def _to_float(run, value: Binding = Known(0.0)) -> Binding:
    return run.fold(float, value) if isinstance(value, Known) else run.operate_by_name('python.float', [value])


def _to_bool(run, value: Binding = Known(False)) -> Binding:
    if isinstance(value, Var):
        return run.operate_by_name('python.bool', [value])
    found = run.tested(value)
    return found if isinstance(found, Var) else Known(run.truth(found))


def _round(run, number: Binding, ndigits: Binding = Known(None)) -> Binding:
    """The nearest integer, of two the even one; a number of NumPy's rounds to some digits as `np.round` does."""
    if isinstance(number, Known) and isinstance(ndigits, Known):
        return run.fold(round, number, ndigits)
    given = run.operand(number)[1]
    if isinstance(given, Scalar) and not given.weak and given.dtype.kind in 'bc':
        raise run.failing(TypeError(f'type numpy.{given.dtype} does not define __round__'))
    if ndigits != Known(None) and isinstance(given, Scalar) and not given.weak:
        return run.operate_by_name('numpy.round', [number], decimals=ndigits)
    if ndigits != Known(None):
        raise UnsupportedFunction('`round` to some digits is not supported', run.origin, instead='`np.round`',
                                  why='Python rounds the number as it would be printed, compiled code by its binary digits')
    type_ = run.resolve(number.type) if isinstance(number, Var) else None
    mixed = isinstance(type_, Scalar) and (type_.kinds is not None or number.name in run.unlike)
    is_whole = lambda kind: isinstance(kind, Scalar) and kind.dtype.kind in 'biu'
    whole = run.on_all_paths(number, type_, is_whole) if mixed else is_whole(type_)
    return run.call(Known(int), [number if whole else run.operate_by_name('numpy.rint', [number])], {})


def _dict(run, mapping: Binding = Container('dict', ()), **more: Binding) -> Binding:
    entries = run.entries(mapping, '`dict`') | more
    return Container('dict', tuple(entries.values()), tuple(entries))


def _to_text(conversion: str):
    def convert(run, value: Binding = Known(''), layout: Binding = Known('')) -> Binding:
        form = ord(conversion) if conversion else -1, run.known(layout, 'a format')
        return text_of(run, [(value, form)])
    return convert


CLASSES = MappingProxyType({'tuple': tuple, 'list': list, 'dict': dict, 'text': str, 'range': range, 'slice': slice,
                            'growing': list, 'row': list})

def _copied(run, x: Binding) -> Binding:
    """`copy.copy` and `copy.deepcopy` of an array, or of what cannot change."""
    match x:
        case Var(type=type_):
            match run.resolve(type_):
                case Array():
                    return run.operate_by_name('numpy.copy', [x], **run.order_kept(x))
                case Scalar():
                    return x
        case Known(None | bool() | int() | float() | complex() | str()):
            return x
    raise UnsupportedFunction(f'a copy of {run.describe(x)} is not supported', run.origin,
                              instead='copy the arrays in it, and make a new container of them')


def _isinstance(run, value: Binding, kinds: Binding) -> Binding:
    wanted = run.known(kinds, 'the class of isinstance')
    if isinstance(value, Var) and value.name not in run.classes:
        return Known(run.on_all_paths(value, value.type, lambda kind: issubclass(_python_class(run, kind), wanted)))
    own = _class(run, value)
    return Known(isinstance(value.value, wanted) if isinstance(value, Known) else issubclass(own.value, wanted))


def _class(run, value: Binding) -> Known:
    match value:
        case Known(held):
            return Known(run.consulted.class_of(held) if is_instance(held) else type(held))
        case Container(kind, type=type_):
            return Known(CLASSES.get(kind, type_ or object))
        case Var(name, type_):
            return Known(run.classes.get(name) or run.on_all_paths(value, type_, lambda kind: _python_class(run, kind)))
    raise UnsupportedFunction(f'the class of {run.describe(value)} is not known here', run.origin, instead='`callable(f)`')


def _hasattr(run, value: Binding, name: Binding) -> Binding:
    return Known(_has(run, value, run.known(name, 'the name of an attribute')))


def _getattr(run, value: Binding, name: Binding, *default: Binding) -> Binding:
    wanted = run.known(name, 'the name of an attribute')
    return default[0] if default and not _has(run, value, wanted) else run.attribute(value, wanted)


def _has(run, value: Binding, name: str) -> bool:
    whole = isinstance(value, Known) or isinstance(value, Container) and value.kind in ('object', 'state')
    return run.has_attribute(value, name) if whole else hasattr(_class(run, value).value, name)


def _set_as_usual(run, instance: Binding, name: Binding, value: Binding) -> Binding:
    """`object.__setattr__`."""
    run.set_as_usual(instance, run.known(name, 'the name of an attribute'), value)
    return Known(None)


def _super(run, kind: Binding, instance: Binding) -> Binding:
    return Container('super', (instance,), type=run.known(kind, 'the class of `super`'))


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
            return PYTHONS[dtype.kind] if weak else dtype.type
    raise UnsupportedFunction(
        '`isinstance` of a value of unknown type', run.origin, instead='annotate it, or give example arguments'
    )


def _collect(kind: str):
    def collect(run, value: Binding = Container('tuple', ())) -> Binding:
        value = run.iterated(value)
        items = items_of(run, value)
        if kind == 'tuple' or items is None or items.parts is not None:
            return Container(kind, parts_of(run, value, kind))
        made = run.current(run.held(Container('list', ())))
        run.container_method('extend', made, [value], {})
        return run.current(made)

    return collect


def _deque(run, iterable: Binding = Container('tuple', ()), maxlen: Binding = Known(None)) -> Binding:
    """`collections.deque` is a list, with more methods."""
    if maxlen != Known(None):
        raise UnsupportedFunction('a `deque` of bounded length is not supported', run.origin, instead='`popleft` when it is full')
    return _collect('list')(run, iterable)


def _divmod(run, left: Binding, right: Binding) -> Binding:
    return Container('tuple', (run.binary(gast.FloorDiv, left, right), run.binary(gast.Mod, left, right)))


def _pow(run, base: Binding, exponent: Binding) -> Binding:
    run.check_power(gast.Pow, base, exponent)
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
    builtins.bool: _to_bool,
    builtins.str: _to_text('s'),
    builtins.repr: _to_text('r'),
    builtins.ascii: _to_text('a'),
    builtins.format: _to_text(''),
    builtins.complex: _to_complex,
    builtins.round: _round,
    builtins.min: totals.extreme('min', 'Lt'),
    builtins.max: totals.extreme('max', 'Gt'),
    builtins.sum: totals.total,
    builtins.sorted: sorting.in_order,
    builtins.print: print_,
    copy.copy: _copied,
    copy.deepcopy: _copied,
    builtins.isinstance: _isinstance,
    builtins.type: _class,
    builtins.hasattr: _hasattr,
    builtins.getattr: _getattr,
    object.__setattr__: _set_as_usual,
    builtins.callable: _callable,
    builtins.super: _super,
    object.__init__: lambda run, instance: Known(None),
    builtins.tuple: _collect('tuple'),
    builtins.list: _collect('list'),
    collections.deque: _deque,
    builtins.dict: _dict,
    builtins.iter: lambda run, iterable: Container('generator', (run.iterated(iterable),)),
    builtins.frozenset: lambda run, items=Known(()): Known(frozenset(run.known(items, 'the members of a set'))),
    builtins.any: totals.quantifier('any', gast.Or),
    builtins.all: totals.quantifier('all', gast.And),
    known: lambda run, value: Known(isinstance(value, Known)),
    numpys: divisors.numpys,
    divisor: divisors.divisor,
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
