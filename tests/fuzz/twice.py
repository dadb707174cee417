"""Judging the second derivatives of a random program: every way to them against the others, and against differences."""

from __future__ import annotations

import functools
import random
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.exact import in_precision
from tests.fuzz.oracle import HUGE, Slopes, Verdict, close, judge, repeatable, value_of
from tests.fuzz.programs import Program, second_order
from tests.support import copied, direction

CLOSE = {'double': 1e-8, 'single': 5e-3}  # of two ways to the same numbers, as parts of the largest of them
UNCERTAIN = ('refused', 'right', 'vague')  # what comes first counts, and what is wrong before all
Found = dict[str, np.ndarray]  # the 'matrix', its product with the direction: 'columns', that of the direction with it: 'rows'
Way = Callable[['Second', tuple], Found]


def judge_twice(program: Program, compiled: bool = False) -> Verdict:
    """The gradient of the sum of squares of the gradient, then all other ways to second derivatives."""
    found = judge(second_order(program), compiled)
    return worst([found, judge_ways(program)]) if found.fine and not compiled else found


def judge_drawn(seed: int, program: Program, compiled: bool = False) -> Verdict:
    """Two ways to second derivatives, drawn by the seed: a long run sees all of them, and many more programs."""
    return judge_ways(program, random.Random(seed).sample(WAYS, 2))


def judge_ways(program: Program, ways: Sequence[Way] | None = None) -> Verdict:
    """Hessians, pullbacks and tangents of the gradient: all ways, or these."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        return worst(Second(program).verdicts(WAYS if ways is None else ways))


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    return min(verdicts, key=lambda verdict: UNCERTAIN.index(verdict.kind) if verdict.fine else -1)


class Second:
    """The Hessian of a program by its chosen arguments, as a matrix over all their items, from all sides."""

    def __init__(self, program: Program):
        self.program = program
        self.original = tp.from_source(program.text)
        self.options = {'argnums': program.argnums, 'has_aux': program.has_aux}
        self.gradient = tp.grad(self.original, **self.options)
        self.at = repeatable(self.original, self.gradient)
        self.numbers = (program.argnums,) if isinstance(program.argnums, int) else program.argnums
        self.along = tuple(direction(arg) if k in self.numbers else None for k, arg in enumerate(program.args))
        single = any(getattr(leaf, 'dtype', None) == np.float32 for leaf in optree.tree_leaves(program.args))
        self.precision = 'single' if single else 'double'

    def verdicts(self, ways: Sequence[Way]) -> Iterator[Verdict]:
        """One for each way, and one for all of them against differences; none after what is wrong."""
        known: Found = {}
        if not self.has_floats():
            yield Verdict('vague', 'the value is an integer, whose derivatives by `grad` are zeros and by Jacobians None')
            return
        for way in ways:
            args = copied(self.program.args)
            try:
                found = repeatable(self.original, way)(self, args)
            except tp.TranspileError as error:
                yield Verdict('refused', f'{way.__name__}: {error}')
                continue
            except Exception as error:
                yield self._raised(way.__name__, error)
                return
            verdict = self._compared(way.__name__, found, known)
            yield verdict if close(args, self.program.args, 0.0) else Verdict(f'{way.__name__} mutated', f'{args}')
            known = found | known
        if 'columns' in known:
            yield self._differences(known['columns'])

    def has_floats(self) -> bool:
        try:
            value = value_of(self.program, repeatable(self.original)(*copied(self.program.args)))
        except Exception:
            return True
        return np.asarray(value).dtype.kind == 'f'

    def _raised(self, way: str, error: Exception) -> Verdict:
        try:
            self.at(*copied(self.program.args))
        except Exception as failure:
            return Verdict('vague', f'the gradient raises: {failure!r}')
        return Verdict(f'{way} crash {type(error).__name__}', repr(error))

    def _compared(self, way: str, found: Found, known: Found) -> Verdict:
        for what in found.keys() & known.keys():
            got, wanted = found[what], known[what]
            both = np.isfinite(got) & np.isfinite(wanted)
            scale = 1 + np.max(np.abs(wanted[both]), initial=0.0)
            if not np.all(np.abs(got - wanted)[both] <= CLOSE[self.precision] * scale):
                return self._unless_huge(f'{what} by {way}', f'{got} instead of {wanted}')
        return Verdict('right')

    def _differences(self, product: np.ndarray) -> Verdict:
        """The Hessian times the direction against differences of the gradient."""
        wide = in_precision(np.float64, self.program.args)

        @functools.cache
        def moved(step: float) -> np.ndarray:
            pairs = zip(wide, self.along, strict=True)
            args = tuple(a if d is None else optree.tree_map(lambda x, v: x + step * v, a, d) for a, d in pairs)
            return self.flat(self.at(*args))

        trusted = 0
        for place, got in enumerate(product):
            slope = Slopes(lambda step, place=place: moved(step)[place], (0.0,)).slope(0, ())
            if slope is not None and np.isfinite(got):
                trusted += 1
                if not abs(got - slope) <= (2e-2 if self.precision == 'single' else 2e-5) * (1 + abs(slope)):
                    return self._unless_huge('second derivative', f'item {place}: {got} instead of {slope}')
        return Verdict('right' if trusted else 'vague')

    def _unless_huge(self, kind: str, detail: str) -> Verdict:
        slopes = Slopes(lambda *a: value_of(self.program, repeatable(self.original)(*a)), self.program.args)
        if slopes.largest() > HUGE[self.precision]:
            return Verdict('vague', 'values on the way are too large')
        return Verdict(kind, detail)

    def chosen(self, args: tuple) -> tuple:
        return tuple(args[number] for number in self.numbers)

    def flat(self, gradient: Any) -> np.ndarray:
        return flat(gradient[0] if self.program.has_aux else gradient)

    def matrix(self, blocks: Any) -> Found:
        """What a pytree of pytrees of second derivatives says."""
        leaves = optree.tree_leaves(blocks[0] if self.program.has_aux else blocks)
        shapes = [np.shape(leaf) for leaf in optree.tree_leaves(self.chosen(self.program.args))]
        pairs = [(one, other) for one in shapes for other in shapes]
        assert [np.shape(leaf) for leaf in leaves] == [(*one, *other) for one, other in pairs]
        parts = [np.reshape(leaf, (size(one), size(other))) for leaf, (one, other) in zip(leaves, pairs, strict=True)]
        found = np.block([parts[k : k + len(shapes)] for k in range(0, len(parts), len(shapes))])
        vector = flat(self.chosen(self.along))
        return {'matrix': found, 'columns': found @ vector, 'rows': vector @ found}


def hessian(second: Second, args: tuple) -> Found:
    return second.matrix(tp.hessian(second.original, **second.options)(*args))


def jacrev(second: Second, args: tuple) -> Found:
    return second.matrix(tp.jacrev(second.gradient, **second.options)(*args))


def jvp(second: Second, args: tuple) -> Found:
    return {'columns': flat(tp.jvp(second.gradient, args, second.along, has_aux=second.program.has_aux)[1])}


def hvp(second: Second, args: tuple) -> Found:
    if second.program.has_aux:
        return {}
    product = tp.hvp(second.original, args, second.along)
    return {'columns': flat(product if len(args) == 1 else second.chosen(product))}


def linearize(second: Second, args: tuple) -> Found:
    pushforward = tp.linearize(second.gradient, *args, has_aux=second.program.has_aux)[1]
    pushforward(*second.along)  # nothing that was handed over changes
    return {'columns': flat(pushforward(*second.along))}


def vjp(second: Second, args: tuple) -> Found:
    pullback = tp.vjp(second.gradient, *args, has_aux=second.program.has_aux)[1]
    along = second.chosen(second.along)
    along = along[0] if isinstance(second.program.argnums, int) else along
    pullback(along)
    return {'rows': flat(second.chosen(pullback(along)))}


WAYS: tuple[Way, ...] = (hessian, jacrev, jvp, hvp, linearize, vjp)


def size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape))


def flat(tree: Any) -> np.ndarray:
    """All numbers of a pytree, one after the other."""
    return np.concatenate([np.ravel(np.asarray(leaf, float)) for leaf in optree.tree_leaves(tree)])
