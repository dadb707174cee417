"""Names in comprehensions: their loop variables are their own, what `:=` binds belongs to the function around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.core import build
from transpiler.core.query import children
from transpiler.garbage import while_making

SCOPES = gast.FunctionDef, gast.Lambda
COMPREHENSIONS = gast.ListComp, gast.DictComp, gast.GeneratorExp, gast.SetComp


@while_making(2_000)
def binds_around(node: gast.expr) -> bool:
    """Whether `:=` stands in a comprehension, also in one inside, but not in a `lambda`, whose names are its own."""
    return any(isinstance(part, gast.NamedExpr) for part in _outside_lambdas(node))


def is_seen(function: gast.FunctionDef, node: gast.expr) -> bool:
    """Whether a name that `:=` binds in a comprehension stands anywhere else in the function."""
    targets = [part.target for part in _outside_lambdas(node) if isinstance(part, gast.NamedExpr)]
    if not all(isinstance(target, gast.Name) for target in targets):
        return True
    count = lambda tree, name: sum(isinstance(part, gast.Name) and part.id == name for part in gast.walk(tree))
    return any(count(function, target.id) != count(node, target.id) for target in targets)


def makes_functions(node: gast.expr) -> bool:
    return any(isinstance(part, gast.Lambda) for part in gast.walk(node))


def targets_of(node: gast.expr) -> set[str]:
    """The loop variables of a comprehension."""
    return stores([generator.target for generator in node.generators])


@while_making(2_000)
def local_names(function: gast.FunctionDef) -> frozenset[str]:
    """The names that a function gives values: without those that are global, or of its comprehensions alone.

    >>> tree = gast.parse('def f(x):\\n    for i in x:\\n        y = [(last := v) for v in x]\\n    return y')
    >>> sorted(local_names(tree.body[0]))
    ['i', 'last', 'y']
    """
    found: set[str] = set()
    elsewhere: set[str] = set()
    pending: list[gast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        match node:
            case gast.FunctionDef(name=name):
                found.add(name)
            case gast.Name(id=name, ctx=gast.Store()):
                found.add(name)
            case gast.Global(names=names) | gast.Nonlocal(names=names):
                elsewhere.update(names)
        if isinstance(node, gast.comprehension):
            pending += [node.iter, *node.ifs]
        elif not isinstance(node, SCOPES):
            pending += children(node)
    return frozenset(found - elsewhere)


def renamed(node: gast.AST, names: Mapping[str, str]) -> gast.AST:
    """A copy in which these names are called otherwise, but where a function or a comprehension inside has one of its own.

    >>> node = gast.parse('(v, w, [v for v in v], lambda w: v + w)', mode='eval').body
    >>> gast.unparse(renamed(node, {'v': 'a', 'w': 'b'}))
    '(a, b, [v for v in a], lambda w: a + w)'
    """
    match node:
        case gast.Name(ctx=gast.Param()):
            return node
        case gast.Name(id=name):
            return build.like(node, id=names.get(name, name))
        case gast.Lambda(args=arguments, body=body):
            own = {part.id for part in gast.walk(arguments) if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Param)}
            return build.like(node, args=_fields(arguments, names), body=renamed(body, _without(names, own)))
    if isinstance(node, COMPREHENSIONS):
        return _comprehension(node, names, _without(names, targets_of(node)))
    return _fields(node, names)


def with_variables(node: gast.expr, names: Mapping[str, str]) -> gast.expr:
    """A comprehension whose own variables are called otherwise; what it runs over first is read outside of it.

    >>> node = gast.parse('[v for v in v if v > 0]', mode='eval').body
    >>> gast.unparse(with_variables(node, {'v': 'a'}))
    '[a for a in v if a > 0]'
    """
    return _comprehension(node, {}, names)


def _comprehension(node: gast.expr, around: Mapping[str, str], inside: Mapping[str, str]) -> gast.expr:
    first, *others = node.generators
    first = build.like(_fields(first, inside), iter=renamed(first.iter, around))
    return build.like(_fields(node, inside), generators=[first, *(_fields(other, inside) for other in others)])


def _fields(node: gast.AST, names: Mapping[str, str]) -> gast.AST:
    return build.like(node, **{field: _field(value, names) for field, value in gast.iter_fields(node)})


def _field(value, names: Mapping[str, str]):
    if isinstance(value, list):
        return [_field(part, names) for part in value]
    return renamed(value, names) if isinstance(value, gast.AST) else value


def _without(names: Mapping[str, str], own: set[str]) -> dict[str, str]:
    return {name: other for name, other in names.items() if name not in own}


def _outside_lambdas(node: gast.AST) -> Iterator[gast.AST]:
    yield node
    if not isinstance(node, gast.Lambda):
        for part in gast.iter_child_nodes(node):
            yield from _outside_lambdas(part)
