"""Calls of functions with rules, in a batch: each function becomes one for all examples, and so do the functions of its rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import gast

from transpiler.analyses.memory.call_effects import results
from transpiler.core import build
from transpiler.core.custom import ByPullback, ByTangents, Given, Joined, Passing
from transpiler.core.functions import calls_in
from transpiler.core.language import Core, Leaf, Param
from transpiler.core.naming import unique
from transpiler.specialize.domain.bindings import Known
from transpiler.specialize.evaluator import Evaluator
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Scalar, Type, Unknown

Flags = tuple[bool, ...]


class BatchedRules:
    """The functions that a batched program calls, by the function of one example and which of its arguments are batches.

    batch: batches one function; it is given this, to find out which functions that one calls in turn
    """

    def __init__(self, core: Core, size: Dim, batch: Callable[..., Core]):
        self.functions, self.size, self.batch = dict(core.functions), size, batch
        self.keys: dict[str, tuple[str, Flags]] = {}
        self.names: dict[tuple[str, Flags], str] = {}

    def knows(self, name: str | None) -> bool:
        return name in self.functions and self.functions[name].rule is not None

    def call(self, node: gast.Call, name: str, flags: Flags) -> gast.Call:
        """The call for all examples."""
        if (name, flags) not in self.names:
            new = unique(f'{name}_vmap', {*self.functions, *self.keys})
            self.names[name, flags], self.keys[new] = new, (name, flags)
        return build.like(node, func=build.name(f'call.{self.names[name, flags]}'))

    def write(self, core: Core) -> Core:
        """The program with the functions that it calls."""
        for name in calls_in(core):
            if name in self.keys and name not in self.functions:
                self._write(name, *self.keys[name])
        return core.with_functions(self.functions)

    def _write(self, new: str, name: str, flags: Flags) -> None:
        core = self.functions[name]
        if isinstance(core.rule, Passing):
            self._retyped(new, core, flags, core.rule)
            return
        self._part(new, core, flags, 0)
        rule = core.rule
        if rule.pullback is not None:
            rule = replace(rule, pullback=self._pullback(new, rule, flags))
        if rule.tangents is not None:
            rule = replace(rule, tangents=self._tangents(new, rule, flags))
        self.functions[new] = replace(self.functions[new], rule=rule)

    def _pullback(self, new: str, rule: Given, flags: Flags) -> ByPullback:
        forward, joined = self.functions[rule.pullback.forward], self.functions[rule.pullback.joined]
        outs, kept = len(joined.rule.outs), []

        def out_axes(batched: list[bool]) -> Any:
            kept.extend(batched[outs:])
            return _together([0] * outs + [0 if flag else None for flag in kept])

        names = [self._name(f'{new}_{what}') for what in ('fwd', 'joined', 'bwd')]
        self._part(names[0], forward, flags, out_axes)
        by_value, extra = [flags[k] for k in rule.by_value], flags[rule.own :]
        wanted = [flags[k] for k in rule.wanted]
        backward = self.functions[joined.rule.backward]
        given = (*by_value, *kept, *[True] * len(joined.rule.results), *extra)
        self._part(names[2], backward, given, 0)
        self.functions[names[2]] = self._added_up(self.functions[names[2]], wanted)
        given = (*wanted, *[True] * outs, *kept, *by_value, *extra)
        self._retyped(names[1], joined, given, replace(joined.rule, backward=names[2]))
        return ByPullback(names[0], names[1])

    def _added_up(self, backward: Core, wanted: Sequence[bool]) -> Core:
        """The cotangents of what all examples share are added up."""
        ev = Evaluator(functions=dict(self.functions))
        params = [ev.builder.fresh(backward.base(name), backward.types[name]) for name in backward.inputs]
        with ev.builder.at(backward.origin, 'pullback'):
            values = ev.programs.inline_core(backward, list(params))
            pairs = zip(values, wanted, strict=True)
            values = [v if flag else ev.operate_by_name('numpy.sum', [v], axis=Known(0)) for v, flag in pairs]
            body = [*ev.builder.block, build.give(_together([ev.operand(v)[0] for v in values]), backward.origin, 'pullback')]
        types = MappingProxyType({name: ev.resolve(type_) for name, type_ in ev.builder.types.items()})
        own = tuple(Param(p.name, Leaf(p.name)) for p in params)
        return backward.with_body(body, params=own, types=types, hints=MappingProxyType(ev.builder.hints))

    def _tangents(self, new: str, rule: Given, flags: Flags) -> ByTangents:
        by, wanted, extra = rule.tangents, tuple(flags[k] for k in rule.wanted), flags[rule.own :]
        names = [self._name(f'{new}_{what}') for what in ('jvp', 'cut', 'seeds', 'paired')]
        tangents, cut, seeds, paired = (self.functions[n] for n in (by.tangents, by.cut, by.seeds, by.paired))
        self._part(names[0], tangents, (*flags[: rule.own], *wanted, *extra), 0)
        self._retyped(names[1], cut, flags, cut.rule)
        if any(wanted):
            self._part(names[2], seeds, (*wanted, *extra), _together([0 if flag else None for flag in wanted]))
            self.functions[names[2]] = replace(self.functions[names[2]], rule=seeds.rule)
        else:
            names[2] = by.seeds
        count = len(paired.inputs) - len(extra)
        self._retyped(names[3], paired, (*[True] * count, *extra), paired.rule)
        return replace(by, tangents=names[0], cut=names[1], seeds=names[2], paired=names[3])

    def _name(self, name: str) -> str:
        return unique(name, {*self.functions, *self.keys})

    def _part(self, new: str, core: Core, flags: Flags, out_axes: Any) -> None:
        axes = {name: 0 if flag else None for name, flag in zip(core.inputs, flags, strict=True)}
        made = self.batch(replace(core, rule=None).with_functions(self.functions), axes, self.size, out_axes, rules=self)
        self.functions[new] = replace(made, name=new, functions=MappingProxyType({}))

    def _retyped(self, new: str, core: Core, flags: Flags, rule: Joined | Passing) -> None:
        """A function that gives some of its arguments gives batches of them."""
        pairs = zip(core.inputs, flags, strict=True)
        types = {**core.types, **{name: batched_type(core.types[name], 0, self.size) for name, flag in pairs if flag}}
        self.functions[new] = replace(core, name=new, types=MappingProxyType(types), rule=rule)


def _together(parts: list) -> Any:
    return parts[0] if len(parts) == 1 else build.expression(tuple(parts)) if isinstance(parts[0], gast.AST) else tuple(parts)


def batched_results(core: Core, is_batched: Callable[[gast.expr], bool], out_axes: Any) -> Any:
    """The axes of results, if they depend on which of these differ from example to example."""
    return out_axes([is_batched(part) for part in results(core)]) if callable(out_axes) else out_axes


def batched_type(type_: Type, axis: int, size: Dim) -> Type:
    """The type of a batch of values."""
    match type_:
        case Scalar(dtype):
            return Array(dtype, (size,))
        case Array(dtype, dims) if dims is not None:
            return Array(dtype, (*dims[:axis], size, *dims[axis:]))
        case Array(dtype):
            return Array(dtype, None)
    return Unknown()
