"""Functions that call themselves: written once, with parameters for what is known only at run time, and called.

A function is inlined where it is called, unless the same function is being run already on arguments that differ in
run-time values only: inlining would never end. Then it is run apart, on fresh parameters, until the type of its result
settles; paths that need a result that no path has given yet are left out of the first trials.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import MappingProxyType

from transpiler.analyses.closing import closed, parameters
from transpiler.analyses.summaries import results
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.errors import TranspileError
from transpiler.specialize.bindings import (
    Binding,
    Closure,
    Container,
    Known,
    Var,
    flatten,
    fold,
    is_number,
    number_type,
    same_shape,
)
from transpiler.specialize.captures import FreeNames
from transpiler.specialize.context import NeedStatic
from transpiler.specialize.literals import as_kind
from transpiler.values.dims import Dim
from transpiler.values.joining import join_types
from transpiler.values.types import Array, Scalar, Tape, Type

DEPTH = 24      # activations of one function that are inlined in each other
SHARED = 'it belongs to a caller of a function that calls itself'
OFTEN = 200     # activations of one function that are inlined in one


@dataclass(eq=False)
class Activation:
    """A function that is being run; `apart` if it is not inlined; `inside` counts the inlined calls of it below."""

    callee: Closure
    arguments: dict[str, Binding]
    apart: 'Apart | None' = None
    inside: int = 0


@dataclass(eq=False)
class Apart:
    """A function written once. The `leaves` of its arguments are types of parameters, or bindings that never change."""

    name: str
    callee: Closure
    arguments: dict[str, Binding]
    leaves: list[Type | Binding]
    result: Binding | None = None
    core: Core | None = None
    static: set[int] = field(default_factory=set)


class Recurs(Exception):
    """A function turns out to call itself: the activation `outer` is to be written apart; of these leaves, numbers vary."""

    def __init__(self, outer: Activation, varying: frozenset[int] = frozenset()):
        self.outer, self.varying = outer, varying


class Wider(Exception):
    """A call with arguments that a function being written apart was not prepared for; now it is."""

    def __init__(self, apart: Apart):
        self.apart = apart


class NoResult(Exception):
    """The result of a function is needed that no path has given yet."""

    def __init__(self, apart: Apart):
        self.apart = apart


class Recursion(FreeNames):
    """Deciding what is inlined and what is called."""

    def enter(self, callee: Closure, env: dict[str, Binding]) -> Binding:
        """Run a function of the program on these arguments: inlined, or by a call if it calls itself."""
        held, env = env, {name: self.apart_from_cells(binding) for name, binding in env.items()}
        leaves = _leaves(env)
        for apart in self.apart:
            if _same_function(apart.callee, callee) and self._means_the_same(apart) and self._fits(apart, env, leaves):
                return self.call_apart(apart, leaves)
        self._look_for_itself(callee, env, leaves)
        activation, state = Activation(callee, env), self.builder.snapshot()
        self.stack.append(activation)
        try:
            return self.run_function(callee, held)
        except Recurs as found:
            if found.outer is not activation:
                raise
            varying = found.varying
        finally:
            self.stack.pop()
        self.builder.restore(state)
        return self.call_apart(self._write_apart(callee, env, leaves, varying), leaves)

    def _look_for_itself(self, callee: Closure, env: dict[str, Binding], leaves: list[Binding]) -> None:
        active = [a for a in self.stack if a.apart is None and _same_function(a.callee, callee)]
        same = [a for a in active if _same_structure(a.arguments, env)]
        for outer in same:
            pairs = list(zip(_leaves(outer.arguments), leaves, strict=True))
            if all(_alike(a, b) for a, b in pairs):
                raise Recurs(outer, _differing(pairs))
        for outer in active:
            outer.inside += 1
        if active and (len(active) > DEPTH or active[0].inside > OFTEN):
            pairs = list(zip(_leaves(active[0].arguments), leaves, strict=True)) if active[0] in same else []
            if pairs and all(_is_runtime(a) and _is_runtime(b) for a, b in pairs if a != b):
                raise Recurs(active[0], _differing(pairs))
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
        captured = {leaf.name for c in self.captures.values() for leaf in flatten(c.binding) if isinstance(leaf, Var)}
        return captured.issuperset(around)

    def _write_apart(self, callee: Closure, env: dict[str, Binding], leaves: list[Binding], varying: frozenset[int]) -> Apart:
        """The function as one of its own, for arguments like these."""
        name = self._free_name(callee.function.name)
        kinds = [_kind(leaf, k in varying) for k, leaf in enumerate(leaves)]
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

    def _free_name(self, name: str) -> str:
        taken, number = {*self.functions, *(a.name for a in self.apart)}, 0
        base = name = name if name != '<lambda>' else 'function'
        while name in taken:
            number += 1
            name = f'{base}_{number}'
        return name

    def _try_apart(self, apart: Apart, leaves: list[Binding]) -> bool:
        """Run the body on fresh parameters; say whether the type of the result has settled, and keep the body then."""
        builder = self.builder.inner()
        around = dict.fromkeys(self.heap, SHARED)
        inner = replace(self, builder=builder, heap=dict(self.heap), frozen={**around, **self.frozen})
        inner.sizes = dict(self.sizes)
        params: dict[int, Var] = {}
        env = inner._parameters_of(apart, leaves, params)
        self.stack.append(Activation(apart.callee, env, apart))
        try:
            held = {name: inner.held(binding, SHARED) for name, binding in env.items()}
            result = inner.apart_from_cells(inner.run_function(apart.callee, held))
            joined = inner._joined_result(apart.result, result)
        except NeedStatic as need:
            raise self._need_outside(apart, need, params, leaves) from None
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
        atoms = [inner.converted_to(leaf, kind) for leaf, kind in _results(result, joined)]
        value = build.constant(None) if not atoms else atoms[0] if len(atoms) == 1 else build.expression(tuple(atoms))
        builder.append(build.give(value, apart.callee.function.origin(apart.callee.function.node)))
        types = MappingProxyType({n: inner.resolve(t) for n, t in builder.types.items()})
        ordered = parameters([v.name for _, v in sorted(params.items())], builder.hints)
        origin = apart.callee.function.origin(apart.callee.function.node)
        apart.core = Core(apart.name, ordered, tuple(builder.block), types, MappingProxyType(builder.hints), origin)
        return True

    def _parameters_of(self, apart: Apart, leaves: list[Binding], params: dict[int, Var]) -> dict[str, Binding]:
        """Fresh parameters for the run-time leaves of the arguments; the others stay as they are."""
        pending = iter(enumerate(apart.leaves))

        def parameter(name: str):
            def make(leaf: Binding) -> Binding:
                k, kind = next(pending)
                if not isinstance(kind, (Scalar, Array)):
                    return kind
                hint = self.builder.hints.get(leaf.name) if isinstance(leaf, Var) else None
                base = name if apart.arguments[name] is leaf or hint is None else hint.base
                params[k] = self.builder.fresh(base, _with_sizes(kind, f'{apart.name}.{k}'))
                return params[k]
            return make
        return {name: fold(binding, parameter(name)) for name, binding in apart.arguments.items()}

    def _need_outside(self, apart: Apart, need: NeedStatic, params: dict[int, Var], leaves: list[Binding]) -> Exception:
        """A parameter that must be a constant: the argument must, where it is a variable."""
        for k, parameter in params.items():
            if parameter.name == need.name:
                if isinstance(leaves[k], Var):
                    return NeedStatic(leaves[k].name, need.error)
                apart.static.add(k)
                apart.leaves[k] = leaves[k]
                return Wider(apart)
        return need

    def _fits(self, apart: Apart, env: dict[str, Binding], leaves: list[Binding]) -> bool:
        """Whether the function takes these arguments; one that is being written is prepared for them if it can be."""
        if not _same_structure(apart.arguments, env):
            return False
        wider = list(apart.leaves)
        for k, (kind, leaf) in enumerate(zip(apart.leaves, leaves, strict=True)):
            if not isinstance(kind, (Scalar, Array)):
                if kind == leaf:
                    continue
                if k in apart.static or not (_is_runtime(kind) and _is_runtime(leaf)):
                    return False
                wider[k] = _joined_kinds(_type(kind), _type(leaf), apart, k)
            elif _is_runtime(leaf) and isinstance(_type(leaf), type(kind)):
                wider[k] = _joined_kinds(kind, self.resolve(_type(leaf)), apart, k)
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

    def _joined_result(self, known: Binding | None, result: Binding) -> Binding:
        """What is known of the result so far: its structure, and the types of its leaves."""
        if known is None:
            return fold(result, lambda leaf: Var('', _plain(_type(leaf))) if _is_runtime(leaf) else leaf)
        if not same_shape(known, result):
            raise self.conflict('result', known, result).error(self.origin)
        pending = iter(flatten(result))

        def join(old: Binding) -> Binding:
            new = next(pending)
            if isinstance(old, Var) and _is_runtime(new):
                return Var('', join_types(old.type, _plain(self.resolve(_type(new)))))
            if old != new:
                raise self.conflict('result', old, new).error(self.origin)
            return old
        return fold(known, join)

    def converted_to(self, leaf: Binding, type_: Type):
        return as_kind(self.operand(leaf)[0], type_)

    def call_apart(self, apart: Apart, leaves: list[Binding]) -> Binding:
        """Write a call, and give its result in the structure that it has."""
        if apart.result is None:
            raise NoResult(apart)
        pairs = [(leaf, kind) for leaf, kind in zip(leaves, apart.leaves, strict=True) if isinstance(kind, (Scalar, Array))]
        atoms = [self.converted_to(leaf, kind) for leaf, kind in pairs]
        if apart.core is not None:
            atoms += [build.name(name) for name in apart.core.inputs[len(atoms):]]     # what it reads from around it
        types = [leaf.type for leaf in flatten(apart.result) if isinstance(leaf, Var)]
        pending = iter(self.call_function(apart.name, atoms, types))
        return fold(apart.result, lambda leaf: next(pending) if isinstance(leaf, Var) else leaf)

    def call_function(self, name: str, atoms: list, types: list[Type]) -> list[Var]:
        """`name(*atoms)`: its results, one by one."""
        node = build.call(f'call.{name}', *atoms)
        if not types:
            self.builder.effect(node)
            return []
        if len(types) == 1:
            return [self.builder.define('part', node, types[0])]
        whole = self.builder.define('parts', node, tuple(types))
        return [self.builder.define('part', build.subscript(whole.name, k), type_) for k, type_ in enumerate(types)]

    def call_core(self, core: Core, args: list[Binding]) -> Binding:
        """A call of a function of a core program, whose types are known."""
        atoms = [self.operand(a)[0] if not isinstance(a, Var) else build.name(a.name) for a in args]
        for a, name in zip(args, core.inputs, strict=True):
            if isinstance(a, Var) and isinstance(a.type, Tape):     # the function knows what it pushes
                self.builder.types[a.name] = join_types(self.builder.types[a.name], core.types[name])
        found = self.call_function(core.name, atoms, [result_type(core, part) for part in results(core)])
        return found[0] if len(found) == 1 else Container('tuple', tuple(found)) if found else Known(None)

    def _close(self) -> None:
        """Let the functions written since the last time pass on what they read from around them, and keep them."""
        fresh = {a.name: a.core for a in self.apart if a.name not in self.functions}
        self.functions.update(closed(fresh))
        for apart in self.apart:
            apart.core = self.functions[apart.name]


def result_type(core: Core, part) -> Type:
    """The type of one result for a caller, to whom the sizes inside the function mean nothing."""
    return number_type(part.value) if hasattr(part, 'value') else _plain(core.types[part.id])


def _leaves(env: dict[str, Binding]) -> list[Binding]:
    return [leaf for binding in env.values() for leaf in flatten(binding)]


def _same_function(a: Closure, b: Closure) -> bool:
    return a.function.node is b.function.node and a.frame is b.frame


def _same_structure(a: dict[str, Binding], b: dict[str, Binding]) -> bool:
    return list(a) == list(b) and all(same_shape(a[name], b[name]) for name in a)


def _is_runtime(leaf: Binding) -> bool:
    """A variable, or a number that could be one."""
    if isinstance(leaf, Var):
        return isinstance(leaf.type, (Scalar, Array))
    return isinstance(leaf, Known) and is_number(leaf.value) and not isinstance(leaf.value, bool)


def _type(leaf: Binding) -> Type:
    return leaf.type if isinstance(leaf, Var) else number_type(leaf.value)


def _alike(a: Binding, b: Binding) -> bool:
    """Whether two arguments differ at most in their run-time value; a number that is not known any more is one."""
    if not isinstance(a, Var) and not isinstance(b, Var) or not _is_runtime(a) or not _is_runtime(b):
        return a == b
    return _sort_of(_type(a)) == _sort_of(_type(b))


def _sort_of(type_: Type):
    return type_.dtype, type_.ndim, type_.dtype.kind in 'fc' and getattr(type_, 'weak', None)


def _differing(pairs: list[tuple[Binding, Binding]]) -> frozenset[int]:
    return frozenset(k for k, (a, b) in enumerate(pairs) if a != b)


def _kind(leaf: Binding, varies: bool) -> Type | Binding:
    return _plain(_type(leaf)) if _is_runtime(leaf) and (varies or isinstance(leaf, Var)) else leaf


def _plain(type_: Type) -> Type:
    """The type without what holds for one call only: sizes that are no constants."""
    match type_:
        case Scalar(dtype, weak):
            return Scalar(dtype, weak)
        case Array(dtype, dims) if dims is not None:
            return Array(dtype, tuple(d if d is not None and d.is_constant else None for d in dims))
    return type_


def _with_sizes(type_: Type, name: str) -> Type:
    """The type with a symbol for each size that differs from call to call."""
    if not isinstance(type_, Array) or type_.dims is None:
        return type_
    return Array(type_.dtype, tuple(Dim.symbol(f'{name}.{k}') if d is None else d for k, d in enumerate(type_.dims)))


def _joined_kinds(a: Type, b: Type, apart: Apart, position: int) -> Type | None:
    """One type for a parameter; None where two arrays need two functions."""
    a, b = _plain(a), _plain(b)
    if isinstance(a, Array) and isinstance(b, Array) and (a.dtype, a.ndim) != (b.dtype, b.ndim):
        return None
    joined = join_types(a, b)
    return joined if isinstance(joined, (Scalar, Array)) else None


def _results(result: Binding, kinds: Binding) -> list[tuple[Binding, Type]]:
    return [(leaf, kind.type) for leaf, kind in zip(flatten(result), flatten(kinds), strict=True) if isinstance(kind, Var)]
