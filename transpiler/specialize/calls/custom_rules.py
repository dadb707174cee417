"""Calls of functions with rules of their own (`custom_vjp`, `custom_jvp`): they stay calls, of functions that carry the rule.

At each call the function is run apart, on parameters of the types that it is called with, and so are the functions of its
rule. What these are to each other is described in `core/custom.py`. Calls are opened up (`expand`) where a derivative is
taken, and at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.call_effects import as_own, summarised
from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.custom import Passing
from transpiler.core.functions import calls_in, reachable, rewrite_calls
from transpiler.core.language import Core, Leaf, Param
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, all_reads, all_written, callee
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType, UnsafeMutation
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Binding, Closure, Known, flatten, fold, same_shape
from transpiler.specialize.evaluation.activations import type_of_leaf
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.values.types import Tape

AROUND = 'it belongs to what is around a function with a rule of its own'
NOTHING = Known(None)
OFTEN = 20  # calls of one function with a rule inside its own rule, on arguments of other types each time


@dataclass(eq=False)
class Custom:
    """One function with a rule, for arguments of certain types.

    arguments: what it is called with; bound: the same with the `params` in place of variables
    base:      where its parameters are known, and nothing else of it
    result:    what it gives; the leaves that are computed are variables
    cores:     the function, and those of its rule; extra: what they read from around them, once all are there
    """

    function: Function
    name: str
    arguments: dict[str, Binding]
    bound: dict[str, Binding]
    params: list[Var]
    base: Builder
    result: Binding = NOTHING
    cores: dict[str, Core] = field(default_factory=dict)
    extra: tuple[str, ...] | None = None

    @property
    def declared(self) -> Any:
        return self.function.declared

    def parts(self) -> tuple[list[Binding], list[Binding]]:
        """The arguments that nothing is differentiated by, and the others."""
        count = len(self.bound)
        apart = {k % count for k in self.declared.nondiff if -count <= k < count}
        args = list(enumerate(self.bound.values()))
        return [b for k, b in args if k in apart], [b for k, b in args if k not in apart]


@dataclass(eq=False)
class Customs(Component):
    """Writing functions with rules, calling them, and opening the calls up."""

    written: list[Any] = field(default_factory=list)
    reserved: set[str] = field(default_factory=set)  # the names of functions that are being written

    def enter(self, callee: Closure, env: dict[str, Binding]) -> Binding:
        if callee.function.declared is None:
            return self.ev.foreign.enter(callee, env)
        given = {name: self.ev.apart_from_cells(binding) for name, binding in _by_position(callee.function, env).items()}
        custom = self._written_before(callee.function, given) or self._write_custom(callee.function, given)
        outer: list[Binding] = [leaf for binding in given.values() for leaf in flatten(binding) if isinstance(leaf, Var)]
        outer += [Var(name, self.builder.types[name]) for name in custom.extra or ()]
        pending = iter(self.ev.programs.results_of(custom.cores[custom.name], outer))
        return fold(custom.result, lambda leaf: next(pending) if isinstance(leaf, Var) else leaf)

    def _written_before(self, function: Function, given: dict[str, Binding]) -> Custom | None:
        """The same function for arguments of the same types, if it means the same here."""
        captured = {leaf.name for c in self.ev.captures.found.values() for leaf in flatten(c.binding) if isinstance(leaf, Var)}
        alike = [c for c in self.written if c.declared is function.declared and self._alike(c.arguments, given)]
        for custom in alike:
            if custom.name not in custom.cores:
                raise TranspileError(
                    f'`{function.name}` calls itself', self.origin, why='a function with a rule of its own is called as a whole'
                )
            if custom.extra is None or _is_the_same_later(custom) and captured.issuperset(custom.extra):
                return custom
        if sum(c.declared is function.declared and c.extra is None for c in self.written) > OFTEN:
            raise TranspileError(f'the rule of `{function.name}` calls it again, with other types each time', self.origin)
        return None

    def _alike(self, a: dict[str, Binding], b: dict[str, Binding]) -> bool:
        if list(a) != list(b) or not all(same_shape(a[name], b[name]) for name in a):
            return False
        pairs = [pair for name in a for pair in zip(flatten(a[name]), flatten(b[name]), strict=True)]
        both = lambda x, y: isinstance(x, Var) and isinstance(y, Var)
        return all(self.ev.resolve(x.type) == self.ev.resolve(y.type) if both(x, y) else x == y for x, y in pairs)

    def _write_custom(self, function: Function, given: dict[str, Binding]) -> Custom:
        base, params = self.builder.inner(), []

        def parameter(name: str) -> Callable[[Binding], Binding]:
            def make(leaf: Binding) -> Binding:
                if not isinstance(leaf, Var):
                    return leaf
                if isinstance(leaf.type, Tape):
                    raise self.no_list(function, name)
                hint = self.builder.hints.get(leaf.name)
                called = name if given[name] is leaf or hint is None else hint.base
                params.append(base.fresh(called, self.ev.resolve(leaf.type)))
                return params[-1]

            return make

        bound = {name: fold(binding, parameter(name)) for name, binding in given.items()}
        custom = Custom(function, self.name_for(function.name), given, bound, params, base)
        outer = [leaf for binding in given.values() for leaf in flatten(binding) if isinstance(leaf, Var)]
        self.written.append(custom)
        done = False
        try:
            self._write_parts(custom)
            declared = function.declared
            self.ev.captures.consulted.ask(declared, 'rules', lambda: declared.rules, declared.rules)
            done = True
        except NeedStatic as need:
            known = {param.name: leaf.name for param, leaf in zip(params, outer, strict=True)}
            raise NeedStatic(known.get(need.name, need.name), need.error, need.growth) from None
        finally:
            if not done:
                self.written.remove(custom)
        return custom

    def _write_parts(self, custom: Custom) -> None:
        inner, result = self.run_apart(custom, lambda ev: ev.customs.as_it_is(custom))
        custom.result = self.computed(custom.function, result)
        atoms = [inner.operand(leaf)[0] for leaf in flatten(result) if is_computed(leaf)]
        self.keep_part(custom, part(inner, custom.name, custom.params, atoms))
        custom.cores[custom.name] = replace(custom.cores[custom.name], rule=self.ev.rules.written_rule(custom))
        self._settle_extra(custom)

    def as_it_is(self, custom: Custom) -> Binding:
        """Run the function without its rule."""
        if custom.declared.boxed:
            return self.ev.boxes.call_box(custom.function, custom.bound)
        return self.enter(Closure(replace(custom.function, declared=None)), dict(custom.bound))

    def run_apart(self, custom: Custom, compute: Callable[[Any], Binding]) -> tuple[Any, Binding]:
        """Run a part of a function with a rule, or of the rule, on its parameters; it is written into a block of its own."""
        builder = custom.base.inner()
        builder.origin = custom.function.origin(custom.function.node)
        inner = self.ev.inside(builder)
        inner.heap.set_apart(AROUND)
        inner.recursion.stack = []
        result = inner.apart_from_cells(compute(inner))
        custom.base.adopt(builder)
        self.builder.adopt(builder)
        return inner, result

    def keep_part(self, custom: Custom, core: Core) -> None:
        """A part that leaves alone what comes from outside."""
        if written := self.written_outside(custom, core):
            raise UnsafeMutation(
                f'`{custom.function.name}` has a rule of its own, and writes into `{core.base(written[0])}`',
                core.origin,
                why='a rule says what is computed, not what is written',
                instead='work on a copy: `x = x.copy()`',
            )
        custom.cores[core.name] = core

    def written_outside(self, custom: Custom, core: Core) -> list[str]:
        """What comes from outside and is written into, under whatever name."""
        known = {**self.ev.functions, **{name: f for c in self.written for name, f in c.cores.items()}}
        around = (Param(name, Leaf(name)) for name in sorted(_free(core)))
        whole = as_own(replace(core, params=(*core.params, *around), rule=None))
        whole = summarised(whole.with_functions(reachable(whole, known)))
        return [name for name in whole.inputs if name in memory(whole).written]

    def name_for(self, name: str) -> str:
        """A name for a function that is being written."""
        name = self.ev.recursion.free_name(name)
        self.reserved.add(name)
        return name

    def computed(self, function: Function, result: Binding) -> Binding:
        """The structure of a result, with variables for the leaves that are computed."""
        for leaf in flatten(result):
            if isinstance(leaf, Var) and isinstance(leaf.type, Tape):
                raise self.no_list(function, 'the result')
            if isinstance(leaf, Closure):
                raise TranspileError(f'`{function.name}` gives a function', self.origin, instead='give numbers and arrays')
        return fold(result, lambda leaf: Var('', self.ev.resolve(type_of_leaf(leaf))) if is_computed(leaf) else leaf)

    def no_list(self, function: Function, name: str) -> UnknownType:
        return UnknownType(
            f'`{name}` of `{function.name}` holds a list whose length shows only at run time',
            self.origin,
            why='a function with a rule of its own takes and gives numbers and arrays',
            instead='make an array of it: `np.array(...)`',
        )

    def _settle_extra(self, custom: Custom) -> None:
        """Let functions take what they read from around them, unless they call one that is still being written."""
        begun = [c for c in self.written if c.extra is None]
        place = begun.index(custom)
        group = {name: core for c in begun[place:] for name, core in c.cores.items()}
        if {c.name for c in begun[:place]} & {name for core in group.values() for name in calls_in(core)}:
            return
        extra = tuple(sorted(set().union(*map(_free, group.values()))))
        for c in begun[place:]:
            c.cores = {name: self._with_extra(core, extra, group.keys()) for name, core in c.cores.items()}
            c.extra = extra
            self.ev.functions.update(c.cores)

    def _with_extra(self, core: Core, extra: tuple[str, ...], group: Set[str]) -> Core:
        """A function with further parameters, which its calls of others in the group pass on."""
        free = _free(core)
        supply = Supply({*core.types, *free})
        names = {name: name if name in free else supply.take(name) for name in extra}
        types = {**core.types, **{names[name]: self.builder.types[name] for name in extra}}

        def passing(call: gast.Call) -> gast.Call:
            return build.like(call, args=[*call.args, *map(build.name, names.values())]) if callee(call) in group else call

        more = tuple(Param(name, Leaf(name)) for name in names.values())
        return replace(rewrite_calls(core, passing), params=core.params + more, types=MappingProxyType(types))

    def stopped(self, x: Binding) -> Binding:
        """The same value, through a call that no derivative passes."""
        return fold(self.ev.apart_from_cells(x), lambda leaf: self._stopped(leaf) if isinstance(leaf, Var) else leaf)

    def _stopped(self, leaf: Var) -> Var:
        if isinstance(leaf.type, Tape):
            raise UnknownType('`stop_gradient` takes numbers and arrays', self.origin, instead='use `np.array(...)` on the list')
        builder = self.builder.inner()
        ev = self.ev.inside(builder)
        param = builder.fresh('x', self.ev.resolve(leaf.type))
        core = part(ev, self.name_for('stop_gradient'), [param], [build.name(param.name)], rule=Passing(outs=(0,), lasting=True))
        self.ev.functions[core.name] = core
        return self.ev.programs.results_of(core, [leaf])[0]


def _by_position(function: Function, env: dict[str, Binding]) -> dict[str, Binding]:
    """The arguments in the order of the parameters, those of a star parameter one by one."""
    arguments = function.node.args
    found = {p.id: env[p.id] for p in (*arguments.posonlyargs, *arguments.args)}
    star = arguments.vararg
    return found if star is None else {**found, **{f'{star.id}[{k}]': item for k, item in enumerate(env[star.id].items)}}


def _is_the_same_later(custom: Custom) -> bool:
    """Whether a function that is called again is given the same: the names that local functions read may have changed."""
    return all(isinstance(leaf, (Var, Known)) for binding in custom.arguments.values() for leaf in flatten(binding))


def is_computed(leaf: Binding) -> bool:
    """A variable, or a number that derivatives are taken of."""
    return isinstance(leaf, Var) or isinstance(leaf, Known) and isinstance(leaf.value, (float, complex)) or (
        isinstance(leaf, Known) and hasattr(leaf.value, 'dtype') and leaf.value.dtype.kind in 'fc' and leaf.value.shape == ()
    )


def _free(core: Core) -> set[str]:
    return (all_reads(core.body) | all_written(core.body)) - all_defined(core.body) - set(core.inputs)


def part(ev: Any, name: str, params: list[Var], atoms: list, role: str = 'primal', rule: Any = None) -> Core:
    """What has been run apart, as a function of the program."""
    origin = ev.builder.origin
    value = build.constant(None) if not atoms else atoms[0] if len(atoms) == 1 else build.expression(tuple(atoms))
    body = [with_role(s, role) for s in (*ev.builder.block, build.give(value, origin))]
    types = MappingProxyType({n: ev.resolve(t) for n, t in ev.builder.types.items()})
    parameters = tuple(Param(p.name, Leaf(p.name)) for p in params)
    return Core(name, parameters, tuple(body), types, MappingProxyType(ev.builder.hints), origin, rule=rule)


def with_role(statement: gast.stmt, role: str) -> gast.stmt:
    return build.map_blocks(statement, lambda block: [with_role(s, role) for s in block], role=role)
