"""Statements that read numbers of several kinds, kept apart: what they do is done for each kind in a branch of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from transpiler.core.query import blocks, names
from transpiler.errors import TranspileError
from transpiler.specialize.bindings import Binding, Container, Known, Var, leaf_type
from transpiler.specialize.comprehensions import Comprehensions
from transpiler.specialize.context import Frame
from transpiler.specialize.eithers import KIND, LATER, apart, is_either, kept
from transpiler.specialize.mixtures import kinds_in, number_of, of_kinds
from transpiler.specialize.places import Place
from transpiler.specialize.trials import Turn
from transpiler.values.types import Scalar


class Distribution(Comprehensions):
    """One branch for each kind that a number may be of."""

    def _awaiting(self, frame: Frame, statement: gast.stmt, do: Callable[[Frame, gast.stmt], bool]) -> bool:
        name = None if blocks(statement) or _is_copy(statement) else self._kept_apart(frame, statement)
        if name is None:
            return super()._awaiting(frame, statement, do)
        run = lambda: self._awaiting(frame, statement, do)
        return self._in_each(frame, name, run, lambda test, then, rest: self.branch(frame, test, then, rest, None, statement))

    def test(self, frame: Frame, node: gast.expr) -> Binding:
        name = self._kept_apart(frame, node)
        if name is None:
            return super().test(frame, node)
        return self._in_each(frame, name, lambda: self.test(frame, node), lambda *arms: self.choose(frame, *arms))

    def call(self, callee: Binding, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        if callee == Known(range):
            args = [self.of_one_kind(bound, int) for bound in args]
        return super().call(callee, args, keywords)

    def _kept_apart(self, frame: Frame, node: gast.AST) -> str | None:
        """A name in a statement, or expression, of a core program whose kinds are kept apart."""
        if self.separation is None or frame.function is not None:
            return None
        return next((name for name in _names_read(node) if is_either(frame.env.get(name))), None)

    def _in_each(self, frame: Frame, name: str, run: Callable, split: Callable, sorts: Iterable[tuple] = ()) -> Any:
        """Run something once for each kind of what a name holds; `split` puts two of these into the arms of a branch."""
        either = frame.env[name]
        sort, *others = sorts or either.keys

        def of_this() -> Any:
            held = frame.env[name] = either.items[1 + either.keys.index(sort)]
            found = run()
            if frame.env.get(name) is held:
                frame.env[name] = either
            return found

        if not others:
            return of_this()
        test = self.compare(gast.Eq, either.items[0], Known(number_of(sort)))
        return split(test, of_this, lambda: self._in_each(frame, name, run, split, others))

    def of_later_kinds(self, turn: Turn, changing: set[Var], ran: Callable[..., Binding]) -> dict[Place, Binding]:
        """What names hold after a loop whose turns all end with numbers of fewer kinds than the first one begins with."""
        found: dict[Place, Binding] = {}
        for place, variable in turn.carried.items() if self.separation is not None else ():
            if variable in changing and isinstance(variable, Var) and place not in turn.rebuilt:
                kinds, end = getattr(variable.type, 'kinds', None), leaf_type(turn.after[place])
                if kinds is not None and len(kinds.sorts) > 1 and kinds_in(end).sorts == {(end.dtype, end.weak)}:
                    found[place] = self._later(turn, str(place), variable, end, ran)
        return found

    def _later(self, turn: Turn, place: str, variable: Var, end: Scalar, ran: Callable[..., Binding]) -> Binding:
        kinds, start, later = variable.type.kinds, turn.before[place], place + LATER
        assert kinds is not None
        after = Var(variable.name, Scalar(end.dtype, end.weak))
        if end.dtype != variable.type.dtype:
            return variable
        if isinstance(turn.node, gast.For) and self._surely(ran):
            return after
        before = kinds_in(leaf_type(start))
        if len(before.sorts) > 1:
            return variable
        if later not in self.separation.places:
            return replace(variable, type=of_kinds(variable.type, replace(kinds, places=frozenset({later}))))
        first, last = apart(start, after)
        which = self.choose(None, ran(self), lambda: last.items[0], lambda: first.items[0])
        return replace(kept(last, first), items=(which, *kept(last, first).items[1:]))

    def _surely(self, ran: Callable[..., Binding]) -> bool:
        with self.builder.nested():     # what is asked is not written down
            return ran(self) == Known(True)

    def of_one_kind(self, binding: Binding, kind: type | None = None) -> Binding:
        """One type for each number in a binding: `kind`, or that of an array that NumPy would make of what it may be."""
        if not is_either(binding):
            one = lambda item: self.of_one_kind(item, kind)
            return replace(binding, items=tuple(map(one, binding.items))) if isinstance(binding, Container) else binding
        dtypes = [leaf_type(item).dtype for item in binding.items[1:]]
        wide = kind or np.result_type(*dtypes).type
        if issubclass(wide, np.inexact) and all(dtype.kind in 'iu' for dtype in dtypes):
            raise TranspileError(
                f'a result is {" or ".join(map(str, dtypes))}', self.origin,
                why='no dtype of integers holds all of them, and the results of all examples are one array',
                instead='make it one of them: `int(v)`, `np.uint64(v)`')
        frame = Frame(None, {KIND: binding})
        convert = lambda: self.call(Known(wide), [frame.env[KIND]], {})
        return self._in_each(frame, KIND, convert, lambda *arms: self.choose(frame, *arms))


def _is_copy(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Name()):
            return True
    return False


def _names_read(node: gast.AST) -> list[str]:
    """The names in a statement that are no targets, or in an expression."""
    if not isinstance(node, gast.stmt):
        return list(names(node))
    targets = {t.id for t in getattr(node, 'targets', ()) if isinstance(t, gast.Name)}
    inner = [part for part in gast.iter_child_nodes(node) if isinstance(part, gast.expr)]
    return [name for part in inner if not (isinstance(part, gast.Name) and part.id in targets) for name in names(part)]
