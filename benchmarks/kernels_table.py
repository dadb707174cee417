"""What the derivative of every kernel costs: `python -m benchmarks.kernels_table [--fastmath] [names]`.

Times are CPU time of the best of several rounds in which primal, gradient and plain `numba.njit` take turns, each on fresh
copies of the arguments. `ratio` is gradient over primal, both under `tp.jit`; `njit` is the user's function compiled by Numba
as it stands over `tp.jit` of it, where Numba can; both round operation by operation, with `--fastmath` neither does. The tape
is the peak of memory that the compiled gradient allocates, less that of the compiled primal, less the result and less the copy
of arguments that the primal writes into: what is saved, and cotangents of intermediate arrays. Compile times go from the call
to the first result, generation and Numba, without any cache.
"""
from __future__ import annotations

import functools
import gc
import math
import multiprocessing
import os
import sys
import tempfile
import time
import tracemalloc
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numba
import numpy as np
import optree

import transpiler as tp
from benchmarks.kernels import KERNELS
from benchmarks.kernels.record import Kernel

ROUNDS, BUDGET, PATIENCE = 15, 1.0, 300.0       # rounds at most, seconds for them, seconds for a kernel with its compilation
WIDTHS = 10, 10, 7, 7, 10, 16, 18, 15


@dataclass(frozen=True)
class Row:
    """One kernel's figures; seconds, bytes and ratios."""

    primal: float
    gradient: float
    ratio: float
    njit: float
    tape: float
    compile_primal: float
    compile_gradient: float
    compile_ratio: float


def copied(args: tuple) -> tuple:
    return optree.tree_map(lambda leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, args)


def nbytes(tree: Any) -> int:
    return sum(np.asarray(leaf).nbytes for leaf in optree.tree_leaves(tree) if isinstance(leaf, np.ndarray))


def seconds(function: Callable, args: tuple) -> float:
    args = copied(args)
    start = time.process_time()
    function(*args)
    return time.process_time() - start


def best(functions: list[Callable | None], args: tuple) -> list[float]:
    """The best time of each function, called in turns; NaN for none."""
    found = [math.inf if function else math.nan for function in functions]
    end = time.perf_counter() + BUDGET
    for turn in range(ROUNDS):
        for k, function in enumerate(functions):
            if function:
                found[k] = min(found[k], seconds(function, args))
        if turn > 1 and time.perf_counter() > end:
            break
    return found


def peak(function: Callable, args: tuple) -> int:
    """The most memory that arrays made by a call take at any time; Numba allocates where tracemalloc sees it."""
    args = copied(args)
    gc.collect()
    tracemalloc.start()
    try:
        function(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def tape(primal: Callable, gradient: Callable, args: tuple) -> int:
    written = copied(args)
    primal(*written)
    pairs = zip(optree.tree_leaves(args), optree.tree_leaves(written))
    changed = sum(nbytes(new) for old, new in pairs if not np.array_equal(old, new))
    return max(peak(gradient, args) - peak(primal, args) - nbytes(gradient(*copied(args))) - changed, 0)


def plain(function: Callable, args: tuple, fastmath: bool) -> Callable | None:
    """The function and its helpers compiled by Numba as they are written, or none if Numba cannot."""
    names, compiled = dict(function.__globals__), numba.njit(fastmath={'contract', 'reassoc'} if fastmath else False)
    for name, value in function.__globals__.items():
        if isinstance(value, types.FunctionType):
            names[name] = compiled(types.FunctionType(value.__code__, names, name, value.__defaults__))
    try:
        names[function.__name__](*copied(args))
    except Exception:       # whatever Numba says, it is no
        return None
    return names[function.__name__]


def measure(kernel: Kernel, fastmath: bool = False) -> Row:
    primal, gradient = (
        tp.jit(f, fastmath=fastmath) for f in (kernel.function, tp.grad(kernel.function, argnums=kernel.argnums)))
    small, large = kernel.at(kernel.small), kernel.at(kernel.large)
    compile_primal, compile_gradient = seconds(primal, small), seconds(gradient, small)
    primal_time, gradient_time, plain_time = best([primal, gradient, plain(kernel.function, small, fastmath)], large)
    return Row(primal_time, gradient_time, gradient_time / primal_time, plain_time / primal_time, tape(primal, gradient, large),
               compile_primal, compile_gradient, compile_gradient / compile_primal)


def answer(name: str, measured: Callable[[Kernel], Any], pipe: Any) -> None:
    warnings.simplefilter('ignore')
    np.seterr(all='ignore')
    try:
        pipe.send(measured(KERNELS[name]))
    except Exception as error:
        pipe.send(f'{type(error).__name__}: {str(error).splitlines()[0]}')


def row(name: str, measured: Callable[[Kernel], Any] = measure) -> Any:
    """Measured in a process of its own, forked when Numba is warm; a message if there is no answer."""
    context = multiprocessing.get_context('fork')
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=answer, args=(name, measured, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(PATIENCE) else f'no answer within {PATIENCE:.0f} s'
    except EOFError:
        return 'the process died'
    finally:
        process.kill()
        process.join()


def size(count: float) -> str:
    """A number of bytes for people.

    >>> size(20_480.0)
    '20 KiB'
    """
    power = min(max(int(math.log(count / 10 + 1, 1024)), 0), 3)
    return f'{count / 1024 ** power:.0f} {("B", "KiB", "MiB", "GiB")[power]}'


def cells(row: Row) -> list[str]:
    return [f'{1e3 * row.primal:.2f} ms', f'{1e3 * row.gradient:.2f} ms', f'{row.ratio:.2f}', f'{row.njit:.2f}', size(row.tape),
            f'{row.compile_primal:.2f} s', f'{row.compile_gradient:.2f} s', f'{row.compile_ratio:.2f}']


def warm_up() -> None:
    """Let Numba load what it loads once in a process."""
    def warm(x, steps):
        for i in range(steps):
            x[1:] += np.sin(x[:-1]) * i
        return np.sum(x)
    tp.jit(tp.grad(warm))(np.ones(3), 2)


def show(name: str, texts: list[str]) -> None:
    print(f'{name:24}', *(f'{text:>{width}}' for text, width in zip(texts, WIDTHS)), flush=True)


def main(arguments: list[str]) -> None:
    names = [name for name in arguments if not name.startswith('--')]
    warm_up()
    show('kernel', [field.name.replace('_', ' ') for field in fields(Row)])
    rows = []
    for name in names or KERNELS:
        found = row(name, functools.partial(measure, fastmath='--fastmath' in arguments))
        if isinstance(found, Row):
            rows.append(found)
        show(name, cells(found) if isinstance(found, Row) else [found])
    for label, summary in (('median', np.nanmedian), ('maximum', np.nanmax)):
        show(label, cells(Row(*(float(summary([getattr(r, field.name) for r in rows])) for field in fields(Row)))))


if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as cache:
        os.environ['TRANSPILER_CACHE_DIR'] = cache
        main(sys.argv[1:])
