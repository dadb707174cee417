"""Forward mode: a program that takes tangents of its inputs too, and gives those of its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import gast

from transpiler.analyses.activity import moving_names
from transpiler.analyses.dataflow.closure_conversion import parameters
from transpiler.analyses.memory.call_effects import results, summarised
from transpiler.core import build
from transpiler.core.functions import reachable
from transpiler.core.language import Core, Leaf, Node, Param, Place, Static, Tree, leaves
from transpiler.core.query import names
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable
from transpiler.optimize.surface.naming import name_temporaries
from transpiler.specialize.domain.bindings import Known, is_lone_number
from transpiler.transforms.forward.jvp_functions import Twins
from transpiler.transforms.forward.sweep import TangentSweep
from transpiler.transforms.reverse.vjp import kind_of_more, outputs
from transpiler.transforms.shared.defensive_copies import protect_arguments
from transpiler.transforms.shared.thin_decompositions import with_thin_decompositions
from transpiler.values.types import Array, is_differentiable


def forward(
    core: Core, argnums: Sequence[Place], names_of_more: Sequence[str], *, has_aux: bool = False, alone: bool = False
) -> Core:
    """The program with further parameters for the tangents of those at `argnums`, called `names_of_more`.

    The result is `(output, tangent)`, and `aux` after it if `has_aux`. What has no derivative, an integer or a string, has
    None for its tangent, in parameters and in the result. Raises NotDifferentiable if a parameter holds no floats.
    alone: the tangents are handed out without the output: none is a number of Python where that is typed as NumPy's
    """
    core = name_temporaries(protect_arguments(with_thin_decompositions(core)))  # tangents are called after temporaries
    output, aux = outputs(core, has_aux)
    wanted = [core.argument(k) for k in argnums]
    for param in wanted:
        if not any(is_differentiable(core.types[name]) for name in leaves(param.tree)):
            raise NotDifferentiable(
                f'`{param.name}` holds no floats, so it has no tangent',
                core.origin,
                instead='leave it out, or give None for its tangent',
            )
    inputs = [name for param in wanted for name in leaves(param.tree)]
    active = moving_names(core, inputs, names(output))
    twins = Twins(core.functions)
    twins.explore(core, active)
    sweep = TangentSweep(core, active, twins)
    builder, last = sweep.ev.builder, core.body[-1]
    dots = {n: builder.fresh(f'{core.base(n)}_dot', core.types[n]) for n in inputs if is_differentiable(core.types[n])}
    kind = kind_of_more(core)
    more = tuple(Param(name, _tree(p.tree, dots), kind, seed=True) for name, p in zip(names_of_more, wanted, strict=True))
    with builder.at(core.origin, 'tangent'):
        for name in core.inputs:
            if name in active:
                sweep.statements.start(name, dots.get(name))
        if len(dots) > 1 or any(isinstance(dot.type, Array) for dot in dots.values()):
            for name in [name for name in dots if name in active]:
                sweep.moving.seed(name, dots[name])
    sweep.block(list(core.body[:-1]))
    with builder.at(last.origin, 'tangent'):
        dot = _tangent(sweep, output, alone) if not _is_lone_number(output) else build.constant(0.0)
        parts = (output, dot, *([aux] if aux is not None else []))
    if isinstance(dot, gast.Name) and core.is_temporary(output.id):
        builder.rename_hint(dot.id, 'out_dot', temporary=True)
    builder.append(build.give(build.expression(parts), last.origin, last.role))
    made = core.with_body(
        builder.block,
        name=f'{core.name}_jvp',
        params=core.params + more,
        types=MappingProxyType({k: sweep.ev.resolve(t) for k, t in builder.types.items()}),
        hints=MappingProxyType(builder.hints),
    )
    return _with_twins(made, twins)


def _is_lone_number(output: gast.expr) -> bool:
    return isinstance(output, gast.Constant) and is_lone_number(Known(output.value))


def _tree(tree: Tree, dots: dict[str, Var]) -> Tree:
    """The tangent of an argument: where it holds no float, None."""
    match tree:
        case Leaf(name) if name in dots:
            return Leaf(dots[name].name)
        case Node(kind, children, keys, type_):
            return Node(kind, tuple(_tree(child, dots) for child in children), keys, type_)
        case Static():
            return tree
    return Static(None)


def _tangent(sweep: TangentSweep, node: gast.expr, alone: bool) -> gast.expr:
    """The tangent of a result, in the same structure."""
    match node:
        case gast.Name(id=name) if is_differentiable(sweep.core.types[name]):
            return sweep.atom(sweep.tangents.given(name, alone))
        case gast.Constant(value=float() | complex()):
            return build.constant(0.0)
        case gast.Tuple(elts=parts) | gast.List(elts=parts):
            return build.like(node, elts=[_tangent(sweep, part, alone) for part in parts])
        case gast.Dict(values=parts):
            return build.like(node, values=[_tangent(sweep, part, alone) for part in parts])
        case gast.Call(keywords=fields):
            return build.like(node, keywords=[gast.keyword(arg=f.arg, value=_tangent(sweep, f.value, alone)) for f in fields])
    return build.constant(None)


def _with_twins(main: Core, twins: Twins) -> Core:
    """The program with the functions that its tangents call."""
    if not twins.functions:
        return main
    written: dict[str, Core] = {}
    while waiting := [name for name in twins.names if name not in written]:
        written[waiting[0]] = _twin(waiting[0], twins)
    functions = {**twins.functions, **{core.name: core for core in written.values()}}
    return summarised(main.with_functions(reachable(main, functions)))


def _twin(name: str, twins: Twins) -> Core:
    twin, core = twins.twin(name), twins.prepared(name)
    sweep = TangentSweep(core, twins.active(name), twins, apart=True)
    builder, last = sweep.ev.builder, core.body[-1]
    dots = {core.inputs[k]: builder.fresh(sweep.called(core.inputs[k])[0], sweep.type_of(core.inputs[k])) for k in twin.inputs}
    with builder.at(core.origin, 'tangent'):
        for leaf in core.inputs:
            if leaf in sweep.active:
                sweep.statements.start(leaf, dots[leaf])
    sweep.block(list(core.body[:-1]))
    with builder.at(last.origin, 'tangent'):
        given = [sweep.atom(sweep.tangents.given(results(core)[k].id)) for k in twin.results]
    parts = (*results(core), *given)
    result = build.constant(None) if not parts else parts[0] if len(parts) == 1 else build.expression(parts)
    builder.append(build.give(result, last.origin, last.role))
    more = parameters([dot.name for dot in dots.values()], builder.hints, [p.name for p in core.params])
    types = MappingProxyType({k: sweep.ev.resolve(t) for k, t in builder.types.items()})
    return core.with_body(
        builder.block, name=twin.name, params=core.params + more, types=types, hints=MappingProxyType(builder.hints)
    )
