"""A rule for cotangents in forward mode: what it makes of cotangents is linear, and the transpose of that makes tangents."""

from __future__ import annotations

from functools import reduce
from types import MappingProxyType

import gast

from transpiler.core import build
from transpiler.core.custom import Given
from transpiler.core.functions import reachable
from transpiler.core.language import Core, Leaf, Param
from transpiler.errors import NotDifferentiable
from transpiler.specialize.bindings import Binding, Known
from transpiler.specialize.customs import with_role
from transpiler.specialize.linearity import not_linear
from transpiler.specialize.specialize import Specializer
from transpiler.transforms.reverse import gradient
from transpiler.values.types import Scalar

Results = tuple[list[Binding], tuple[int, ...], list[Binding]]


def tangents_by_pullback(run: Specializer, rule: Given, args: list[Binding], seeds: list[Binding]) -> Results:
    """Write a call and its tangents into the program of `run`: the results, the positions of those with tangents, and these.

    seeds: the tangents of the arguments that the rule has cotangents for
    """
    made = run.inline_core(run.functions[rule.pullback.forward], args)
    joined = run.functions[rule.pullback.joined].rule
    outs, kept = made[: len(joined.outs)], made[len(joined.outs) :]
    extra, by_value = args[rule.own :], [args[k] for k in rule.by_value]
    backward = run.functions[joined.backward]
    first = len(backward.inputs) - len(extra) - len(joined.results)
    bars = range(first, first + len(joined.results))
    _check_linear(run, rule, backward, bars)
    turned = _transpose(run, backward, bars)
    zeros = [_zeros(run, outs[k]) for k in joined.results]
    return outs, joined.results, run.inline_core(turned, [*by_value, *kept, *zeros, *extra, *seeds])


def _check_linear(run: Specializer, rule: Given, backward: Core, bars: range) -> None:
    worst = not_linear(backward, [backward.inputs[k] for k in bars], run.functions, 0)
    if worst is not None:
        raise NotDifferentiable(
            f'the rule of `{rule.title}` is not linear in the cotangents that it is given, so it has no forward mode',
            getattr(worst.where, 'origin', None) or backward.origin,
            why=worst.why.replace('tangent', 'cotangent'),
            instead='use reverse mode, or give it a rule for forward mode',
        )


def _zeros(run: Specializer, out: Binding) -> Binding:
    """Where the transpose of a linear function is taken does not matter."""
    scalar = isinstance(run.operand(out)[1], Scalar)
    return Known(0.0) if scalar else run.operate_by_name('numpy.zeros_like', [out])


def _transpose(around: Specializer, backward: Core, bars: range) -> Core:
    """From what `backward` takes, and tangents for what it gives, to the tangents for its parameters at `bars`."""
    run = Specializer(functions=dict(around.functions))
    params = [run.builder.fresh(backward.base(name), backward.types[name]) for name in backward.inputs]
    given = run.inline_core(backward, list(params))
    dots = [run.builder.fresh('dot', run.operand(bar)[1]) for bar in given]
    total = reduce(lambda a, b: run.binary(gast.Add, a, b), (_paired(run, a, b) for a, b in zip(given, dots, strict=True)))
    origin = backward.origin
    whole = Core(
        f'{backward.name}_tangents',
        tuple(Param(v.name, Leaf(v.name)) for v in (*params, *dots)),
        (*run.builder.block, build.give(run.operand(total)[0], origin)),
        MappingProxyType({name: run.resolve(type_) for name, type_ in run.builder.types.items()}),
        MappingProxyType(run.builder.hints),
        origin,
    )
    turned = gradient(whole.with_functions(reachable(whole, run.functions)), bars, single=False)
    return turned.with_body([with_role(s, 'tangent') for s in turned.body])


def _paired(run: Specializer, a: Binding, b: Binding) -> Binding:
    product = run.binary(gast.Mult, a, b)
    return product if isinstance(run.operand(product)[1], Scalar) else run.operate_by_name('numpy.sum', [product])
