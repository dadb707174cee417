"""The rules that users give functions, run on abstract values: what they take and give is checked here, and nowhere else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.custom import ByPullback, ByTangents, Given, Joined, Passing
from transpiler.core.language import Core
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable, TranspileError
from transpiler.source.reading.capture import capture
from transpiler.specialize.calls.custom_rules import Custom, part
from transpiler.specialize.domain.bindings import Binding, Closure, Known, flatten, fold, same_shape
from transpiler.specialize.domain.literals import as_kind
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.linearity import not_linear
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.numbers import is_number
from transpiler.values.types import Array, Scalar, Tape, Type, Unknown, found_in, is_differentiable


class Rules(Component):
    """`written_rule` runs the functions of a rule and notes what they are to each other."""

    def written_rule(self, custom: Custom) -> Given:
        forward, backward, tangents = custom.declared.rules
        by_value = {p.name for b in custom.parts()[0] for p in flatten(b) if _is_var(p)}
        places = range(len(custom.params))
        given = Given(
            custom.function.name,
            tuple(k for k in places if custom.params[k].name not in by_value and is_differentiable(custom.params[k].type)),
            tuple(k for k in places if custom.params[k].name in by_value),
            len(custom.params),
            either=custom.declared.boxed,
        )
        before = dict(custom.cores)
        try:
            if forward is not None:
                given = self._by_pullback(custom, given, forward, backward)
            if tangents is not None:
                given = replace(given, tangents=self._by_tangents(custom, given, tangents))
        except TranspileError as error:
            custom.cores = before
            return replace(given, pullback=None, tangents=None, error=error)
        return given if forward or tangents else replace(given, error=custom.declared.missing())

    def _by_pullback(self, custom: Custom, given: Given, forward: Any, backward: Any) -> Given:
        ev, both = self.ev.customs.run_apart(custom, lambda ev: ev.call(Known(forward), list(custom.bound.values()), {}))
        result, kept = self._pair(custom, forward, both, 'its result, and what the backward rule needs')
        if any(isinstance(leaf, Closure) or _is_var(leaf) and isinstance(leaf.type, Tape) for leaf in flatten(kept)):
            raise self._wrong(forward, 'it keeps a function, or a list of run-time length, for the backward rule')
        outs = self._results(custom, ev, forward, result)
        residuals = [leaf for leaf in flatten(kept) if _is_var(leaf)]
        name = self.ev.customs.name_for(f'{custom.name}_fwd')
        core = part(ev, name, custom.params, [*(atom for atom, _ in outs), *(build.name(r.name) for r in residuals)])
        self.ev.customs.keep_part(custom, core)

        types = {r.name: core.types[r.name] for r in residuals}
        custom.base.symbols |= found_in([*types.values(), *(t for _, t in outs)])
        fresh = [custom.base.fresh(core.base(r.name), types[r.name]) for r in residuals]
        pending = iter(fresh)
        kept = fold(kept, lambda leaf: next(pending) if _is_var(leaf) else leaf)
        bars = [custom.base.fresh('out_bar', t) if is_differentiable(t) else None for _, t in outs]
        by_value = [custom.params[k] for k in given.by_value]
        params = [*by_value, *fresh, *filter(None, bars)]
        name = self.ev.customs.name_for(f'{custom.name}_bwd')
        wanted = self._backward(custom, given, name, backward, kept, bars, params)

        joined = [custom.base.fresh('out', t) for _, t in outs]
        first, last = len(wanted), len(wanted) + len(joined) + len(fresh)
        places = tuple(range(first, first + len(joined)))
        rule = Joined(
            given.title,
            name,
            tuple(range(first)),
            (*range(last, last + len(by_value)), *range(places[-1] + 1 if places else first, last)),
            places,
            tuple(k for k, bar in enumerate(bars) if bar is not None),
            last + len(by_value),
        )
        name = self.ev.customs.name_for(f'{custom.name}_joined')
        parameters = [*(custom.params[k] for k in wanted), *joined, *fresh, *by_value]
        self._without_body(custom, name, parameters, joined, rule)
        return replace(given, wanted=tuple(wanted), pullback=ByPullback(core.name, name))

    def _backward(
        self, custom: Custom, given: Given, name: str, backward: Any, kept: Binding, bars: list[Var | None], params: list[Var]
    ) -> list[int]:
        """Write the backward rule; the positions of the parameters whose cotangents it gives."""
        first, _ = custom.parts()
        pending = iter(bars)
        bar = fold(custom.result, lambda leaf: (next(pending) or Known(0.0)) if _is_var(leaf) else _no_tangent(leaf))
        copied: set[str] = set()
        while True:
            def called(ev: Any, copied=frozenset(copied)) -> Binding:
                copy = lambda leaf: ev.operate_by_name('numpy.copy', [leaf]) if _is_var(leaf) and leaf.name in copied else leaf
                return ev.call(Known(backward), [fold(arg, copy) for arg in (*first, kept, bar)], {})

            ev, result = self.ev.customs.run_apart(custom, called)
            found = dict(self._cotangents(custom, ev, backward, result))
            core = part(ev, name, params, list(found.values()), 'pullback')
            written = {n for n in self.ev.customs.written_outside(custom, core) if n in core.inputs}
            if not written:
                self.ev.customs.keep_part(custom, core)
                return [k for k in given.wanted if custom.params[k].name in found]
            copied |= written

    def _cotangents(self, custom: Custom, ev: Any, backward: Any, result: Binding) -> Iterator[tuple[str, gast.expr]]:
        """The parameters with the cotangents that a backward rule gives them."""
        args = custom.parts()[1]
        names = [name for name, binding in custom.bound.items() if any(binding is arg for arg in args)]
        if not isinstance(result, (Tuple, List)) or len(result.items) != len(args):
            raise self._wrong(
                backward,
                f'it gives {self._described(result)}',
                f'a backward rule of `{custom.function.name}` gives a tuple of {len(args)}: a cotangent, or None, for each of '
                f'{", ".join(f"`{n}`" for n in names)}',
            )
        for name, arg, bar in zip(names, args, result.items, strict=True):
            for param, leaf in self._paired(backward, name, arg, bar):
                yield param.name, self._fitting(ev, backward, f'the cotangent of `{name}`', param.type, leaf)

    def _paired(self, rule: Any, name: str, arg: Binding, bar: Binding) -> Iterator[tuple[Var, Binding]]:
        """The variables in an argument, each with its part of a cotangent (or tangent); None stands for none anywhere below."""
        if bar == Known(None):
            return
        if isinstance(arg, Container):
            fits = isinstance(bar, Container) and len(bar.items) == len(arg.items) and set(bar.keys) == set(arg.keys)
            if not fits:
                raise self._wrong(rule, f'for `{name}`, {self._described(arg)}, it gives {self._described(bar)}')
            for k, item in enumerate(arg.items):
                yield from self._paired(rule, name, item, bar.item(arg.keys[k]) if arg.keys else bar.items[k])
        elif _is_var(arg) and is_differentiable(arg.type):
            yield arg, bar

    def _fitting(self, ev: Any, rule: Any, what: str, type_: Type, leaf: Binding) -> gast.expr:
        """A cotangent or tangent as one of the type `type_`: shapes must agree, dtypes are made to."""
        if not _is_var(leaf) and not (isinstance(leaf, Known) and is_number(leaf.value)):
            raise self._wrong(rule, f'{what} is {self._described(leaf)}', f'it must be {type_}')
        own = ev.operand(leaf)[1]
        if isinstance(type_, Unknown) or isinstance(own, Unknown):
            return ev.operand(leaf)[0]
        if own.ndim is not None and type_.ndim is not None and not _shapes_agree(own, type_):
            raise self._wrong(rule, f'{what} is {own}', f'it must be {type_}')
        if isinstance(leaf, Known):
            return as_kind(ev.operand(leaf)[0], type_)
        if own.dtype.kind == 'c' and type_.dtype.kind == 'f':
            leaf = ev.operate_by_name('numpy.real', [leaf])
        elif own.dtype.kind in 'iub':
            leaf = ev.cast(leaf, np.dtype(np.float64))
        own, weak = ev.operand(leaf)[1], [getattr(t, 'weak', False) for t in (own, type_)]
        return ev.operand(leaf if own.dtype == type_.dtype or any(weak) else ev.cast(leaf, type_.dtype))[0]

    def _by_tangents(self, custom: Custom, given: Given, rule: Any) -> ByTangents:
        first, primals = custom.parts()
        base = custom.base
        dots = {p.name: base.fresh(f'{base.hints[p.name].base}_dot', p.type) for p in _at(custom.params, given.wanted)}
        dot_of = lambda leaf: dots.get(leaf.name, Known(0.0)) if _is_var(leaf) else _no_tangent(leaf)
        tangents = [fold(b, dot_of) for b in primals]
        args = [*first, Tuple(tuple(primals)), Tuple(tuple(tangents))]
        ev, both = self.ev.customs.run_apart(custom, lambda ev: ev.call(Known(rule), args, {}))
        result, result_dot = self._pair(custom, rule, both, 'the result and its tangent')
        outs = self._results(custom, ev, rule, result)
        found, places = {}, itertools.count()
        numbered = fold(custom.result, lambda leaf: Var(str(next(places)), leaf.type) if _is_var(leaf) else leaf)
        for leaf, dot in self._paired(rule, 'the result', numbered, result_dot):
            if dot not in (Known(0.0), Known(0)):
                found[int(leaf.name)] = self._fitting(ev, rule, 'the tangent of the result', leaf.type, dot)
        name = self.ev.customs.name_for(f'{custom.name}_jvp')
        params = [*custom.params, *dots.values()]
        core = part(ev, name, params, [*(atom for atom, _ in outs), *found.values()])
        self.ev.customs.keep_part(custom, core)
        self._check_linear(custom, rule, core, [dot.name for dot in dots.values()], len(outs))
        custom.base.symbols |= found_in(t for _, t in outs)
        return ByTangents(name, *self._for_reverse(custom, given, [t for _, t in outs], tuple(found)), tuple(found))

    def _check_linear(self, custom: Custom, rule: Any, core: Core, dots: list[str], first: int) -> None:
        """A tangent that is not linear in those of the arguments has no transpose, and is no derivative."""
        known = {**self.ev.functions, **{name: f for c in self.ev.customs.written for name, f in c.cores.items()}}
        worst = not_linear(core, dots, known, first)
        if worst is not None:
            function = capture(rule)
            raise NotDifferentiable(
                f'the rule `{function.name}` of `{custom.function.name}` is not linear in the tangents that it is given',
                getattr(worst.where, 'origin', None) or function.origin(function.node),
                why=worst.why or 'a tangent that it gives does not depend on them',
                instead='give the derivative times the tangent: sums of tangents times what does not depend on them',
            )

    def _for_reverse(self, custom: Custom, given: Given, outs: list[Type], dots: tuple[int, ...]) -> tuple[str, str, str]:
        """The calls by which reverse mode finds its way through tangents."""
        names = [self.ev.customs.name_for(f'{custom.name}_{what}') for what in ('cut', 'seeds', 'paired')]
        self._without_body(custom, names[0], custom.params, custom.params, Passing((), tuple(range(len(custom.params)))))
        wanted = _at(custom.params, given.wanted)
        ev, _ = self.ev.customs.run_apart(custom, lambda ev: Known(None))
        zeros = [ev.operand(_zero(ev, p))[0] for p in wanted]
        rule = Passing(tuple((k, k) for k in range(len(wanted))))
        self.ev.customs.keep_part(custom, part(ev, names[1], wanted, zeros, rule=rule))
        given_outs = [custom.base.fresh('out', t) for t in outs]
        given_dots = [custom.base.fresh('out_dot', outs[k]) for k in dots]
        rule = Passing(tuple((len(outs) + k, place) for k, place in enumerate(dots)), tuple(range(len(outs))))
        self._without_body(custom, names[2], [*given_outs, *given_dots], given_outs, rule)
        return names[0], names[1], names[2]

    def _without_body(self, custom: Custom, name: str, params: list[Var], given: list[Var], rule: Any) -> None:
        """A function that gives some of its parameters."""
        ev, _ = self.ev.customs.run_apart(custom, lambda ev: Known(None))
        self.ev.customs.keep_part(custom, part(ev, name, params, [build.name(v.name) for v in given], rule=rule))

    def _pair(self, custom: Custom, rule: Any, both: Binding, what: str) -> tuple[Binding, Binding]:
        if not isinstance(both, (Tuple, List)) or len(both.items) != 2:
            raise self._wrong(rule, f'it gives {self._described(both)}', f'it must give a pair: {what}')
        return both.items[0], both.items[1]

    def _results(self, custom: Custom, ev: Any, rule: Any, result: Binding) -> list[tuple[gast.expr, Type]]:
        """What a rule gives as the function's result: atoms and types."""
        wrong = self._wrong(
            rule,
            f'the result that it gives is {self._described(result)}',
            f'`{custom.function.name}` gives {self._described(custom.result)}',
        )
        if not same_shape(custom.result, result):
            raise wrong
        found = []
        for own, leaf in zip(flatten(custom.result), flatten(result), strict=True):
            if not _is_var(own):
                if own != leaf:
                    raise wrong
                continue
            if not _is_var(leaf) and not (isinstance(leaf, Known) and is_number(leaf.value)):
                raise wrong
            type_ = ev.operand(leaf)[1]
            if _is_var(leaf) and (getattr(type_, 'dtype', None), type_.ndim) != (getattr(own.type, 'dtype', None), own.type.ndim):
                raise wrong
            found.append((as_kind(ev.operand(leaf)[0], own.type), type_ if _is_var(leaf) else own.type))
        return found

    def _described(self, binding: Binding) -> str:
        match binding:
            case Var(_, type_):
                return str(self.ev.resolve(type_))
            case Tuple(items) | List(items):
                return f'{binding.spoken} ({", ".join(map(self._described, items))})'
        return self.ev.describe(binding)

    def _wrong(self, rule: Any, why: str, instead: str = '') -> NotDifferentiable:
        """The error of a rule that does not fit its function: it names the rule and its line."""
        function = capture(rule)
        place = function.origin(function.node)
        return NotDifferentiable(f'the rule `{function.name}` does not fit', place, why=why, instead=instead)


def _is_var(leaf: Any) -> bool:
    return isinstance(leaf, Var)


def _at(params: list[Var], places: tuple[int, ...]) -> list[Var]:
    return [params[k] for k in places]


def _no_tangent(leaf: Binding) -> Binding:
    """What stands for the tangent of something that is no variable."""
    return Known(0.0) if isinstance(leaf, Known) and is_number(leaf.value) else leaf


def _zero(ev: Any, param: Var) -> Binding:
    if isinstance(param.type, Scalar):
        zero = Known(0j if param.type.dtype.kind == 'c' else 0.0)
        return zero if param.type.weak else ev.cast(zero, param.type.dtype)
    return ev.operate_by_name('numpy.zeros_like', [param])


def _shapes_agree(own: Type, type_: Type) -> bool:
    """Whether the shapes may be the same; known sizes must be."""
    if own.ndim != type_.ndim:
        return False
    if not isinstance(own, Array) or not isinstance(type_, Array):
        return True
    pairs = zip(own.dims or (), type_.dims or (), strict=True)
    return all(a is None or b is None or not (a - b).is_constant or (a - b).constant == 0 for a, b in pairs)
