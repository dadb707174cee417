"""Reverse mode: the primal sweep, the pullback sweep, and storage between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType

import gast

from transpiler.analyses.activity import active_names
from transpiler.analyses.numeric.precision import perhaps_plain, perhaps_wide
from transpiler.core import build
from transpiler.core.language import Core, Leaf, Node, Param, Place, Static, Tree, leaves
from transpiler.core.query import names
from transpiler.errors import NotDifferentiable
from transpiler.optimize.surface.naming import name_temporaries
from transpiler.specialize.domain.bindings import Known
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.pullback.custom_rules import by_rules, rules_followed
from transpiler.transforms.pullback.forward_backward_pairs import Split
from transpiler.transforms.pullback.lists import with_lengths
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.reverse.function_bodies import with_pairs
from transpiler.transforms.shared.defensive_copies import keep_results, protect_arguments
from transpiler.transforms.shared.fresh_views import take_views_anew
from transpiler.transforms.shared.thin_decompositions import with_thin_decompositions
from transpiler.transforms.storage.weaving import store
from transpiler.values.types import INT, Array, Scalar, Tape, Unknown, is_differentiable


def gradient(
    core: Core, argnums: Sequence[Place], *, single: bool = True, value: bool = False, has_aux: bool = False,
    holomorphic: bool = False
) -> Core:
    """The gradient of `core` with respect to the parameters at `argnums`; `holomorphic`, the derivative of a complex number.

    The result has the structure of `jax.grad`: one gradient if `single`, else a tuple; `value` puts the value before it,
    `has_aux` the auxiliary output after the value (`(value, aux), gradient`) or after the gradient (`gradient, aux`).
    Raises NotDifferentiable if the output is no such number, or an argument is made of integers.
    """
    for place in argnums:       # before the output, which integers make an integer
        check_input(core, core.argument(place))
    output, _ = outputs(core, has_aux)
    _check_output(core, output, 'c' if holomorphic else 'f')

    def seeded(sweep: Sweep, output: gast.expr) -> tuple[Param, ...]:
        if isinstance(output, gast.Name) and output.id in sweep.active:
            sweep.live[output.id] = Bar(Known(1.0))
        return ()

    def result(output: gast.expr, aux: gast.expr | None, gradients: Sequence[gast.expr]) -> gast.expr:
        return result_of_gradient(output, aux, gradients, single, value)

    return reverse(core, argnums, has_aux, seeded, result, 'value_and_grad' if value else 'grad')


def result_of_gradient(
    output: gast.expr, aux: gast.expr | None, gradients: Sequence[gast.expr], single: bool, value: bool) -> gast.expr:
    """What `gradient` returns."""
    gradient = gradients[0] if single else build.expression(tuple(gradients))
    if value:
        return build.expression((output if aux is None else build.expression((output, aux)), gradient))
    return gradient if aux is None else build.expression((gradient, aux))


def pullback(core: Core, argnums: Sequence[Place], name: str, *, has_aux: bool = False) -> Core:
    """The vector-Jacobian product of `core`: a further parameter `name` takes the cotangent of the output.

    The result is `(output, cotangents)`, with a tuple of one cotangent for each of `argnums`, and `aux` after it if `has_aux`.
    """
    def seeded(sweep: Sweep, output: gast.expr) -> tuple[Param, ...]:
        tree = _seeds(sweep, output)
        return (Param(name, tree, kind_of_more(core), seed=True),)

    def result(output: gast.expr, aux: gast.expr | None, gradients: Sequence[gast.expr]) -> gast.expr:
        return build.expression((output, build.expression(tuple(gradients)), *([aux] if has_aux else [])))

    return reverse(core, argnums, has_aux, seeded, result, 'vjp')


def kind_of_more(core: Core) -> str:
    """The kind of parameters that a transformation adds: by keyword where positional ones may be left out or be any number."""
    return 'keyword' if any(p.kind == 'star' or p.default is not None for p in core.params) else 'positional'


Seeded = Callable[[Sweep, gast.expr], tuple[Param, ...]]
Result = Callable[[gast.expr, gast.expr | None, Sequence[gast.expr]], gast.expr]


def reverse(core: Core, argnums: Sequence[Place], has_aux: bool, seeded: Seeded, result: Result, suffix: str) -> Core:
    """The primal sweep, and the pullback sweep from the cotangents that `seeded` gives the output; it may add parameters."""
    core = by_rules(with_thin_decompositions(core), argnums, lambda core: outputs(core, has_aux)[0])
    core = take_views_anew(keep_results(protect_arguments(with_lengths(core))))
    core = name_temporaries(core)  # cotangents are called after them
    output, aux = outputs(core, has_aux)
    wanted = [core.argument(k) for k in argnums]
    inputs = [name for param in wanted for name in leaves(param.tree)]
    for param in wanted:
        check_input(core, param)
    active = active_names(core, inputs, names(output))
    split = Split(core.functions)
    split.explore(core, active)
    sweep = Sweep(core, active, split)
    origin = core.body[-1].origin
    with sweep.ev.builder.nested() as pullback:
        with sweep.ev.builder.at(origin, 'pullback'):
            more = seeded(sweep, output)  # which adds up what is given out twice
        sweep.pull_block(list(core.body[:-1]))
        with sweep.ev.builder.at(origin, 'pullback'):
            whole = [*core.body, *pullback], sweep.ev.builder.types
            of_leaf = partial(_leaf, sweep, set(), perhaps_wide(*whole), perhaps_plain(*whole))
            gradients = [_gradient(param.tree, of_leaf) for param in wanted]
    primal, pullback = store(sweep, list(core.body[:-1]) if more else _guarded(sweep, output), pullback, merge=not more)
    body = (*primal, *pullback, build.give(result(output, aux, gradients), origin, 'pullback'))
    builder = sweep.ev.builder
    core = core.with_body(
        body,
        name=f'{core.name}_{suffix}',
        params=core.params + more,
        types=MappingProxyType({k: sweep.ev.resolve(t) for k, t in builder.types.items()}),
        hints=MappingProxyType(builder.hints),
    )
    return rules_followed(with_pairs(core, split))


def _seeds(sweep: Sweep, output: gast.expr) -> Tree:
    """A parameter's tree for the cotangent of `output`; what cannot have one takes None."""
    match output:
        case gast.Name(id=name) if is_differentiable(sweep.core.types[name]):
            base, temporary = sweep.called(name)
            bar = sweep.ev.builder.fresh(base, sweep.type_of(name), temporary)
            if name in sweep.active:
                sweep.lists.give(name, bar)
                sweep.reading.seed(name, bar)
            return Leaf(bar.name)
        case gast.Tuple(elts=parts) | gast.List(elts=parts):
            return Node('tuple' if isinstance(output, gast.Tuple) else 'list', tuple(_seeds(sweep, part) for part in parts))
        case gast.Dict(keys=keys, values=parts):
            return Node('dict', tuple(_seeds(sweep, part) for part in parts), tuple(key.value for key in keys))
        case gast.Call(keywords=fields):
            parts = {field.arg: _seeds(sweep, field.value) for field in fields}
            parts |= {name: Static(value) for name, value in output.fixed.items()}
            return Node('object', tuple(parts.values()), tuple(parts), output.type)
    return Static(None)


def outputs(core: Core, has_aux: bool) -> tuple[gast.expr, gast.expr | None]:
    result = core.result
    if not has_aux:
        return result, None
    if not isinstance(result, gast.Tuple) or len(result.elts) != 2:
        raise NotDifferentiable('with has_aux=True the function must return a pair (value, aux)', core.origin)
    return result.elts[0], result.elts[1]


def _check_output(core: Core, output: gast.expr, kind: str) -> None:
    instead = 'reduce it to a scalar, for example with `np.sum`; pass has_aux=True for further outputs'
    origin = core.body[-1].origin
    match output:
        case gast.Constant(value=value) if isinstance(value, complex if kind == 'c' else (int, float)):
            return
        case gast.Name(id=name):
            type_ = core.types[name]
            if (
                isinstance(type_, Unknown)
                or isinstance(type_, (Scalar, Array))
                and type_.dtype.kind == kind
                and type_.ndim in (0, None)
            ):
                return
            described = f'it is {type_}'
            if isinstance(type_, Scalar) and type_.dtype.kind == 'c':
                instead = 'take its real part, or its size with `abs`; pass holomorphic=True if the function is holomorphic; ' \
                          '`vjp` and `jvp` take complex outputs'
        case gast.Constant(value=None):
            described, instead, origin = f'`{core.name}` returns None', 'return the number to differentiate', core.origin
        case gast.Constant(value=value):
            described, instead = f'it is the {type(value).__name__} {value!r}', 'return the number to differentiate'
        case _:
            described = f'it is {_container(output)}'
    raise NotDifferentiable(
        f'the gradient is defined only for a {"complex" if kind == "c" else "real"} scalar output',
        origin,
        why=described,
        instead=instead,
    )


def _container(output: gast.expr) -> str:
    match output:
        case gast.Call():
            return f'an object of the class `{output.type.__name__}`'
        case gast.Dict(keys=keys):
            return f'a dict of {len(keys)}'
    return f'a {"tuple" if isinstance(output, gast.Tuple) else "list"} of {len(output.elts)}'


def check_input(core: Core, param: Param) -> None:
    for name in leaves(param.tree):
        if not is_differentiable(core.types[name]):
            raise NotDifferentiable(
                f'`{param.name}` is {core.types[name]}; derivatives are taken with respect to floats',
                core.origin,
                instead='pass a float, or leave it out of argnums',
            )
    if not leaves(param.tree) and not param.seed:
        raise NotDifferentiable(f'`{param.name}` holds no numbers to differentiate by', core.origin)


def _gradient(tree: Tree, of_leaf: Callable[[str], gast.expr]) -> gast.expr:
    """The gradient in the structure of a parameter; every array in it has memory of its own."""
    match tree:
        case Leaf(name):
            return of_leaf(name)
        case Static():
            return build.constant(None)
        case Node('dict', children, keys):
            return build.dict_node(keys, (_gradient(c, of_leaf) for c in children))
        case Node('tuple' | 'list' as kind, children):
            return build.expression((tuple if kind == 'tuple' else list)(_gradient(c, of_leaf) for c in children))
        case Node(_, children, keys, type_):
            parts = dict(zip(keys, children, strict=True))
            fixed = {k: part.value for k, part in parts.items() if isinstance(part, Static)}
            fields = [gast.keyword(arg=k, value=_gradient(part, of_leaf)) for k, part in parts.items() if k not in fixed]
            return build.object_node(type_, fields, fixed)
    raise AssertionError(tree)


def _leaf(sweep: Sweep, seen: set[str], wide: frozenset[str], plain: frozenset[str], name: str) -> gast.expr:
    bar = sweep.live.get(name) or sweep.zero(name)
    if isinstance(sweep.type_of(name), Tape):
        return build.name((bar.value if bar.may_leave else sweep.ev.tapes.copy_tape(bar.value)).name)
    if isinstance(sweep.type_of(name), Scalar) and isinstance(sweep.value_type(bar.value), Scalar):
        atom, _ = sweep.ev.operand(sweep.derivatives.given_out(bar.value, sweep.type_of(name), plain))
        if isinstance(atom, gast.Name):
            sweep.ev.builder.rename_hint(atom.id, *sweep.called(name))
        return atom
    bar = sweep.whole(name, bar)
    atom = sweep.ev.operand(bar.value)[0]
    if isinstance(sweep.type_of(name), Array) and atom.id in wide:
        bar = Bar(sweep.ev.cast(bar.value, sweep.type_of(name).dtype), owned=True)
        atom = sweep.ev.operand(bar.value)[0]
    elif isinstance(sweep.type_of(name), Array) and (not bar.may_leave or atom.id in seen):
        bar = Bar(sweep.ev.operate_by_name('numpy.copy', [bar.value]), owned=True)
        atom = sweep.ev.operand(bar.value)[0]
    sweep.live[name] = bar
    sweep.cotangents.call_after(name)
    seen.add(getattr(atom, 'id', ''))
    return atom


def _guarded(sweep: Sweep, output: gast.expr) -> list[gast.stmt]:
    """The primal; where the type of the output is unknown, it looks at run time whether it is a number."""
    body, core = list(sweep.core.body[:-1]), sweep.core
    if isinstance(output, gast.Name) and getattr(core.types[output.id], 'ndim', 0) is None:
        origin = core.body[-1].origin
        rank = sweep.ev.builder.fresh('rank', INT, temporary=True)
        failure = build.fail(
            build.call('python.TypeError', build.constant('the gradient is defined only for a scalar output')), origin
        )
        body += [
            build.assign(rank.name, build.call('numpy.ndim', output), origin),
            build.branch(rank.name, [failure], [], origin),
        ]
    return body
