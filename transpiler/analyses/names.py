"""Which of the user's names are read after each compound statement: merging any others would be wasted work."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import gast

from transpiler.core.fixpoint import settled
from transpiler.core.query import parts


class Live(NamedTuple):
    """The names that may be read after a compound statement, and those that one turn of a loop reads from before it."""

    after: frozenset[str]
    head: frozenset[str]


Found = dict[int, Live]


def live_names(body: list[gast.stmt]) -> Found:
    """For every `if`, `for` and `while` in `body`, by `id`: the names that are live around it.

    Names read inside nested functions and lambdas count as read everywhere: they run later.

    >>> tree = gast.parse('for i in r:\\n    t = i\\n    s = s + t\\nreturn_ = s')
    >>> live = live_names(tree.body)[id(tree.body[0])]; sorted(live.after), sorted(live.head)
    (['s'], ['s'])
    """
    deferred = {
        name
        for statement in body
        for node in gast.walk(statement)
        if isinstance(node, (gast.Lambda, gast.FunctionDef))
        for name in _loads(node)
    }
    found: Found = {}
    _block(body, frozenset(deferred), frozenset(deferred), found)
    return found


def stores(body: list[gast.stmt]) -> set[str]:
    """The names that some statement in `body` may bind, not looking into nested functions."""
    found: set[str] = set()
    stack: list[gast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, gast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            found.add(node.id)
        if not isinstance(node, (gast.FunctionDef, gast.Lambda)):
            stack.extend(gast.iter_child_nodes(node))
    return found


@lru_cache(maxsize=20_000)
def _loads(node: gast.AST | None) -> frozenset[str]:
    if node is None:
        return frozenset()
    return frozenset(n.id for n in parts(node) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Store))


def _block(body: list[gast.stmt], live: frozenset[str], deferred: frozenset[str], found: Found) -> frozenset[str]:
    for statement in reversed(body):
        live = _statement(statement, live, deferred, found)
    return live


def _statement(statement: gast.stmt, live: frozenset[str], deferred: frozenset[str], found: Found) -> frozenset[str]:
    match statement:
        case gast.Assign(targets=targets, value=value):
            killed = {n.id for t in targets for n in _plain_targets(t)}
            inner = frozenset[str]().union(*map(_loads, targets))
            return live - (killed - deferred) | _loads(value) | inner
        case gast.If(test=test, body=body, orelse=orelse):
            found[id(statement)] = Live(live, live)
            return _block(body, live, deferred, found) | _block(orelse, live, deferred, found) | _loads(test)
        case gast.For(target=target, iter=iterator, body=body):
            inside = _turn(body, live, deferred, found) - {n.id for n in _plain_targets(target)}
            found[id(statement)] = Live(live, inside)
            return live | inside | _loads(iterator)
        case gast.While(test=test, body=body):
            inside = _turn(body, live | _loads(test), deferred, found) | _loads(test)
            found[id(statement)] = Live(live, inside)
            return live | inside
        case gast.AugAssign(target=gast.Name(id=name), value=value):
            return live | {name} | _loads(value)
    return live | _loads(statement)


def _turn(body: list[gast.stmt], live: frozenset[str], deferred: frozenset[str], found: Found) -> frozenset[str]:
    """Live at the head of a loop's body: what is read later in it, in another turn, or after it."""
    nothing: frozenset[str] = frozenset()
    return settled(nothing, lambda before: before | _block(body, live | before, deferred, found))


def _plain_targets(target: gast.expr) -> list[gast.Name]:
    if isinstance(target, gast.Name):
        return [target]
    if isinstance(target, (gast.Tuple, gast.List)):
        return [n for e in target.elts for n in _plain_targets(e)]
    return []


def read_once(body: list[gast.stmt], name: str) -> bool:
    """Whether a name is bound at most once in `body`, and read in one place, which is not in a loop.

    >>> body = gast.parse('for a, b in pairs: s = s + a * b\\nt = rows + rows').body
    >>> read_once(body, 'pairs'), read_once(body, 'rows'), read_once(body, 's')
    (True, False, False)
    """
    places: list[bool] = []
    bound = sum(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Store) for s in body for n in gast.walk(s))
    for statement in body:
        _find_reads(statement, name, True, places)
    return bound <= 1 and places == [True]


def _find_reads(node: gast.AST, name: str, once: bool, places: list[bool]) -> None:
    """Note for each place that reads `name` whether it is run at most once."""
    first: list[gast.AST] = []
    match node:
        case gast.Name(id=read) if read == name and not isinstance(node.ctx, gast.Store):
            places.append(once)
        case gast.For(iter=sequence) | gast.ListComp(generators=[gast.comprehension(iter=sequence), *_]) | gast.GeneratorExp(
                generators=[gast.comprehension(iter=sequence), *_]) | gast.DictComp(
                generators=[gast.comprehension(iter=sequence), *_]):
            first = [sequence]
    again = bool(first) or isinstance(node, (gast.While, gast.Lambda, gast.FunctionDef))
    for part in first:
        _find_reads(part, name, once, places)
    for part in gast.iter_child_nodes(node):
        if isinstance(part, gast.comprehension) and part.iter in first:
            for inner in (part.target, *part.ifs):
                _find_reads(inner, name, False, places)
        elif part not in first:
            _find_reads(part, name, once and not again, places)
