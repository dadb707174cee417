"""What a call of batched functions means: which axis of which argument is that of the examples, and how many there are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter, Signature
from typing import Any

import gast

from transpiler.core import build
from transpiler.core.language import Tree
from transpiler.core.variables import Var
from transpiler.errors import Misfit, UnknownType
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Binding, Known, flatten, tree_of
from transpiler.specialize.evaluator import Evaluator
from transpiler.transforms.batch.axes import is_value, mapped, parameter_axes
from transpiler.transforms.steps import Step
from transpiler.values.types import Array

Lost = Mapping[str, Sequence[Sequence[int]]]
Count = Callable[[Sequence[tuple[str, Any]], int | None], Any]


def settled(
    steps: Sequence[Step], signatures: Sequence[Signature], trees: Mapping[str, Tree], shapes: Mapping[str, list[tuple]],
    positional: Callable[[Signature], int], named: Collection[str], count: Count,
) -> tuple[list[Step], Lost]:
    """The transformations with the axes that `vmap` is to map over; of every number and array the axes that it loses, in order.

    signatures: that of the function, and after each transformation
    trees, shapes: the arguments by name, outermost; `positional` says how many are given by position, `named` by keyword
    count: the number of examples, from what the sizes are called, the sizes, and `axis_size`
    """
    lost: dict[str, list[list[int]]] = {name: [[] for _ in own] for name, own in shapes.items()}
    made = list(steps)
    for k in reversed(range(len(steps))):
        step = steps[k]
        if step.maps_examples:
            axes = parameter_axes(step.in_axes, signatures[k + 1], positional(signatures[k + 1]), named)
            found = mapped(axes, trees, shapes)
            for name, own in found.axes.items():
                for taken, axis in zip(lost[name], own, strict=True):
                    taken += [] if axis is None else [axis]
            shapes = dict(found.inner)
            made[k] = replace(step, axes=found.axes, size=count(found.sizes, step.axis_size))
    return made, lost


def nothing_mapped(sizes: Sequence[tuple[str, Any]], axis_size: int | None) -> None:
    if axis_size is None and not sizes:
        raise Misfit('vmap: nothing is mapped: in_axes gives no argument of numbers an axis; give axis_size, or an axis')


def disagreement(sizes: Sequence[tuple[str, Any]], axis_size: int | None) -> Misfit:
    told = [f'{what} has size {size}' for what, size in sizes] + ([] if axis_size is None else [f'axis_size is {axis_size}'])
    return Misfit(f'vmap: the numbers of examples disagree: {", ".join(told)}')


def settled_inside(
    ev: Evaluator, steps: Sequence[Step], function: Function, env: Mapping[str, Binding], positional: int,
    named: Collection[str],
) -> tuple[list[Step], Lost]:
    """The same for a call inside a program, of which types are known: sizes that may differ are compared when it runs."""
    values = {name: [leaf for leaf in flatten(binding) if is_value(tree_of(leaf))] for name, binding in env.items()}
    places = {(f'axis {axis} of `{name}`', dim): (leaf, axis) for name, leaves in values.items() for leaf in leaves
              for axis, dim in enumerate(_dims(ev, leaf))}

    def count(sizes: Sequence[tuple[str, Any]], axis_size: int | None):
        nothing_mapped(sizes, axis_size)
        wanted = axis_size if axis_size is not None else sizes[0][1]
        for what, size in sizes:
            if size == wanted:
                continue
            known = not isinstance(wanted, int) and wanted is not None and size is not None and (
                size.is_constant and wanted.is_constant or not size.is_found and not wanted.is_found)
            if known:
                raise disagreement(sizes, axis_size)
            first = Known(axis_size) if axis_size is not None else _size_of(ev, places[sizes[0]])
            _require_equal(ev, first, _size_of(ev, places[what, size]))
        return wanted

    signatures = [signature := _signature(function)]
    for step in steps:
        signatures.append(signature := step.signature(signature))
    trees = {name: tree_of(binding) for name, binding in env.items()}
    shapes = {name: [_dims(ev, leaf) for leaf in leaves] for name, leaves in values.items()}
    return settled(steps, signatures, trees, shapes, lambda _: positional, named, count)


def _dims(ev: Evaluator, leaf: Binding) -> tuple:
    type_ = ev.operand(leaf)[1] if isinstance(leaf, Var) else None
    if isinstance(type_, Array) and type_.dims is not None:
        return type_.dims
    if isinstance(leaf, Var) and getattr(type_, 'ndim', None) is None:
        raise UnknownType(
            f'`{leaf.name}` is an argument of a batched function, but its rank is not known', ev.origin,
            instead='annotate it, or give example arguments',
        )
    return ()


def _size_of(ev: Evaluator, place: tuple[Binding, int]) -> Binding:
    leaf, axis = place
    return ev.expressions.size(leaf, axis, _dims(ev, leaf)[axis])


def _require_equal(ev: Evaluator, first: Binding, second: Binding) -> None:
    differs = ev.compare(gast.NotEq, first, second)
    if isinstance(differs, Known):
        if differs.value:
            raise Misfit('vmap: the numbers of examples disagree')
        return
    failure = build.fail(build.call('python.ValueError', build.constant('vmap: the numbers of examples disagree')), ev.origin)
    ev.builder.append(build.branch(differs.name, [failure], [], ev.origin))


def _signature(function: Function) -> Signature:
    arguments = function.node.args
    star, options = [arguments.vararg], [arguments.kwarg]
    kinds = [(arguments.posonlyargs, Parameter.POSITIONAL_ONLY), (arguments.args, Parameter.POSITIONAL_OR_KEYWORD),
             (star, Parameter.VAR_POSITIONAL), (arguments.kwonlyargs, Parameter.KEYWORD_ONLY), (options, Parameter.VAR_KEYWORD)]
    return Signature([Parameter(node.id, kind) for nodes, kind in kinds for node in nodes if node is not None])

