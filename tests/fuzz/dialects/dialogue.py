"""Dialogues: a program that is called several times, what its module changes in between, and how its derivatives are judged."""

from __future__ import annotations

import copy
import io
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.dialects.peaks import peak
from tests.fuzz.oracle import BACKEND, Verdict
from tests.support import direction

STEPS = (1e-5, 1e-6)
LARGE = 1e6  # differences of larger values are made of rounding
REORDERED = ('np.sum', 'np.dot', ' @ ')  # whose order NumPy leaves open


@dataclass(frozen=True)
class Dialogue:
    """The text of a module whose last function is meant, and the arguments of one call after another.

    A function `change(k)` of the module is called before call `k`, from the second one on; `bits`: what is compiled must give
    what Python gives to the last bit; argnums: by which arguments it is differentiated, none where it is not
    """

    text: str
    calls: tuple[tuple[Any, ...], ...]
    argnums: tuple[int, ...] = (0,)
    bits: bool = False

    def with_text(self, text: str) -> 'Dialogue':
        return replace(self, text=text)


@dataclass(frozen=True)
class Outcome:
    """What a call gave or raised, and what it printed."""

    value: Any
    error: Exception | None
    printed: str


def outcome(function: Callable, args: tuple) -> Outcome:
    printed = io.StringIO()
    with redirect_stdout(printed):
        try:
            value, error = function(*copy.deepcopy(args)), None
        except Exception as raised:
            value, error = None, raised
    return Outcome(value, error, printed.getvalue())


Judge = Callable[['Dialogue', Callable, bool], Iterator[Verdict]]


def judge_dialogue(dialogue: Dialogue, compiled: bool = False, ask: Judge | None = None) -> Verdict:
    """Put all questions of `ask` at each call; what is wrong counts before what is refused, and that before what is right."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        function = tp.from_source(dialogue.text)
        refused = None
        for verdict in (ask or questions)(dialogue, function, compiled):
            if not verdict.fine:
                return verdict
            refused = verdict if verdict.kind == 'refused' else refused
        return refused or Verdict('right')


def calls(dialogue: Dialogue, function: Callable) -> Iterator[tuple]:
    """The arguments of each call, once the module has been changed for it."""
    change = function.__globals__.get('change')
    for number, args in enumerate(dialogue.calls):
        if number and change is not None:
            change(number)
        yield args


def questions(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Is the value Python's, the derivative that of differences, are both modes of one mind, is what it prints printed once."""
    wrap = tp.jit if compiled else lambda transformed: transformed
    derivative = tp.value_and_grad(function, argnums=dialogue.argnums) if dialogue.argnums else None
    whole = wrap(derivative) if derivative else None
    value = tp.jit(function) if compiled else None
    forward = tp.jvp(function, argnums=dialogue.argnums) if derivative and not compiled else None
    for args in calls(dialogue, function):
        expected = outcome(function, args)
        if value is not None:
            yield compared(dialogue, args, expected, outcome(value, args))
        if whole is None or expected.error is None and not is_smooth(expected.value):
            continue
        got = outcome(whole, args)
        first = replace(got, value=None if got.error else got.value[0])
        verdict = compared(dialogue, args, expected, first)
        if verdict.kind == 'silent' and not is_stated(expected.error):
            verdict = Verdict('vague', 'a derivative does not read what it does not need')
        yield verdict
        if verdict.kind != 'right' or got.error or expected.error:
            continue
        if dialogue.bits:
            yield from same_bits(dialogue, derivative, args, got) if compiled else ()
            continue
        yield against_differences(dialogue, function, args, got.value[1])
        if forward is not None:
            yield against_tangent(dialogue, forward, args, got.value[1], expected)


def same_bits(dialogue: Dialogue, derivative: Callable, args: tuple, got: Outcome) -> Iterator[Verdict]:
    """Whether a compiled derivative gives what its source gives in Python, where NumPy leaves no order open in it."""
    plain = outcome(derivative, args)
    if not any(word in derivative.source for word in REORDERED):
        yield compared(dialogue, args, plain, got)


def is_stated(error: Exception) -> bool:
    """Whether the program says so itself: what else raises does so where something is computed, if it is."""
    return str(traceback.extract_tb(error.__traceback__)[-1].line).startswith(('raise', 'assert'))


def is_out_of_range(error: Exception) -> bool:
    """Whether a float is too large, which Python says of powers and of what `math` has, and of nothing else.

    >>> is_out_of_range(outcome(lambda x: x ** 2, (1e200,)).error), is_out_of_range(outcome(float, (10**400,)).error)
    (True, False)
    """
    return isinstance(error, OverflowError) and str(error).endswith(("'Numerical result out of range')", 'math range error'))


def is_smooth(value: Any) -> bool:
    """Whether it is a real number."""
    kind = np.asarray(value).dtype.kind if isinstance(value, (float, np.floating, np.ndarray)) else 'O'
    return kind == 'f' and not np.shape(value)


def compared(dialogue: Dialogue, args: tuple, expected: Outcome, got: Outcome) -> Verdict:
    """Whether a call came out as Python's; where Python's integers leave 64 bits on the way, it may raise OverflowError."""
    if isinstance(got.error, tp.TranspileError):
        return Verdict('uncompiled' if BACKEND in str(got.error) else 'refused', str(got.error))
    if isinstance(got.error, OverflowError) and peak(dialogue.text, args) >= 2**63:
        return Verdict('refused', f'beyond 64 bits: {got.error}')
    if expected.error is not None:
        if got.error is None and is_out_of_range(expected.error):
            return Verdict('vague', 'powers of floats and functions of `math` are those of NumPy, which are infinite')
        if got.error is None:
            return Verdict('silent', f'Python raises {expected.error!r}; gave {got.value}')
        alike = isinstance(got.error, type(expected.error)) or isinstance(expected.error, type(got.error))
        return Verdict('right' if alike else 'error', f'{got.error!r} instead of {expected.error!r}')
    if got.error is not None:
        return Verdict(f'crash {type(got.error).__name__}', repr(got.error))
    if got.printed != expected.printed:
        return Verdict('printed', f'{got.printed!r} instead of {expected.printed!r}')
    agree = identical if dialogue.bits else near
    if agree(got.value, expected.value):
        return Verdict('right')
    return Verdict('value', f'{got.value!r} instead of {expected.value!r} at {args!r}')


def identical(got: Any, expected: Any) -> bool:
    """The same structure, shapes and bits; NaN is NaN, whatever its sign."""
    return _alike(got, expected, lambda a, b: np.array_equal(a, b, equal_nan=a.dtype.kind in 'fc') and _signs(a, b))


def near(got: Any, expected: Any) -> bool:
    """The same structure and shapes; integers are equal and of one kind, floats are near."""
    return _alike(got, expected, _are_near)


def _are_near(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype.kind in 'iubO' and b.dtype.kind in 'iubO':
        return np.array_equal(a, b)
    return np.allclose(a.astype(complex), b.astype(complex), rtol=1e-9, atol=1e-9, equal_nan=True)


def _alike(got: Any, expected: Any, agree: Callable[[np.ndarray, np.ndarray], bool]) -> bool:
    leaves, wanted = optree.tree_leaves(got, none_is_leaf=True), optree.tree_leaves(expected, none_is_leaf=True)
    if optree.tree_structure(got, none_is_leaf=True) != optree.tree_structure(expected, none_is_leaf=True):
        return False
    same = lambda a, b: np.shape(a) == np.shape(b) and _integers(a) == _integers(b) and agree(np.asarray(a), np.asarray(b))
    return all(a is b or same(a, b) for a, b in zip(leaves, wanted))


def _integers(value: Any) -> Any:
    """Of which kind integers are, Python's or of a dtype: the caller's sums wrap around, or do not. None for all else.

    >>> _integers(3), _integers(np.int8(3)), _integers(np.ones(2)), _integers(True)
    (<class 'int'>, dtype('int8'), None, None)
    """
    dtype = getattr(value, 'dtype', None)
    return int if type(value) is int else dtype if dtype is not None and dtype.kind in 'iu' else None


def _signs(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether zeros have the same signs, in real and imaginary parts."""
    if a.dtype.kind not in 'fc':
        return True
    parts = [(a.real, b.real), (a.imag, b.imag)] if a.dtype.kind == 'c' else [(a, b)]
    return all(np.array_equal(np.signbit(x)[~np.isnan(x)], np.signbit(y)[~np.isnan(y)]) for x, y in parts)


def along(dialogue: Dialogue, args: tuple) -> list[Any]:
    return [direction(args[number]) for number in dialogue.argnums]


def moved(dialogue: Dialogue, args: tuple, steps: list[Any], size: float) -> tuple:
    """The arguments, each that is differentiated moved along its direction."""
    shift = lambda leaf, step: leaf if step is None else leaf + size * step
    arguments = list(copy.deepcopy(args))
    for number, step in zip(dialogue.argnums, steps, strict=True):
        leaves, structure = optree.tree_flatten(arguments[number], none_is_leaf=True)
        arguments[number] = structure.unflatten(map(shift, leaves, optree.tree_leaves(step, none_is_leaf=True)))
    return tuple(arguments)


def slope(dialogue: Dialogue, function: Callable, args: tuple) -> float | None:
    """The derivative along the direction by central differences; None at kinks, and where steps do not agree."""
    steps, found = along(dialogue, args), []
    middle = outcome(function, args).value
    if not abs(middle) < LARGE:
        return None
    for size in STEPS:
        ahead, behind = (outcome(function, moved(dialogue, args, steps, sign * size)) for sign in (1, -1))
        if ahead.error or behind.error:
            return None
        found.append((float(ahead.value - behind.value) / (2 * size), float(ahead.value + behind.value - 2 * middle) / size))
    (wide, bend), (narrow, small_bend) = found
    trusted = abs(wide - narrow) < 1e-4 * (1 + abs(narrow)) and abs(small_bend) < max(0.3 * abs(bend), 1e-4 * (1 + abs(narrow)))
    return narrow if trusted else None


def product(gradients: Any, steps: list[Any]) -> float:
    """What a gradient gives along a direction."""
    pairs = zip(optree.tree_leaves(gradients, none_is_leaf=True), optree.tree_leaves(steps, none_is_leaf=True), strict=True)
    return float(sum(np.sum(np.asarray(g) * np.asarray(s)) for g, s in pairs if g is not None and s is not None))


def against_differences(dialogue: Dialogue, function: Callable, args: tuple, gradients: Any) -> Verdict:
    wanted = slope(dialogue, function, args)
    if wanted is None:
        return Verdict('vague')
    got = product(gradients, along(dialogue, args))
    if abs(got - wanted) <= 2e-4 * (1 + abs(wanted)):
        return Verdict('right')
    return Verdict('gradient', f'{got} instead of {wanted} along a direction at {args!r}')


def against_tangent(dialogue: Dialogue, forward: Callable, args: tuple, gradients: Any, expected: Outcome) -> Verdict:
    steps = along(dialogue, args)
    got = in_direction(forward, steps, args)
    first = replace(got, value=None if got.error else got.value[0])
    verdict = compared(dialogue, args, expected, first)
    if verdict.kind != 'right':
        return replace(verdict, kind=verdict.kind if verdict.fine else f'forward {verdict.kind}')
    wanted = product(gradients, steps)
    tangent = tangent_of(got)
    error = abs(tangent - wanted)
    if error <= 1e-7 * (1 + abs(wanted)) or np.isnan(tangent) and np.isnan(wanted):
        return Verdict('right')
    if error <= 4 * drift(forward, steps, args, tangent):
        return Verdict('vague', 'terms on the way are so large that rounding is all that is left of the tangent')
    return Verdict('tangent', f'{tangent} instead of {wanted} at {args!r}')


def in_direction(forward: Callable, steps: list[Any], args: tuple) -> Outcome:
    return outcome(lambda *given: forward(*given, **dict(zip(forward.added, steps, strict=True))), args)


def tangent_of(got: Outcome) -> float:
    return 0.0 if got.value[1] is None else float(got.value[1])


def drift(forward: Callable, steps: list[Any], args: tuple, tangent: float) -> float:
    """How much rounding moves a tangent: it is linear in the direction, so what a longer one gives differs by nothing else."""
    longer = lambda by: optree.tree_map(lambda step: None if step is None else by * step, steps, none_is_leaf=True)
    factors = (1 + k / 7 for k in range(1, 9))
    return max(abs(tangent_of(in_direction(forward, longer(by), args)) / by - tangent) for by in factors)
