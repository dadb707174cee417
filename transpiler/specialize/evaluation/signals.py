"""What ends a run of the evaluator: it starts again from other assumptions, or what is run surely raises."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from transpiler.core.links import links
from transpiler.errors import Origin, TranspileError, UnsupportedFunction
from transpiler.specialize.domain.bindings import (
    Binding,
)
from transpiler.specialize.evaluation.frames import Capture
from transpiler.values.types import Type


class NeedStatic(Exception):
    """A run-time variable stands where a constant is needed; if it is an argument or a counted loop's variable, it can be one.

    growth: for an index into a list, the cell of the list and one of its items, should the list be kept at run time instead
    lookup: where an index into a constant table stands, which may be looked up at run time instead
    inputs: the names of what the program is given, which may be constants
    """

    def __init__(self, name: str, error: Exception, growth: tuple[int, Any] | None = None):
        self.name, self.error, self.growth = name, error, growth
        self.captures: tuple['Capture', ...] = ()
        self.lookup: Origin | None = None
        self.inputs: frozenset[str] = frozenset()
        super().__init__(name)


Key = tuple[Origin | None, str]  # a function, and a name in it


@dataclass(frozen=True)
class Assumptions:
    """What a run of the evaluator goes by, until it finds them to be wrong: then another one starts with others.

    rewritten: lists whose items are changed, by where they begin to grow, with what is on them if that is known
    rebound: names that keep one list; otherwise: those that must, should the program be refused without
    fillers: what lists with None on them hold, by where they begin
    separation: which numbers are kept apart, for code with one type for each name: see `kinds/mixtures.py`
    """

    rewritten: Mapping[Origin, Type | None] = field(default_factory=dict)
    rebound: frozenset[Key] = frozenset()
    otherwise: frozenset[Key] = frozenset()
    fillers: Mapping[Origin | None, Binding] = field(default_factory=dict)
    separation: Any = None


class Restart(Exception):
    """A run of the evaluator has found out that what it goes by is wrong."""

    def revised(self, known: Assumptions) -> Assumptions:
        """What the next one is to go by; it raises where there is nothing else to try."""
        raise self


class Rewritten(Restart):
    """What is in a list of run-time length is changed, which began to grow at `origin`: it must be kept in another way.

    element: what its numbers are, if it is known to be kept as an array of them
    otherwise: the name that must keep one list, should the program not be one for arrays; see `Rebound`
    """

    def __init__(self, origin: Origin, element: Type | None = None):
        self.origin, self.element = origin, element
        self.otherwise: Key | None = None
        super().__init__(str(origin))

    def revised(self, known: Assumptions) -> Assumptions:
        rewritten = {**known.rewritten, self.origin: self.element}
        return replace(known, rewritten=rewritten, otherwise=known.otherwise | {self.otherwise} - {None})


class Rebound(Restart):
    """A name gets another list in every iteration of a loop, or on one path: it must keep one list."""

    def __init__(self, key: Key):
        self.key = key
        super().__init__(str(key))

    def revised(self, known: Assumptions) -> Assumptions:
        return replace(known, rewritten={}, rebound=known.rebound | {self.key})


class Filled(Restart):
    """A list that begins to grow at `origin` holds None among values; `example`: what its items are."""

    def __init__(self, origin: Origin | None, example: Binding):
        self.origin, self.example = origin, example
        super().__init__(str(origin))

    def revised(self, known: Assumptions) -> Assumptions:
        return replace(known, fillers={**known.fillers, self.origin: self.example})


class NoValue(Exception):
    """What is evaluated surely raises: a name without a value is read, or a function called that never returns.

    failure: the statement that raises, on all its paths, which stands for the one that is run; it may carry what to say of a
        function without any other way to end, as `refusal`
    unsure: another statement raises before it, on some path
    """

    def __init__(self, failure: gast.stmt, unsure: bool = False):
        self.failure, self.unsure = failure, unsure

    def as_error(self, name: str) -> TranspileError:
        """What to say of a function without any other way to end: no derivative or compiled form of it has a use."""
        error: TranspileError
        if (refusal := links(self.failure).refusal) is not None:
            return refusal
        if not isinstance(self.failure, gast.Raise):
            error = TranspileError(f'`{name}` always raises', self.failure.origin, why='it ends otherwise on no path')
            error.certain = True
            return error
        raised = self.failure.exc
        kind = raised.func.id.rpartition('.')[2].rpartition(':')[2]
        said = [str(a.value) for a in raised.args if isinstance(a, gast.Constant)]
        origin = self.failure.origin
        if origin is not None and origin.inside:
            error = UnsupportedFunction(f'`{origin.inside}` does not take these arguments', origin, why=': '.join(said))
        else:
            error = TranspileError(f'`{name}` always raises', origin, why=f'this raises {": ".join([kind, *said])}')
        error.certain = True
        ours = kind == RuntimeError.__name__     # what a definition says that it does not do
        if raised.func.id.startswith('python.') and len(said) == len(raised.args) and not ours and not self.unsure:
            error.raised = getattr(builtins, kind)(*(a.value for a in raised.args))
        return error
