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
from transpiler.specialize.calls.custom_rules import with_role
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.linearity import not_linear
from transpiler.specialize.evaluator import Evaluator
from transpiler.transforms.reverse.vjp import gradient
from transpiler.values.types import Scalar

Results = tuple[list[Binding], tuple[int, ...], list[Binding]]


def tangents_by_pullback(ev: Evaluator, rule: Given, args: list[Binding], seeds: list[Binding]) -> Results:
    """Write a call and its tangents into the program of `run`: the results, the positions of those with tangents, and these.

    seeds: the tangents of the arguments that the rule has cotangents for
    """
    made = ev.programs.inline_core(ev.functions[rule.pullback.forward], args)
    joined = ev.functions[rule.pullback.joined].rule
    outs, kept = made[: len(joined.outs)], made[len(joined.outs) :]
    extra, by_value = args[rule.own :], [args[k] for k in rule.by_value]
    backward = ev.functions[joined.backward]
    first = len(backward.inputs) - len(extra) - len(joined.results)
    bars = range(first, first + len(joined.results))
    _check_linear(ev, rule, backward, bars)
    turned = _transpose(ev, backward, bars)
    zeros = [_zeros(ev, outs[k]) for k in joined.results]
    return outs, joined.results, ev.programs.inline_core(turned, [*by_value, *kept, *zeros, *extra, *seeds])


def _check_linear(ev: Evaluator, rule: Given, backward: Core, bars: range) -> None:
    worst = not_linear(backward, [backward.inputs[k] for k in bars], ev.functions, 0)
    if worst is not None:
        raise NotDifferentiable(
            f'the rule of `{rule.title}` is not linear in the cotangents that it is given, so it has no forward mode',
            getattr(worst.where, 'origin', None) or backward.origin,
            why=worst.why.replace('tangent', 'cotangent'),
            instead='use reverse mode, or give it a rule for forward mode',
        )


def _zeros(ev: Evaluator, out: Binding) -> Binding:
    """Where the transpose of a linear function is taken does not matter."""
    scalar = isinstance(ev.operand(out)[1], Scalar)
    return Known(0.0) if scalar else ev.operate_by_name('numpy.zeros_like', [out])


def _transpose(around: Evaluator, backward: Core, bars: range) -> Core:
    """From what `backward` takes, and tangents for what it gives, to the tangents for its parameters at `bars`."""
    ev = Evaluator(functions=dict(around.functions))
    params = [ev.builder.fresh(backward.base(name), backward.types[name]) for name in backward.inputs]
    given = ev.programs.inline_core(backward, list(params))
    dots = [ev.builder.fresh('dot', ev.operand(bar)[1]) for bar in given]
    total = reduce(lambda a, b: ev.binary(gast.Add, a, b), (_paired(ev, a, b) for a, b in zip(given, dots, strict=True)))
    origin = backward.origin
    whole = Core(
        f'{backward.name}_tangents',
        tuple(Param(v.name, Leaf(v.name)) for v in (*params, *dots)),
        (*ev.builder.block, build.give(ev.operand(total)[0], origin)),
        MappingProxyType({name: ev.resolve(type_) for name, type_ in ev.builder.types.items()}),
        MappingProxyType(ev.builder.hints),
        origin,
    )
    turned = gradient(whole.with_functions(reachable(whole, ev.functions)), bars, single=False)
    return turned.with_body([with_role(s, 'tangent') for s in turned.body])


def _paired(ev: Evaluator, a: Binding, b: Binding) -> Binding:
    product = ev.binary(gast.Mult, a, b)
    return product if isinstance(ev.operand(product)[1], Scalar) else ev.operate_by_name('numpy.sum', [product])
