"""Interleaving: a loop over an iterator that makes each item when its turn comes, by the text of both put together.

    for v in (f(w) for w in x if w > 0):          for w in x:
        if v > 2:                                     if w > 0:
            break                                         v = f(w)
        t = t + v                                         if v > 2:
                                                              break
                                                          t = t + v

Where nothing shows that all items are made before the first iteration, that is done instead (`eager.py`).
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.core import build
from transpiler.core.query import without_exit
from transpiler.normalize.comprehensions import local_names, renamed, targets_of, with_variables
from transpiler.normalize.flags import apart
from transpiler.normalize.generators import LEFT, YIELD, is_generator, yielding
from transpiler.normalize.normalize import normalize
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Closure, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.iterables.eager import Early

Block = list[gast.stmt]


@dataclass(eq=False)
class Interleaving(Component):
    """Loops over generator expressions, generator functions, `map` and `filter`, with their items made one by one."""

    def loop(self, frame: Frame, statement: gast.For, at_once: Callable[[], bool]) -> bool:
        """Run a loop `at_once`, with all items made before, or item by item where that would show."""
        if not isinstance(statement.iter, (gast.GeneratorExp, gast.Call)) or frame.function is None:
            return at_once()
        state = self.ev.places.before(frame)
        try:
            return at_once()
        except Early as error:
            if error.is_settled:
                raise
            refused = error
        self.ev.places.return_to(frame, state)
        body = self._in_turn(frame, statement)
        refused.is_settled = True
        if body is None:
            raise refused
        live, frame.live = frame.live, {}  # what is read after a part of the new text is not known
        try:
            return self.ev.execute(frame, [build.placed(line, statement) for line in body])
        finally:
            frame.live = live

    def _in_turn(self, frame: Frame, statement: gast.For) -> Block | None:
        """The text of the loop and of its iterator together; None for an iterator whose text is not at hand."""
        if isinstance(statement.iter, gast.GeneratorExp):
            return self._of_expression(statement, statement.iter)
        callee = self.ev.evaluate(frame, statement.iter.func)
        if callee in (Known(map), Known(filter)):
            return self._of_mapping(frame, statement, callee)
        if callee == Known(enumerate):
            return self._numbered(statement)
        if isinstance(callee, Known) and isinstance(callee.value, FunctionType):
            callee = Closure(self.ev.captures.source_of(callee.value))
        if isinstance(callee, Closure) and is_generator(callee.function.node) and _sees_the_same(frame, callee):
            return self._of_function(frame, statement, callee)
        return None

    def _numbered(self, statement: gast.For) -> Block | None:
        """`for k, v in enumerate(items)` is a loop over the items that counts."""
        match statement:
            case gast.For(target=gast.Tuple(elts=[number, item]), iter=gast.Call(args=[items], keywords=[])):
                counter = apart('count', next(self.ev.comprehensions.serials))
                zero, one = (gast.Constant(value=value, kind=None) for value in (0, 1))
                more = gast.BinOp(left=build.name(counter), op=gast.Add(), right=one)
                counted = [_assign(number, build.name(counter)), _assign(build.name(counter, build.STORE), more)]
                loop = build.like(statement, target=item, iter=items, body=[*counted, *statement.body])
                return [_assign(build.name(counter, build.STORE), zero), loop]
        return None

    def _of_expression(self, statement: gast.For, node: gast.GeneratorExp) -> Block:
        number = next(self.ev.comprehensions.serials)
        node = with_variables(node, {name: apart(name, number) for name in targets_of(node)})
        body, leave = without_exit(statement.body)
        body = [_assign(statement.target, node.elt), *body]
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [gast.If(test=test, body=body, orelse=[])]
            exits = [] if leave is None else [gast.If(test=leave, body=[gast.Break()], orelse=[])]
            body = [gast.For(target=generator.target, iter=generator.iter, body=[*body, *exits], orelse=[], type_comment=None)]
        return body

    def _of_mapping(self, frame: Frame, statement: gast.For, callee: Known) -> Block | None:
        """`map(f, x)` is `(f(v) for v in x)`, and `filter(f, x)` is `(v for v in x if f(v))`."""
        call = statement.iter
        if len(call.args) < 2 or call.keywords or any(isinstance(arg, gast.Starred) for arg in call.args):
            return None
        number = next(self.ev.comprehensions.serials)
        function, *items = (apart(name, number) for name in ('function', *['item'] * (len(call.args) - 1)))
        items = [f'{name}:{k}' for k, name in enumerate(items)]
        frame.env[together := apart('zip', number)] = Known(zip)
        several = len(items) > 1
        target = gast.Tuple(elts=[build.name(i, build.STORE) for i in items], ctx=gast.Store()) if several else build.name(
            items[0], build.STORE)
        source = gast.Call(func=build.name(together), args=call.args[1:], keywords=[]) if several else call.args[1]
        made = gast.Call(func=build.name(function), args=list(map(build.name, items)), keywords=[])
        kept = callee == Known(filter)
        test = made if self.ev.evaluate(frame, call.args[0]) != Known(None) else build.name(items[0])
        generator = gast.comprehension(target=target, iter=source, ifs=[test] if kept else [], is_async=0)
        node = gast.GeneratorExp(elt=build.name(items[0]) if kept else made, generators=[generator])
        return [_assign(build.name(function, build.STORE), call.args[0]), *self._of_expression(statement, node)]

    def _of_function(self, frame: Frame, statement: gast.For, callee: Closure) -> Block:
        """The body of a generator function, with that of the loop where it yields; its names are called apart."""
        given = [self.ev.current(arg) for arg in self.ev.expressions.each(frame, statement.iter.args)]
        bound = self.ev.tables.bind(callee, given, self.ev.calls.keywords(frame, statement.iter.keywords))
        body, leave = without_exit(statement.body)
        lines, _ = normalize(_yielding(callee.function, leave is not None))
        number = next(self.ev.comprehensions.serials)
        names = {name: apart(name, number) for name in {*bound, LEFT, *stores(lines)}}
        frame.env |= {names[name]: value for name, value in bound.items()}
        left = [] if leave is None else [_assign(build.name(names[LEFT], build.STORE), leave)]

        def at_yield(value: gast.expr) -> Block:
            return [_assign(statement.target, value), *body, *left]

        start = [] if leave is None else [_assign(build.name(names[LEFT], build.STORE), gast.Constant(value=False, kind=None))]
        return [*start, *_with_yields([renamed(line, names) for line in lines[:-1]], at_yield)]


def _yielding(function: Function, is_left: bool) -> Function:
    return Function(function.name, yielding(function.node, is_left), function.file, function.lines, function.scope)


def _sees_the_same(frame: Frame, callee: Closure) -> bool:
    """Whether the names that a function reads from around it mean the same where it is called."""
    node = callee.function.node
    if any(isinstance(part, (gast.FunctionDef, gast.Nonlocal)) for line in node.body for part in gast.walk(line)):
        return False
    own = local_names(node) | {part.id for part in gast.walk(node.args) if isinstance(part, gast.Name)}
    free = {part.id for line in node.body for part in gast.walk(line) if isinstance(part, gast.Name)} - own
    holder: Frame | None = frame
    while holder is not None and holder is not callee.frame:
        if free & (holder.env.keys() | (local_names(holder.function.node) if holder.function else frozenset())):
            return False
        holder = holder.parent
    scopes = frame.function.scope, callee.function.scope
    same = all(scopes[0].lookup(name) is scopes[1].lookup(name) for name in free)
    return same and holder is callee.frame and frame.function.file == callee.function.file


def _with_yields(body: Block, at_yield: Callable[[gast.expr], Block]) -> Block:
    done: Block = []
    for statement in body:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Name(id=name), args=[value])) if name == YIELD:
                done += at_yield(value)
                continue
        changed = {place: _with_yields(part, at_yield) for place, part in gast.iter_fields(statement)
                   if isinstance(part, list) and part and all(isinstance(line, gast.stmt) for line in part)}
        done.append(build.like(statement, **changed) if changed else statement)
    return done


def _assign(target: gast.expr, value: gast.expr) -> gast.stmt:
    return gast.Assign(targets=[target], value=value, type_comment=None)
