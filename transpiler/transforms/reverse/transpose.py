"""Linear programs turned round: from cotangents of the result to those of an argument, and pullbacks into pushforwards."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import gast

from transpiler.analyses.activity import Flow, differentiable_reads, downstream, flows, upstream
from transpiler.core import build
from transpiler.core.language import Core, leaves
from transpiler.core.query import all_defined, all_reads, all_written, names, walk
from transpiler.optimize.redundancy.dead_code import eliminate_dead_code
from transpiler.specialize.domain.bindings import Known, is_lone_number
from transpiler.transforms.reverse.vjp import pullback
from transpiler.transforms.storage.hoisted_comparisons import LIKE


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


def with_zeros(core: Core, out: gast.expr) -> Core:
    """The linear function of tangents with zeros where `out`, the result of the function itself, has constant floats.

    >>> from transpiler.core.text import expression, parse
    >>> show = lambda core: gast.unparse(core.result).strip()
    >>> show(with_zeros(parse('return x_dot, None, None'), expression('(x, 3.0, 2)')))
    '(x_dot, 0.0, None)'
    """
    last = core.body[-1]
    lone = isinstance(out, gast.Constant) and is_lone_number(Known(out.value))
    dot = _with_zeros(last.value, build.constant(out.value + 0.0) if lone else out)
    return core.with_body((*core.body[:-1], build.give(dot, last.origin, last.role)))


def _with_zeros(tangent: gast.expr, out: gast.expr) -> gast.expr:
    inside = lambda ours, theirs: [_with_zeros(one, other) for one, other in zip(ours, theirs, strict=True)]
    match tangent, out:
        case gast.Constant(value=None), gast.Constant(value=float() | complex() as value):
            return build.constant(type(value)(0))
        case (gast.Tuple(elts=ours), gast.Tuple(elts=theirs)) | (gast.List(elts=ours), gast.List(elts=theirs)):
            return build.like(tangent, elts=inside(ours, theirs))
        case gast.Dict(values=ours), gast.Dict(values=theirs):
            return build.like(tangent, values=inside(ours, theirs))
        case gast.Call(keywords=ours), gast.Call(keywords=theirs):     # objects: what is no variable stands in `fixed`
            of_out = {k.arg: k.value for k in theirs} | {name: build.constant(value) for name, value in out.fixed.items()}
            fixed = {name: _with_zeros(build.constant(value), of_out[name]).value for name, value in tangent.fixed.items()}
            fields = [build.like(k, value=_with_zeros(k.value, of_out[k.arg])) for k in ours]
            return build.object_node(tangent.type, fields, fixed)
    return tangent


def called_tangents(core: Core) -> Core:
    """The cotangent of a cotangent is a tangent, and is called so."""
    ending = '_bar_bar'
    named = {n: replace(h, base=h.base.removesuffix(ending) + '_dot') for n, h in core.hints.items() if h.base.endswith(ending)}
    return core.with_body(core.body, hints=MappingProxyType({**core.hints, **named}))


def nonlinear(first: Core, second: Core) -> list[str]:
    """What depends on the values of the arguments as nothing linear does.

    first: gives `(result, handed over)`; second: takes what was handed over, item for item, and then what comes late.
    That is what the second half takes over, and what the result depends on through flat functions, flags and indices.
    """
    reads = lambda core, value: _value_reads(value)
    floats = [name for param in first.params if param.kind != 'capture' for name in leaves(param.tree)]
    passing = flows(first, reads)
    varied = downstream(floats, [*passing, *_decided(first)])
    in_result = upstream(names(first.result.elts[0]), passing)
    flat = [name for (name, sources), (_, smooth) in zip(passing, flows(first, differentiable_reads), strict=True)
            if name in in_result and (sources - smooth) & varied]
    tests = [test for statement in walk(second.body) for test in _tests(statement)]
    read = upstream({*names(second.result), *tests}, [*flows(second, reads), *_places(second)])
    handed = zip(first.result.elts[1].elts, second.inputs, strict=False)
    return flat + [given.id for given, taken in handed if taken in read and isinstance(given, gast.Name) and given.id in varied]


def _value_reads(node: gast.AST) -> set[str]:
    """The names whose values an operation depends on, not their shapes alone: flags, indices and flat functions count."""
    match node:
        case gast.Name(id=name):
            return {name}
        case gast.Attribute(attr='shape' | 'size' | 'ndim' | 'dtype'):
            return set()
        case gast.Call(func=gast.Name(id=function), args=[first, *rest], keywords=keywords):
            parts = [first, *rest, *(k.value for k in keywords)]
            if function in LIKE:
                parts = rest
            elif function == 'kernels.unbroadcast':
                parts = [first]
            return set().union(*(_value_reads(part) for part in parts))
    return set().union(*(_value_reads(part) for part in gast.iter_child_nodes(node)))


def _tests(statement: gast.stmt) -> set[str]:
    """What decides whether, or how often, the statements inside of one run."""
    match statement:
        case gast.If(test=test) | gast.While(test=test) | gast.For(iter=test):
            return _value_reads(test)
    return set()


def _decided(core: Core) -> list[Flow]:
    """What is set inside of branches and loops depends on what decides about them."""
    return [(name, frozenset(tests)) for statement in core.statements if (tests := _tests(statement))
            for name in all_written(_bodies(statement)) | all_defined(_bodies(statement))]


def _places(core: Core) -> list[Flow]:
    """What is written into depends on where that is."""
    targets = [getattr(statement, 'target', None) or getattr(statement, 'targets', [None])[0] for statement in core.statements]
    return [(target.value.id, frozenset(_value_reads(target.slice))) for target in targets
            if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name)]


def _bodies(statement: gast.stmt) -> list[gast.stmt]:
    return [*getattr(statement, 'body', ()), *getattr(statement, 'orelse', ())]
