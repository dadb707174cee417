"""Ranks: arrays that get another rank in loops, tests that ask for it, functions that call themselves with one; ranges."""

from __future__ import annotations

from random import Random

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (3, 'for i in range($count):\n    $step'),
        (2, 'for i in range($count):\n    if $test:\n        $step\n        continue\n    $step'),
        (2, 'for i in range($count):\n    if $test:\n        $step\n    else:\n        $step'),
        (1, 'for i in range($count):\n    $step\n    if $late:\n        break\n    $step'),
        (1, 'k = 0\nwhile k < $count:\n    i = k\n    k += 1\n    $step'), (1, 'for i in reversed(range($count)):\n    $step'),
        (1, 'for i in range($count):\n    if y.ndim == 1:\n        y = $grown\n        continue\n    y = y[:, :1] * 0.5'),
        (1, 'for i in range($count):\n    if y.ndim > 1:\n        y = $shrunk\n        continue\n    y = $grown'),
        (1, 'y = again(y, $count)'), (1, 's = s + $number'), (1, 'y = np.ravel(y)[:3]'),
        (2, 's = s + np.sum(np.arange($end, $end, $by) * $number)'), (1, 's = s + np.sum(np.arange($end))'),
    ],
    'step': [(4, 'y = $any'), (1, 'y = $any if $test else $any'), (1, 's = s + $number'), (1, 'y, z = z, $any'), (1, 'z = $any')],
    'any': [(2, '$grown'), (2, '$shrunk'), '$kept'],
    'grown': ['y[None] * 2.0', 'y[..., None]', 'np.stack([y, y * 0.5])', 'np.expand_dims(y, 0)', 'np.reshape(y, (1, -1))',
              'z[None]', 'np.outer(y, x)'],
    'shrunk': ['(y[0] if y.ndim > 1 else y)', 'np.reshape(y, -1)', '(y.sum(0) if y.ndim > 1 else y * 2.0)', 'np.ravel(y)[:3]',
               'np.max(y, axis=-1, keepdims=True)'],
    'kept': ['y * 0.5', 'np.tanh(y)', 'y + s * 0.1', 'y[::-1]'],
    'test': [(2, 'i % 2 == 0'), 'i == 1', (2, 'y.ndim == 1'), 'y.ndim > 2', 'y.ndim == 1 and i < 2', 'i % 3', 'np.ndim(y) < 3',
             's > 0.5'],
    'late': ['i == 2', 'y.ndim > 3', 'np.sum(y) > 9.0', 'i + 1 == n'],
    'number': ['np.sum(y)', 'np.mean(y ** 2)', 'np.sum(z) * 0.1', '0.5', 'x[0]', 'y.ndim * 0.1', 'np.tanh(s)', 'y.size * 0.01'],
    'count': [(4, 'n'), (1, '2'), (1, '3'), (1, 'n + 1')],
    'end': ['0.0', '1.0', 'v', 'v', '3', 'x.size', '-v', '2.5'],
    'by': ['1.0', '0.25', 'v', '-0.5', '1', '2'],
})
HEAD = '''import numpy as np

def again(y, k):
    if k == 0:
        return y
    return again(y[None] * 2.0 if k % 2 else y[0] if y.ndim > 1 else y, k - 1)

def program(x, n, v):
    s, y, z = 0.0, x * 1.0, x * 2.0
'''
ENDS = (0.5, 2.0, 0.3, float('nan'), float('inf'), float('-inf'), 1e300, 0.0)


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 3, 4, 5)
    lines.append('return np.tanh(s) + np.sum(y) * 0.3 + np.sum(z * z) * 0.1')
    counts, ends = chance.sample((0, 1, 2, 3, 4), 2), chance.sample(ENDS, 2)
    made = tuple((uniform(chance, 3), count, end) for count, end in zip(counts, ends, strict=True))
    return Dialogue(HEAD + body(lines), made)
