"""Names that functions inside write as `nonlocal`: what they stand for is kept in a dict, which all functions share."""

from __future__ import annotations

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.core import build
from transpiler.core.query import children, parts
from transpiler.garbage import while_making
from transpiler.normalize.comprehensions import COMPREHENSIONS, SCOPES, targets_of

BOX = '*'  # no user can have a variable of that name


@while_making(2_000)
def with_shared_names(function: gast.FunctionDef) -> gast.FunctionDef:
    """A function in which no function inside writes a name of its own: `total += v` is `total*['total'] += v`.

    What is first given a value elsewhere than in a line of the function's own stays as it is, and so does `nonlocal`.
    A `global` of names that the function does not write says nothing, and goes.

    >>> tree = gast.parse('def f(x):\\n    n = 0\\n    def g():\\n        nonlocal n\\n        n += 1\\n    g()\\n    return n')
    >>> print(gast.unparse(with_shared_names(tree.body[0])).replace('*', '_'))
    def f(x):
        n = 0
        n_ = {'n': n}
    <BLANKLINE>
        def g():
            n_['n'] += 1
        g()
        return n_['n']
    """
    changed = _Shared(frozenset()).function(function)
    return changed if changed is not None else function


class _Shared(gast.NodeTransformer):
    """Rewrites copies; `boxed` are the names that are kept in a dict here."""

    def __init__(self, boxed: frozenset[str]):
        self.boxed = boxed

    def function(self, node: gast.FunctionDef) -> gast.FunctionDef | None:
        """The function anew; None where there is nothing to do."""
        declared = {name for part in _own(node.body) if isinstance(part, gast.Nonlocal) for name in part.names}
        own = (_parameters(node) | stores(node.body)) - declared
        wanted = own & _nonlocals_inside(node.body)
        first = {name: line for name in sorted(wanted - _parameters(node)) if (line := _first(node.body, name)) is not None}
        written = wanted & _parameters(node) | first.keys()
        boxed = self.boxed - own | written
        if not boxed and not any(isinstance(part, (gast.Nonlocal, gast.Global, *SCOPES)) for part in _own(node.body)):
            return None
        body = []
        for line in node.body:
            new = [name for name, one in first.items() if one is line]
            body += [*_Shared(boxed.difference(new)).statement(line, own), *(_start(name, line) for name in new)]
        starts = [_start(name, node) for name in sorted(written & _parameters(node))]
        return gast.copy_location(build.like(node, body=[*starts, *(body or [gast.Pass()])]), node)

    def statement(self, node: gast.stmt, own: set[str]) -> list[gast.stmt]:
        """A line of the function; what it says of names that are shared goes."""
        match node:
            case gast.Nonlocal(names=names):
                left = [name for name in names if name not in self.boxed]
                return [build.like(node, names=left)] if left else []
            case gast.Global(names=names) if not own.intersection(names):
                return []
        return [self.visit(node)]

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        found = self.function(node)
        return found if found is not None else node

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        inner = _Shared(self.boxed - _parameters(node))
        return gast.copy_location(build.like(node, body=inner.visit(node.body)), node)

    def generic_visit(self, node):
        if isinstance(node, COMPREHENSIONS):
            hidden = targets_of(node)
            if hidden & self.boxed:
                return _Shared(self.boxed - hidden).generic_visit(node)
        changed = {field: self._field(value) for field, value in gast.iter_fields(node) if isinstance(value, (list, gast.AST))}
        return gast.copy_location(build.like(node, **changed), node) if changed else node

    def _field(self, value):
        if isinstance(value, list):
            return [self.visit(part) if isinstance(part, gast.AST) else part for part in value]
        return self.visit(value)

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id not in self.boxed or isinstance(node.ctx, gast.Param):
            return node
        key = gast.Constant(value=node.id, kind=None)
        return build.placed(gast.Subscript(value=build.name(node.id + BOX), slice=key, ctx=node.ctx), node)


def _own(body: list[gast.stmt]):
    pending: list[gast.AST] = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, SCOPES):
            pending += children(node)


def _nonlocals_inside(body: list[gast.stmt]) -> set[str]:
    """The names that functions inside, at any depth, say to be of a function around them."""
    inner = [node for node in _own(body) if isinstance(node, gast.FunctionDef)]
    return {name for function in inner for part in parts(function) if isinstance(part, gast.Nonlocal) for name in part.names}


def _first(body: list[gast.stmt], name: str) -> gast.stmt | None:
    """The line of the function that gives a name its value; None if something before that line mentions it."""
    for statement in body:
        match statement:
            case gast.Assign(targets=targets, value=value) if name in stores(targets) and not _mentions(value, name):
                return statement
        if _mentions(statement, name):
            return None
    return None


def _mentions(node: gast.AST, name: str) -> bool:
    return any(isinstance(part, gast.Name) and part.id == name for part in parts(node))


def _parameters(node) -> set[str]:
    arguments = node.args
    several = [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return {a.id for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *several)}


def _start(name: str, place: gast.AST) -> gast.stmt:
    box = gast.Dict(keys=[gast.Constant(value=name, kind=None)], values=[build.name(name)])
    return build.placed(gast.Assign(targets=[build.name(name + BOX, build.STORE)], value=box, type_comment=None), place)
