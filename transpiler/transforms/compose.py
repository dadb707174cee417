"""Transformations one after the other, and inside functions: a derivative called in the middle of a program."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from transpiler.analyses.memory.call_effects import summarised
from transpiler.core import build
from transpiler.core.functions import calls_in, reachable
from transpiler.core.language import Core, Leaf, Param
from transpiler.core.query import all_defined, all_reads, all_written
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.optimize import optimize, raised
from transpiler.passes import rewrite
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Binding, Closure, Derived, Known, flatten, tree_of
from transpiler.specialize.evaluation.frames import Frame, Late
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.kinds.choices import check_no_choice
from transpiler.specialize.kinds.results import Leeway, given
from transpiler.specialize.specialize import specialize_again, specialize_apart
from transpiler.specialize.structures.container import Container
from transpiler.transforms.added_parameters import paired, parted, unwound
from transpiler.transforms.batch.axes import is_value, of_one
from transpiler.transforms.call_axes import settled_inside
from transpiler.transforms.meeting import check_changes, check_containers, check_memory
from transpiler.transforms.shared.own_memory import with_own_memory
from transpiler.transforms.steps import Step
from transpiler.values.dims import Dim


def transformed(core: Core, transforms: Sequence[Step]) -> Core:
    """Apply transformations to a typed core program, optimising after each."""
    core = raised(optimize(_logged(core)))
    for transform in transforms:
        if transform.derives:
            check_no_choice(core, transform.title)
        again = specialize_apart if transform.maps_examples else specialize_again  # all examples have one dtype
        core = _logged(transform.apply(again(core, differentiate)), transform.title)  # optimised code merges names
        core = settled(core)
    derived = any(transform.derives for transform in transforms)
    if derived or any(transform.maps_examples for transform in transforms):
        core = owned(core, 'tangent' if derived else 'primal')
    return core


def settled(core: Core) -> Core:
    """What a transformation has made: specialised again, and optimised."""
    return optimize(_logged(specialize_again(core, differentiate)))


def owned(core: Core, role: str, parts: Collection[int] | None = None) -> Core:
    """A settled program whose result is its caller's own memory; `parts` as in `with_own_memory`."""
    own = with_own_memory(core, role, parts)
    return core if own is core else settled(own)


def _logged(core: Core, name: str = 'specialize') -> Core:
    return rewrite(name)(lambda before: core)(core.with_body(()))


def differentiate(
    ev: Evaluator, transform: Step, function: Binding, args: list[Binding], keywords: Mapping[str, Binding],
    compiled: bool = False,
) -> Binding:
    """Call a derivative inside a function: specialise the inner function apart, transform it, and inline the result."""
    transforms, closure = unwound(Derived(transform, function), ev.captures.source_of)
    ev.overloads.special(function, '__call__')    # that it stays what it is
    if closure is None:
        raise TranspileError(f'{ev.describe(function)} cannot be differentiated', ev.origin)
    transforms = [step.for_backend(Dim.of, compiled) for step in transforms]
    core, transforms, outer, more = _apart(ev, closure, transforms, args, keywords)
    count, fits = len(core.params), not any(step.maps_examples for step in transforms)
    core = transformed(core, transforms)
    ev.functions.update(core.functions)
    env = dict(zip(core.inputs, outer, strict=False))
    for param in core.params[count:]:
        env |= dict(paired(ev, param.name, param.tree, more[param.name], core, fits))
    frame = Frame(None, env, None, {}, core.hints, core.types)
    ev.execute(frame, list(core.body[:-1]))
    return ev.evaluate(frame, core.result)


def _apart(
    ev: Evaluator, function: Closure, transforms: Sequence[Step], args: list[Binding], keywords: Mapping[str, Binding]
) -> tuple[Core, list[Step], list[Binding], dict[str, Binding]]:
    """The inner function as a program of its own; variables of the outer one that it reads become parameters.

    Also gives the transformations, told of which axes batches consist; the outer values of its inputs, in order; and by name
    those of the parameters that the transformations add.
    """
    positional, named = len(args), list(keywords)
    args, keywords, added = parted(ev, function, transforms, args, keywords)
    inner = ev.inside(builder := ev.builder.inner())
    inner.heap.set_apart('it belongs to a function around the one that is differentiated')
    inner.ordered = set(ev.ordered)

    def parameter(binding: Binding, name: str, lost: Iterator[Sequence[int]]) -> Binding:
        if isinstance(binding, Container):
            items = tuple(parameter(b, name, lost) for b in binding.items)
            return binding.anew(items)
        axes = next(lost, ()) if is_value(tree_of(binding)) else ()
        known = getattr(binding, 'value', None)
        if not isinstance(binding, Var) and (isinstance(known, bool) or not isinstance(known, (int, float, complex))):
            return binding  # flags are no numbers that anything is differentiated by
        return _variable(inner, name, binding, axes)

    bound = inner.tables.bind(function, args, dict(keywords))
    env = {name: inner.apart_from_cells(binding) for name, binding in bound.items()}
    more = {name: inner.apart_from_cells(binding) for name, binding in added.items()}
    lost: Mapping[str, Sequence[Sequence[int]]] = {}
    if any(step.maps_examples for step in transforms):
        transforms, lost = settled_inside(ev, transforms, function.function, {**env, **more}, positional, named)
    params = {name: parameter(binding, name, iter(lost.get(name, ()))) for name, binding in env.items()}
    kinds = _parameter_kinds(function.function)
    order = [n for n in kinds if n in params]
    own = {leaf.name for binding in params.values() for leaf in flatten(binding) if isinstance(leaf, Var)}
    inner.heap.late = Late()
    result = inner.inlining.inline_bound(function, inner.heap.taken_in(params, own))
    ev.builder.adopt(builder)  # values captured on the way
    builder.block.append(build.give(given(inner, result, Leeway(none=True, choice=False)), ev.origin))
    inputs = [Param(n, tree_of(params[n]), kinds[n]) for n in order]
    free = sorted((all_reads(builder.block) | all_written(builder.block)) - own - all_defined(builder.block))
    outer = [_value for n in order for _value in _leaves_of(env[n])] + [Var(n, builder.types[n]) for n in free]
    inputs += [Param(n, Leaf(n), 'capture') for n in free]
    types, hints, ordered = MappingProxyType(builder.types), MappingProxyType(builder.hints), frozenset(inner.ordered)
    core = Core(function.function.name, tuple(inputs), tuple(builder.block), types, hints, ev.origin, ordered=ordered)
    check_changes(core, transforms, inner.heap.changed)
    check_containers(ev, inner, bound)
    core = summarised(core.with_functions(_written(ev, core)))
    check_memory(ev, inner, core, outer)
    ev.sizes.equal.update(inner.sizes.equal)
    return core, list(transforms), outer, more


def _variable(inner: Evaluator, name: str, given: Binding, axes: Sequence[int]) -> Var:
    """The variable for an argument, or for one example of a batch; it lies in C order where the outer one is known to."""
    made = inner.builder.fresh(name, of_one(inner.operand(given)[1], axes))
    if isinstance(given, Var) and given.name in inner.ordered and not any(axes):
        inner.ordered.add(made.name)
    return made


def _written(ev: Evaluator, core: Core) -> dict[str, Core]:
    """The functions that are called; one that is still being written has no derivative yet."""
    missing = sorted(set(calls_in(core)) - ev.functions.keys())
    if missing:
        raise TranspileError(
            f'`{missing[0]}` differentiates a function that calls it again',
            ev.origin,
            why='its own derivative would be needed to write it',
            instead='differentiate outside the recursion',
        )
    return reachable(core, ev.functions)


def _leaves_of(binding: Binding) -> list[Binding]:
    return [
        leaf
        for leaf in flatten(binding)
        if isinstance(leaf, Var) or isinstance(leaf, Known) and isinstance(leaf.value, (int, float, complex))
    ]


def _parameter_kinds(function: Function) -> dict[str, str]:
    arguments = function.node.args
    found = {p.id: 'positional' for p in (*arguments.posonlyargs, *arguments.args)}
    found |= {arguments.vararg.id: 'star'} if arguments.vararg is not None else {}
    found |= {p.id: 'keyword' for p in arguments.kwonlyargs}
    return found | ({arguments.kwarg.id: 'options'} if arguments.kwarg is not None else {})
