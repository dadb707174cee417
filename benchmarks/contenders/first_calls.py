"""What first calls cost, beside JAX: `python -m benchmarks.contenders.first_calls [names]`.

One process after the other calls every row once: two with nothing kept anywhere, and two that find what these have kept (JAX in
its own cache of compiled programs). Imports do not count, nor what a library loads for its very first call.
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
Calls = Mapping[tuple[str, bool], Seconds]      # by who is called, and whether a process before has kept what it compiled


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


def in_new_process(who: str, names: Iterable[str], kept: str) -> Seconds:
    """The same in a process of its own, which looks in the directory `kept` first, and keeps there what it compiles."""
    places = {'TRANSPILER_CACHE_DIR': kept, 'JAX_COMPILATION_CACHE_DIR': kept, 'JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS': '0'}
    command = [sys.executable, '-m', 'benchmarks.contenders.first_calls', '--here', who, *names]
    done = subprocess.run(command, env=os.environ | places, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def measure(names: Iterable[str]) -> Calls:
    with tempfile.TemporaryDirectory() as mine, tempfile.TemporaryDirectory() as theirs:
        kept = dict(zip(WHO, (mine, theirs), strict=True))
        return {(who, again): in_new_process(who, names, kept[who]) for again in (False, True) for who in WHO}


def rows(calls: Calls) -> dict[str, tuple[float, ...]]:
    """By row: our seconds with nothing kept, JAX's over them, ours in a second process, JAX's over them; with its cache, too."""
    (cold, warm), (plain, kept) = ([calls[who, again] for again in (False, True)] for who in WHO)
    return {name: (cold[name], plain[name] / cold[name], warm[name], plain[name] / warm[name], kept[name] / warm[name])
            for name in cold}


def main(arguments: list[str]) -> None:
    match arguments:
        case ['--here', who, *names]:
            print(json.dumps(first_calls(who, names)))
        case names:
            found = rows(measure(names or list(ROWS)))
            means = (math.exp(statistics.fmean(map(math.log, column))) for column in zip(*found.values(), strict=True))
            print(f'{"":24}', *(f'{title:>10}' for title in ('ours, s', 'JAX', 'second, s', 'JAX', 'JAX, kept')))
            for name, figures in (*found.items(), ('geometric mean', means)):
                print(f'{name:24}', *(f'{figure:10.3g}' for figure in figures))


if __name__ == '__main__':
    main(sys.argv[1:])
