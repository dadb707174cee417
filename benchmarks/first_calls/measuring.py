"""What first calls take, each in a process of its own."""
from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import optree

import transpiler as tp
from benchmarks.first_calls import PROGRAMS
from benchmarks.first_calls.record import Program, derivative, lines, lines_of
from transpiler.backends.timing import timing
from transpiler.stages import NUMBA, STAGES

Figures = Mapping[str, float]       # by what is measured
HAS_JAX = importlib.util.find_spec('jax') is not None


def one_more(x):
    return x + 1.0


def timed(call: Callable[[], Any]) -> tuple[Any, Figures]:
    """What a call gives, and the seconds that it takes: of the processors, and of a clock."""
    cpu, wall = time.process_time(), time.perf_counter()
    result = call()
    return result, {'cpu': time.process_time() - cpu, 'wall': time.perf_counter() - wall}


def checksum(result: Any) -> float:
    """A number that two who have calculated the same agree about."""
    return float(sum(np.abs(np.asarray(leaf)).sum() for leaf in optree.tree_leaves(result)))


def compiled(program: Program) -> Figures:
    """The first call of the compiled derivative."""
    tp.jit(one_more)(np.ones(3))
    args, function = program.given(), tp.jit(derivative(program))
    with timing() as clock:
        result, seconds = timed(lambda: function(*args))
    stages = {stage: clock.seconds(stage) for stage in STAGES}
    return {**seconds, **stages, 'other': seconds['cpu'] - sum(stages.values()), 'functions': clock.times(NUMBA),
            'checksum': checksum(result), 'loops': lines_of(function.lower(*program.given()).loops)}


def plain(program: Program) -> Figures:
    """The derivative as plain Python, and what it gives."""
    args, function = program.given(), derivative(program)
    tp.grad(one_more).lower(1.0)
    text, seconds = timed(lambda: function.lower(*args).source)
    return {'lines': lines(program), 'plain': seconds['cpu'], 'gradient': lines_of(text), 'checksum': checksum(function(*args))}


def by_jax(program: Program) -> Figures:
    """The first call in JAX; nothing if the program is not written for it."""
    jax, theirs = importlib.import_module('jax'), importlib.import_module('benchmarks.first_calls.in_jax')
    args = program.given()
    function = theirs.derivative(program, args)
    if function is None:
        return {}
    jax.jit(one_more)(np.ones(3)).block_until_ready()
    result, seconds = timed(lambda: jax.block_until_ready(function(*args)))
    return {**seconds, 'checksum': checksum(result)}


WAYS: dict[str, Callable[[Program], Figures]] = {'compiled': compiled, 'plain': plain, 'jax': by_jax}


def in_new_process(way: str, name: str, kept: str) -> Figures | str:
    """The figures of a process of its own, which keeps what it compiles in this directory; why there are none."""
    places = {'TRANSPILER_CACHE_DIR': f'{kept}/programs', 'NUMBA_CACHE_DIR': f'{kept}/kernels',
              'JAX_COMPILATION_CACHE_DIR': f'{kept}/jax', 'JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS': '0'}
    command = [sys.executable, '-W', 'ignore', '-m', 'benchmarks.first_calls', '--here', way, name]
    done = subprocess.run(command, env=os.environ | places, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def here(way: str, name: str) -> str:
    """The figures of this process, as another one reads them."""
    return json.dumps(WAYS[way](PROGRAMS[name]))


def measure(name: str, jax: bool, second: bool) -> dict[str, Figures | str]:
    """All figures of a program: with nothing kept, perhaps with what that has kept, and perhaps JAX's."""
    with tempfile.TemporaryDirectory() as kept:
        found = {'plain': in_new_process('plain', name, f'{kept}/plain'), 'first': in_new_process('compiled', name, kept)}
        if second:
            found['second'] = in_new_process('compiled', name, kept)
        if jax and HAS_JAX:
            found['jax'] = in_new_process('jax', name, kept)
            if second and found['jax']:
                found['second jax'] = in_new_process('jax', name, kept)
    return found
