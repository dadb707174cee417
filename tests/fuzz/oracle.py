"""Judging a random program: its derivative against the primal and against finite differences."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import partial
from types import FrameType
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.exact import exact, in_precision, is_float, with_globals
from tests.fuzz.programs import Program
from tests.support import copied, direction

STEPS = (1e-4, 1e-5)
HUGE = {'double': 1e7, 'single': 1e3}  # beyond, rounding drowns small steps
DRIFT = {'double': 1e-3, 'single': 1e-1}  # by rounding alone; what is further away has taken another way
ROUNDING = {'double': 1e-14, 'single': 1e-6}  # of a tangent, as parts of the largest value on the way
BACKEND = 'Numba cannot compile this'  # what is refused is so by name; this is code that should not have been made
FINE = ('right', 'refused', 'vague')


@dataclass(frozen=True)
class Verdict:
    """kind: right, refused, vague (no smooth finite derivative to compare with), or what is wrong."""

    kind: str
    detail: str = ''

    @property
    def fine(self) -> bool:
        return self.kind in FINE


class Slopes:
    """Numeric derivatives of a program, in double precision, with a notion of where they can be trusted."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]):
        self.function = function
        self.leaves, self.structure = optree.tree_flatten(in_precision(np.float64, args))
        self.middle = self.value(0, (), 0.0)

    def value(self, leaf: int, index: tuple[int, ...], change: float) -> float:
        leaves = copied(self.leaves)
        if isinstance(leaves[leaf], np.ndarray):
            leaves[leaf][index] += change
        elif change:
            leaves[leaf] = leaves[leaf] + change
        return float(self.function(*optree.tree_unflatten(self.structure, leaves)))

    def slope(self, leaf: int, index: tuple[int, ...]) -> float | None:
        """The derivative by one element; None at a kink, a jump, or where rounding drowns it."""
        found = []
        for step in STEPS:
            ahead, behind = self.value(leaf, index, step) - self.middle, self.middle - self.value(leaf, index, -step)
            found.append(((ahead + behind) / (2 * step), (ahead - behind) / step))
        (wide, bend), (narrow, small_bend) = found
        scale = 1.0 + abs(narrow)
        trusted = (
            np.isfinite([wide, narrow]).all()
            and abs(self.middle) < 1e5
            and abs(narrow) < 1e6
            and abs(wide - narrow) < 1e-5 * scale
            and (abs(small_bend) < 0.3 * abs(bend) or abs(small_bend) < 1e-5 * scale)
        )
        return narrow if trusted else None

    def largest(self) -> float:
        """The largest magnitude of what the program's names hold while it runs: beyond some, rounding drowns small steps."""
        found = 0.0

        def look(frame: FrameType, event: str, arg: Any) -> Callable | None:
            nonlocal found
            if not frame.f_code.co_filename.startswith('<transpiler source'):
                return None
            values = [vars(v) if is_dataclass(v) and not isinstance(v, type) else v for v in frame.f_locals.values()]
            for leaf in optree.tree_leaves(values):
                if is_float(leaf) and np.size(leaf):
                    found = max(found, float(np.nanmax(np.abs(leaf))))
            return look

        before = sys.gettrace()
        sys.settrace(look)
        try:
            self.value(0, (), 0.0)
        finally:
            sys.settrace(before)
        return found


def repeatable(function: Callable[..., Any], derivative: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """The function, or a derivative of it, with the arrays of its module put back after each call: it may write into globals."""
    arrays = {name: value for name, value in function.__globals__.items() if isinstance(value, np.ndarray)}
    before = copied(arrays)
    called = derivative or function

    def call(*args: Any) -> Any:
        try:
            return copied(called(*args))
        finally:
            for name, array in arrays.items():
                array[...] = before[name]

    return call


def value_of(program: Program, result: Any) -> Any:
    return result[0] if program.has_aux else result


def judge(program: Program, compiled: bool = False) -> Verdict:
    """Run `value_and_grad` of the program and compare."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        original = tp.from_source(program.text)
        function = repeatable(original)
        transformed = tp.value_and_grad(original, argnums=program.argnums, has_aux=program.has_aux)
        transformed = tp.jit(transformed) if compiled else transformed
        try:
            with np.errstate(over='raise', invalid='raise'):
                expected, failure = function(*copied(program.args)), None
        except (FloatingPointError, OverflowError) as error:
            return Verdict('vague', f'the values leave the range of floats: {error}')
        except tp.TranspileError as error:  # of a derivative inside
            return Verdict('refused', str(error))
        except Exception as error:
            expected, failure = None, error
        args = copied(program.args)
        try:
            found = transformed(*args)
        except tp.TranspileError as error:
            return Verdict('uncompiled' if BACKEND in str(error) else 'refused', str(error))
        except Exception as error:
            return _raised(error, failure)
        if failure is not None:
            return Verdict('silent', f'the primal raises {failure!r}')
        verdict = _compare(program, function, args, expected, found)
        return verdict if compiled or not verdict.fine else _forward(program, original, expected, found[1], verdict)


def _raised(error: Exception, failure: Exception | None) -> Verdict:
    """Raising is right where the primal raises: a lookup of an unbound name may show as either of two classes."""
    if failure is not None:
        return Verdict('right', f'both raise: {failure!r}, {error!r}')
    return Verdict(f'crash {type(error).__name__}', repr(error))


def _compare(program: Program, function: Callable, args: tuple, expected: Any, found: Any) -> Verdict:
    value, gradients = found
    if not close(args, program.args, 0.0):
        return Verdict('mutated', 'the arguments were changed')
    if isinstance(program.argnums, int):
        gradients = (gradients,)
    numbers = (program.argnums,) if isinstance(program.argnums, int) else program.argnums
    single = any(getattr(leaf, 'dtype', None) == np.float32 for leaf in optree.tree_leaves(program.args))
    if not np.all(np.isfinite(optree.tree_leaves(value_of(program, expected)))):
        return Verdict('vague', 'the value is not finite')
    slopes = Slopes(lambda *a: value_of(program, function(*a)), program.args)
    if not close(value, expected, 1e-3 if single else 1e-9):
        better = exact(program)
        if _is_as_near(value, expected, better, DRIFT['single' if single else 'double']):
            return Verdict('vague', 'it is about as near to what long doubles give as the primal is')
        others = [*_rounded(program), *[better] * (better is not None)]
        moved = max(apart(other, expected) for other in others)
        if apart(value, expected) < moved and slopes.largest() > HUGE['single' if single else 'double']:
            return Verdict('vague', 'values on the way are so large that one rounding changes the result as much')
        return Verdict('value', f'{value} instead of {expected}')
    if single and not close(slopes.middle, float(value_of(program, expected)), 1e-2):
        return Verdict('vague', 'in double precision it takes another way')
    trusted = 0
    for number, gradient in zip(numbers, gradients):
        if optree.tree_structure(gradient) != optree.tree_structure(program.args[number]):
            return Verdict('structure', f'argument {number}: {gradient}')
        first = len(optree.tree_leaves(program.args[:number]))
        for leaf, (own, part) in enumerate(zip(optree.tree_leaves(program.args[number]), optree.tree_leaves(gradient)), first):
            if np.shape(part) != np.shape(own) or isinstance(own, np.ndarray) and part.dtype != own.dtype:
                return Verdict('type', f'argument {number}: {part!r} for {own!r}')
            if isinstance(part, np.ndarray) and not _is_the_caller_s(part, args):
                return Verdict('shown', f'argument {number}: a gradient is read-only, or is what the caller has already')
            for index in np.ndindex(np.shape(own)):
                slope = slopes.slope(leaf, index)
                if slope is None:
                    continue
                trusted += 1
                got = float(np.asarray(part)[index])
                if not abs(got - slope) <= (2e-2 if single else 2e-5) * (1 + abs(slope)):
                    if slopes.largest() > HUGE['single' if single else 'double']:
                        return Verdict('vague', 'values on the way are too large for differences')
                    return Verdict('gradient', f'argument {number}, leaf {leaf}, {index}: {got} instead of {slope}')
    return Verdict('right' if trusted else 'vague')


def _is_the_caller_s(part: np.ndarray, args: tuple) -> bool:
    """Whether a result can be written, and shows no memory of an argument."""
    given = (leaf for leaf in optree.tree_leaves(args) if isinstance(leaf, np.ndarray))
    return part.flags.writeable and not any(np.shares_memory(part, leaf) for leaf in given)


def _is_as_near(value: Any, expected: Any, better: Any, most: float) -> bool:
    """Whether a value is as near to a better one as the primal's is, which is so far from it at most, relative to 1 or itself."""
    if better is None:
        return False
    drift = apart(expected, better)
    size = max((float(np.max(np.abs(leaf), initial=1.0)) for leaf in optree.tree_leaves(expected)), default=1.0)
    return drift <= most * size and apart(value, better) <= 2 * drift


def _rounded(program: Program) -> Iterator[Any]:
    """What it gives with every float of its arguments and globals a rounding larger, smaller, and 30 times by chance."""
    chance = np.random.default_rng(0)
    for share in (1.0, 0.0, *[0.5] * 30):
        moved = partial(_moved, chance, share)
        yield with_globals(program, moved)(*moved(program.args))


def _moved(chance: np.random.Generator, share: float, tree: Any) -> Any:
    """A copy of a pytree with that share of its floats a rounding larger, and the others smaller."""
    def one(leaf: Any) -> Any:
        larger = chance.random(np.shape(leaf)) < share
        return np.where(larger, np.nextafter(leaf, np.inf), np.nextafter(leaf, -np.inf))[()] if is_float(leaf) else leaf
    return optree.tree_map(one, copied(tree))


def apart(actual: Any, expected: Any) -> float:
    """The largest difference of two results, infinite if they are not of one structure."""
    pairs = list(zip(optree.tree_leaves(actual), optree.tree_leaves(expected)))
    if optree.tree_structure(actual) != optree.tree_structure(expected) or any(np.shape(a) != np.shape(b) for a, b in pairs):
        return np.inf
    return max((float(np.max(np.abs(np.subtract(a, b, dtype=complex)), initial=0.0)) for a, b in pairs), default=0.0)


def _forward(program: Program, original: Callable, expected: Any, gradients: Any, verdict: Verdict) -> Verdict:
    """The tangent along a direction, which must be that of the gradient; `verdict` is what was found so far."""
    numbers = (program.argnums,) if isinstance(program.argnums, int) else program.argnums
    directions = [direction(program.args[number]) for number in numbers]
    leaves = [np.asarray(leaf, float) for leaf in optree.tree_leaves(gradients)]
    steps = [np.asarray(leaf, float) for leaf in optree.tree_leaves(directions)]
    terms = [np.sum(np.abs(leaf * step)) for leaf, step in zip(leaves, steps, strict=True)]
    if not np.isfinite(terms).all():
        return verdict
    forward, args = tp.jvp(original, argnums=numbers, has_aux=program.has_aux), copied(program.args)
    try:
        value, dot, *aux = forward(*args, **dict(zip(forward.added, directions)))
    except tp.TranspileError as error:
        return Verdict('refused', f'forward: {error}')
    except Exception as error:
        return Verdict(f'forward crash {type(error).__name__}', repr(error))
    single = any(getattr(leaf, 'dtype', None) == np.float32 for leaf in optree.tree_leaves(program.args))
    if not close(args, program.args, 0.0):
        return Verdict('forward mutated', 'the arguments were changed')
    if not close((value, *aux), expected if program.has_aux else (expected,), 1e-3 if single else 1e-9):
        return Verdict('forward value', f'{value} instead of {expected}')
    slope = sum(np.sum(leaf * step) for leaf, step in zip(leaves, steps, strict=True))
    error, allowed = abs((0.0 if dot is None else dot) - slope), (2e-3 if single else 1e-8) * (1 + sum(terms))
    if not error <= allowed:
        slopes = Slopes(lambda *a: value_of(program, repeatable(original)(*a)), program.args)
        if slopes.largest() > HUGE['single' if single else 'double']:
            return Verdict('vague', 'values on the way are so large that rounding is all that a slope shows')
        if not error <= allowed + ROUNDING['single' if single else 'double'] * slopes.largest():
            return Verdict('tangent', f'{dot} instead of {slope}')
    return verdict


def close(actual: Any, expected: Any, tolerance: float) -> bool:
    if optree.tree_structure(actual) != optree.tree_structure(expected):
        return False
    return all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
        for a, b in zip(optree.tree_leaves(actual), optree.tree_leaves(expected))
    )
