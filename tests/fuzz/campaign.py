"""A long run from the command line: `python -m tests.fuzz.campaign --first 0 --count 1000`; failures are shrunk and printed."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import re
import shutil
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from tests.fuzz.batches import judge_batch
from tests.fuzz.dialects import DIALECTS, Dialect
from tests.fuzz.halves import judge_halves
from tests.fuzz.oracle import Verdict, judge
from tests.fuzz.programs import Program, generate
from tests.fuzz.shrink import shrink
from tests.fuzz.twice import judge_drawn, judge_twice
from transpiler.backends.cache import VARIABLE
from transpiler_kernels.interrupts import loops
from transpiler_kernels.threads.pool import pool

Judge = Callable[[Program, bool], Verdict]
PATIENCE = 200  # seconds of it for making a program small
PER_PROCESS = 500  # programs: compiled ones stay in memory, 5 MB each
LIMIT = 20  # seconds of processor time for one program; one that is shrunk may never end


class Slow(BaseException):
    """A program took too long; nothing on the way may mistake it for an error of the program."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """So much processor time; the collector waits, since it goes through what thousands of programs have left in caches."""

    def interrupt(number, frame):
        raise Slow(f'more than {seconds} s')

    before = signal.signal(signal.SIGPROF, interrupt)
    collects = gc.isenabled()
    gc.disable()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
        if collects:
            gc.enable()


def judged(program: Program, compiled: bool, seconds: float = LIMIT, judge: Judge = judge) -> Verdict:
    began = time.process_time()
    try:
        with limited(seconds):
            verdict = judge(program, compiled)
    except Slow as error:
        return Verdict('slow', str(error))
    late = time.process_time() - began > seconds  # interrupted in a call from C, which ignores errors, and fails
    failed = verdict.kind.startswith(('crash', 'uncompiled'))
    return Verdict('slow', f'then {verdict.kind}: {verdict.detail}') if late and failed else verdict


def summary(detail: str) -> str:
    """The first line of a refusal without the place and the names."""
    message = re.sub(r'^(\w+: )?(<[^>]*>:[0-9:]+: )?', r'\1', detail.splitlines()[0])
    return ''.join(part if k % 2 == 0 else '_' for k, part in enumerate(message.split('`')))


def report(seed: int, program: Program, verdict: Verdict, compiled: bool, judge: Judge) -> None:
    until = time.process_time() + PATIENCE
    fails = lambda p: time.process_time() < until and _fails_alike(p, verdict, compiled, judge)
    small = program if verdict.kind == 'slow' else shrink(program, fails)
    print(f'--- seed {seed}: {verdict.kind}; {judged(small, compiled, judge=judge).detail}', flush=True)
    rest = {name: value for name, value in vars(small).items() if name != 'text'}
    print(f'{small.text}# {rest}\n', flush=True)


def _fails_alike(program: Program, verdict: Verdict, compiled: bool, judge: Judge) -> bool:
    try:
        return judged(program, compiled, LIMIT if compiled else 3, judge).kind == verdict.kind
    except Exception:
        return False


def verdicts(options: argparse.Namespace) -> Iterator[tuple[int, Verdict]]:
    """Each seed with what came of it, in order; `options.jobs` processes share the seeds, and others the next ones."""
    all_seeds = range(options.first, options.first + options.count)
    for start in range(0, options.count, PER_PROCESS * options.jobs):
        seeds = all_seeds[start:start + PER_PROCESS * options.jobs]
        with ProcessPoolExecutor(options.jobs) as workers:
            yield from zip(seeds, workers.map(partial(_verdict, options), seeds, chunksize=20))


def _verdict(options: argparse.Namespace, seed: int) -> Verdict:
    return judged(_program(options, seed), options.jit, judge=_judge(options, seed))


def _dialect(options: argparse.Namespace, seed: int) -> Dialect | None:
    names = sorted(DIALECTS) if options.dialect == 'all' else [options.dialect]
    return DIALECTS[names[seed % len(names)]] if options.dialect else None


def _program(options: argparse.Namespace, seed: int) -> Any:
    dialect = _dialect(options, seed)
    return dialect.generate(seed) if dialect else generate(seed)


def _judge(options: argparse.Namespace, seed: int) -> Judge:
    dialect = _dialect(options, seed)
    if dialect:
        return dialect.judge
    if options.mixed:
        return (judge, judge_halves, judge_batch, partial(judge_drawn, seed))[seed % 4]
    return judge_batch if options.vmap else judge_halves if options.halves else judge_twice if options.second else judge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--first', type=int, default=0)
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--jit', action='store_true')
    parser.add_argument('--second', action='store_true', help='differentiate twice, in every way')
    parser.add_argument('--halves', action='store_true', help='pullbacks and linear functions, against gradients and tangents')
    parser.add_argument('--vmap', action='store_true', help='a batch of arguments, against a loop over examples')
    parser.add_argument('--mixed', action='store_true', help='first order and all of these in turn; two ways to each Hessian')
    parser.add_argument('--dialect', choices=[*sorted(DIALECTS), 'all'], help='one of the small grammars, or all in turn')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='processes')
    parser.add_argument('--shown', type=int, default=20, help='so many failures are shrunk and shown')
    options = parser.parse_args()
    gc.set_threshold(50_000, 20, 50)  # syntax trees are many small objects, and hardly any of them in cycles
    pool.set_grain(1)  # loops that may be shared among threads are, however short they are
    loops.SHARED = loops.CALL = loops.INNERMOST = 1    # and they look for signals, however short they are
    os.environ[VARIABLE] = private = tempfile.mkdtemp()     # which is no machine code for others
    atexit.register(shutil.rmtree, private, ignore_errors=True)
    kinds: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    examples: dict[str, int] = {}
    shown = 0
    for seed, verdict in verdicts(options):
        kinds[verdict.kind] += 1
        if verdict.kind == 'refused':
            reasons[summary(verdict.detail)] += 1
            examples.setdefault(summary(verdict.detail), seed)
        elif not verdict.fine:
            shown += 1
            if shown <= options.shown:
                report(seed, _program(options, seed), verdict, options.jit, _judge(options, seed))
            else:
                print(f'--- seed {seed}: {verdict.kind}: {verdict.detail}', flush=True)
        if (seed + 1 - options.first) % (100 if options.jit else 1000) == 0:
            print(f'{seed + 1 - options.first} programs: {dict(kinds)}', flush=True)
    print(dict(kinds))
    for reason, count in reasons.most_common():
        print(f'{count:6} {reason}; seed {examples[reason]}')


if __name__ == '__main__':
    main()
