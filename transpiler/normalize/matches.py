"""`match` becomes `if`, `elif`, `else`: a pattern is a test, and a name in it is an assignment in that test."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.normalize.flags import Flags

Block = list[gast.stmt]


def match_by_tests(body: Block) -> Block:
    """Rewrite every `match` statement in `body`.

    >>> import textwrap
    >>> tree = gast.parse(textwrap.dedent('''
    ... match kind:
    ...     case 'square' | 2:
    ...         y = x * x
    ...     case None:
    ...         y = x
    ...     case other if other > 2:
    ...         y = x ** other'''))
    >>> tree.body = match_by_tests(tree.body)
    >>> print(gast.unparse(tree))
    subject!1 = kind
    if subject!1 == 'square' or subject!1 == 2:
        y = x * x
    elif subject!1 is None:
        y = x
    elif ((other := subject!1),) and other > 2:
        y = x ** other
    """
    return _Matches().block(body)


class _Matches:
    def __init__(self) -> None:
        self.names = Flags()

    def block(self, body: Block) -> Block:
        return [new for statement in body for new in self.statement(statement)]

    def statement(self, statement: gast.stmt) -> Block:
        match statement:
            case gast.If() | gast.For() | gast.While():
                return [build.like(statement, body=self.block(statement.body), orelse=self.block(statement.orelse))]
            case gast.Match(subject=subject, cases=cases):
                name = self.names.new('subject')
                target = build.like(build.name(name), ctx=gast.Store())
                first = gast.Assign(targets=[target], value=subject, type_comment=None)
                return [gast.copy_location(first, statement), *self.cases(name, cases, statement)]
        return [statement]

    def cases(self, subject: str, cases: list, place: gast.stmt) -> Block:
        if not cases:
            return []
        first, *rest = cases
        tests = _tests(first.pattern, build.name(subject)) + ([first.guard] if first.guard is not None else [])
        body = self.block(first.body)
        if not tests:
            return body
        node = gast.If(test=_all(tests), body=body, orelse=self.cases(subject, rest, place))
        return [gast.copy_location(node, body[0] if hasattr(body[0], 'lineno') else place)]


def _all(tests: list[gast.expr]) -> gast.expr:
    return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)


def _tests(pattern: gast.pattern, subject: gast.expr) -> list[gast.expr]:
    """The tests, one after the other, that say whether the value of `subject` has that form, and name its parts."""
    match pattern:
        case gast.MatchValue(value=value):
            return [build.compare(subject, gast.Eq, value)]
        case gast.MatchSingleton(value=value):
            return [build.compare(subject, gast.Is, build.constant(value))]
        case gast.MatchOr(patterns=patterns):
            found = [_tests(p, subject) for p in patterns]
            return [gast.BoolOp(op=gast.Or(), values=[_all(t or [build.constant(True)]) for t in found])]
        case gast.MatchAs(pattern=inner, name=name):
            return ([] if inner is None else _tests(inner, subject)) + ([] if name is None else [_named(name, subject)])
        case gast.MatchSequence(patterns=patterns):
            return _sequence(patterns, subject)
    raise TypeError(f'the fence lets no {type(pattern).__name__} through')


def _named(name: str, value: gast.expr) -> gast.expr:
    """An assignment that counts as true: a tuple of it is not empty."""
    target = build.like(build.name(name), ctx=gast.Store())
    return build.expression((gast.NamedExpr(target=target, value=value),))


def _sequence(patterns: list[gast.pattern], subject: gast.expr) -> list[gast.expr]:
    """A tuple or list of so many items, each of its own form; a starred name gets a list of those left over."""
    star = next((place for place, p in enumerate(patterns) if isinstance(p, gast.MatchStar)), None)
    count = len(patterns) - (star is not None)
    size = build.compare(build.call('python.len', subject), gast.Eq if star is None else gast.GtE, count)
    kinds = build.expression((build.name('python.tuple'), build.name('python.list')))
    tests = [build.call('python.isinstance', subject, kinds), size]
    for place, pattern in enumerate(patterns):
        if place == star:
            end = None if place == count else build.constant(place - count)
            rest = build.subscript(subject, gast.Slice(lower=build.constant(place), upper=end, step=None))
            tests += [] if pattern.name is None else [_named(pattern.name, build.call('python.list', rest))]
        else:
            from_end = star is not None and place > star
            tests += _tests(pattern, build.subscript(subject, place - len(patterns) if from_end else place))
    return tests
