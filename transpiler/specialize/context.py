"""What every part of the specialiser shares: the builder, the sizes found equal, the captured values, the call stack."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from transpiler.analyses.names import Found
from transpiler.core.language import Core, Hint
from transpiler.errors import Origin, TranspileError, UnsupportedFunction
from transpiler.source.capture import Function, capture
from transpiler.specialize.arguments import Place, Presumption, Sizes
from transpiler.specialize.bindings import (
    Binding,
    Closure,
    Conflict,
    Container,
    Derived,
    Known,
    Method,
    Ref,
    Var,
    class_of_number,
)
from transpiler.specialize.builder import Builder
from transpiler.specialize.consulted import Consulted
from transpiler.specialize.mixtures import Separation
from transpiler.values.dims import Dim, Symbol
from transpiler.values.types import Array, Scalar, Type


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


class Rewritten(Exception):
    """What is in a list of run-time length is changed, which began to grow at `origin`: it must be kept in another way.

    element: what its numbers are, if it is known to be kept as an array of them
    otherwise: the name that must keep one list, should the program not be one for arrays; see `Rebound`
    """

    def __init__(self, origin: Origin, element: Type | None = None):
        self.origin, self.element = origin, element
        self.otherwise: Key | None = None
        super().__init__(str(origin))


class Rebound(Exception):
    """A name gets another list in every turn of a loop, or on one path: it must keep one list."""

    def __init__(self, key: Key):
        self.key = key
        super().__init__(str(key))


class Filled(Exception):
    """A list that begins to grow at `origin` holds None among values; `example`: what its items are."""

    def __init__(self, origin: Origin | None, example: Binding):
        self.origin, self.example = origin, example
        super().__init__(str(origin))


class NoValue(Exception):
    """What is evaluated surely raises: a name without a value is read, or a function called that never returns.

    failure: the statement that raises, which stands for the one that is run; it may carry what to say of a function without any
        other way to end, as `refusal`
    """

    def __init__(self, failure: gast.Raise):
        self.failure = failure

    def as_error(self, name: str) -> TranspileError:
        """What to say of a function without any other way to end: no derivative or compiled form of it has a use."""
        if (refusal := getattr(self.failure, 'refusal', None)) is not None:
            return refusal
        raised = self.failure.exc
        kind = raised.func.id.rpartition('.')[2].rpartition(':')[2]
        said = [str(a.value) for a in raised.args if isinstance(a, gast.Constant)]
        origin = self.failure.origin
        error: TranspileError
        if origin is not None and origin.inside:
            error = UnsupportedFunction(f'`{origin.inside}` does not take these arguments', origin, why=': '.join(said))
        else:
            error = TranspileError(f'`{name}` always raises', origin, why=f'this raises {": ".join([kind, *said])}')
        error.certain = True
        if raised.func.id.startswith('python.') and len(said) == len(raised.args):
            error.raised = getattr(builtins, kind)(*(a.value for a in raised.args))
        return error


# Kinds of containers as messages name them.
SPOKEN = {'optional': 'a value or None', 'growing': 'a list that grows at run time',
          'either': 'a number or an array, of another kind on another path',
          'row': 'a list whose length shows only at run time', 'state': 'an object', 'object': 'an object',
          'enumerate': 'an `enumerate`'}


@dataclass
class Frame:
    """One function being run: its local names, and the frame it was defined in."""

    function: Function | None
    env: dict[str, Binding] = field(default_factory=dict)
    parent: 'Frame | None' = None
    live: Found = field(default_factory=dict)
    hints: Mapping[str, Hint] = field(default_factory=dict)
    types: Mapping[str, Type] = field(default_factory=dict)  # of a core program


@dataclass
class Capture:
    """A closure or global value that became an input: how to read it, and what it is taken apart into.

    leaves: the variables of its numbers and arrays, in order; held: as names hold it
    """

    name: str
    key: tuple[int, str]
    binding: Binding
    read: Callable[[], Any]
    leaves: tuple[Var, ...]
    held: Any = None


@dataclass
class Late:
    """What the making of an iterator's items has read, which Python would read when their turn comes.

    frames: those that hold the names; bindings: what they held when the items had been made; cells: the lists, dicts and
    objects, with what they held; making: the block, and the places in it from and to which the items are made
    """

    frames: dict[tuple[int, str], Frame] = field(default_factory=dict)
    cells: dict[int, Any] = field(default_factory=dict)
    bindings: dict[tuple[int, str], Any] = field(default_factory=dict)
    making: tuple[list[gast.stmt], int, int] = field(default_factory=lambda: ([], 0, 0))

    def made(self, heap: Mapping[int, Any], block: list[gast.stmt], start: int) -> None:
        """The items have been made just now."""
        self.bindings = {key: frame.env.get(key[1]) for key, frame in self.frames.items()}
        self.cells = {cell: heap.get(cell) for cell in self.cells}
        self.making = block, start, len(block)

    def is_changed(self, heap: Mapping[int, Any]) -> bool:
        """Whether a name or a cell holds something else than then."""
        return any(frame.env.get(key[1]) is not self.bindings[key] for key, frame in self.frames.items()) or any(
            heap.get(cell) is not held for cell, held in self.cells.items())


@dataclass(frozen=True)
class Expansion:
    """A call that gives way to what it does: 'inline' to the function itself, 'rule' to the rule, as reverse mode needs it."""

    how: str
    core: Core


@dataclass
class Context:
    """State of one specialisation."""

    builder: Builder = field(default_factory=Builder)
    sizes: dict[Symbol, Dim] = field(default_factory=dict)
    fixed_sizes: list[tuple[Symbol, Dim]] = field(default_factory=list)  # those that hold whatever the program does
    captures: dict[tuple[int, str], Capture] = field(default_factory=dict)
    consulted: Consulted = field(default_factory=Consulted)
    stack: list[Any] = field(default_factory=list)
    differentiate: Callable[..., Any] | None = None
    static_captures: Set[tuple[tuple[int, str], int]] = frozenset()
    parameters: set[str] = field(default_factory=set)  # the names that the generated function has as parameters
    varied: set[str] = field(default_factory=set)  # numbers that differ from example to example: they can be no constants
    letters: Sizes = field(default_factory=Sizes)
    classes: dict[str, type] = field(default_factory=dict)  # of numbers among what is given, if they are of the program
    presumed: list[Presumption] | None = None  # what the program goes by that only calls can tell; None if it must not
    functions: dict[str, Core] = field(default_factory=dict)
    apart: list[Any] = field(default_factory=list)
    plain: Set[str] = frozenset()  # numbers that may be of Python though they are typed as NumPy's
    customs: list[Any] = field(default_factory=list)
    boxes: dict[str, Any] = field(default_factory=dict)
    reserved: set[str] = field(default_factory=set)  # the names of functions that are being written
    unlike: dict[str, frozenset[Type]] = field(default_factory=dict)  # what variables are on several paths, where kinds differ
    late: Late | None = None  # while items are made that Python would make later
    rewritten: Mapping[Origin, Type | None] = field(default_factory=dict)  # lists whose items are changed, by where they begin
    rebound: Set[Key] = frozenset()  # names that keep one list: see `Rebound`
    fillers: Mapping[Origin | None, Any] = field(default_factory=dict)  # what lists with None on them hold: see `Filled`
    grown: dict[str, Origin] = field(default_factory=dict)  # where each list of run-time length begins to grow
    expected: dict[str, Type] = field(default_factory=dict)  # what lists are going to hold that hold nothing so far
    lasting: set[str] = field(default_factory=set)  # parameters that hold a default which may change, for all calls
    ordered: set[str] = field(default_factory=set)  # the arguments whose items lie in C order at each such call
    separation: Separation | None = None  # for code with one type for each name: see `mixtures.py`
    mixed: bool | None = None  # whether numbers of two kinds have met under one name; None if nobody wants to know
    ranks_apart: bool = False  # whether what is a number on one path and an array on another is kept apart
    answers: dict[str, Any] = field(default_factory=dict)  # of tests that read what is of several kinds
    asking: bool = False  # whether the call at hand tells what comparisons of sizes and integers give
    ours: bool = False  # whether the function that is being run is a template or a definition, not the user's

    @property
    def origin(self) -> Origin | None:
        return self.builder.origin

    @property
    def derives(self) -> bool:
        """Whether what is written is the derivative's own: its numbers have the dtypes of what they are derivatives of."""
        return self.builder.role in ('pullback', 'tangent')

    def resolve(self, type_: Type) -> Type:
        """The type with sizes replaced by those they were found equal to."""
        if not self.sizes:
            return type_
        match type_:
            case Array(dtype, dims) if dims is not None:
                return Array(dtype, tuple(None if d is None else d.substitute(self.sizes) for d in dims))
            case Scalar(dtype, weak, Dim() as size):
                return Scalar(dtype, weak, size.substitute(self.sizes))
            case tuple():
                return type(type_)(map(self.resolve, type_))
        return type_

    @contextmanager
    def perhaps_run(self) -> Iterator[list[gast.stmt]]:
        """Fill a block that may never run: what it demands of sizes holds in it alone."""
        before, after = dict(self.sizes), len(self.fixed_sizes)
        with self.builder.nested() as block:
            yield block
        self.sizes = before
        for symbol, size in self.fixed_sizes[after:]:
            self.fix_size(symbol, size)

    def fix_size(self, symbol: Symbol, size: Dim) -> None:
        """A size is this expression of others from now on."""
        self.sizes = {known: own.substitute({symbol: size}) for known, own in self.sizes.items()}
        self.sizes[symbol] = size

    def given_number(self, variable: Var, value: Any, place: Place) -> None:
        """Remember what is known of a number that the program is given, besides its type."""
        self.letters.number(variable.name, value, place)
        kind = class_of_number(value)
        if kind is not None:
            self.classes[variable.name] = kind

    def source_of(self, function: Any) -> Function:
        """A function of the program, as source; it is asked at each call whether it is what it was."""
        self.consulted.function(function)
        return capture(function)

    def template(self, function: Callable) -> Function:
        """A rule's template or a definition, as source."""
        return capture(function)

    def describe(self, binding: Binding) -> str:
        match binding:
            case Var(_, type_):
                return f'a run-time value ({type_})'
            case Ref(cell):
                return self.describe(self.heap[cell])
            case Container(kind, type=type_):
                return SPOKEN.get(kind, f'a {kind}') + (f' of the class `{type_.__name__}`' if isinstance(type_, type) else '')
            case Known(None):
                return 'None'
            case Known(Function() as function) | Closure(function):     # of a module that is read as text, or a nested one
                return f'the function `{function.name}`'
            case Known(value) if callable(value):
                return f'the function `{getattr(value, "__name__", value)}`'
            case Known(value):
                return f'the {type(value).__name__} {np.array2string(value) if isinstance(value, np.ndarray) else repr(value)}'
            case Method(_, name):
                return f'the method `{name}`'
            case Derived():
                return 'a derivative that is not called'
            case Conflict():
                return 'a name without a single meaning'
        return str(binding)
