"""A function with transformations applied: what `grad`, `value_and_grad` and `jit` return."""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import types
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from transpiler.api.calls.batch_values import of_call
from transpiler.api.calls.failures import let_python_raise, raise_as_python, writes_into_read_only
from transpiler.api.calls.fast_path import Shortcuts
from transpiler.api.calls.lowered import Lowered, lowered
from transpiler.api.calls.memory import weakly
from transpiler.api.calls.pickling import named, restored, stands_for_itself
from transpiler.api.calls.seeds import as_tangent
from transpiler.api.calls.specialization import Specialisation, specialise
from transpiler.arguments.calls import bind_arguments
from transpiler.backends.options import Options, joined
from transpiler.errors import CompileError, SourceNotFound, TranspileError
from transpiler.pipelines import Generated, generate, generic, python_source
from transpiler.rules.base.callables import with_source
from transpiler.source.reading.attached import PLACE
from transpiler.source.reading.capture import Function, capture
from transpiler.source.reading.decorated import signature_of
from transpiler.source.reading.pickled_source import to_carry
from transpiler.source.writing.headers import header_of
from transpiler.specialize.annotations import Arguments
from transpiler.specialize.domain.abstraction import SMALL, leaves_of
from transpiler.specialize.domain.bindings import Derived, Known
from transpiler.specialize.domain.consulted import questions
from transpiler.specialize.domain.identity import same_object
from transpiler.specialize.domain.keys import constant_key, key_of, static_key
from transpiler.transforms.call_axes import Lost
from transpiler.transforms.steps import Step

MOST = 16  # of one key; helpers that are made anew in each step must not be kept for ever
MANY = 6  # specialisations for arguments that differ in how their sizes compare; the next one goes by nothing of the kind
Given = tuple[tuple[str, ...], tuple[str, ...]]
P = ParamSpec('P')
Q = ParamSpec('Q')
R = TypeVar('R', covariant=True)


class Transformed(Generic[P, R]):
    """A function with transformations applied, which takes `P` and gives `R`: call it, or look at what is generated.

    It is specialised anew for each combination of ranks, dtypes, static values, and which sizes are 0, 1 or equal.
    """

    __name__: str
    __qualname__: str

    def __init__(
        self,
        function: Callable[..., Any],
        transforms: tuple[Step, ...] = (),
        compiled: Options | None = None,
        static_argnums: Sequence[int] = (),
        static_argnames: Sequence[str] = (),
    ):
        functools.update_wrapper(self, with_source(function))   # which may copy attributes called like ours
        vars(self).pop(PLACE, None)
        self._held: Callable[[], Any] = lambda: function
        self.transforms, self.compiled = transforms, compiled
        self.static_argnums, self.static_argnames = tuple(static_argnums), tuple(static_argnames)
        self._read()

    def _read(self) -> None:
        """Look at the function: what it says, and which parameters it has, may change, and then all that is known is void."""
        function = with_source(self.given)
        self._source = None if function is self.given else function
        watched = questions(self.given, function)
        simple = isinstance(function, types.FunctionType) and len(watched) == 2     # its code and its defaults
        self._watched = None if simple else watched
        self._plain: Any = function if simple else questions
        self._code: Any = function.__code__ if simple else None
        self._defaults: Any = function.__defaults__ if simple else None
        own = _signature(function)
        self.signatures = list(itertools.accumulate(self.transforms, lambda before, step: step.signature(before), initial=own))
        self.__signature__ = self.signatures[-1]
        self.lasting = {p.name: p.default for p in own.parameters.values() if isinstance(p.default, (list, dict))}
        names = list(own.parameters)
        self._static_names = {*self.static_argnames, *(names[n] for n in self.static_argnums)}
        self._batched = any(step.maps_examples for step in self.transforms)
        self._counted = any(step.counts_examples for step in self.transforms)
        self._static_leaves: set[tuple[str, int]] = set()
        self._static_captures: set[Any] = set()
        self._known: dict[Any, list[Specialisation]] = {}
        self._latest: Specialisation | None = None
        self._shortcuts = Shortcuts(self.__signature__)

    @property
    def given(self) -> Any:
        """What was transformed."""
        return self._held()

    @property
    def function(self) -> Any:
        """The same as a function with source."""
        return self.given if self._source is None else self._source

    def let_go(self) -> None:
        """Do not keep the function alive, if it is a plain one: for one that is kept with the function."""
        if self._watched is None and self._source is None:
            self._held, self._plain = weakly(self.given), questions
            vars(self).pop('__wrapped__', None)

    def derived(self, *transforms: Step, compiled: Options | None = None, **statics: Any) -> Any:
        """The same function with more applied to it; `jit` anywhere compiles the whole."""
        statics = {'static_argnums': self.static_argnums, 'static_argnames': self.static_argnames, **statics}
        return Transformed(self.given, self.transforms + transforms, joined(compiled, self.compiled), **statics)

    def _look_again(self) -> None:
        """The function may have been given other code, or other defaults."""
        if self._watched is None:
            function = self.function
            changed = function.__code__ is not self._code or function.__defaults__ is not self._defaults
        else:
            asked = ((again(), answer) for again, answer in self._watched)
            changed = any(found is not answer and not same_object(found, answer) for found, answer in asked)
        if changed:
            let_go = self._plain is not self.function
            self._read()
            if let_go:
                self.let_go()

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        plain = self._plain
        if plain.__code__ is not self._code or plain.__defaults__ is not self._defaults:
            self._look_again()
        leaves: list[Any] = []
        short = None if kwargs else self._shortcuts.find(args, leaves)
        if short is not None:
            self._latest = short.made
            try:
                result = short.compiled(*leaves)
            except Exception as error:
                if isinstance(error, CompileError):
                    self._find(args, {})    # which sees that what is written into is read-only, unlike that of an earlier call
                short.made.locate(error, leaves, functools.partial(self._in_python, args))
                raise
            return result if short.rebuild is None else short.rebuild(result)
        found, values = self._find(args, kwargs)
        result = found.run(values)
        static = self._static_names or self._static_leaves or self._static_captures
        if found.compiled and not (kwargs or found.needs_apart or static):
            self._shortcuts.learn(args, found, found.flat(values))
        return result

    def __reduce__(self) -> Any:
        """What was asked for, not what has been generated: the next process finds that in the cache."""
        if stands_for_itself(self):
            return self.__qualname__
        text = to_carry(self.function) if isinstance(self.function, types.FunctionType) else None
        return restored, (type(self), text, named(self.given), *self._asked_for)

    @property
    def _asked_for(self) -> tuple:
        """What was asked for, besides the function."""
        return self.transforms, self.compiled, self.static_argnums, self.static_argnames

    def __copy__(self) -> Transformed[P, R]:
        return type(self)(self.given, *self._asked_for)

    def __deepcopy__(self, memo: Any) -> Transformed[P, R]:
        return type(self)(copy.deepcopy(self.given, memo), *self._asked_for)

    def _in_python(self, args: Sequence[Any]) -> Any:
        found, values = self._find(args, {})
        return found.run_python(values)

    def __repr__(self) -> str:
        what = [t.title for t in reversed(self.transforms)] + [self.__name__]
        return f'<{"jit of " if self.compiled else ""}{" of ".join(what)}>'

    @overload
    def __get__(self, instance: None, owner: Any = ...) -> Transformed[P, R]: ...

    @overload
    def __get__(self: Transformed[Concatenate[Any, Q], R], instance: object, owner: Any = ...) -> Callable[Q, R]: ...

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def bound(self, args, kwargs) -> tuple[dict[str, Any], Sequence[Step], Lost]:
        """The arguments by name; the transformations, told which axes the examples have; the axes that these take away."""
        values, given = self._given(args, kwargs)
        return values, *self._settled(values, given)

    def _given(self, args, kwargs) -> tuple[dict[str, Any], Given]:
        """The arguments by name; those given by keyword, and those given at all, if examples depend on it."""
        self._look_again()
        bound = bind_arguments(self.__signature__, getattr(self, '__name__', 'function'), args, kwargs)
        given = tuple(bound.arguments) if self._batched else ()
        bound.apply_defaults()
        self._fit_tangents(bound.arguments)
        return bound.arguments, (tuple([name for name in given if name in kwargs]), given)

    def _settled(self, values: dict[str, Any], given: Given) -> tuple[Sequence[Step], Lost]:
        return of_call(self.transforms, self.signatures, values, *given) if self._batched else (self.transforms, {})

    def _fit_tangents(self, values: dict[str, Any]) -> None:
        """Check tangents against their primals, and convert them; examples, whose axes are not settled yet, are left alone."""
        for step, before in reversed(list(zip(self.transforms, self.signatures, strict=False))):
            if step.maps_examples:
                return
            values |= {new: as_tangent(values[own], values[new], own) for new, own in step.added(before).items()}

    @property
    def added(self) -> list[str]:
        """The parameters that the last transformation has added."""
        return [name for name in self.__signature__.parameters if name not in self.signatures[-2].parameters]

    def _find(self, args, kwargs) -> tuple['Specialisation', dict[str, Any]]:
        """The specialisation for these arguments, made if there is none, and the arguments by name."""
        values, given = self._given(args, kwargs)
        sizes = dict(SMALL)
        key = given, self.key(values, sizes)
        found = next((s for s in self._known.get(key, ()) if s.still_holds(sizes, values)), None)
        if found is None or self._counted:
            settled = self._settled(values, given)
        if found is None:
            self._shortcuts.forget()
            try:
                found = specialise(self, values, *settled, presuming=len(self._known.get(key, ())) < MANY)
            except TranspileError as error:
                if error.certain:
                    raise_as_python(error, self.function, values, self._batched, in_place=not self.transforms)
                raise
            key = given, self.key(values, dict(SMALL))  # some arguments may have become static meanwhile
            if len(self._known) >= 16 * MOST:
                self._known.clear()
            self._known[key] = [*self._known.get(key, ()), found][-MOST:]
        found.check_apart(values)
        if self.compiled and not self.transforms and found.generated.written:
            self._check_writable(found, values)
        self._latest = found
        return found, values

    def _check_writable(self, found: Specialisation, values: Mapping[str, Any]) -> None:
        """Let Python raise where what is read-only is written into."""
        if writes_into_read_only(found.generated, found.flat(values)):
            let_python_raise(self.function, values, in_place=True)

    def key(self, values: Mapping[str, Any], sizes: dict[int, int]) -> tuple:
        """What the specialisation for these arguments depends on; `sizes` learns the numbers of their sizes."""
        parts = [constant_key(v, n) if n in self._static_names else key_of(v, sizes) for n, v in values.items()]
        parts += [values[name] is default for name, default in self.lasting.items()]
        for name, position in sorted(self._static_leaves):
            leaves = leaves_of(values[name])     # another call may give another structure
            parts.append(static_key(leaves[position]) if position < len(leaves) else None)
        return tuple(parts)

    def generated(self, function: Function, steps: Sequence[Step], arguments: Arguments, presuming: bool) -> Generated:
        """The program for such arguments; `steps` are the transformations as they apply to them.

        presuming: it may go by what is true of the sizes at hand, and is checked at each call
        """
        derived = any(step.derives for step in self.transforms)
        return generate(function, steps, arguments, self._static_captures, self.compiled is not None, presuming, derived)

    def lower(self, /, *args: P.args, **kwargs: P.kwargs) -> Lowered:
        """What is generated for example arguments: `.source`, `.loops`, `.compile()`."""
        return lowered(self, *self._find(args, kwargs))

    @property
    def source(self) -> str:
        """The generated Python of the latest call; before any call, from the annotations, or generic."""
        if self._latest is not None:
            return self._latest.source.text
        generated = generic(function := capture(self.function), self.transforms)
        return python_source(generated, header_of(generated.core, function, self.transforms)).text

    def _repr_html_(self) -> str:
        return Lowered(self, self._latest)._repr_html_() if self._latest is not None else f'<pre>{escape(repr(self))}</pre>'

    def __transpiler_derive__(self, ev, args, keywords):
        """Called by the specialiser where a program calls this object."""
        binding: Any = Known(self.function)
        for transform in self.transforms:
            binding = Derived(transform, binding)
        return ev.call(binding, args, keywords)


def _signature(function: Callable) -> inspect.Signature:
    try:
        return signature_of(function)
    except ValueError as error:     # some compiled functions have none
        raise SourceNotFound(
            f'`{getattr(function, "__name__", function)!s}` has no Python source',
            why=str(error),
            instead='wrap it in a Python function',
        ) from None
