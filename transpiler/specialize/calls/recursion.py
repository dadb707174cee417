"""Functions that call themselves: written once, with parameters for what is known only at run time, and called.

A function is inlined where it is called, unless the same function is being run already on arguments that differ in
run-time values only: inlining would never end. Then it is run apart, on fresh parameters, until the type of its result
settles; paths that need a result that no path has given yet are left out of the first trials.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from transpiler.analyses.dataflow.closure_conversion import closed, parameters
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.errors import TranspileError, UnknownType
from transpiler.specialize.domain.bindings import Binding, Closure, flatten, fold
from transpiler.specialize.domain.literals import as_kind
from transpiler.specialize.evaluation.activations import (
    Activation,
    Apart,
    Given,
    NoResult,
    Recurs,
    Wider,
    alike,
    differing,
    is_runtime,
    joined_kinds,
    kind_of,
    leaves_of,
    same_function,
    same_structure,
    type_of_leaf,
    typed_results,
    with_given,
    with_sizes,
)
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.ranks import Unrolling, check_ranks, unknown_length
from transpiler.specialize.evaluation.signals import NeedStatic, NoValue
from transpiler.values.types import Array, Scalar, Tape, Type

DEPTH = 24      # activations of one function that are inlined in each other
SHARED = 'it belongs to a caller of a function that calls itself'
OFTEN = 200     # activations of one function that are inlined in one


@dataclass(eq=False)
class Recursion(Component):
    """Deciding what is inlined and what is called."""

    stack: list[Any] = field(default_factory=list)
    apart: list[Any] = field(default_factory=list)

    def enter(self, callee: Closure, env: dict[str, Binding]) -> Binding:
        """Run a function of the program on these arguments: inlined, or by a call if it calls itself."""
        held, env = env, {name: self.ev.heap.value_now(binding) for name, binding in env.items()}
        leaves = leaves_of(env)
        for apart in self.apart:
            if same_function(apart.callee, callee) and self._means_the_same(apart) and self._fits(apart, env, leaves):
                return self.call_apart(apart, leaves)
        self._look_for_itself(callee, env, leaves)
        activation, state, heap = Activation(callee, env), self.builder.snapshot(), dict(self.ev.heap.contents)
        self.stack.append(activation)
        try:
            return self.ev.inlining.run_function(callee, held)
        except Recurs as found:
            if found.outer is not activation:
                raise
            varying = found.varying
        finally:
            self.stack.pop()
        self.builder.restore(state)
        self.ev.heap.contents = heap
        return self.call_apart(self._write_apart(callee, env, leaves, varying), leaves)

    def _look_for_itself(self, callee: Closure, env: dict[str, Binding], leaves: list[Binding]) -> None:
        active = [a for a in self.stack if a.apart is None and same_function(a.callee, callee)]
        same = [a for a in active if same_structure(a.arguments, env)]
        for outer in same:
            pairs = list(zip(leaves_of(outer.arguments), leaves, strict=True))
            if all(alike(a, b) for a, b in pairs):
                raise Recurs(outer, differing(pairs))
        check_ranks(self.ev, callee.function.name, [*(leaves_of(a.arguments) for a in active), leaves], leaves, inlined=True)
        for outer in active:
            outer.inside += 1
        if active and (len(active) > DEPTH or active[0].inside > OFTEN):
            pairs = list(zip(leaves_of(active[0].arguments), leaves, strict=True)) if active[0] in same else []
            if pairs and all(is_runtime(a) and is_runtime(b) for a, b in pairs if a != b):
                raise Recurs(active[0], differing(pairs))
            odd = {type(leaf.type) for leaf in leaves if isinstance(leaf, Var)} - {Scalar, Array}
            if odd:
                what = 'a list whose length shows only at run time' if Tape in odd else 'arguments of types that are not known'
                raise UnknownType(
                    f'`{callee.function.name}` calls itself with {what}', self.origin,
                    why='it is written as a function of its own, with parameters of one type each',
                    instead='pass arrays, and give arrays' if Tape in odd else 'annotate the parameters, or give examples')
            raise TranspileError(
                f'`{callee.function.name}` calls itself with other functions, or other containers, each time',
                self.origin,
                why='each of these calls would be a function of its own',
                instead='pass numbers and arrays',
            )

    def _means_the_same(self, apart: Apart) -> bool:
        """Whether what a function read from around it when it was written still is what it would read now."""
        if apart.core is None:
            return True
        written = closed({a.name: a.core for a in self.apart if a.core is not None})[apart.name]
        around = written.inputs[sum(isinstance(kind, (Scalar, Array)) for kind in apart.leaves):]
        captured = {leaf.name for c in self.ev.captures.found.values() for leaf in flatten(c.binding) if isinstance(leaf, Var)}
        return captured.issuperset(around)

    def _write_apart(self, callee: Closure, env: dict[str, Binding], leaves: list[Binding], varying: frozenset[int]) -> Apart:
        """The function as one of its own, for arguments like these."""
        if sum(a.core is None and same_function(a.callee, callee) for a in self.apart) > DEPTH:
            raise TranspileError(
                f'`{callee.function.name}` calls itself with other constants each time',
                self.origin,
                why='something in it must be known when code is generated, so that each of these calls is a function of its own',
                instead='ask for numbers by comparisons, and for items by index, that may be computed at run time',
            )
        name = self.free_name(callee.function.name)
        kinds = [kind_of(leaf, k in varying) for k, leaf in enumerate(leaves)]
        pending = [a.leaves for a in self.apart if a.core is None and same_function(a.callee, callee)]
        check_ranks(self.ev, callee.function.name, [*pending, kinds], leaves, inlined=False)
        apart = Apart(name, callee, env, kinds)
        outermost = not any(a.core is None for a in self.apart)
        while True:
            before = len(self.apart)
            self.apart.append(apart)
            try:
                if self._try_apart(apart, leaves):
                    break
            except Wider as wider:
                if wider.apart is not apart:
                    raise
                apart.result = None
            finally:
                if apart.core is None:
                    del self.apart[before:]
        if outermost:
            self._close()
        return apart

    def free_name(self, name: str) -> str:
        taken, number = {*self.ev.functions, *(a.name for a in self.apart), *self.ev.customs.reserved}, 0
        base = name = name if name != '<lambda>' else 'function'
        while name in taken:
            number += 1
            name = f'{base}_{number}'
        return name

    def _try_apart(self, apart: Apart, leaves: list[Binding]) -> bool:
        """Run the body on fresh parameters; say whether the type of the result has settled, and keep the body then."""
        builder = self.builder.inner()
        inner = self.ev.inside(builder)
        inner.heap.set_apart(SHARED)
        inner.sizes.equal = dict(self.ev.sizes.equal)
        params: dict[int, Var] = {}
        env = inner.recursion.parameters_of(apart, leaves, params)
        self.stack.append(Activation(apart.callee, env, apart))
        try:
            held = {name: inner.held(binding, SHARED) for name, binding in env.items()}
            result = inner.apart_from_cells(inner.inlining.run_function(apart.callee, held))
            joined = inner.recursive_results.joined_result(apart.result, with_given(result, params))
        except NeedStatic as need:
            raise self._need_outside(apart, need, params, leaves) from None
        except NoValue as never:
            raise never.as_error(apart.name) from None
        except NoResult as missing:
            if missing.apart is not apart:
                raise
            raise TranspileError(
                f'every path through `{apart.name}` calls it again',
                apart.callee.function.origin(apart.callee.function.node),
                why='it never comes to an end',
            ) from None
        finally:
            self.stack.pop()
            self.builder.adopt(builder)
        if joined != apart.result:
            apart.result = joined
            return False
        atoms = [inner.recursion.converted_to(leaf, kind) for leaf, kind in typed_results(result, joined)]
        value = build.constant(None) if not atoms else atoms[0] if len(atoms) == 1 else build.expression(tuple(atoms))
        builder.append(build.give(value, apart.callee.function.origin(apart.callee.function.node)))
        types = MappingProxyType({n: inner.resolve(t) for n, t in builder.types.items()})
        ordered = parameters([v.name for _, v in sorted(params.items())], builder.hints)
        origin = apart.callee.function.origin(apart.callee.function.node)
        apart.core = Core(apart.name, ordered, tuple(builder.block), types, MappingProxyType(builder.hints), origin)
        return True

    def parameters_of(self, apart: Apart, leaves: list[Binding], params: dict[int, Var]) -> dict[str, Binding]:
        """Fresh parameters for the run-time leaves of the arguments; the others stay as they are."""
        pending = iter(enumerate(apart.leaves))

        def parameter(name: str):
            def make(leaf: Binding) -> Binding:
                k, kind = next(pending)
                if not isinstance(kind, (Scalar, Array)):
                    return kind
                hint = self.builder.hints.get(leaf.name) if isinstance(leaf, Var) else None
                base = name if apart.arguments[name] is leaf or hint is None else hint.base
                params[k] = self.builder.fresh(base, with_sizes(kind, f'{apart.name}.{k}'))
                return params[k]
            return make
        return {name: fold(binding, parameter(name)) for name, binding in apart.arguments.items()}

    def _need_outside(self, apart: Apart, need: NeedStatic, params: dict[int, Var], leaves: list[Binding]) -> Exception:
        """A parameter that must be a constant: the argument must, where it is a variable."""
        for k, parameter in params.items():
            if parameter.name == need.name:
                if isinstance(leaves[k], Var):
                    again = isinstance(need, Unrolling)
                    return unknown_length(self.ev, [leaves[k]], need.error) if again else NeedStatic(leaves[k].name, need.error)
                apart.static.add(k)
                apart.leaves[k] = leaves[k]
                return Wider(apart)
        return need

    def _fits(self, apart: Apart, env: dict[str, Binding], leaves: list[Binding]) -> bool:
        """Whether the function takes these arguments; one that is being written is prepared for them if it can be."""
        if not same_structure(apart.arguments, env):
            return False
        wider = list(apart.leaves)
        for k, (kind, leaf) in enumerate(zip(apart.leaves, leaves, strict=True)):
            if not isinstance(kind, (Scalar, Array)):
                if kind == leaf:
                    continue
                if k in apart.static or not (is_runtime(kind) and is_runtime(leaf)):
                    return False
                wider[k] = joined_kinds(type_of_leaf(kind), type_of_leaf(leaf), apart, k)
            elif is_runtime(leaf) and isinstance(type_of_leaf(leaf), type(kind)):
                wider[k] = joined_kinds(kind, self.ev.resolve(type_of_leaf(leaf)), apart, k)
            else:
                return False
            if wider[k] is None:
                return False
        if wider == apart.leaves:
            return True
        if apart.core is not None:
            return False
        apart.leaves = wider
        raise Wider(apart)

    def converted_to(self, leaf: Binding, type_: Type):
        return as_kind(self.ev.operand(leaf)[0], type_)

    def call_apart(self, apart: Apart, leaves: list[Binding]) -> Binding:
        """Write a call, and give its result in the structure that it has."""
        if apart.result is None:
            raise NoResult(apart)
        pairs = [(leaf, kind) for leaf, kind in zip(leaves, apart.leaves, strict=True) if isinstance(kind, (Scalar, Array))]
        atoms = [self.converted_to(leaf, kind) for leaf, kind in pairs]
        if apart.core is not None:
            atoms += [build.name(name) for name in apart.core.inputs[len(atoms):]]     # what it reads from around it
        types = [leaf.type for leaf in flatten(apart.result) if isinstance(leaf, Var)]
        pending = iter(self.ev.programs.call_function(apart.name, atoms, types))
        given = lambda leaf: leaves[leaf.position] if isinstance(leaf, Given) else leaf
        return fold(apart.result, lambda leaf: next(pending) if isinstance(leaf, Var) else given(leaf))

    def _close(self) -> None:
        """Let the functions written since the last time pass on what they read from around them, and keep them."""
        fresh = {a.name: a.core for a in self.apart if a.name not in self.ev.functions}
        self.ev.functions.update(closed(fresh))
        for apart in self.apart:
            apart.core = self.ev.functions[apart.name]
