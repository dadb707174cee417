"""Python's own functions, as the specialiser runs them."""

from __future__ import annotations

import builtins
import collections
import copy
from types import FunctionType
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.errors import UnsupportedFunction
from transpiler.rules.base.registry import divide, known, numpys, presumably_less
from transpiler.rules.python import OF_INTEGERS
from transpiler.specialize.calls.printing import print_
from transpiler.specialize.containers import sets
from transpiler.specialize.domain import dtypes
from transpiler.specialize.domain.bindings import Binding, Closure, Known, Ref
from transpiler.specialize.domain.operators import PYTHON
from transpiler.specialize.domain.pytrees import is_instance
from transpiler.specialize.expressions import size_facts
from transpiler.specialize.expressions.strings import text_of
from transpiler.specialize.iterables import iterators, sorting
from transpiler.specialize.iterables import reductions as totals
from transpiler.specialize.iterables.spaces import items_of, parts_of
from transpiler.specialize.kinds import divisors, whole_numbers
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Generator
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Context, Object, Super
from transpiler.specialize.structures.ranges import Slice
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import INT, PYTHONS, Array, Scalar, Type


def _converter(kind: type, type_: Scalar):
    def convert(ev, value: Binding = Known(kind()), *base: Known) -> Binding:
        if isinstance(value, Known):
            return ev.operations.fold(kind, value, *base)
        atom, from_ = ev.operand(value)
        if from_ == type_:
            return value
        return ev.builder.define(f'{kind.__name__}_', build.call(f'python.{kind.__name__}', atom), type_)

    return convert


def _to_complex(ev, real: Binding = Known(0), imag: Binding | None = None) -> Binding:
    parts = [real] if imag is None else [real, imag]    # a text stands alone
    if all(isinstance(part, Known) for part in parts):
        return ev.operations.fold(complex, *parts)
    imag = imag or Known(0)
    if ev.operations.is_complex(imag):
        return ev.binary(gast.Add, real, ev.binary(gast.Mult, Known(1j), imag))
    if ev.operations.is_complex(real):
        turned = ev.operate_by_name('numpy.imag', [real])
        imag = turned if imag == Known(0) else ev.binary(gast.Add, turned, imag)
        real = ev.operate_by_name('numpy.real', [real])
    return ev.operate_by_name('python.complex', [real, imag])


def _to_float(ev, value: Binding = Known(0.0)) -> Binding:
    return ev.operations.fold(float, value) if isinstance(value, Known) else ev.operate_by_name('python.float', [value])


def _to_bool(ev, value: Binding = Known(False)) -> Binding:
    if isinstance(value, Var):
        return ev.operate_by_name('python.bool', [value])
    found = ev.tested(value)
    return found if isinstance(found, Var) else Known(ev.branches.truth(found))


def _round(ev, number: Binding, ndigits: Binding = Known(None)) -> Binding:
    """The nearest integer, of two the even one; a number of NumPy's rounds to some digits as `np.round` does."""
    if isinstance(number, Known) and isinstance(ndigits, Known):
        return ev.operations.fold(round, number, ndigits)
    given = ev.operand(number)[1]
    if isinstance(given, Scalar) and not given.weak and given.dtype.kind in 'bc':
        raise ev.inference.failing(TypeError(f'type numpy.{given.dtype} does not define __round__'))
    if ndigits != Known(None) and isinstance(given, Scalar) and not given.weak:
        return ev.operate_by_name('numpy.round', [number], decimals=ndigits)
    if ndigits != Known(None):
        raise UnsupportedFunction('`round` to some digits is not supported', ev.origin, instead='`np.round`',
                                  why='Python rounds the number as it would be printed, compiled code by its binary digits')
    type_ = ev.resolve(number.type) if isinstance(number, Var) else None
    mixed = isinstance(type_, Scalar) and (type_.kinds is not None or bool(ev.inference.on_paths(number)))
    is_whole = lambda kind: isinstance(kind, Scalar) and kind.dtype.kind in 'biu'
    whole = ev.joins.on_all_paths(number, type_, is_whole) if mixed else is_whole(type_)
    return ev.call(Known(int), [number if whole else ev.operate_by_name('numpy.rint', [number])], {})


def _dict(ev, mapping: Binding = Dict(()), **more: Binding) -> Binding:
    entries = ev.changes.entries(mapping, '`dict`') | more
    return Dict(tuple(entries.values()), tuple(entries))


def _to_text(conversion: str):
    def convert(ev, value: Binding = Known(''), layout: Binding = Known('')) -> Binding:
        form = ord(conversion) if conversion else -1, ev.known(layout, 'a format')
        return text_of(ev, [(value, form)])
    return convert


def _copied(ev, x: Binding) -> Binding:
    """`copy.copy` and `copy.deepcopy` of an array, or of what cannot change."""
    match x:
        case Var(type=type_):
            match ev.resolve(type_):
                case Array():
                    return ev.operate_by_name('numpy.copy', [x], **ev.operations.order_kept(x))
                case Scalar():
                    return x
        case Known(None | bool() | int() | float() | complex() | str()):
            return x
    raise UnsupportedFunction(f'a copy of {ev.describe(x)} is not supported', ev.origin,
                              instead='copy the arrays in it, and make a new container of them')


def _isinstance(ev, value: Binding, kinds: Binding) -> Binding:
    wanted = ev.known(kinds, 'the class of isinstance')
    if isinstance(value, Var) and value.name not in ev.sizes.classes:
        return Known(ev.joins.on_all_paths(value, value.type, lambda kind: issubclass(_python_class(ev, kind), wanted)))
    own = _class(ev, value)
    return Known(isinstance(value.value, wanted) if isinstance(value, Known) else issubclass(own.value, wanted))


def _class(ev, value: Binding) -> Known:
    match value:
        case Closure():
            return Known(FunctionType)
        case Known(held):
            return Known(ev.captures.consulted.class_of(held) if is_instance(held) else type(held))
        case Container(cell=cell):
            return Known(collections.deque if cell in ev.texts.deques else value.python)
        case Var(name, type_):
            return Known(ev.sizes.classes.get(name) or ev.joins.on_all_paths(value, type_, lambda kind: _python_class(ev, kind)))
    raise UnsupportedFunction(f'the class of {ev.describe(value)} is not known here', ev.origin, instead='`callable(f)`')


def _hasattr(ev, value: Binding, name: Binding) -> Binding:
    return Known(_has(ev, value, ev.known(name, 'the name of an attribute')))


def _getattr(ev, value: Binding, name: Binding, *default: Binding) -> Binding:
    wanted = ev.known(name, 'the name of an attribute')
    return default[0] if default and not _has(ev, value, wanted) else ev.attribute(value, wanted)


def _has(ev, value: Binding, name: str) -> bool:
    whole = isinstance(value, (Known, Object))
    return ev.attributes.has_attribute(value, name) if whole else hasattr(_class(ev, value).value, name)


def _set_as_usual(ev, instance: Binding, name: Binding, value: Binding) -> Binding:
    ev.attributes.set_as_usual(instance, ev.known(name, 'the name of an attribute'), value)
    return Known(None)


def _setattr(ev, instance: Binding, name: Binding, value: Binding) -> Binding:
    ev.attributes.set_attribute(instance, ev.known(name, 'the name of an attribute'), value)
    return Known(None)


def _callable(ev, value: Binding) -> Binding:
    match value:
        case Known(held):
            return Known(callable(held))
        case Object():
            return _hasattr(ev, value, Known('__call__'))
    return Known(not isinstance(value, (Var, Container)))


def _python_class(ev, type_: Type) -> type:
    match ev.resolve(type_):
        case Array():
            return np.ndarray
        case Scalar(dtype, weak):
            return PYTHONS[dtype.kind] if weak else dtype.type
    raise UnsupportedFunction('`isinstance` of a value of unknown type', ev.origin,
                              instead='annotate it, or give example arguments')


def _collect(kind: type[Tuple | List]):
    def collect(ev, value: Binding = Tuple(())) -> Binding:
        value = ev.overloads.iterated(value)
        items = items_of(ev, value)
        if kind is Tuple or items is None or items.parts is not None:
            return kind(parts_of(ev, value, kind.written.__name__))
        made = ev.current(ev.held(List(())))
        ev.changes.container_method('extend', made, [value], {})
        return ev.current(made)

    return collect


def _deque(ev, iterable: Binding = Tuple(()), maxlen: Binding = Known(None)) -> Binding:
    """`collections.deque` is a list, with more methods and another text."""
    if maxlen != Known(None):
        raise UnsupportedFunction('a `deque` of bounded length is not supported', ev.origin, instead='`popleft` when it is full')
    made = ev.held(_collect(List)(ev, iterable))
    if isinstance(made, Ref):
        ev.texts.deques.add(made.cell)
    return ev.current(made)


def _divmod(ev, left: Binding, right: Binding) -> Binding:
    return Tuple((ev.binary(gast.FloorDiv, left, right), ev.binary(gast.Mod, left, right)))


def _slice(ev, *bounds: Binding) -> Binding:
    start, stop, step = (Known(None), *bounds, Known(None)) if len(bounds) == 1 else (*bounds, Known(None))[:3]
    return Slice((start, stop, step))


def _operator(kind: type[gast.AST]):
    """A function of the module `operator`."""
    def apply(ev, *operands: Binding) -> Binding:
        if len(operands) == 1:
            return ev.unary(kind, *operands)
        return (ev.compare if issubclass(kind, gast.cmpop) else ev.binary)(kind, *operands)
    return apply


def _errstate(ev, **modes: Binding) -> Binding:
    """`np.errstate` where it only says which warnings are wanted."""
    for mode in modes.values():
        if ev.known(mode, 'what `np.errstate` does') not in (None, 'ignore', 'warn'):
            raise UnsupportedFunction('`np.errstate` is supported for "ignore" and "warn"', ev.origin,
                                      why='generated code computes other things besides, which may be infinite or NaN')
    return Context(())


def _ix(ev, *rows: Binding) -> Binding:
    """`np.ix_`: each row of indices along an axis of its own; a mask stands for the indices where it holds."""
    grid = []
    for axis, row in enumerate(map(ev.settled_entry, rows)):
        if isinstance(row, Var) and getattr(row.type, 'dtype', None) == np.bool_:
            row = ev.operate_by_name('numpy.flatnonzero', [row])
        shape = Tuple(tuple(Known(-1 if k == axis else 1) for k in range(len(rows))))
        grid.append(ev.operate_by_name('numpy.reshape', [row], shape=shape))
    return Tuple(tuple(grid))


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
    builtins.setattr: _setattr,
    object.__setattr__: _set_as_usual,
    builtins.callable: _callable,
    builtins.super: lambda ev, kind, instance: Super((instance,), ev.known(kind, 'the class of `super`')),
    object.__init__: lambda ev, instance: Known(None),
    builtins.tuple: _collect(Tuple),
    builtins.list: _collect(List),
    collections.deque: _deque,
    builtins.dict: _dict,
    builtins.iter: lambda ev, iterable: Generator((ev.overloads.iterated(iterable),)),
    **sets.MAKING,
    builtins.any: totals.quantifier('any', gast.Or),
    builtins.all: totals.quantifier('all', gast.And),
    known: lambda ev, value: Known(isinstance(value, Known)),
    numpys: divisors.numpys,
    presumably_less: size_facts.presumably_less,
    divide: divisors.divide,
    builtins.divmod: _divmod,
    builtins.slice: _slice,
    np.ix_: _ix,
    np.errstate: _errstate,
    **{function: _operator(kind) for kind, function in PYTHON.items()},
    **{function: whole_numbers.of_integers(function) for function in OF_INTEGERS},
    builtins.pow: whole_numbers.power,
    **dtypes.QUESTIONS,
}
