"""Which of the user's names are read after each compound statement: merging any others would be wasted work."""

from __future__ import annotations

from typing import NamedTuple

import gast

from transpiler.core.query import children, names, parts
from transpiler.garbage import while_making


class Live(NamedTuple):
    """The names that may be read after a compound statement, and those that one iteration of a loop reads from before it."""

    after: frozenset[str]
    head: frozenset[str]


Found = dict[int, Live]
NOTHING: frozenset[str] = frozenset()


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
        for node in parts(statement)
        if isinstance(node, (gast.Lambda, gast.FunctionDef))
        for name in _loads(node)
    }
    walk = _Walk(frozenset(deferred))
    walk.block(body, walk.deferred)
    return walk.found


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
            stack += children(node)
    return found


@while_making(20_000)
def _loads(node: gast.AST | None) -> frozenset[str]:
    if node is None:
        return frozenset()
    return frozenset(n.id for n in parts(node) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Store))


class _Effect(NamedTuple):
    """What a block does to the names that are live after it: it reads some, and gives others new values for certain."""

    read: frozenset[str]
    given: frozenset[str]

    def before(self, live: frozenset[str]) -> frozenset[str]:
        return live - self.given | self.read


class _Walk:
    """One walk over a program from its end; every statement is looked into once for its effect, and once for what it finds."""

    def __init__(self, deferred: frozenset[str]):
        self.deferred = deferred
        self.found: Found = {}
        self.effects: dict[int, _Effect] = {}

    def block(self, body: list[gast.stmt], live: frozenset[str]) -> frozenset[str]:
        for statement in reversed(body):
            self.look_into(statement, live)
            live = self.effect(statement).before(live)
        return live

    def look_into(self, statement: gast.stmt, live: frozenset[str]) -> None:
        """Note what is live around a compound statement, and those in it."""
        match statement:
            case gast.If(body=body, orelse=orelse):
                self.found[id(statement)] = Live(live, live)
                self.block(body, live)
                self.block(orelse, live)
            case gast.For(target=target, body=body):
                inside = self.effect_of_block(body).before(live)    # an iteration reads the same if others follow it
                self.block(body, live | inside)
                self.found[id(statement)] = Live(live, inside - {n.id for n in _plain_targets(target)})
            case gast.While(test=test, body=body):
                tested = live | _loads(test)
                inside = self.effect_of_block(body).before(tested) | _loads(test)
                self.block(body, tested | inside)
                self.found[id(statement)] = Live(live, inside)

    def effect(self, statement: gast.stmt) -> _Effect:
        if id(statement) not in self.effects:
            self.effects[id(statement)] = self._effect(statement)
        return self.effects[id(statement)]

    def effect_of_block(self, body: list[gast.stmt]) -> _Effect:
        whole = _Effect(NOTHING, NOTHING)
        for statement in reversed(body):
            own = self.effect(statement)
            whole = _Effect(own.before(whole.read), whole.given | own.given)
        return whole

    def _effect(self, statement: gast.stmt) -> _Effect:
        match statement:
            case gast.Assign(targets=targets, value=value):
                given = frozenset({n.id for t in targets for n in _plain_targets(t)})
                return _Effect(_loads(value).union(*map(_loads, targets)), given - self.deferred)
            case gast.If(test=test, body=body, orelse=orelse):
                first, second = self.effect_of_block(body), self.effect_of_block(orelse)
                return _Effect(first.read | second.read | _loads(test), first.given & second.given)
            case gast.For(target=target, iter=iterator, body=body):
                inside = self.effect_of_block(body).read - {n.id for n in _plain_targets(target)}
                return _Effect(inside | _loads(iterator), NOTHING)
            case gast.While(test=test, body=body):
                return _Effect(self.effect_of_block(body).read | _loads(test), NOTHING)
            case gast.AugAssign(target=gast.Name(id=name), value=value):
                return _Effect(_loads(value) | {name}, NOTHING)
        return _Effect(_loads(statement), NOTHING)


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
    bound = sum(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Store) for s in body for n in parts(s))
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

def names_read(node: gast.AST) -> list[str]:
    """The names in a statement that are no targets, or in an expression."""
    if not isinstance(node, gast.stmt):
        return list(names(node))
    targets = {t.id for t in getattr(node, 'targets', ()) if isinstance(t, gast.Name)}
    inner = [part for part in children(node) if isinstance(part, gast.expr)]
    return [name for part in inner if not (isinstance(part, gast.Name) and part.id in targets) for name in names(part)]
