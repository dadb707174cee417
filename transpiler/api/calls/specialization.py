"""One specialisation of a transformed function: its program, its text, and the callable made of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import gast
import numpy as np

from transpiler import backends
from transpiler.analyses.memory.effects import is_noticed
from transpiler.analyses.numeric.complex_powers import perhaps_complex
from transpiler.api.calls.argument_aliases import check_containers, check_memory, may_meet
from transpiler.api.calls.failures import let_python_raise, located, meanwhile, raises_for_certain, refuse_complex
from transpiler.api.calls.leaves import as_called, flat_leaves
from transpiler.api.calls.memory import weakly
from transpiler.api.calls.size_checks import Demands, Granted, granted
from transpiler.backends import python
from transpiler.backends.options import Options
from transpiler.core import build
from transpiler.core.language import leaves
from transpiler.core.query import walk
from transpiler.errors import TranspileError, UnknownType
from transpiler.pipelines import Generated, flat_result, object_builder, python_source, with_constants
from transpiler.room import roomy
from transpiler.source.reading.capture import Function, Nowhere, capture
from transpiler.source.writing.emit import Source
from transpiler.source.writing.headers import header_of
from transpiler.specialize.annotations import leaf_maker
from transpiler.specialize.domain.abstraction import SMALL, abstract, leaves_of, made_plain
from transpiler.specialize.domain.bindings import Binding, Known, class_of_number
from transpiler.specialize.domain.identity import same_object
from transpiler.specialize.domain.keys import key_of, lies_in_order
from transpiler.specialize.evaluator import Evaluator
from transpiler.stages import LOWER, TRANSFORM, stage
from transpiler.transforms.batch.axes import of_one
from transpiler.transforms.call_axes import Lost
from transpiler.transforms.steps import Step
from transpiler.values.types import Unknown


@dataclass(eq=False)
class Specialisation:
    """A generated program and the values it was made for.

    size_numbers: of every array among the run-time arguments, its sizes as numbered by `key_of`; none where the
        caller has seen to it that they fit
    in_order: whether the items of these arguments lie in C order, as far as it is known
    granted: what is taken for granted of these sizes; original: gives what the user has written, as long as it lives
    plainly: whether there are numbers of classes of the program, of which it gets the plain numbers: it has their methods
    second: what runs later, if it is the first half of a program
    """

    function: Function
    generated: Generated
    transforms: Sequence[Any]
    compiled: Options | None
    capture_keys: tuple
    size_numbers: Sequence[tuple[int, ...]]
    in_order: Sequence[bool] = ()
    granted: Sequence[Granted] = ()
    original: Callable[[], Any] = lambda: None
    plainly: bool = False
    second: 'Specialisation | None' = None

    @cached_property
    def needs_apart(self) -> bool:
        """Whether arguments must have nothing in common."""
        return may_meet(self.generated, bool(self.transforms))

    def check_apart(self, values: Mapping[str, Any]) -> None:
        """Refuse arguments that have in common what the function changes."""
        if self.needs_apart:
            captured = {c.name: c.read() for c in self.generated.captures}
            check_memory(self.generated, flat_leaves(self.generated.primal.params, values, captured), bool(self.transforms))
            check_containers(self.generated, values)

    @property
    def _derives(self) -> bool:
        """Whether it leaves its arguments alone: derivatives do."""
        return any(not step.maps_examples for step in self.transforms)

    def still_holds(self, sizes: dict[int, int], values: Mapping[str, Any]) -> bool:
        """Whether captured functions, flags and types, and how sizes compare, are what this was made for.

        sizes: as numbered so far; values: the arguments
        """
        if not all(same_object(read(), expected) for read, expected in self.generated.guards):
            return False
        sizes, captured = dict(sizes), {c.name: c.read() for c in self.generated.captures}
        if tuple([key_of(value, sizes) for value in captured.values()]) != self.capture_keys:
            return False
        by_number = {number: size for size, number in sizes.items()}
        return all(one.holds(by_number, {**values, **captured}) for one in self.granted)

    @cached_property
    def decisive(self) -> list[int]:
        """The places, among the run-time leaves, of the integers that the program goes by."""
        params = self.generated.core.params
        starts = dict(zip([p.name for p in params], itertools.accumulate([len(leaves(p.tree)) for p in params], initial=0)))
        return sorted({starts[name] + position for one in self.granted for name, position in one.places.values()})

    @property
    def _speaks(self) -> bool:
        """Whether running it once more would be noticed elsewhere than in the arguments: output."""
        core = self.generated.core
        return any(is_noticed(s) for part in (core, *core.functions.values()) for s in walk(part.body))

    @property
    def _writes_into_arguments(self) -> bool:
        return bool(self.generated.written) and not self._derives

    @cached_property
    def source(self) -> Source:
        in_order = self.generated.in_order if self._derives else ()
        return python_source(self.generated, header_of(self.generated.core, self.function, self.transforms, in_order))

    @cached_property
    def python_function(self) -> Callable[..., Any]:
        return python.load(self.source.text, self.generated.core.name, self.source.boxes)

    @cached_property
    def _rebuild(self) -> Callable[[Any], Any] | None:
        return object_builder(self.generated.core.result)

    @cached_property
    @roomy
    @stage(LOWER, lambda made: made.generated.core.name)
    def _flat(self) -> backends.guarded.Flat:
        core, rebuild, types = flat_result(self.generated.core)
        for name in core.inputs:
            if isinstance(core.types[name], Unknown):
                raise UnknownType(f'`{name}` has no known type', core.origin, instead='annotate it, or give example arguments')
        header = [f'{line}, for Numba' for line in header_of(self.generated.core, self.function, self.transforms)]
        ordered = frozenset(itertools.compress(core.inputs, self.in_order))
        return backends.guarded.Flat(header, replace(core, ordered=ordered), rebuild, types, bool(self.size_numbers),
                                     self.compiled or Options())

    @property
    def loops(self) -> Source:
        """The text that Numba compiles: one parameter per number and array, a flat result, explicit dtypes."""
        return self._flat.source

    @property
    def compiled_function(self) -> Any:
        """Takes run-time leaves of arguments of any sizes, every index checked, and gives a flat tuple."""
        return self._flat.checked

    @cached_property
    def _demands(self) -> Demands:
        return Demands(self.generated.core, self.size_numbers or ())

    def run(self, values: Mapping[str, Any]) -> Any:
        """Call on arguments by name."""
        misfit = self._demands.misfit(self.flat(values)) if self._demands.demands else None
        if misfit is not None:
            original = self.original()
            if original is not None and not any(step.maps_examples for step in self.transforms):
                let_python_raise(original, values, in_place=not self.transforms)
            raise misfit
        if not self.compiled or raises_for_certain(lambda: self._flat):
            return self.run_python(values)
        flat = self.flat(values)
        if self.ready(flat):
            return self.run_flat(flat, values)
        compiled = None if self._speaks or self._writes_into_arguments else lambda: self.run_flat(flat, values)
        return meanwhile(lambda: self.run_python(values), compiled)

    def ready(self, flat: Sequence[Any]) -> bool:
        """Whether a call on these run-time leaves runs compiled code, if need be once it is there."""
        return not self._flat.options.background or bool(self._powers) or self._flat.ready(flat)

    def prepare(self, flat: Sequence[Any]) -> None:
        """Compile what such a call runs."""
        self._flat.prepare(flat)

    def flat(self, values: Mapping[str, Any]) -> list[Any]:
        """The run-time numbers and arrays of arguments by name, and of what is captured."""
        flat = flat_leaves(self.generated.core.params, values, self.generated.captured())
        return list(map(build.plain, flat)) if self.plainly else flat

    def run_flat(self, flat: Sequence[Any], values: Mapping[str, Any]) -> Any:
        """Run compiled code on the run-time leaves of arguments by name."""
        compiled, rebuild = self.direct
        try:
            result = compiled(*self._flat.taken(flat))
        except Exception as error:
            self.locate(error, flat, lambda: self.run_python(values))
            raise
        return result if rebuild is None else rebuild(result)

    @property
    def direct(self) -> tuple[Any, Callable[[Any], Any] | None]:
        """Compiled code, from run-time leaves to a flat result, and what makes the real result of that (or None)."""
        return self._flat.compiled, self._flat.rebuild

    def locate(self, error: Exception, flat: Sequence[Any], in_python: Callable[[], Any]) -> None:
        """Raise what compiled code has raised for these leaves as Python raises it, unless it stands as it is.

        in_python: does the same slowly, to find out where the error comes from
        """
        if isinstance(error, TranspileError) or self._speaks or backends.handlers.raised_by_a_handler(error):
            return
        again = None if self._writes_into_arguments else in_python
        raise located(error, self._flat.checked_source, self._flat.checked, flat, again) from None

    @cached_property
    def _powers(self) -> tuple[gast.stmt, ...]:
        core = self.generated.core
        return tuple(s for part in (core, *core.functions.values()) for s in perhaps_complex(part, part.types))

    def run_python(self, values: Mapping[str, Any]) -> Any:
        captured, params = self.generated.captured(), self.generated.core.params
        if self.plainly:
            captured, values = made_plain(captured), made_plain(values)
        positional, named = as_called(params, values)
        try:
            result = self.python_function(*positional, **named, **captured)
            result = result if self._rebuild is None else self._rebuild(result)
        except Exception as error:
            python.annotate(error, self.source.line_map, self.python_function.__code__.co_filename)
            if isinstance(error, TypeError) and self._powers:
                refuse_complex(self._powers, error)
            raise
        if self._powers:
            refuse_complex(self._powers, result)
        return result


@roomy
@stage(TRANSFORM, lambda transformed, *rest: repr(transformed)[1:-1])
def specialise(
    transformed, values: Mapping[str, Any], steps: Sequence[Step], lost: Lost, presuming: bool = True
) -> Specialisation:
    """Generate the program for these arguments; those that turn out to be needed as constants become static.

    steps: the transformations, told which axes are those of examples; lost: the axes that arguments of batches lose;
    presuming: how sizes compare may be taken for granted, and is checked at each call
    """
    function = capture(transformed.function)

    def made(presuming: bool) -> Generated:
        make = lambda origins: transformed.generated(function, steps, _abstracted(transformed, values, origins, lost), presuming)
        return with_constants(make, transformed._static_leaves, transformed._static_captures)

    try:
        generated = made(presuming)
    except TranspileError:
        if not presuming:
            raise
        generated = made(False)  # what is refused for sizes like these may be an error of NumPy's when it runs
    sizes = dict(SMALL)
    transformed.key(values, sizes)
    keys = tuple([key_of(c.read(), sizes) for c in generated.captures])
    flat = flat_leaves(generated.core.params, values, generated.captured())
    numbers = [tuple(sizes[size] for size in np.shape(leaf)) for leaf in flat]
    in_order = [isinstance(leaf, np.ndarray) and leaf.flags.c_contiguous for leaf in flat]
    known = granted(generated.presumed, generated.letters, sizes)
    given = transformed.transforms, transformed.compiled
    plainly = any(class_of_number(leaf) is not None for leaf in flat)
    bare = replace(function, scope=Nowhere(), defaults={}, owner=None)   # which keeps nothing alive
    return Specialisation(bare, generated, *given, keys, numbers, in_order, known, weakly(transformed.function), plainly)


def _abstracted(
    transformed, values: Mapping[str, Any], origins: dict[str, tuple[str, int]], lost: Lost
) -> Callable[[str, Evaluator], Binding]:
    """Bindings for the arguments; `origins` learns which leaf each variable stands for."""

    def binding(name: str, ev: Evaluator) -> Binding:
        if name in transformed._static_names:
            return Known(values[name])
        if values[name] is transformed.lasting.get(name, transformed):
            ev.lasting.add(name)
        make, given = leaf_maker(ev, name), iter(enumerate(leaves_of(values[name])))

        def variable(base, type_):
            position, leaf = next(given)
            if (name, position) in transformed._static_leaves:
                return Known(leaf)
            axes = lost[name][position] if lost else ()
            made = make(base, of_one(type_, axes) if lost else type_)
            if axes:
                ev.varied.add(made.name)
            else:
                origins[made.name] = (name, position)
            if lies_in_order(leaf) and not any(axes):
                ev.ordered.add(made.name)
            if not axes:
                ev.sizes.given_number(made, leaf, (name, position))
            return made

        return abstract(values[name], name, variable, ev.sizes.letters.of)

    return binding
