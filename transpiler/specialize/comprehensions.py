"""Comprehensions and generator expressions: the loops that they stand for, with names of their own."""

from __future__ import annotations

import gast

from transpiler.specialize.bindings import Binding, Container
from transpiler.specialize.context import Frame
from transpiler.specialize.early import made_early
from transpiler.specialize.loops import Loops

COLLECTED = 'for'  # a keyword: no user can have a variable of that name


class Comprehensions(Loops):
    """`[e for v in s if c]` is a loop that appends to a list; what runs over a container becomes a container."""

    def _listcomp(self, frame: Frame, node: gast.ListComp) -> Binding:
        append = gast.Attribute(value=_collected(gast.Load()), attr='append', ctx=gast.Load())
        step = gast.Expr(value=gast.Call(func=append, args=[node.elt], keywords=[]))
        return self._collect(frame, node, step, Container('list', ()))

    def _dictcomp(self, frame: Frame, node: gast.DictComp) -> Binding:
        place = gast.Subscript(value=_collected(gast.Load()), slice=node.key, ctx=gast.Store())
        step = gast.Assign(targets=[place], value=node.value, type_comment=None)
        return self._collect(frame, node, step, Container('dict', ()))

    def _generatorexp(self, frame: Frame, node: gast.GeneratorExp) -> Binding:
        """Its items are made at once; who asks for them sees that nothing can tell, but for the errors of items unasked for."""
        return made_early(self, lambda: self._listcomp(frame, node))

    def _collect(self, frame: Frame, node: gast.expr, step: gast.stmt, empty: Container) -> Binding:
        inner = Frame(frame.function, {COLLECTED: self.held(empty)}, frame, hints=frame.hints)
        body = [step]
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [gast.If(test=test, body=body, orelse=[])]
            body = [gast.For(target=generator.target, iter=generator.iter, body=body, orelse=[], type_comment=None)]
        for new in gast.walk(body[0]):
            if not hasattr(new, 'lineno'):
                gast.copy_location(new, node)
        self.execute(inner, body)
        return self.current(inner.env[COLLECTED])


def _collected(context: gast.expr_context) -> gast.Name:
    return gast.Name(id=COLLECTED, ctx=context, annotation=None, type_comment=None)
