"""Writes what is generated for many programs into files, to be compared with what another version generates.

`python -m tests.generated_texts FOLDER` before a change that is to change no text, once more after it with another folder,
then `diff -r` of the two. Programs are those of the fuzzers, of the compositions, and the targets; refusals are texts too.
"""

from __future__ import annotations

import argparse
import os
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import transpiler as tp
from tests import targets, test_targets
from tests.composition.functions import CASES
from tests.fuzz.dialects import DIALECTS
from tests.fuzz.programs import generate
from tests.support import copied

Made = tuple[Callable[..., Any], tuple, tuple[int, ...], bool]  # a function, its arguments, those to differentiate by, has_aux


def programs(count: int) -> dict[str, Callable[[], Made]]:
    """How to make each program, by its name: so many of each grammar, and all others."""
    found: dict[str, Callable[[], Made]] = {}
    found |= {f'target_{name}': partial(_target, name) for name in test_targets.CASES}
    found |= {f'composed_{k}': partial(_composed, k) for k in range(len(CASES))}
    found |= {f'fuzzed_{seed}': partial(_fuzzed, seed) for seed in range(count)}
    return found | {f'{name}_{seed}': partial(_dialogue, name, seed) for name in DIALECTS for seed in range(count // 10)}


def _target(name: str) -> Made:
    return getattr(targets, name), test_targets.CASES[name], (0,), False


def _composed(k: int) -> Made:
    return CASES[k].function, (CASES[k].point,), (0,), False


def _fuzzed(seed: int) -> Made:
    program = generate(seed)
    argnums = program.argnums if isinstance(program.argnums, tuple) else (program.argnums,)
    return tp.from_source(program.text), program.args, argnums, program.has_aux


def _dialogue(name: str, seed: int) -> Made:
    dialogue = DIALECTS[name].generate(seed)
    return tp.from_source(dialogue.text), dialogue.calls[0], dialogue.argnums or (0,), False


def texts(function: Callable, args: tuple, argnums: tuple[int, ...], has_aux: bool) -> Iterator[tuple[str, str]]:
    """What is generated of one function, in each way."""
    batch = tuple(np.stack([np.asarray(a)] * 2) if isinstance(a, (float, np.ndarray)) else a for a in args)
    axes = tuple(0 if isinstance(a, (float, np.ndarray)) else None for a in args)
    keywords = {'argnums': argnums, 'has_aux': has_aux}
    ways: dict[str, tuple[Callable[[], Any], tuple]] = {
        'primal': (lambda: tp.jit(function), args),
        'gradient': (lambda: tp.value_and_grad(function, **keywords), args),
        'tangent': (lambda: tp.jvp(function, **keywords), (*args, *(args[k] for k in argnums))),
        'batch': (lambda: tp.vmap(function, in_axes=axes), batch),
        'hessian': (lambda: tp.hessian(function, argnums=argnums[0], has_aux=has_aux), args),
    }
    for way, (make, given) in ways.items():
        for part in ('source', 'loops'):
            if part == 'source' and way == 'primal' or part == 'loops' and way == 'hessian':
                continue
            yield f'{way} {part}', _text(lambda make=make, given=given, part=part: getattr(make().lower(*copied(given)), part))


def _text(make: Callable[[], str]) -> str:
    try:
        return make()
    except Exception as error:
        return f'{type(error).__name__}: {error}'


def write(folder: Path, count: int, name: str) -> None:
    """The texts of one program into a file; what counts up in a process is left out."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        parts = [f'# {title}\n{text}\n' for title, text in texts(*programs(count)[name]())]
    whole = re.sub(r'<transpiler source \d+>', '<source>', '\n'.join(parts))
    (folder / f'{name}.txt').write_text(whole)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=Path)
    parser.add_argument('--count', type=int, default=200, help='programs of the large grammar; of each small one a tenth')
    parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='processes')
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(options.jobs) as workers:
        for _ in workers.map(partial(write, options.folder, options.count), programs(options.count), chunksize=10):
            pass


if __name__ == '__main__':
    main()
