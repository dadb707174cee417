"""What first calls cost, beside JAX: `python -m benchmarks.contenders.first_calls [names]`.

One process after the other calls every row once: with nothing kept anywhere, as after an installation; with the machine code of
kernels that earlier programs have needed, but of no program; and with that of the same programs (JAX in its own cache of compiled
programs). Imports do not count, nor what a library loads, or compiles, for `x + 1`: that is called before.
"""
from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping

import numpy as np

from benchmarks.contenders.ours import ROWS
from benchmarks.contenders.timing import library, ours

WHO = 'transpiler', 'JAX'
Seconds = Mapping[str, float]       # by row
Calls = Mapping[tuple[str, str], Seconds]       # by who is called, and what processes before have kept
NOTHING, KERNELS, ALL = 'nothing', 'kernels', 'all'


def one_more(x):
    return x + 1.0


def first_calls(who: str, names: Iterable[str]) -> Seconds:
    """The seconds that the first call of each row takes in this process."""
    one, found = ours() if who == WHO[0] else library(who), {}
    one.finished(one.jit(one_more)(*one.given((np.ones(3),))))
    for name in names:
        args = one.given(ROWS[name].at(ROWS[name].large))
        start = time.perf_counter()
        one.finished(one.calls[name](*args))
        found[name] = time.perf_counter() - start
    return found


def in_new_process(who: str, names: Iterable[str], kept: str, kernels: str) -> Seconds:
    """The same in a process of its own, which looks in these directories first, and keeps there what it compiles."""
    places = {'TRANSPILER_CACHE_DIR': kept, 'NUMBA_CACHE_DIR': kernels,
              'JAX_COMPILATION_CACHE_DIR': kept, 'JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS': '0'}
    command = [sys.executable, '-m', 'benchmarks.contenders.first_calls', '--here', who, *names]
    done = subprocess.run(command, env=os.environ | places, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def measure(names: Iterable[str]) -> Calls:
    ours, jax = WHO
    with tempfile.TemporaryDirectory() as place:
        kernels, other, mine, theirs = (os.path.join(place, name) for name in ('kernels', 'other', 'mine', 'theirs'))
        return {
            (ours, NOTHING): in_new_process(ours, names, other, kernels),
            (jax, NOTHING): in_new_process(jax, names, theirs, kernels),
            (ours, KERNELS): in_new_process(ours, names, mine, kernels),
            (ours, ALL): in_new_process(ours, names, mine, kernels),
            (jax, ALL): in_new_process(jax, names, theirs, kernels),
        }


def rows(calls: Calls) -> dict[str, tuple[float, ...]]:
    """By row: our seconds, and JAX's over them, with nothing kept, with kernels, with all; there with JAX's own cache, too."""
    ours, jax = WHO
    nothing, kernels, everything = (calls[ours, kept] for kept in (NOTHING, KERNELS, ALL))
    plain, cached = calls[jax, NOTHING], calls[jax, ALL]
    return {name: (nothing[name], plain[name] / nothing[name], kernels[name], plain[name] / kernels[name],
                   everything[name], plain[name] / everything[name], cached[name] / everything[name]) for name in nothing}


def main(arguments: list[str]) -> None:
    match arguments:
        case ['--here', who, *names]:
            print(json.dumps(first_calls(who, names)))
        case names:
            found = rows(measure(names or list(ROWS)))
            means = (math.exp(statistics.fmean(map(math.log, column))) for column in zip(*found.values(), strict=True))
            titles = ('very first', 'JAX', 'first, s', 'JAX', 'second, s', 'JAX', 'JAX, kept')
            print(f'{"":24}', *(f'{title:>10}' for title in titles))
            for name, figures in (*found.items(), ('geometric mean', means)):
                print(f'{name:24}', *(f'{figure:10.3g}' for figure in figures))


if __name__ == '__main__':
    main(sys.argv[1:])
