"""Lists, dicts and texts as they are written out, and comprehensions: the loops that these stand for, with names of their own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast

from transpiler.core import build
from transpiler.errors import UnsupportedSyntax
from transpiler.normalize.comprehensions import binds_around, is_seen, makes_functions, targets_of, with_variables
from transpiler.normalize.flags import apart
from transpiler.normalize.generators import COLLECTED
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import evaluates
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.expressions.strings import Piece, text_of
from transpiler.specialize.iterables.eager import Early, made_early
from transpiler.specialize.iterables.spaces import has_parts, parts_of
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.sequences import List

FOUND = 'found'
QUANTIFIERS = Known(any), Known(all)
TAKERS = tuple(map(Known, (*(sum, min, max, sorted, list, tuple, dict), math.fsum, math.prod)))


@dataclass(eq=False)
class Comprehensions(Component):
    """`[e for v in s if c]` is a loop that appends to a list; what runs over a container becomes a container."""

    serials: Iterator[int] = field(default_factory=lambda: itertools.count(1))  # of names that stand beside others

    @evaluates(gast.List)
    def _list(self, frame: Frame, node: gast.List) -> Binding:
        """A list of known length, unless what a `*` stands for shows at run time."""
        stars = [isinstance(n, gast.Starred) for n in node.elts]
        values = [self.ev.evaluate(frame, n.value) if star else self.ev.expressions.value_or_none(frame, n)
                  for star, n in zip(stars, node.elts, strict=True)]
        if all(has_parts(self.ev, value) for star, value in zip(stars, values, strict=True) if star):
            parts = (parts_of(self.ev, v, '*') if star else (v,) for star, v in zip(stars, values, strict=True))
            return List(tuple(item for part in parts for item in part))
        made = self.ev.held(List(()))
        for star, value in zip(stars, values, strict=True):
            self.ev.changes.container_method('extend' if star else 'append', self.ev.current(made), [value], {})
        return self.ev.current(made)

    @evaluates(gast.Dict)
    def _dict(self, frame: Frame, node: gast.Dict) -> Binding:
        entries: dict[Any, Binding] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                entries |= self.ev.changes.entries(self.ev.evaluate(frame, value), '`**` in a dict')
            else:
                known = self.ev.known(self.ev.evaluate(frame, key), 'a dict key')
                entries[known] = self.ev.expressions.value_or_none(frame, value)
        return Dict(tuple(entries.values()), tuple(entries))

    @evaluates(gast.Set)
    def _set(self, frame: Frame, node: gast.Set) -> Binding:
        """A set of constants: what asks for members does not see their order."""
        return Known({self.ev.known(self.ev.evaluate(frame, item), 'a member of a set') for item in node.elts})

    @evaluates(gast.JoinedStr)
    def _joinedstr(self, frame: Frame, node: gast.JoinedStr) -> Binding:
        return text_of(self.ev, [self._piece(frame, part) for part in node.values])

    def _piece(self, frame: Frame, part: gast.expr) -> Piece:
        """A part of an f-string, and how it is shown if it is a value."""
        if not isinstance(part, gast.FormattedValue):
            return self.ev.evaluate(frame, part), None
        layout = self.ev.evaluate(frame, part.format_spec) if part.format_spec is not None else Known('')
        return self.ev.expressions.value_or_none(frame, part.value), (part.conversion, self.ev.known(layout, 'a format'))

    @evaluates(gast.ListComp)
    def _listcomp(self, frame: Frame, node: gast.ListComp) -> Binding:
        rewritten = self.ev.expressions.position(frame, node) in self.ev.assumed.rewritten
        table = self.ev.tables.table(frame, node) if rewritten and not binds_around(node) else None
        if table is not None:
            return table
        made = self._collect(frame, node, List(()))
        return self.ev.tables.as_table(frame, node, made) if rewritten else made

    @evaluates(gast.DictComp)
    def _dictcomp(self, frame: Frame, node: gast.DictComp) -> Binding:
        return self._collect(frame, node, Dict(()))

    @evaluates(gast.GeneratorExp)
    def _generatorexp(self, frame: Frame, node: gast.GeneratorExp) -> Binding:
        """Its items are made at once; who asks for them sees that nothing can tell, but for the errors of items unasked for."""
        if binds_around(node) and is_seen(frame.function.node, node):
            raise UnsupportedSyntax('`:=` in this generator expression is not supported',
                                    self.ev.expressions.position(frame, node),
                                    why='Python binds the name whenever an item is asked for, the code that is generated would '
                                        'before all of them; what takes them all at once, like `sum(...)`, shows no difference',
                                    instead='a list comprehension, `[...]`, or a loop')
        return made_early(self.ev, lambda: self._collect(frame, node, List(())))

    def decided(self, frame: Frame, node: gast.GeneratorExp, quantifier: Known, at_once: Callable[[], Binding]) -> Binding:
        """`any` or `all` of items that are made `at_once`, or one by one if that would show."""
        state = self.ev.places.before(frame)
        try:
            if not binds_around(node):
                return at_once()
        except Early:
            self.ev.places.return_to(frame, state)
        return self.until(frame, node, quantifier)

    def until(self, frame: Frame, node: gast.GeneratorExp, quantifier: Known) -> Binding:
        """`any` or `all` of items of which no more are made than decide it."""
        flag = apart(FOUND, next(self.serials))
        start = lambda value: gast.Assign(targets=[build.name(flag, build.STORE)], type_comment=None,
                                          value=gast.Constant(value=value, kind=None))

        def decide(item: gast.expr) -> gast.stmt:
            test = item if quantifier == Known(any) else gast.UnaryOp(op=gast.Not(), operand=item)
            return gast.If(test=test, body=[start(True)], orelse=[])

        with self._names(frame, node) as (inner, own):
            loop = _loops(own, decide(own.elt), lambda body: [start(False), *body,
                                                             gast.If(test=build.name(flag), body=[gast.Break()], orelse=[])])
            self._run(inner, [start(False), loop], node)
            found = self.ev.evaluate(inner, build.name(flag))
            del inner.env[flag]
        return found if quantifier == Known(any) else self.ev.expressions.negate(found)

    def _collect(self, frame: Frame, node: gast.expr, empty: List | Dict) -> Binding:
        with self._names(frame, node) as (inner, own):
            made = apart(COLLECTED, next(self.serials))
            inner.env[made] = self.ev.held(empty)
            self._run(inner, [_loops(own, _kept(own, made), lambda body: body)], node)
            return self.ev.current(inner.env.pop(made))

    def _run(self, frame: Frame, body: list[gast.stmt], node: gast.expr) -> None:
        self.ev.statements.run_through(frame, [build.placed(statement, node) for statement in body])

    @contextmanager
    def _names(self, frame: Frame, node: gast.expr) -> Iterator[tuple[Frame, gast.expr]]:
        """Where the loops of a comprehension run, and the comprehension as it reads there.

        They have a frame of their own for their variables; where `:=` binds names of the function around, they run in its
        frame, with variables that are called apart.
        """
        if not binds_around(node):
            yield Frame(frame.function, {}, frame, hints=frame.hints), node
            return
        number = next(self.serials)
        names = {name: apart(name, number) for name in sorted(targets_of(node))}
        live, frame.live = frame.live, {}  # what is read after an expression is not known
        try:
            yield frame, with_variables(node, names)
        finally:
            frame.live = live
        if not makes_functions(node):  # which read them later
            for name in names.values():
                frame.env.pop(name, None)


def _loops(node: gast.expr, step: gast.stmt, iteration: Callable[[list[gast.stmt]], list[gast.stmt]]) -> gast.stmt:
    """The loops that a comprehension stands for, with such bodies, around what is done with each item."""
    body = [step]
    for generator in reversed(node.generators):
        for test in reversed(generator.ifs):
            body = [gast.If(test=test, body=body, orelse=[])]
        body = [gast.For(target=generator.target, iter=generator.iter, body=iteration(body), orelse=[], type_comment=None)]
    return body[0]


def _kept(node: gast.expr, made: str) -> gast.stmt:
    """An item is put where the others are."""
    if isinstance(node, gast.DictComp):
        place = gast.Subscript(value=build.name(made), slice=node.key, ctx=gast.Store())
        return gast.Assign(targets=[place], value=node.value, type_comment=None)
    append = gast.Attribute(value=build.name(made), attr='append', ctx=gast.Load())
    return gast.Expr(value=gast.Call(func=append, args=[node.elt], keywords=[]))


def taking_all(callee: Binding, node: gast.Call) -> gast.Call:
    """A call that takes all items of a generator expression before it does anything else, with a list of them if it has `:=`."""
    if not node.args or not isinstance(node.args[0], gast.GeneratorExp) or not binds_around(node.args[0]):
        return node
    others = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    if callee not in TAKERS or not all(isinstance(other, gast.Constant) for other in others):
        return node
    first = node.args[0]
    items = gast.copy_location(gast.ListComp(elt=first.elt, generators=first.generators), first)
    return build.like(node, args=[items, *node.args[1:]])
