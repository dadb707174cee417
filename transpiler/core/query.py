"""Reading core nodes: which names a statement reads and defines, and what shape a statement has."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import gast

from transpiler.core.helpers import Fact, holds_of
from transpiler.core.links import links
from transpiler.garbage import while_making

MERGED = 'add', 'maximum', 'minimum'     # how what iterations of a loop give is joined
RAISES = 'raises.'      # `raises.package.module:Outer.Error` is the user's own class of exceptions


def is_primitive(identifier: str) -> bool:
    """Dotted names are primitives (`numpy.exp`), `range` and the like are not variables either."""
    return '.' in identifier or identifier == 'range'


def parts(node: gast.AST) -> list[gast.AST]:
    """The node and every node inside it, outer ones first; `gast.walk` without contexts and annotations, and much faster.

    >>> from transpiler.core.text import expression
    >>> [type(part).__name__ for part in parts(expression('-x[1]'))]
    ['UnaryOp', 'USub', 'Subscript', 'Name', 'Constant']
    """
    found = [node]
    for one in found:
        if _INNER_FIELDS[type(one)]:    # most nodes are names and constants
            _take_children(one, found)
    return found


def children(node: gast.AST) -> list[gast.AST]:
    """The nodes right inside one, as `parts` has them.

    >>> from transpiler.core.text import expression
    >>> [type(child).__name__ for child in children(expression('-x[1]'))]
    ['USub', 'Subscript']
    """
    found: list[gast.AST] = []
    _take_children(node, found)
    return found


def _take_children(node: gast.AST, found: list[gast.AST]) -> None:
    for field in _INNER_FIELDS[type(node)]:
        value = getattr(node, field, None)
        if type(value) is list:
            found += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST):
            found.append(value)


@cache
def fields(kind: type[gast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that tell what it means."""
    return tuple(field for field in kind._fields if field not in ('ctx', 'annotation', 'type_comment', 'kind'))


class _InnerFields(dict[type[gast.AST], tuple[str, ...]]):
    """The fields that may hold nodes; those of names and constants never do, and most nodes are one or the other."""

    def __missing__(self, kind: type[gast.AST]) -> tuple[str, ...]:
        found = self[kind] = () if kind in (gast.Name, gast.Constant) else fields(kind)
        return found


_INNER_FIELDS = _InnerFields()


def names(node: gast.AST | None) -> tuple[str, ...]:
    """Every variable named in an expression, with repetitions, outer ones first."""
    return () if node is None else _names(node)


@while_making(20_000)
def _names(node: gast.AST) -> tuple[str, ...]:
    return tuple(part.id for part in parts(node) if isinstance(part, gast.Name) and not is_primitive(part.id))


@while_making(20_000)
def defined(statement: gast.stmt) -> str | None:
    """The name that this statement itself (re)binds, or None."""
    match statement:
        case (gast.Assign(targets=[gast.Name(id=identifier)]) | gast.For(target=gast.Name(id=identifier))
              | gast.AugAssign(target=gast.Name(id=identifier))):
            return identifier
    return None


def gives(statement: gast.stmt) -> Iterator[tuple[str, gast.expr]]:
    """The name, or the list, that this statement itself gives a value to, and the value."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=identifier)], value=value):
            yield identifier, value
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=tape), value])):
            yield tape, value


@while_making(20_000)
def written(statement: gast.stmt) -> str | None:
    """The array whose memory this statement itself writes, or None; in compiled code a helper may do it."""
    match statement:
        case (gast.Assign(targets=[gast.Subscript(value=gast.Name(id=identifier))])
              | gast.AugAssign(target=gast.Subscript(value=gast.Name(id=identifier)))):
            return identifier
        case gast.Expr(value=gast.Call(func=gast.Name(id=helper), args=[target, *_])) if holds_of(helper, Fact.WRITES):
            return names(target)[0]
    return None


def place_written(statement: gast.Assign | gast.AugAssign) -> gast.Subscript:
    """The target of a write into an array."""
    return statement.target if isinstance(statement, gast.AugAssign) else statement.targets[0]


def added_to(statement: gast.stmt) -> str | None:
    """The array that a statement adds to, if it does nothing else with it."""
    match statement:
        case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value):
            return None if base in {*names(index), *names(value)} else base
    return None


def callee(node: gast.AST | None) -> str | None:
    """The name of the function of the program that an expression calls, or None."""
    name = primitive(node)
    return name.removeprefix('call.') if name is not None and name.startswith('call.') else None


@while_making(20_000)
def call_of(statement: gast.stmt) -> gast.Call | None:
    """The call of a function of the program that a statement makes, or None."""
    match statement:
        case gast.Assign(value=value) | gast.Expr(value=value) if callee(value) is not None:
            return value
    return None


def changed_by(statement: gast.stmt) -> list[str]:
    """The arrays and tapes whose memory this statement itself writes, if only by calling a function that does."""
    place, call = written(statement), call_of(statement)
    if call is not None:
        writes = links(call).writes
        return [a.id for k, a in enumerate(call.args) if isinstance(a, gast.Name) and (writes is None or k in writes)]
    return [] if place is None else [place]


def pushed_by(call: gast.Call) -> Iterable[int]:
    """The arguments that a call may keep on lists."""
    pushes = links(call).pushes
    return range(len(call.args)) if pushes is None else pushes


@while_making(20_000)
def reads(statement: gast.stmt) -> frozenset[str]:
    """The names that this statement itself reads, without those of the statements inside it."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value) | gast.Return(value=value) | gast.Expr(value=value):
            return frozenset(names(value))
        case gast.Assign(targets=[target], value=value) | gast.AugAssign(target=target, value=value):
            return frozenset((*names(target), *names(value)))
        case gast.If(test=part) | gast.While(test=part) | gast.For(iter=part) | gast.Raise(exc=part):
            return frozenset(names(part))
    return frozenset()


def blocks(statement: gast.stmt) -> list[list[gast.stmt]]:
    """The statement lists inside a compound statement."""
    kind = type(statement)      # asked very often: no pattern
    if kind is gast.If:
        return [statement.body, statement.orelse]
    return [statement.body] if kind is gast.For or kind is gast.While else []


def without_exit(body: Iterable[gast.stmt]) -> tuple[list[gast.stmt], gast.expr | None]:
    """The body of a loop without the `if test: break` that may be its last statement, and that test."""
    match list(body):
        case [*rest, gast.If(test=test, body=[gast.Break()])]:
            return rest, test
        case whole:
            return whole, None


def at_the_end(body: Iterable[gast.stmt], more: Iterable[gast.stmt]) -> list[gast.stmt]:
    """A block with more statements at its end: before the `return`, or before the exit of a loop that may be its last."""
    whole = list(body)
    leaves = bool(whole) and (isinstance(whole[-1], gast.Return) or without_exit(whole)[1] is not None)
    return [*whole[:-1], *more, whole[-1]] if leaves else [*whole, *more]


def walk(body: Iterable[gast.stmt]) -> list[gast.stmt]:
    """All statements, outer before inner, in order."""
    found: list[gast.stmt] = []
    _walk(body, found)
    return found


def _walk(body: Iterable[gast.stmt], found: list[gast.stmt]) -> None:
    for statement in body:
        found.append(statement)
        for inner in blocks(statement):
            _walk(inner, found)


class Contents(NamedTuple):
    """What happens in a statement and in all statements inside it: the names that get values, the memory written, the reads."""

    defined: frozenset[str]
    written: frozenset[str]
    reads: frozenset[str]


@while_making(20_000)
def contents(statement: gast.stmt) -> Contents:
    """Put together once for each statement: whoever asks at every level of a chain of branches walks over none of them twice."""
    name = defined(statement)
    given, changed, read = frozenset(() if name is None else (name,)), frozenset(changed_by(statement)), reads(statement)
    inner = [contents(one) for block in blocks(statement) for one in block]
    if not inner:
        return Contents(given, changed, read)
    return Contents(*(own.union(*others) for own, *others in zip((given, changed, read), *inner)))


def all_defined(body: Iterable[gast.stmt]) -> frozenset[str]:
    return frozenset().union(*(contents(statement).defined for statement in body))


def all_written(body: Iterable[gast.stmt]) -> frozenset[str]:
    return frozenset().union(*(contents(statement).written for statement in body))


def all_reads(body: Iterable[gast.stmt]) -> frozenset[str]:
    return frozenset().union(*(contents(statement).reads for statement in body))


def snapshots_of(statement: gast.stmt) -> gast.expr | None:
    """How many states a loop may keep; None for all other statements.

    >>> from transpiler.core.text import parse
    >>> loop = parse('for t in range(0, n, 1, snapshots=5): x = x + 1\\nreturn x').body[0]
    >>> snapshots_of(loop).value
    5
    """
    match statement:
        case gast.For(iter=gast.Call(keywords=[gast.keyword(arg='snapshots', value=value)])):
            return value
    return None


def merged_by(loop: gast.stmt) -> Mapping[str, str] | None:
    """Of a loop whose iterations may be run in any order, and apart: the names that join what they give; None for others.

    >>> from transpiler.core.text import parse
    >>> loop = parse('for t in range(0, n, 1, add=(s, c), maximum=(b,)): pass\\nreturn x').body[0]
    >>> merged_by(loop)
    {'s': 'add', 'c': 'add', 'b': 'maximum'}
    """
    match loop:
        case gast.For(iter=gast.Call(keywords=keywords)):
            found = {k.arg: k.value for k in keywords if k.arg in MERGED}
            if 'add' in found:
                return {name.id: how for how, joined in found.items() for name in joined.elts}
    return None


def lanes_of(loop: gast.stmt) -> frozenset[str]:
    """The sums of an innermost loop that may be taken in any order (`lower/vectorize/sum_lanes.py`).

    >>> from transpiler.core.text import parse
    >>> sorted(lanes_of(parse('for t in range(0, n, 1, lanes=(s, c)): pass\\nreturn x').body[0]))
    ['c', 's']
    """
    match loop:
        case gast.For(iter=gast.Call(keywords=keywords)):
            return frozenset(name.id for k in keywords if k.arg == 'lanes' for name in k.value.elts)
    return frozenset()


def is_atom(node: gast.AST) -> bool:
    return isinstance(node, (gast.Name, gast.Constant))


def primitive(node: gast.AST | None) -> str | None:
    """The dotted name of the primitive that this expression calls, or None."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):    # asked very often: no pattern
        return node.func.id
    return None
