"""`s = 0.0` for `s = 0`, where a name becomes a float: it says what the name is, if the integer would do nothing else."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast
import numpy as np

from transpiler.analyses.numeric.narrower_kinds import Reader, perhaps_integers
from transpiler.core import build
from transpiler.core.fixpoint import closure
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import blocks, gives, is_atom, names
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.kinds import Kind, is_held
from transpiler.values.types import Array, Scalar, Tape, Type

DOUBLE = np.dtype(np.float64)


@rewrite('decimal points')
def with_points(core: Core) -> Core:
    """Write integers as floats that become the values of floats, and meet nothing but floats.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> show(with_points, 's = 0; t = 1; s = s + x; u = t + 3; return s', types=dict.fromkeys('stux', FLOAT))
    s = 0.0
    t = 1
    s = s + x
    u = t + 3
    return s
    """
    whole = {name for statement in core.statements for name, _ in _whole_given(statement, core)}
    if not whole:
        return core
    alike = whole - _mattering(core)
    return unchanged_or(core, _block(core.body, core, alike)) if alike else core


def _block(body: Sequence[gast.stmt], core: Core, alike: set[str]) -> list[gast.stmt]:
    return [_statement(statement, core, alike) for statement in body]


def _statement(statement: gast.stmt, core: Core, alike: set[str]) -> gast.stmt:
    if inner := blocks(statement):
        return with_blocks(statement, [_block(block, core, alike) for block in inner])
    for name, value in _whole_given(statement, core):
        if name in alike:
            return build.assign(name, build.constant(float(value)), statement.origin, statement.role)
    return statement


def _whole_given(statement: gast.stmt, core: Core) -> Iterator[tuple[str, int]]:
    """The name of a float that a statement gives an integer to."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Constant(value=int(value))) if not isinstance(value, bool):
            if _is_float(core.types.get(name)):
                yield name, value


def _mattering(core: Core) -> frozenset[str]:
    """The names whose integers give something else than floats would, themselves or where they are handed on."""
    reader = Reader(core, perhaps_integers(core))
    long = {name for s in core.statements for name, value in _whole_given(s, core)
            if not is_held(Kind(np.dtype(int), True, value), DOUBLE)}
    met = {name for s in core.statements for name in _met(s, core, reader)}
    copies = [(value.id, target) for s in core.statements for target, value in _copies(s)]
    handed_on = lambda found: (name for name, target in copies if target in found and name not in found)
    return frozenset(closure(long | met, handed_on))


def _copies(statement: gast.stmt) -> Iterator[tuple[str, gast.Name]]:
    """What a statement hands on: to another name, to a list, from a list to a name."""
    for target, value in gives(statement):
        match value:
            case gast.Name():
                yield target, value
            case gast.Call(func=gast.Name(id='tape.pop' | 'tape.item'), args=[gast.Name() as tape, *_]):
                yield target, tape


def _met(statement: gast.stmt, core: Core, reader: Reader) -> Iterator[str]:
    """The names that a statement reads where an integer may give something else than a float of its value."""
    match statement:
        case gast.Return() | gast.Assign(targets=[gast.Name()], value=gast.Name()) | gast.If():
            return
        case (gast.Assign(targets=[gast.Subscript() as place], value=gast.Name() as value)
              | gast.AugAssign(target=gast.Subscript() as place, value=gast.Name() as value)):
            yield from names(place)
            yield from () if _is_float(core.types.get(names(place)[0])) else names(value)
        case gast.While(test=test):
            yield from () if _is_decided(test, core, reader) else names(test)
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=tape), gast.Name()])):
            if getattr(core.types.get(tape), 'lasting', True):
                yield from names(statement)
        case gast.Assign(targets=[gast.Name()], value=value):
            yield from () if _is_decided(value, core, reader) else names(value)
        case _:
            for field in ('value', 'iter', 'test', 'target', 'targets'):
                parts = getattr(statement, field, None)
                for part in parts if isinstance(parts, list) else [parts]:
                    yield from names(part)


def _is_decided(value: gast.expr, core: Core, reader: Reader) -> bool:
    """Whether an expression gives what it would if all integers in it that are typed as floats were floats."""
    float_ = lambda node: isinstance(node, gast.Constant) or isinstance(node, gast.Name) and _is_float(core.types.get(node.id))
    sure = lambda node: float_(node) and not reader.is_narrower(node)
    match value:
        case gast.BinOp(left=left, op=gast.Div(), right=right) | gast.Compare(left=left, comparators=[right]):
            return any(sure(node) or isinstance(node, gast.Constant) for node in (left, right))
        case gast.BinOp(left=left, right=right):
            return sure(left) or sure(right)
        case gast.Call(func=gast.Name(id='tape.pop'), args=[gast.Name(id=tape)]):
            return not getattr(core.types.get(tape), 'lasting', True)
        case gast.Call(args=args) if len(args) > 1 and all(map(is_atom, args)):
            return any(map(sure, args)) and not any(map(_is_list, map(core.types.get, names(value))))
        case gast.Call() if links(value).typed is not None:
            return not reader.is_narrower(value)
    return not any(_is_float(core.types.get(name)) for name in names(value))


def _is_list(type_: Type | None) -> bool:
    return isinstance(type_, Tape)


def _is_float(type_: Type | None) -> bool:
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind in 'fc'
