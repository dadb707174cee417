"""Places: items and slices at places that each call tells anew: within an array, counted from its end, and far beyond it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import numpy as np

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, Outcome, calls, near, outcome
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import BACKEND, Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (3, 's += $number'), (2, 'y[$at] = $number'), (2, 'y[$at] += $number'), (2, 'y[$part] += $number'),
        (1, 'y[$part] = $number'), (1, 'y[$part] *= 0.5'), (1, 'b[$at, $at] = $number'), (1, 'b[$at] += $number'),
        (1, 'for j in range(max($at, -9), min($at, 9)):\n    s += $number * y[j]'),
        (1, 'for j in range(max(i, -9), min(k, 9)):\n    y[j] += s * 0.1'),
        (1, 'if $number > 0.2:\n    $statement'), (0.7, 'y = y[$part] * 1.0'), (0.7, 'for v in y[$part]:\n    s += v * v'),
        (2, 'v = $view\n$statement\nv *= 0.5\ns += np.sum(v)'), (1, 'v = $view\n$statement\ns += np.sum(v)'),
        (0.7, 'y[x > 0.3] += $number'), (0.7, 'while i < k and i > -9:\n    s += y[i]\n    i += 1'),
    ],
    'number': [
        (3, 'x[$at]'), (2, 'y[$at]'), (1, 'np.sum(x[$part])'), (1, 'np.sum(y[$part])'), (1, 'b[$at, $at]'),
        (0.7, 'np.sum(b[$at])'), (0.7, 'np.sum(b[$part, $at])'), (0.5, 's'), (0.5, '0.5'), (0.5, 'np.take(x, $at)'),
        (0.5, 'np.sum(x[[$at, 0]])'),
    ],
    'view': ['b[$at, $part]', 'b[$at, :]', 'b[$at]', 'b[$part, $at]', 'b[:, $at]', 'b[$at, None]', 'b[$at, 0, None]', 'y[$part]'],
    'at': ['i', 'k', 'i', 'k', 'i + 1', 'k - 1', '-i', '-1', '0', 'k - i', '2 * i', 'i % 3'],
    'part': ['i:', ':k', 'i:k', 'i:i + 2', 'k - 1:k + 1', '::2', '-k:', 'i + 1:', '1:', ':-1', 'i::2'],
})
HEAD = 'import numpy as np\n\ndef program(x, i, k):\n    y, b, s = x * 1.0, np.outer(x, x), 0.0\n'
FAR = (20, -20, 40, -40)


def generate(seed: int) -> Dialogue:
    """Half of them are short, and go by one place alone: there most of what is to be checked can be ruled out."""
    chance = Random(seed)
    short = chance.random() < 0.5
    text = body([*GRAMMAR.block(chance, *((1, 2, 1) if short else (2, 4, 3))), 'return s + np.sum(y * y) + np.sum(b)'])
    text = re.sub(r'\bk\b', 'i', text) if short else text
    return Dialogue(HEAD + text, tuple(_arguments(chance, call > 3) for call in range(7)))


def _arguments(chance: Random, wild: bool) -> tuple:
    """Behind the array stands memory that is nobody else's, so that what is read there by mistake ends no process."""
    size = chance.randint(1, 4)
    whole = np.concatenate([np.full(64, np.nan), uniform(chance, size), np.full(64, np.nan)])
    place = lambda: chance.choice(FAR) if wild and chance.random() < 0.5 else chance.randint(-size, size - (not wild))
    return whole[64:-64][:size], place(), place()


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Each call gives what Python gives, or raises what Python raises: what is compiled, or else the derivative."""
    run = tp.jit(function, parallel=False) if compiled else tp.value_and_grad(function)
    for args in calls(dialogue, function):
        got = outcome(run, args)
        value = got.value if compiled or got.error else got.value[0]
        yield _compared(outcome(function, args), replace(got, value=value))
        if not compiled:
            yield _in_a_batch(function, *args)


def _in_a_batch(function: Callable, x: np.ndarray, i: int, k: int) -> Verdict:
    """Two examples, each with places of its own, against one after the other."""
    examples = [(x, i, k), (x[::-1].copy(), k, i)]
    rows = [outcome(function, example) for example in examples]
    got = outcome(tp.vmap(function), tuple(map(np.stack, zip(*examples, strict=True))))
    failed = next((row for row in rows if row.error), None)
    return _compared(failed or Outcome(np.array([row.value for row in rows]), None, ''), got)


def _compared(wanted: Outcome, got: Outcome) -> Verdict:
    if isinstance(got.error, tp.TranspileError):
        return Verdict('uncompiled' if BACKEND in str(got.error) else 'refused', str(got.error))
    if wanted.error and got.error is None:
        return Verdict('silent', f'{wanted.error!r} expected; gave {got.value}')
    if wanted.error or got.error:
        return Verdict('right' if type(got.error) is type(wanted.error) else 'error', f'{got.error!r} instead of {wanted}')
    return Verdict('right' if near(got.value, wanted.value) else 'value', f'{got.value} instead of {wanted.value}')
