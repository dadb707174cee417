"""`match` becomes `if`, `elif`, `else`: a pattern is a test, and what it names is assigned once all of the test holds."""

from __future__ import annotations

from typing import NamedTuple

import gast

from transpiler.core import build
from transpiler.normalize.flags import Flags

Block = list[gast.stmt]


def match_by_tests(body: Block) -> Block:
    """Rewrite every `match` statement in `body`.

    >>> import ast, textwrap
    >>> from transpiler.source.reading.patterns import as_gast
    >>> tree = as_gast(ast.parse(textwrap.dedent('''
    ... match kind:
    ...     case 'square' | 2:
    ...         y = x * x
    ...     case None:
    ...         y = x
    ...     case other if other > 2:
    ...         y = x ** other''')))
    >>> tree.body = match_by_tests(tree.body)
    >>> print(gast.unparse(tree))
    subject!1 = kind
    if subject!1 == 'square' or subject!1 == 2:
        y = x * x
    elif subject!1 is None:
        y = x
    elif ((other := subject!1),) and other > 2:
        y = x ** other

    Names are assigned at the end, before the guard; alternatives with names in them note which of them it was.

    >>> tree = as_gast(ast.parse('match n:\\n    case (1 as k) | k:\\n        y = k'))
    >>> print(gast.unparse(gast.Module(match_by_tests(tree.body), [])))
    subject!1 = n
    if (form!1 := (subject!1 == 1)) or True:
        k = subject!1 if form!1 else subject!1
        y = k
    """
    return _Matches().block(body)


class Named(NamedTuple):
    """A name in a pattern, or where it is kept if functions inside write it, and the value it gets."""

    target: gast.expr
    value: gast.expr

    def statement(self) -> gast.stmt:
        return gast.Assign(targets=[self.target], value=self.value, type_comment=None)

    def test(self) -> gast.expr:
        """An assignment that counts as true: a tuple of it is not empty."""
        return build.expression((gast.NamedExpr(target=self.target, value=self.value),))


class Pattern(NamedTuple):
    """Tests, one after the other, and the names that are assigned if all of them hold."""

    tests: list[gast.expr]
    names: list[Named]


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
        pattern = self.pattern(first.pattern, build.name(subject))
        body, tests = self.block(first.body), pattern.tests
        if first.guard is None:
            body = [gast.copy_location(named.statement(), first.pattern) for named in pattern.names] + body
        else:
            tests = [*tests, *(named.test() for named in pattern.names), first.guard]
        if not tests:
            return body
        node = gast.If(test=_all(tests), body=body, orelse=self.cases(subject, rest, place))
        return [gast.copy_location(node, body[0] if hasattr(body[0], 'lineno') else place)]

    def pattern(self, pattern: gast.pattern, subject: gast.expr) -> Pattern:
        """What says whether the value of `subject` has that form, and the names of its parts."""
        match pattern:
            case gast.MatchValue(value=value):
                return Pattern([build.compare(subject, gast.Eq, value)], [])
            case gast.MatchSingleton(value=value):
                return Pattern([build.compare(subject, gast.Is, build.constant(value))], [])
            case gast.MatchOr(patterns=patterns):
                return self.alternatives([self.pattern(p, subject) for p in patterns])
            case gast.MatchAs(pattern=inner, name=name):
                tests, names = Pattern([], []) if inner is None else self.pattern(inner, subject)
                return Pattern(tests, names if name is None else [*names, Named(name, subject)])
            case gast.MatchSequence(patterns=patterns):
                return self.sequence(patterns, subject)
        raise TypeError(f'the fence lets no {type(pattern).__name__} through')

    def alternatives(self, patterns: list[Pattern]) -> Pattern:
        """The first that holds; each but the last notes whether it did, if there are names whose values depend on that."""
        tests = [_all(p.tests or [build.constant(True)]) for p in patterns]
        names = patterns[-1].names
        if names:
            flags = [self.names.new('form') for _ in patterns[1:]]
            tests = [*map(_noted, flags, tests[:-1]), tests[-1]]
            for flag, pattern in zip(flags[::-1], patterns[-2::-1], strict=True):
                names = _either(flag, pattern.names, names)
        return Pattern([gast.BoolOp(op=gast.Or(), values=tests)], names)

    def sequence(self, patterns: list[gast.pattern], subject: gast.expr) -> Pattern:
        """A tuple or list of so many items, each of its own form; a starred name gets a list of those left over."""
        star = next((place for place, p in enumerate(patterns) if isinstance(p, gast.MatchStar)), None)
        count = len(patterns) - (star is not None)
        size = build.compare(build.call('python.len', subject), gast.Eq if star is None else gast.GtE, count)
        kinds = build.expression((build.name('python.tuple'), build.name('python.list')))
        found = Pattern([build.call('python.isinstance', subject, kinds), size], [])
        for place, pattern in enumerate(patterns):
            if place == star:
                end = None if place == count else build.constant(place - count)
                rest = build.subscript(subject, gast.Slice(lower=build.constant(place), upper=end, step=None))
                if pattern.name is not None:
                    found.names.append(Named(pattern.name, build.call('python.list', rest)))
            else:
                from_end = star is not None and place > star
                item = self.pattern(pattern, build.subscript(subject, place - len(patterns) if from_end else place))
                found = Pattern(found.tests + item.tests, found.names + item.names)
        return found


def _all(tests: list[gast.expr]) -> gast.expr:
    return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)


def _either(flag: str, names: list[Named], others: list[Named]) -> list[Named]:
    """The same names, with the values of `names` if the flag holds, else those of `others`."""
    values = {gast.unparse(target): value for target, value in names}
    return [Named(target, gast.IfExp(test=build.name(flag), body=values[gast.unparse(target)], orelse=value))
            for target, value in others]


def _noted(flag: str, test: gast.expr) -> gast.expr:
    return gast.NamedExpr(target=build.name(flag, build.STORE), value=test)
