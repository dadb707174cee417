"""Linear programs turned round: from cotangents of the result to those of an argument, and pullbacks into pushforwards."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import gast

from transpiler.analyses.activity import differentiable_reads, downstream, flows, upstream
from transpiler.core import build
from transpiler.core.language import Core, leaves
from transpiler.core.query import all_reads, all_written, names
from transpiler.optimize.dead_code import eliminate_dead_code
from transpiler.transforms.reverse import pullback


def transpose(core: Core, late: str, title: str, name: str) -> Core:
    """The transpose of a program in its last parameter `late`, in which it is linear; `name` is the cotangent of the result.

    Where the shape of `late` is read, it stays a parameter.
    """
    whole = pullback(core, [len(core.params) - 1], name)
    last = whole.body[-1]
    (turned,) = last.value.elts[1].elts
    body = eliminate_dead_code(whole.with_body((*whole.body[:-1], build.give(turned, last.origin, last.role)))).body
    read = all_reads(body) | all_written(body)
    params = [param for param in whole.params if param.name != late or read & set(leaves(param.tree))]
    return whole.with_body(body, name=title, params=tuple(params))


def called_tangents(core: Core) -> Core:
    """The cotangent of a cotangent is a tangent, and is called so."""
    ending = '_bar_bar'
    named = {n: replace(h, base=h.base.removesuffix(ending) + '_dot') for n, h in core.hints.items() if h.base.endswith(ending)}
    return core.with_body(core.body, hints=MappingProxyType({**core.hints, **named}))


def nonlinear(first: Core, second: Core) -> list[str]:
    """What the second half of a program takes over that depends on the values of the arguments: there it is not linear.

    first: gives `(result, handed over)`; second: takes what was handed over, item for item, and then what comes late
    """
    floats = [name for param in first.params if param.kind != 'capture' for name in leaves(param.tree)]
    varied = downstream(floats, flows(first, differentiable_reads))
    read = upstream(names(second.result), flows(second, differentiable_reads))
    handed = zip(first.result.elts[1].elts, second.inputs, strict=False)
    return [given.id for given, taken in handed if taken in read and isinstance(given, gast.Name) and given.id in varied]
