"""All contenders on one row: they take turns, so that a machine whose speed drifts hits all of them."""
from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import optree

import transpiler as tp
from benchmarks.contenders import in_numba
from benchmarks.contenders.ours import ROWS, Row

ROUNDS, SAMPLE, PATIENCE = 7, 0.05, 20.0        # rounds, seconds that one sample takes, seconds for all samples of a contender
MODULES = {'JAX': 'in_jax', 'PyTorch': 'in_torch'}
TOLERANCE = 2e-3                                # of the largest item: in single precision long loops and sums go apart


@dataclass(frozen=True)
class Contender:
    """Who takes part: its calls by the name of the row, what it makes of arguments, and how to wait for a result.

    jit: how it compiles other functions
    """

    name: str
    calls: Mapping[str, Callable[..., Any]]
    given: Callable[[tuple], tuple] = lambda args: args
    finished: Callable[[Any], Any] = lambda result: result
    jit: Callable[[Callable[..., Any]], Callable[..., Any]] = lambda function: function


def ours() -> Contender:
    return Contender('transpiler', {name: tp.jit(row.function) for name, row in ROWS.items()}, jit=tp.jit)


def library(name: str) -> Contender:
    """Another one, which has to be installed."""
    module = importlib.import_module(f'benchmarks.contenders.{MODULES[name]}')
    return Contender(name, module.CALLS, module.given, module.finished, module.jit)


def contenders() -> list[Contender]:
    """Ours first; libraries that are not installed are left out."""
    found = [
        ours(),
        Contender('NumPy', {name: row.function for name, row in ROWS.items()}),
        Contender('Numba', in_numba.CALLS, jit=in_numba.serial),
    ]
    for name in MODULES:
        with suppress(ModuleNotFoundError):
            found.append(library(name))
    return found


def leaves(result: Any) -> list[np.ndarray]:
    return [np.asarray(leaf) for leaf in optree.tree_leaves(result)]


def disagreement(ours: Any, theirs: Any) -> str | None:
    """What is different about two results, or None."""
    pairs = list(zip(leaves(ours), leaves(theirs), strict=True))
    for a, b in pairs:
        if a.shape != b.shape or a.dtype != b.dtype and a.ndim:     # Numba gives numbers as Python's
            return f'{a.dtype}{list(a.shape)} and {b.dtype}{list(b.shape)}'
        distance = np.max(np.abs(a - b), initial=0.0)
        if not distance <= TOLERANCE * max(np.max(np.abs(b), initial=0.0), 1e-30):
            return f'results differ by {distance:.1e}'
    return None


def seconds(call: Callable[[], Any], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def plain_copy(args: tuple, result: Any) -> Callable[[], Any]:
    """A copy that reads and writes, in all, as many bytes as the arguments and the result have."""
    size = sum(leaf.nbytes for leaf in leaves(args) + leaves(result)) // 2
    source, target = np.ones(size, np.uint8), np.ones(size, np.uint8)
    return lambda: np.copyto(target, source)


def measure(name: str, row: Row, taking_part: list[Contender]) -> dict[str, float | str]:
    """The median time of every contender in seconds, or why there is none."""
    args, found, calls = row.at(row.large), {}, {}
    first = None
    for one in (c for c in taking_part if name in c.calls):
        call = lambda one=one, given=one.given(args): one.finished(one.calls[name](*given))
        try:
            result = call()
        except Exception as error:
            found[one.name] = f'{type(error).__name__}: {str(error).splitlines()[0]}'
            continue
        first = result if first is None else first
        wrong = disagreement(first, result)
        if wrong:
            found[one.name] = wrong
        else:
            calls[one.name] = call
    if row.memory_bound:
        calls['copy'] = plain_copy(args, first)
    once = {who: min(seconds(call, 1) for _ in range(2)) for who, call in calls.items()}
    counts = {who: max(1, min(5000, int(SAMPLE / max(once[who], 1e-7)))) for who in calls}
    samples: dict[str, list[float]] = {who: [] for who in calls}
    for turn in range(ROUNDS):
        for who, call in calls.items():
            if turn == 0 or turn * once[who] * counts[who] < PATIENCE:
                samples[who].append(seconds(call, counts[who]))
    return found | {who: statistics.median(times) for who, times in samples.items()}
