"""Statements that read numbers of several kinds, kept apart: what they do is done for each kind in a branch of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import gast
import numpy as np

from transpiler.analyses.dataflow.source_liveness import names_read
from transpiler.core import build
from transpiler.core.query import blocks
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.rules.base.registry import Rule
from transpiler.specialize.control.loop_state import Place
from transpiler.specialize.control.loop_trial import Iteration
from transpiler.specialize.domain.bindings import Binding, Known, Method, leaf_type
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.evaluation.signals import NoValue
from transpiler.specialize.kinds.eithers import HELD, LATER, Answer, apart, is_either, kept, without
from transpiler.specialize.kinds.mixtures import kinds_in, number_of, of_kinds, sort_of
from transpiler.specialize.structures.alternatives import EitherNumber
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.types import Scalar, Unknown


@dataclass(eq=False)
class Distribution(Component):
    """One branch for each kind that a number may be of."""

    answers: dict[str, Any] = field(default_factory=dict)  # of tests that read what is of several kinds

    def awaiting(self, frame: Frame, statement: gast.stmt, do: Callable[[Frame, gast.stmt], bool]) -> bool:
        read = statement.iter if isinstance(statement, gast.For) else statement
        name = None if blocks(read) or _is_copy(read) else self._kept_apart(frame, read)
        if name is None:
            return self.ev.statements.awaiting(frame, statement, do)
        run = lambda: self.ev.execute(frame, [statement])
        return self._in_each(_holder(frame, name), name, run, self._in_branches(frame, statement))

    def test(self, frame: Frame, node: gast.expr) -> Binding:
        name = self._kept_apart(frame, node)
        if name is None:
            return self.ev.deciding.test(frame, node)
        holder, truths = _holder(frame, name), {}
        either = holder.env[name]

        def run() -> Binding:
            of_this = holder.env[name]
            found = self.test(frame, node)
            truths[sort_of(leaf_type(of_this))] = self.ev.branches.truth(found)
            return self._flag(found)

        test = self._in_each(holder, name, run, lambda *arms: self.ev.choose(frame, *arms))
        if isinstance(test, Var):
            self.answers[test.name] = Answer(test, either.which, truths)
        return test

    def narrowed(self, names: dict, test: Var, holds: bool) -> dict:
        names, answer = self.ev.branches.narrowed(names, test, holds), self.answers.get(test.name)
        if answer is None or answer.test is not test:
            return names
        about = [name for name, binding in names.items() if is_either(binding) and binding.which == answer.which]
        gone = answer.kinds(not holds)
        return {**names, **{name: without(names[name], gone) for name in about}} if about else names

    def _in_branches(self, frame: Frame, statement: gast.stmt) -> Callable[..., bool]:
        """What puts two things to do into the arms of a branch; one that raises ends there."""

        def ending(arm: Callable[[], bool]) -> bool:
            try:
                return arm()
            except NoValue as missing:
                self.builder.append(missing.failure)
                return True

        return lambda test, *arms: self.ev.branches.branch(frame, test, *(partial(ending, arm) for arm in arms), None, statement)

    def _do_with_each(self, frame: Frame, value: Binding, do: Callable[[Binding], bool]) -> bool:
        """Do something with a value, once for each kind that it may be of."""
        place = f'{HELD}!{len(frame.env)}'
        frame.env[place] = value
        ends = self._in_each(frame, place, lambda: do(frame.env[place]), self._in_branches(frame, gast.Pass()))
        frame.env.pop(place, None)
        return ends

    def for_each(self, frame: Frame, statement: gast.For, iterator: Binding, block: list[gast.stmt], start: int) -> bool:
        run = self.ev.loops.for_each
        if not is_either(iterator):
            return run(frame, statement, iterator, block, start)
        here = lambda one: run(frame, statement, one, self.builder.block, len(self.builder.block))
        return self._do_with_each(frame, iterator, here)

    def call(self, callee: Binding, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        if callee == Known(range):
            args = [self._for_each_kind(self.ev.wholes.pythons, bound) if is_either(bound) else bound for bound in args]
        positional, run = len(args), self.ev.calls.call
        made = lambda callee, *given: run(callee, list(given[:positional]), dict(zip(keywords, given[positional:], strict=True)))
        if isinstance(callee, Method) and is_either(callee.receiver):
            bound = lambda receiver, *given: made(self.attribute(receiver, callee.name), *given)
            return self._for_each_kind(bound, callee.receiver, *args, *keywords.values())
        return self._for_each_kind(made, callee, *args, *keywords.values())

    def call_rule(self, rule: Rule, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        run, place = self.ev.calls.call_rule, next((k for k, arg in enumerate(args) if _listed(arg) is not None), None)
        if place is None:
            return run(rule, args, keywords)
        whole = args[place]
        item = _listed(whole)
        others = lambda one: whole.anew((*whole.items[:item], one, *whole.items[item + 1:]))
        return self._for_each_kind(
            lambda one: self.call_rule(rule, [*args[:place], others(one), *args[place + 1:]], keywords), whole.items[item])

    def binary(self, kind: type[gast.operator], left: Binding, right: Binding) -> Binding:
        run = self.ev.overloads.binary
        return self._for_each_kind(lambda *operands: run(kind, *operands), self.ev.indexing.surely(left),
                                   self.ev.indexing.surely(right))

    def unary(self, kind: type[gast.unaryop], operand: Binding) -> Binding:
        run = self.ev.overloads.unary
        return self._for_each_kind(lambda operand: run(kind, operand), self.ev.indexing.surely(operand))

    def compare(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        run = self.ev.peeling.compare
        return self._for_each_kind(lambda *operands: run(kind, *operands), self.ev.indexing.surely(left),
                                   self.ev.indexing.surely(right))

    def compare_two(self, kind: type[gast.cmpop], left: Binding, right: Binding) -> Binding:
        run = self.ev.overloads.compare_two
        return self._for_each_kind(lambda *operands: run(kind, *operands), left, right)

    def get_item(self, base: Binding, index: Binding) -> Binding:
        return self._for_each_kind(self.ev.overloads.get_item, base, index)

    def attribute(self, base: Binding, name: str) -> Binding:
        run = self.ev.attributes.attribute
        if is_either(base) and callable(getattr(np.ndarray, name, None)):
            return Method(base, name)
        return self._for_each_kind(lambda base: run(base, name), base)

    def tested(self, test: Binding) -> Binding:
        run = self.ev.overloads.tested
        return self._for_each_kind(lambda test: self._flag(run(test)), test) if is_either(test) else run(test)

    def _flag(self, test: Binding) -> Binding:
        """What a test gives, as a flag: one of several kinds gives a number of its own."""
        truth = self.ev.branches.truth(test)
        return self.ev.call(Known(bool), [test], {}) if truth is None else Known(truth)

    def store(self, base: Binding, index: Binding, value: Binding) -> None:
        run = self.ev.indexing.store
        if isinstance(base, Var) or is_either(base):
            self._for_each_kind(lambda base, value: _nothing(run(base, index, value)), base, value)
        else:
            run(base, index, value)

    def bind_target(self, frame: Frame, target: gast.expr, value: Binding) -> None:
        if not is_either(value) or not isinstance(target, (gast.Tuple, gast.List)):
            self.ev.tables.bind_target(frame, target, value)
            return
        self._do_with_each(frame, value, lambda one: bool(self.bind_target(frame, target, one)))

    def update(self, base: Binding, index: Binding, kind: type[gast.operator], value: Binding, *read: Any) -> None:
        run = self.ev.updates.update
        self._for_each_kind(lambda value: _nothing(run(base, index, kind, value, *read)), value)

    def augmented(self, frame: Frame, current: Binding, kind: type[gast.operator], value: Binding) -> Binding | None:
        run = self.ev.updates.augmented
        if not is_either(current) and not is_either(value):
            return run(frame, current, kind, value)
        return self._for_each_kind(lambda current, value: run(frame, current, kind, value) or current, current, value)

    def _for_each_kind(self, operation: Callable[..., Binding], *operands: Binding) -> Binding:
        """An operation, once for each kind that one of its operands may be of."""
        place = next((place for place, operand in enumerate(operands) if is_either(operand)), None)
        if place is None:
            return operation(*operands)
        frame = Frame(None, {HELD: operands[place]})
        run = lambda: self._for_each_kind(operation, *operands[:place], frame.env[HELD], *operands[place + 1:])
        return self._in_each(frame, HELD, run, lambda *arms: self.ev.choose(frame, *arms))

    def _kept_apart(self, frame: Frame, node: gast.AST) -> str | None:
        """A name in a statement, or expression, whose kinds are kept apart."""
        return next((name for name in names_read(node) if _holder(frame, name) is not None), None)

    def _in_each(self, frame: Frame, name: str, run: Callable, split: Callable, sorts: Iterable[tuple] = ()) -> Any:
        """Run something once for each kind of what a name holds; `split` puts two of these into the arms of a branch."""
        either = frame.env[name]
        sort, *others = sorts or either.sorts

        def of_this() -> Any:
            held = frame.env[name] = either.numbers[either.sorts.index(sort)]
            found = self._unless_wrong(run, sort, either)
            if frame.env.get(name) is held:
                frame.env[name] = either
            return found

        if not others:
            return of_this()
        test = self.compare(gast.Eq, either.which, Known(number_of(sort)))
        return split(test, of_this, lambda: self._in_each(frame, name, run, split, others))

    def _unless_wrong(self, run: Callable[[], Any], sort: tuple, either: EitherNumber) -> Any:
        """Do something for one kind; where a number is what must be an array, this raises when the program runs."""
        try:
            return run()
        except TranspileError as error:
            if sort[-1] or not any(rank for *_, rank in either.sorts):
                raise
            said = build.constant(f'{error.what} (it is a number here, not an array)')
            raise NoValue(build.fail(build.call('python.TypeError', said), self.origin, self.builder.role)) from None

    def of_later_kinds(self, iteration: Iteration, changing: set[Var], ran: Callable[..., Binding]) -> dict[Place, Binding]:
        """What names hold after a loop whose iterations all end with numbers of fewer kinds than the first one begins with."""
        found: dict[Place, Binding] = {}
        for place, variable in iteration.carried.items() if self.ev.separation is not None else ():
            if variable in changing and isinstance(variable, Var) and place not in iteration.rebuilt:
                kinds, end = getattr(variable.type, 'kinds', None), leaf_type(iteration.after[place])
                if kinds is not None and len(kinds.sorts) > 1 and kinds_in(end).sorts == {(end.dtype, end.weak)}:
                    found[place] = _later(self.ev, iteration, str(place), variable, end, ran)
        return found

    def in_one(self, binding: Binding) -> Binding:
        """What is a number on one path and an array on another, under one name: nobody needs to know which it is."""
        if not is_either(binding):
            return replace(binding, items=tuple(map(self.in_one, binding.items))) if isinstance(binding, Container) else binding
        made, frame = self.builder.fresh('result', Unknown()), Frame(None, {HELD: binding})

        def give() -> bool:
            self.builder.assign(made.name, self.ev.operand(frame.env[HELD])[0])
            return False
        self._in_each(frame, HELD, give, lambda test, *arms: self.ev.branches.branch(frame, test, *arms, None, gast.Pass()))
        return made

    def of_one_kind(self, binding: Binding, kind: type | None = None) -> Binding:
        """One type for each number in a binding: `kind`, or that of an array that NumPy would make of what it may be."""
        if not is_either(binding):
            one = lambda item: self.of_one_kind(item, kind)
            return replace(binding, items=tuple(map(one, binding.items))) if isinstance(binding, Container) else binding
        dtypes = [leaf_type(item).dtype for item in binding.numbers]
        wide = kind or np.result_type(*dtypes).type
        if issubclass(wide, np.inexact) and all(dtype.kind in 'iu' for dtype in dtypes):
            raise TranspileError(
                f'a result is {" or ".join(map(str, dtypes))}', self.origin,
                why='no dtype of integers holds all of them, and the results of all examples are one array',
                instead='make it one of them: `int(v)`, `np.uint64(v)`')
        frame = Frame(None, {HELD: binding})
        convert = lambda: self.call(Known(wide), [frame.env[HELD]], {})
        return self._in_each(frame, HELD, convert, lambda *arms: self.ev.choose(frame, *arms))


def _later(ev, iteration: Iteration, place: str, variable: Var, end: Scalar, ran: Callable[..., Binding]) -> Binding:
    kinds, start, later = variable.type.kinds, iteration.before[place], place + LATER
    assert kinds is not None
    after = Var(variable.name, Scalar(end.dtype, end.weak))
    if end.dtype != variable.type.dtype:
        return variable
    with ev.builder.nested():     # what is asked is not written down
        surely = isinstance(iteration.node, gast.For) and ran(ev) == Known(True)
    if surely:
        return after
    before = kinds_in(leaf_type(start))
    if len(before.sorts) > 1:
        return variable
    if later not in ev.separation.places:
        return replace(variable, type=of_kinds(variable.type, replace(kinds, places=frozenset({later}))))
    first, last = apart(start, after)
    which = ev.choose(None, ran(ev), lambda: last.which, lambda: first.which)
    return replace(kept(last, first), items=(which, *kept(last, first).numbers))


def _holder(frame: Frame | None, name: str) -> Frame | None:
    """The frame that holds a name, if that is of several kinds."""
    while frame is not None and name not in frame.env:
        frame = frame.parent
    return frame if frame is not None and is_either(frame.env[name]) else None


def _nothing(done: None) -> Binding:
    return Known(None)


def _listed(binding: Binding) -> int | None:
    """The place of an item, in a tuple or list, that is of several kinds."""
    items = binding.items if isinstance(binding, (Tuple, List)) else ()
    return next((place for place, item in enumerate(items) if is_either(item)), None)


def _is_copy(statement: gast.stmt) -> bool:
    """Whether a statement gives something a name, and does not look at what it is."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Name() | gast.Lambda()) | gast.FunctionDef():
            return True
    return False
