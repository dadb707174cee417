"""Judging a random program on a batch of arguments: `vmap` of it, and of its gradient, against a loop over examples."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.oracle import Verdict, repeatable
from tests.fuzz.programs import Program
from tests.support import copied

COUNT = 3
FACTORS = (1.0, -0.7, 0.4)


def examples(program: Program) -> tuple[tuple, tuple[int | None, ...]]:
    """The arguments, all but integers as a batch, and which axis of each is that of the examples."""
    chosen = [k for k, arg in enumerate(program.args) if not isinstance(arg, int)]
    batch = lambda leaf: np.stack([np.asarray(leaf * np.asarray(factor, np.asarray(leaf).dtype)) for factor in FACTORS])
    args = tuple(optree.tree_map(batch, arg) if k in chosen else arg for k, arg in enumerate(program.args))
    return args, tuple(0 if k in chosen else None for k in range(len(args)))


def judge_batch(program: Program, compiled: bool = False) -> Verdict:
    """Compare values, and gradients, of all examples at once with those of one after the other."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        original = tp.from_source(program.text)
        args, axes = examples(program)
        gradient = tp.grad(original, argnums=program.argnums, has_aux=program.has_aux)
        verdict = Verdict('vague')
        for what, function in (('value', original), ('gradient', gradient)):
            verdict = _judged(what, repeatable_of(original, function), tp.vmap(function, in_axes=axes), args, axes, compiled)
            if verdict.kind not in ('right', 'vague'):
                return verdict
        return verdict


def repeatable_of(original: Callable, function: Callable) -> Callable:
    if function is original:
        return repeatable(original)
    return lambda *args: copied(function(*args))


def _judged(what: str, function: Callable, batched: Callable, args: tuple, axes: tuple, compiled: bool) -> Verdict:
    rows, failure = [], None
    try:
        for b in range(COUNT):
            rows.append(function(*copied(tuple(_row(a, b) if k == 0 else a for a, k in zip(args, axes)))))
    except tp.TranspileError as error:
        return Verdict('refused', str(error))
    except Exception as error:
        failure = error
    try:
        found = (tp.jit(batched) if compiled else batched)(*copied(args))
    except tp.TranspileError as error:
        return Verdict('refused', str(error))
    except Exception as error:
        return Verdict('right') if failure is not None else Verdict(f'crash {type(error).__name__} of {what}', repr(error))
    if failure is not None:
        return Verdict('silent', f'an example raises {failure!r}')
    leaves = [optree.tree_leaves(row) for row in rows]
    wanted = [np.stack(parts) for parts in zip(*leaves)]
    if optree.tree_structure(found) != optree.tree_structure(rows[0]):
        return Verdict(f'structure of {what}', f'{found}')
    for got, want in zip(optree.tree_leaves(found), wanted, strict=True):
        if got.shape != want.shape or got.dtype != want.dtype:
            return Verdict(f'type of {what}', f'{got.dtype}{got.shape} instead of {want.dtype}{want.shape}')
        if not np.all(np.isfinite(want)) or np.max(np.abs(want), initial=0.0) > 1e8:
            return Verdict('vague')
        tolerance = 2e-3 if want.dtype == np.float32 or _single(args) else 1e-8
        if not np.allclose(got, want, rtol=tolerance, atol=tolerance):
            return Verdict(f'{what} of a batch', f'{got} instead of {want}')
    return Verdict('right')


def _single(args: Any) -> bool:
    return any(getattr(leaf, 'dtype', None) == np.float32 for leaf in optree.tree_leaves(args))


def _row(tree: Any, place: int) -> Any:
    return optree.tree_map(lambda leaf: leaf[place], tree)
