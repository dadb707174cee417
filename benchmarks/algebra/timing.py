"""Our gradients beside JAX's and PyTorch's: all take turns, and the best call of each counts."""
from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import transpiler as tp
from benchmarks.algebra.rows import SYMMETRIC, TRANSFORMS

TURNS, CALLS = 6, 5     # a turn is some calls in a row: the threads of the library before keep a core busy for a while
TOLERANCE = 1e-6        # of the largest item
OTHERS = {'JAX': 'in_jax', 'PyTorch': 'in_torch'}


def best(calls: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The best time of each in seconds; they take turns."""
    found = dict.fromkeys(calls, float('inf'))
    for _ in range(TURNS):
        for who, call in calls.items():
            for _ in range(CALLS):
                start = time.perf_counter()
                call()
                found[who] = min(found[who], time.perf_counter() - start)
    return found


def distance(function: Callable[..., Any], ours: np.ndarray, theirs: np.ndarray) -> float:
    """How far two gradients are apart, in units of the largest item."""
    if function in SYMMETRIC:
        ours, theirs = (g + np.swapaxes(g, -1, -2) for g in (ours, theirs))
    return float(np.max(np.abs(theirs - ours)) / np.max(np.abs(ours)))


def row(function: Callable[..., Any], args: tuple[np.ndarray, ...]) -> dict[str, float]:
    """Seconds of our gradient, of others' that agree with it, and of SciPy's transforms."""
    gradients = {'ours': tp.jit(tp.grad(function))}
    for who, module in OTHERS.items():
        try:
            library = importlib.import_module(f'benchmarks.algebra.{module}')
        except ModuleNotFoundError:
            continue
        gradients[who] = library.gradient(function)
    calls = {}
    for who, gradient in gradients.items():
        difference = distance(function, gradients['ours'](*args), np.asarray(gradient(*args)))
        if not difference < TOLERANCE:
            raise AssertionError(f'{function.__name__}: the gradient of {who} is another by {difference:.1e}')
        calls[who] = lambda gradient=gradient: gradient(*args)
    if function in TRANSFORMS:
        calls['SciPy'] = lambda: TRANSFORMS[function](*args)
    return best(calls)
