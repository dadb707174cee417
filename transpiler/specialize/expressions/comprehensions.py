"""Lists, dicts and texts as they are written out, and comprehensions: the loops that these stand for, with names of their own."""

from __future__ import annotations

from typing import Any

import gast

from transpiler.core import build
from transpiler.normalize.generators import COLLECTED
from transpiler.specialize.domain.bindings import Binding, Container, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import evaluates
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.expressions.strings import Piece, text_of
from transpiler.specialize.iterables.eager import made_early
from transpiler.specialize.iterables.spaces import has_parts, parts_of


class Comprehensions(Component):
    """`[e for v in s if c]` is a loop that appends to a list; what runs over a container becomes a container."""

    @evaluates(gast.List)
    def _list(self, frame: Frame, node: gast.List) -> Binding:
        """A list of known length, unless what a `*` stands for shows at run time."""
        stars = [isinstance(n, gast.Starred) for n in node.elts]
        values = [self.ev.evaluate(frame, n.value) if star else self.ev.expressions.value_or_none(frame, n)
                  for star, n in zip(stars, node.elts, strict=True)]
        if all(has_parts(self.ev, value) for star, value in zip(stars, values, strict=True) if star):
            parts = (parts_of(self.ev, v, '*') if star else (v,) for star, v in zip(stars, values, strict=True))
            return Container('list', tuple(item for part in parts for item in part))
        made = self.ev.held(Container('list', ()))
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
        return Container('dict', tuple(entries.values()), tuple(entries))

    @evaluates(gast.Set)
    def _set(self, frame: Frame, node: gast.Set) -> Binding:
        """A set of constants: what asks for members does not see their order."""
        return Known(frozenset(self.ev.known(self.ev.evaluate(frame, item), 'a member of a set') for item in node.elts))

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
        table = self.ev.tables.table(frame, node) if rewritten else None
        if table is not None:
            return table
        append = gast.Attribute(value=build.name(COLLECTED), attr='append', ctx=gast.Load())
        step = gast.Expr(value=gast.Call(func=append, args=[node.elt], keywords=[]))
        made = self._collect(frame, node, step, Container('list', ()))
        return self.ev.tables.as_table(frame, node, made) if rewritten else made

    @evaluates(gast.DictComp)
    def _dictcomp(self, frame: Frame, node: gast.DictComp) -> Binding:
        place = gast.Subscript(value=build.name(COLLECTED), slice=node.key, ctx=gast.Store())
        step = gast.Assign(targets=[place], value=node.value, type_comment=None)
        return self._collect(frame, node, step, Container('dict', ()))

    @evaluates(gast.GeneratorExp)
    def _generatorexp(self, frame: Frame, node: gast.GeneratorExp) -> Binding:
        """Its items are made at once; who asks for them sees that nothing can tell, but for the errors of items unasked for."""
        return made_early(self.ev, lambda: self._listcomp(frame, node))

    def _collect(self, frame: Frame, node: gast.expr, step: gast.stmt, empty: Container) -> Binding:
        inner = Frame(frame.function, {COLLECTED: self.ev.held(empty)}, frame, hints=frame.hints)
        body = [step]
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [gast.If(test=test, body=body, orelse=[])]
            body = [gast.For(target=generator.target, iter=generator.iter, body=body, orelse=[], type_comment=None)]
        self.ev.execute(inner, [build.placed(body[0], node)])
        return self.ev.current(inner.env[COLLECTED])
