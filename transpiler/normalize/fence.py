"""The fence: refuse what lies outside the language, before any code is generated."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import gast

from transpiler.core.query import parts
from transpiler.errors import Origin, UnsupportedSyntax
from transpiler.normalize.generators import collecting, is_generator
from transpiler.normalize.refusals import REFUSALS, REFUSED_CALLS

KNOWN_DECORATORS = ('grad', 'value_and_grad', 'jit', 'checkpoint')

# Constructs that are refused wherever they stand.
ALWAYS: dict[type[gast.AST], str] = {
    gast.Yield: 'sent', gast.YieldFrom: 'returned',     # where they are statements, they yield
    gast.AsyncFunctionDef: 'async def', gast.Global: 'global', gast.Nonlocal: 'nonlocal',
    gast.ClassDef: 'class',
    gast.TypeAlias: 'type alias', gast.Try: 'try', gast.TryStar: 'try',
    gast.MatchClass: 'class pattern', gast.MatchMapping: 'mapping pattern',
    gast.SetComp: 'set comprehension', gast.TemplateStr: 'template string',
}


@dataclass(frozen=True)
class Place:
    """Where a node stands: inside the text of a message, at the root; names the function binds."""

    bound: frozenset[str]
    in_message: bool = False
    is_root: bool = False


class Violation(NamedTuple):
    node: gast.AST
    key: str
    name: str = ''


def check(function: gast.FunctionDef | gast.Lambda, origin_of: Callable[[gast.AST], Origin],
          shadowed: frozenset[str] = frozenset()) -> None:
    """Raise `UnsupportedSyntax` for the first construct in `function`, in source order, that is outside the language.

    `shadowed`: names bound around the function, so that a helper of the user's called `open` is not taken for the builtin.

    >>> text = 'def f(x):\\n    with x:\\n        yield x'
    >>> check(gast.parse(text).body[0], lambda node: Origin('model.py', node.lineno, node.col_offset))
    Traceback (most recent call last):
    ...
    transpiler.errors.UnsupportedSyntax: model.py:2:4: `with` is not supported
      why: a context manager runs code of its own on the way in and out
      instead: open the context around the call, in the caller; only `np.errstate` may stand here
    """
    first = min(_violations(function, shadowed), key=lambda v: (v.node.lineno, v.node.col_offset), default=None)
    if first is not None:
        what, why, instead = (part.replace('{name}', first.name) for part in REFUSALS[first.key])
        raise UnsupportedSyntax(what, origin_of(first.node), why=why, instead=instead)


def _violations(function, shadowed: frozenset[str]) -> Iterator[Violation]:
    """All violations, outer nodes before inner ones."""
    pending = [(function, Place(_bound(function) | shadowed, is_root=True))]
    while pending:
        node, place = pending.pop()
        if isinstance(node, gast.FunctionDef) and not place.is_root and is_generator(node):
            node = collecting(node)
        match node:
            case gast.Expr(value=gast.Yield() | gast.YieldFrom() as item):
                yield Violation(item, 'yield' if isinstance(item, gast.Yield) else 'yield from')
        if type(node) in ALWAYS:
            yield Violation(node, ALWAYS[type(node)])
        yield from _refused_here(node, place)
        pending.extend(reversed(list(_children(node, place))))


def _bound(function) -> frozenset[str]:
    return frozenset(part.id if isinstance(part, gast.Name) else part.name for part in parts(function)
                     if isinstance(part, gast.FunctionDef)
                     or (isinstance(part, gast.Name) and isinstance(part.ctx, (gast.Store, gast.Param))))


def _children(node, place: Place) -> Iterator[tuple[gast.AST, Place]]:
    """The nodes inside `node` that run with it, each with its place; annotations do not run."""
    message = replace(place, in_message=True)
    match node:
        case gast.FunctionDef() | gast.AsyncFunctionDef() | gast.Lambda():
            outer = [] if place.is_root else [*getattr(node, 'decorator_list', ()), *_defaults(node.args)]
            body = node.body if isinstance(node.body, list) else [node.body]
            yield from ((child, place) for child in outer)
            yield from ((child, Place(place.bound)) for child in body)
        case gast.For() | gast.While():
            head = (node.target, node.iter) if isinstance(node, gast.For) else (node.test,)
            yield from ((child, place) for child in head)
            yield from ((child, place) for child in (*node.body, *node.orelse))
        case gast.Raise():
            yield from ((child, message) for child in (node.exc, node.cause) if child is not None)
        case gast.Assert():
            yield node.test, place
            if node.msg is not None:
                yield node.msg, message
        case gast.Call(func=gast.Name(id='print')):
            yield from ((child, message) for child in gast.iter_child_nodes(node))
        case gast.AnnAssign():
            yield from ((child, place) for child in (node.target, node.value) if child is not None)
        case gast.Name():
            return
        case _:
            yield from ((child, place) for child in gast.iter_child_nodes(node))


def _defaults(arguments: gast.arguments) -> list[gast.expr]:
    return [default for default in (*arguments.defaults, *arguments.kw_defaults) if default is not None]


def _refused_here(node, place: Place) -> Iterator[Violation]:
    """What is wrong with `node` itself, in this place, apart from what is refused everywhere."""
    match node:
        case gast.FunctionDef() | gast.Lambda():
            yield from _refused_signature(node, place)
        case gast.Delete(targets=targets):
            kinds = (gast.Name, gast.Subscript, gast.Attribute)
            yield from (Violation(target, 'del') for target in targets if not isinstance(target, kinds))
        case gast.For() | gast.While():
            yield from _refused_loop(node)
        case gast.Raise(exc=None):
            yield Violation(node, 'bare raise')
        case gast.Raise(cause=gast.AST() as cause) if not (isinstance(cause, gast.Constant) and cause.value is None):
            yield Violation(node, 'raise from')
        case gast.Attribute():
            yield from _refused_attribute(node)
        case gast.Call():
            yield from _refused_call(node, place)
        case gast.With(items=items) if any(item.optional_vars or not isinstance(item.context_expr, gast.Call) for item in items):
            yield Violation(node, 'with')


def _refused_signature(node, place: Place) -> Iterator[Violation]:
    if getattr(node, 'type_params', None):
        yield Violation(node, 'type parameters')
    if not place.is_root:
        yield from (Violation(decorator, 'decorator') for decorator in getattr(node, 'decorator_list', ())
                    if _last_name(decorator) not in KNOWN_DECORATORS)


def _last_name(decorator) -> str:
    match decorator:
        case gast.Call(func=function):
            return _last_name(function)
        case gast.Attribute(attr=name) | gast.Name(id=name):
            return name
    return ''


def _refused_loop(node) -> Iterator[Violation]:
    if isinstance(node, gast.For) and not _is_pattern(node.target):
        yield Violation(node.target, 'loop target')


def _is_pattern(target) -> bool:
    """Whether a target is a name, or a nest of tuples of names."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return all(_is_pattern(part.value if isinstance(part, gast.Starred) else part) for part in target.elts)
    return isinstance(target, gast.Name)


def _refused_attribute(node: gast.Attribute) -> Iterator[Violation]:
    if isinstance(node.ctx, gast.Store) and node.attr in ('shape', 'dtype', 'strides'):
        yield Violation(node, 'shape write', node.attr)
    elif isinstance(node.ctx, gast.Del):
        yield Violation(node, 'attribute deletion', node.attr)
    elif node.attr.startswith('__') and node.attr.endswith('__') and not _is_method(node):
        yield Violation(node, 'dunder', node.attr)


def _is_method(node: gast.Attribute) -> bool:
    """`super().__call__`, `Base.__init__`, `object.__setattr__`: methods that classes of the program have, or write over."""
    match node.value:
        case gast.Call(func=gast.Name(id='super')):
            return True
    return node.attr in ('__init__', '__post_init__', '__call__', '__setattr__')


def _refused_call(node: gast.Call, place: Place) -> Iterator[Violation]:
    match node.func:
        case gast.Name(id='getattr' | 'setattr' as name) if name not in place.bound:
            if len(node.args) < 2 or not isinstance(node.args[1], gast.Constant):
                yield Violation(node, 'getattr', name)
        case gast.Name(id=name) if name in REFUSED_CALLS and name not in place.bound:
            key = REFUSED_CALLS[name]
            if not (key == 'text call' and place.in_message):
                yield Violation(node, key, name)
