"""A function's whole trip: from source through the transformations to Python text or a compiled function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.call_effects import as_own
from transpiler.analyses.memory.order_dependent_views import arguments_in_order
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import all_written
from transpiler.errors import TranspileError
from transpiler.garbage import among_new_objects
from transpiler.optimize import optimize, surface
from transpiler.room import WHY, has_room, roomy
from transpiler.rules.base.policies import asking
from transpiler.source.reading.capture import Function
from transpiler.source.writing.emit import Source, emit
from transpiler.specialize.annotations import Arguments, from_annotations
from transpiler.specialize.containers.shared import Change, Part
from transpiler.specialize.domain.abstraction import Place, Presumption, Sizes
from transpiler.specialize.domain.pytrees import made
from transpiler.specialize.evaluation.frames import Capture
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.specialize.kinds.choices import assembled, check_no_choice, choice_of, is_listed
from transpiler.specialize.kinds.results import Leeway
from transpiler.specialize.specialize import Specialized, specialize, specialize_again, specialize_apart
from transpiler.transforms.compose import differentiate, owned, settled, transformed
from transpiler.transforms.meeting import check_changes
from transpiler.transforms.pullback.custom_rules import rules_inlined
from transpiler.transforms.reverse.partition import cut
from transpiler.transforms.reverse.transpose import called_tangents, transpose, with_zeros
from transpiler.transforms.steps import Step
from transpiler.transforms.storage.checkpoint_marks import checkpoints_inlined
from transpiler.values.types import FLOAT, Type


@dataclass(frozen=True)
class Generated:
    """A transformed program, the values it reads from closures and globals, and the objects it was specialised on.

    written: the inputs whose memory the primal writes; changes: where it changes containers among its arguments;
        lone: those that share memory with no other, since the primal gives them to derivatives that write
    primal: the user's function, specialised, before any pass
    marked: the same program with the marks that derivatives of it go by
    second: what runs later, if this is the first half of a program
    letters: the symbols that sizes of arguments have; presumed: what is taken for granted of them
    """

    core: Core
    captures: tuple[Capture, ...]
    guards: tuple[tuple[Callable[[], Any], Any], ...]
    written: frozenset[str]
    primal: Core
    marked: Core | None = None
    second: 'Generated | None' = None
    letters: Sizes = field(default_factory=Sizes)
    presumed: tuple[Presumption, ...] = ()
    changes: Mapping[Part, Change] = field(default_factory=dict)
    lone: frozenset[str] = frozenset()

    @property
    def rest(self) -> 'Generated':
        assert self.second is not None, f'{self.core.name} is a whole program'
        return self.second

    @property
    def in_order(self) -> frozenset[str]:
        """The arguments that must lie in C order, since derivatives have taken a reshape of one for a view."""
        asked = arguments_in_order(self.primal)
        return frozenset(name for name, first in zip(self.core.inputs, self.primal.inputs, strict=False) if first in asked)

    def captured(self) -> dict[str, Any]:
        """The closure and global values that are inputs, as they are now."""
        wanted = {param.name for param in self.core.params if param.kind == 'capture'}
        return {c.name: c.read() for c in self.captures if c.name in wanted}


@roomy
@among_new_objects()
def generate(
    function: Function,
    transforms: Sequence[Step],
    arguments: Arguments,
    static_captures: Set[Any] = frozenset(),
    compiled: bool = False,
    presuming: bool = False,
    derived: bool = False,
) -> Generated:
    """Specialise `function` on `arguments` and apply `transforms`, innermost first; `presuming`, for calls like that at hand.

    derived: whether what comes out is going to be differentiated
    """
    derive = functools.partial(differentiate, compiled=compiled)
    with asking() as asked, _refusing_depth(function):
        choice = compiled or any(step.batches_rows for step in transforms)
        leeway = Leeway(none=not transforms and not derived, lists=not derived, choice=choice)
        given = dict(differentiate=derive, static_captures=static_captures, presuming=presuming, leeway=leeway)
        made: Specialized = specialize(function, arguments, **given)
        transforms = [step.for_backend(made.letters.of, compiled) for step in transforms]
        check_changes(made.core, transforms, made.changes)
        marked = transformed(made.core, transforms)
    written = memory(as_own(made.core)).written.intersection(made.core.inputs) if all_written(made.core.body) else frozenset()
    known = dict(letters=made.letters, presumed=made.presumed, changes=made.changes, lone=made.lone)
    return Generated(_without_marks(marked), made.captures, (*made.guards, *asked), written, made.core, marked, **known)


def with_constants(
    make: Callable[[dict[str, Place]], Generated], leaves: set[Place], captured: set[Any],
    may_be: Callable[[Capture], bool] = lambda capture: True,
) -> Generated:
    """What `make(origins)` generates, once all numbers that turn out to be needed as constants are constants.

    `origins` learns which leaf of which argument each variable stands for.
    leaves, captured: those of arguments and of captured values that are constants, which get more
    may_be: which captured values can be constants
    """
    while True:
        origins: dict[str, Place] = {}
        try:
            return make(origins)
        except NeedStatic as need:
            given = ((c.key, k, leaf) for c in need.captures if may_be(c) for k, leaf in enumerate(c.leaves or (c.binding,)))
            wanted = ((key, k) for key, k, leaf in given if getattr(leaf, 'name', None) == need.name)
            found = next(wanted, None)
            if need.name in origins:
                leaves.add(origins[need.name])
            elif found is not None and found not in captured:
                captured.add(found)
            else:
                raise need.error from None


def generic(function: Function, transforms: Sequence[Step]) -> Generated:
    """The program for arguments of which annotations and literal defaults are known; of these, some become constants."""
    static, captured = set[Place](), set[Any]()
    make = lambda origins: generate(function, transforms, from_annotations(function, static, origins), captured)
    return with_constants(make, static, captured)


@contextmanager
def _refusing_depth(function: Function) -> Iterator[None]:
    """Raise TranspileError where Python cannot follow how deep a function goes, with all the room there is."""
    try:
        yield
    except RecursionError:
        if not has_room():
            raise
        raise TranspileError(
            f'`{function.name}` goes too deep',
            function.origin(function.node),
            why=WHY,
            instead='write a loop; pass numbers that say how deep calls go as arguments, not as constants',
        ) from None


def _without_marks(core: Core) -> Core:
    """The program once no derivative is going to be taken any more."""
    core = checkpoints_inlined(core)
    opened = rules_inlined(core)
    return core if opened is core else optimize(opened)


@roomy
def in_halves(
    generated: Generated, step: Step, late: Collection[str], titles: tuple[str, str], given: Collection[int]
) -> Generated:
    """One more transformation, its result cut in two by what depends on the parameters `late`: `reverse/partition.py`."""
    check_no_choice(generated.core, step.title)
    core = rules_inlined(checkpoints_inlined(step.apply(specialize_again(generated.marked or generated.core, differentiate))))
    first, second = cut(specialize_again(core, differentiate), late, titles, given)  # optimised code mixes both
    rest = owned(settled(second), 'pullback')    # it is called again, with what the first half has kept
    second = Generated(rest, (), (), frozenset(), generated.primal)
    return replace(generated, core=owned(settled(first), 'primal', [0]), second=second)


@roomy
def turned(generated: Generated, title: str, tangents: str, has_aux: bool) -> Generated:
    """A program in halves, of which the second is a pullback: it becomes the linear function of tangents instead."""
    rest, out = generated.rest, generated.core.result.elts[0]
    core = transpose(specialize_again(rest.core, differentiate), rest.core.params[-1].name, title, tangents)
    core = with_zeros(called_tangents(core), out.elts[0] if has_aux else out)
    return replace(generated, second=replace(rest, core=owned(settled(core), 'tangent')))


@roomy
def python_source(generated: Generated, header: Sequence[str] = ()) -> Source:
    """The program as readable Python; objects in its result are given as plain tuples."""
    core, last = generated.core, generated.core.body[-1]
    plain = core.with_body((*core.body[:-1], build.give(_without_objects(last.value), last.origin, last.role)))
    return emit(surface(plain), header=header)


def _without_objects(node: gast.expr) -> gast.expr:
    match node:
        case gast.Tuple(elts=elements) | gast.List(elts=elements):
            return build.like(node, elts=[_without_objects(e) for e in elements])
        case gast.Dict(keys=keys, values=values) if all(build.is_literal(key.value) for key in keys):
            return build.like(node, values=[_without_objects(v) for v in values])
        case gast.Dict(values=values):
            return build.expression(tuple(_without_objects(v) for v in values))
        case gast.Call(keywords=[item]) if is_listed(node):
            leaves: list[gast.expr] = []
            assembled(item.value, leaves)
            return build.expression(tuple(leaves))
        case gast.Call(keywords=keywords):
            return build.expression(tuple(_without_objects(k.value) for k in keywords))
    return node


def object_builder(node: gast.expr) -> Callable[[Any], Any] | None:
    """How the objects in a result are made again from plain tuples; None if there are none."""
    match node:
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Dict(values=parts):
            makers = [object_builder(p) for p in parts]
            keys = [k.value for k in node.keys] if isinstance(node, gast.Dict) else range(len(parts))
            literal = all(map(build.is_literal, keys))
            if literal and not any(makers):
                return None
            kind = {gast.Tuple: tuple, gast.List: list}.get(type(node))
            places = keys if literal else range(len(parts))

            def rebuild(value):
                made = [make(value[place]) if make else value[place] for place, make in zip(places, makers, strict=True)]
                return kind(made) if kind else dict(zip(keys, made, strict=True))

            return rebuild
        case gast.Call(keywords=[item]) if is_listed(node):
            one = assembled(item.value, [])
            return lambda lists: [one(own) for own in zip(*lists, strict=True)]
        case gast.Call(keywords=keywords):
            parts, choice = [(k.arg, object_builder(k.value)) for k in keywords], choice_of(node)

            def instance(value):
                given = {name: make(v) if make else v for (name, make), v in zip(parts, value, strict=True)}
                if choice is not None:
                    return choice.chosen(given)
                return made(node.type, {**node.fixed, **given})

            return instance
    return None


@roomy
def flat_result(core: Core) -> tuple[Core, Callable[[Any], Any] | None, list[Type]]:
    """The program with a flat tuple as its result (one value alone stays alone), how to build the real one, and its types.

    There is nothing to build (None) where the result is such a tuple, or one value, already.

    It goes through the specialiser once more: compiled code needs the type of every name, those that passes made included.
    """
    core = specialize_apart(core, differentiate, compiled=True)
    leaves: list[gast.expr] = []
    builder, last = assembled(core.result, leaves), core.body[-1]
    alone = len(leaves) == 1
    as_it_is = core.result is leaves[0] if alone else isinstance(core.result, gast.Tuple) and core.result.elts == leaves
    rebuild = None if as_it_is else (lambda value: builder((value,))) if alone else builder
    result = leaves[0] if alone else build.expression(tuple(leaves))
    flat = core.with_body((*core.body[:-1], build.give(result, last.origin, last.role)))
    return flat, rebuild, [core.types[n.id] if isinstance(n, gast.Name) else FLOAT for n in leaves]
