"""Judging a random program cut in two: its pullback and its linear function, each called twice, against gradient and tangent."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.oracle import Verdict, close, repeatable
from tests.fuzz.programs import Program
from tests.support import copied, direction


def judge_halves(program: Program, compiled: bool = False) -> Verdict:
    """Compare what the second halves give with what the whole gives; that has judges of its own."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        original, args = tp.from_source(program.text), program.args
        numbers = tuple(k for k, arg in enumerate(args) if any(map(_is_float, optree.tree_leaves(arg))))
        along = tuple(direction(arg) if k in numbers else None for k, arg in enumerate(args))
        with_aux = {'has_aux': program.has_aux}
        seed = lambda out: np.ones((), np.asarray(out).dtype)[()] if _is_float(out) else None

        def gradient() -> Any:
            return tp.grad(original, argnums=numbers, **with_aux)(*copied(args))

        def pulled() -> Any:
            out, pullback = tp.vjp(original, *copied(args), **with_aux)[:2]
            return [[found[k] for k in numbers] for found in _twice(pullback, seed(out))]

        def tangent() -> Any:
            return tp.jvp(original, copied(args), along, **with_aux)[1]

        def pushed() -> Any:
            return _twice(tp.linearize(original, *copied(args), **with_aux)[1], *along)

        for whole, halves in ((gradient, pulled), (tangent, pushed)):
            verdict = _compared(original, whole, halves, args, program.has_aux and whole is gradient)
            if verdict.kind != 'right':
                return verdict
        return verdict


def _is_float(leaf: Any) -> bool:
    return np.asarray(leaf).dtype.kind == 'f'


def _twice(function: Callable, *args: Any) -> list[Any]:
    """Nothing that was handed over changes."""
    return [copied(function(*copied(args))) for _ in range(2)]


def _compared(original: Callable, whole: Callable, halves: Callable, args: tuple, has_aux: bool) -> Verdict:
    try:
        expected = repeatable(original, whole)()
    except Exception as error:
        return Verdict('refused' if isinstance(error, tp.TranspileError) else 'vague', str(error))
    try:
        found = repeatable(original, halves)()
    except tp.TranspileError as error:
        return Verdict('refused', f'{halves.__name__}: {error}')
    except Exception as error:
        return Verdict(f'{halves.__name__} crash {type(error).__name__}', repr(error))
    wanted = [np.asarray(leaf, float) for leaf in optree.tree_leaves(expected[0] if has_aux else expected)]
    if not all(np.isfinite(leaf).all() for leaf in wanted):
        return Verdict('vague', 'not finite')
    single = any(getattr(leaf, 'dtype', None) == np.float32 for leaf in optree.tree_leaves(args))
    scale = max((float(np.max(np.abs(leaf), initial=0.0)) for leaf in wanted), default=0.0)
    wanted = [leaf / (1.0 + scale) for leaf in wanted]
    for turn in found:
        got = [np.asarray(leaf, float) / (1.0 + scale) for leaf in optree.tree_leaves(turn)]
        if not close(got, wanted, 1e-3 if single else 1e-9):
            return Verdict(f'{halves.__name__} differs', f'{turn} instead of {expected}')
    return Verdict('right')
