"""The entry points: a function and what is known of its arguments in, typed `Core` out."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import gast

from transpiler.analyses.dataflow.source_liveness import live_names
from transpiler.analyses.memory.call_effects import summarised
from transpiler.analyses.memory.views import read_only
from transpiler.analyses.numeric.narrower_kinds import INTEGERS, REALS, stores_into_narrower
from transpiler.core import build
from transpiler.core.functions import everywhere, reachable
from transpiler.core.language import Core, Param, leaves
from transpiler.core.query import changed_by, walk
from transpiler.errors import TranspileError, UnsafeMutation
from transpiler.normalize.normalize import normalize
from transpiler.source.reading.capture import Function
from transpiler.specialize.containers.shared import Change, Part
from transpiler.specialize.domain.abstraction import Presumption, Sizes
from transpiler.specialize.domain.bindings import Binding, Closure, Known, binding_of, tree_of
from transpiler.specialize.evaluation.frames import Capture, Frame
from transpiler.specialize.evaluation.signals import Assumptions, NeedStatic, NoValue, Restart
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.kinds.eithers import check_result, check_returned
from transpiler.specialize.kinds.mixtures import Separation, without_kinds
from transpiler.specialize.kinds.results import Leeway, given, result_expression
from transpiler.values.types import Tape, found_in

# of kinds that arrays may be of at run time beside wider ones: what is written into them, what they hold, why that is refused,
# and what to write instead
NARROWER = {
    INTEGERS: ('a float', 'integers',
               'it is made of numbers that are integers on one path, floats on another; integers make NumPy round, or raise',
               'begin with a float (`0.0`), or say what the array is to hold: `np.array(..., dtype=float)`'),
    REALS: ('a complex number', 'real numbers',
            'it is made of numbers that are real on one path, complex on another; NumPy drops imaginary parts there',
            'say what the array is to hold: `np.array(..., dtype=complex)`; or write `np.real(...)` of the number'),
}


@dataclass(frozen=True)
class Specialized:
    """A typed `Core`, the closure and global values it reads, and the objects it was specialised on.

    changes: where the program changes containers among its arguments; lone: the arguments that share memory with no other;
        letters: the symbols of sizes; presumed: what it takes
        for granted of them
    """

    core: Core
    captures: tuple[Capture, ...]
    guards: tuple[tuple[Callable[[], Any], Any], ...]
    changes: Mapping[Part, Change] = field(default_factory=dict)
    lone: frozenset[str] = frozenset()
    letters: Sizes = field(default_factory=Sizes)
    presumed: tuple[Presumption, ...] = ()


def specialize(
    function: Function,
    arguments: Callable[[str, Evaluator], Binding],
    *,
    differentiate: Callable | None = None,
    static_captures: Set[Any] = frozenset(),
    presuming: bool = False,
    leeway: Leeway = Leeway(),
) -> Specialized:
    """Run `function` on abstract arguments; `presuming`, for calls like the one at hand only; `leeway`: of what it gives.

    `arguments(name, run)` gives the binding of each parameter; `differentiate` is called for transformations used inside.
    Raises NeedStatic where a run-time argument must be a constant; the caller makes it one and tries again.
    """
    assumed = Assumptions()
    while True:
        presumed: list[Presumption] | None = [] if presuming else None
        ev = Evaluator(
            differentiate=differentiate, static_captures=static_captures, assumed=assumed, presumed=presumed, ranks_apart=True,
            mixed=False,
        )
        try:
            return _specialize(ev, function, arguments, leeway)
        except Restart as found:
            assumed = found.revised(assumed)
        except TranspileError:
            if assumed.otherwise <= assumed.rebound:
                raise
            assumed = replace(assumed, rewritten={}, rebound=assumed.rebound | assumed.otherwise)
        except NeedStatic as need:
            if need.lookup is None or need.lookup in assumed.rewritten or need.name in need.inputs:
                raise
            assumed = replace(assumed, rewritten={**assumed.rewritten, need.lookup: None})


def _specialize(
    ev: Evaluator, function: Function, arguments: Callable[[str, Evaluator], Binding], leeway: Leeway
) -> Specialized:
    body, _ = normalize(function)
    params, env = [], {}
    ev.captures.parameters = {node.id for node, _, _ in _signature(function)}
    for node, kind, default in _signature(function):
        if function.owner is not None and not env:
            env[node.id] = Known(function.owner)  # `self` of a bound method
            continue
        env[node.id] = arguments(node.id, ev)
        params.append(Param(node.id, tree_of(env[node.id]), kind, default, function.origin(node)))
    names = frozenset(ev.builder.used)
    env = ev.heap.taken_in(env, names)
    for name in sorted(ev.lasting):
        ev.heap.freeze(ev.heap.reached(env[name]), f'it is the default of `{name}`, and would hold the change for later calls')
    try:
        with ev.builder.at(function.origin(function.node)):
            result = ev.customs.enter(Closure(function), env)
    except NeedStatic as need:
        need.captures = tuple(ev.captures.found.values())
        need.inputs = names.union(leaf.name for captured in need.captures for leaf in captured.leaves) - ev.varied
        raise
    except NoValue as missing:
        raise missing.as_error(function.name) from None
    with ev.builder.at(function.origin(body[-1])):
        ev.builder.append(build.give(given(ev, result, leeway), ev.origin))
    captured = tuple(ev.captures.found.values())
    params += [Param(c.name, tree_of(c.binding), 'capture') for c in captured if leaves(tree_of(c.binding))]
    core = _finished(ev, function.name, params, function.origin(function.node))
    core = summarised(core.with_functions(reachable(core, ev.functions)))
    _refuse_writes_that_raise(core)
    _refuse_writes_into_narrower(core)
    known = ev.heap.changed, frozenset(ev.heap.lone), ev.sizes.letters, tuple(ev.presumed or ())
    return Specialized(core, captured, tuple(ev.captures.consulted), *known)


def _refuse_writes_that_raise(core: Core) -> None:
    for one in (core, *core.functions.values()):
        closed = read_only(one)
        for statement in walk(one.body) if closed else ():
            for name in closed.intersection(changed_by(statement)):
                raise UnsafeMutation(
                    f'`{one.base(name)}` is written in place, but it may be a view that is read-only',
                    statement.origin,
                    why='NumPy lets nobody write through `np.diagonal` and `np.broadcast_to`: it raises ValueError',
                    instead='`np.fill_diagonal(a, v)`, `a[i, i] = v` with `i = np.arange(n)`, or a copy: `a.copy()`',
                )


def _refuse_writes_into_narrower(core: Core) -> None:
    for one in (core, *core.functions.values()):
        for kinds, (number, array, why, instead) in NARROWER.items():
            for statement, name in stores_into_narrower(one, kinds):
                what = f'{number} is written into `{one.base(name)}`, which may be an array of {array}'
                raise UnsafeMutation(what, statement.origin, why=why, instead=instead)


def specialize_again(core: Core, differentiate: Callable | None = None) -> Core:
    """Run a core program through the specialiser: types anew, constants folded, one variable per value."""
    return summarised(everywhere(core, lambda one: _one_again(one, core.functions, differentiate)))


def specialize_apart(core: Core, differentiate: Callable | None = None, compiled: bool = False) -> Core:
    """The same for code with one type for each name: numbers are kept apart whose kind depends on the path, where it matters.

    compiled: a result that may be of several kinds has all of them; else they are made one, as in one array of such results
    """
    whole = _one_apart(core, core.functions, differentiate, compiled, each=compiled)
    functions = {name: _one_apart(f, core.functions, differentiate, compiled) for name, f in core.functions.items()}
    return summarised(whole.with_functions(functions) if functions else whole)


def _one_apart(
    core: Core, functions: Mapping[str, Core], differentiate: Callable | None, compiled: bool, each: bool = False
) -> Core:
    assumed = Assumptions(separation=Separation(compiled=compiled))
    while True:
        try:
            return _one_again(core, functions, differentiate, assumed.separation, each)
        except Restart as found:
            assumed = found.revised(assumed)


def _one_again(
    core: Core, functions: Mapping[str, Core], differentiate: Callable | None, separation: Separation | None = None,
    each: bool = False,
) -> Core:
    def write(ev: Evaluator, inputs: list[Binding]) -> Binding:
        result = inline_core(ev, core, inputs)
        with ev.builder.at(core.body[-1].origin):
            if separation is not None and (each or core.name not in functions):
                check_result(ev, result, each)
            if core.name in functions and separation is not None:
                check_returned(core, result, ev.origin)
            return result if each or separation is None else ev.distribution.of_one_kind(result)

    again = written(core, write, core.name, functions, differentiate, separation)
    return replace(again, rule=core.rule)


def written(
    like: Core,
    write: Callable[[Evaluator, list[Binding]], Binding],
    name: str,
    functions: Mapping[str, Core] = MappingProxyType({}),
    differentiate: Callable | None = None,
    separation: Separation | None = None,
) -> Core:
    """A program with the parameters of `like`; `write(run, inputs)` writes its body and gives its result."""
    compiled = separation is not None and separation.compiled
    assumed = Assumptions(separation=separation)
    ev = Evaluator(differentiate=differentiate, functions=dict(functions), assumed=assumed, ranks_apart=compiled)
    ev.builder.symbols = found_in(like.types[name] for name in like.inputs)
    env: dict[str, Binding] = {}
    params = []

    def fresh(name: str) -> Binding:
        hint = like.hints.get(name)
        env[name] = ev.builder.fresh(hint.base if hint else name, like.types[name], hint.temporary if hint else False)
        return env[name]

    for param in like.params:
        binding = binding_of(param.tree, fresh)
        params.append(replace(param, tree=tree_of(binding)))
    ev.ordered = {env[name].name for name in like.ordered if name in env}
    try:
        result = write(ev, [env[name] for name in like.inputs])
    except NoValue as never:
        raise never.as_error(name) from None
    last = like.body[-1]
    with ev.builder.at(last.origin, last.role):
        ev.builder.append(build.give(result_expression(ev, result), last.origin, last.role))
    return _finished(ev, name, params, like.origin)


def inline_core(ev: Evaluator, core: Core, inputs: Sequence[Binding]) -> Binding:
    """Write the statements of a core program, with its inputs bound to these; gives its result."""
    frame = Frame(None, dict(zip(core.inputs, inputs, strict=True)), None, live_names(list(core.body)), core.hints, core.types)
    ev.statements.run_through(frame, list(core.body[:-1]))
    last = core.body[-1]
    with ev.builder.at(last.origin, last.role):
        return ev.evaluate(frame, last.value)


def _finished(ev: Evaluator, name: str, params: list[Param], origin) -> Core:
    types = {n: ev.resolve(ev.tapes.list_type(n) if isinstance(t, Tape) and t.lasting else t) for n,
             t in ev.builder.types.items()}
    types = {n: without_kinds(t) for n, t in types.items()}
    return Core(
        name, tuple(params), tuple(ev.builder.block), MappingProxyType(types), MappingProxyType(ev.builder.hints), origin,
        ordered=frozenset(ev.ordered),
    )


def _signature(function: Function) -> list[tuple[gast.Name, str, str | None]]:
    """Node, kind and default text of every parameter."""
    arguments = function.node.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    found = [(p, 'positional', _text(d)) for p, d in zip(positional, defaults, strict=True)]
    found += [(arguments.vararg, 'star', None)] if arguments.vararg is not None else []
    found += [(p, 'keyword', _text(d)) for p, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return found + ([(arguments.kwarg, 'options', None)] if arguments.kwarg is not None else [])


def _text(default: gast.expr | None) -> str | None:
    """The text of a literal default; any other is passed by the caller at each call."""
    if default is None:
        return None
    text = ast.unparse(gast.gast_to_ast(default))
    try:
        ast.literal_eval(text)
    except ValueError:
        return 'None'
    return text
