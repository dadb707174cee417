"""Rotations: buffers that exchange names in loops and branches, views of them, generators that read what is written."""

from __future__ import annotations

from random import Random

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (4, '$move'), (3, '$write'), (2, 's = s + $number'), (2, 'for k in range($count):\n    $moves'),
        (1, 'if $number > 0.3:\n    $moves'), (1, 'for k in range($count):\n    $moves\n    $write'),
        (1, 'for v in ($number * $name[j] for j in range(3)):\n    $write\n    s = s + v * v'),
        (1, 'for v in $name:\n    $write\n    s = s + v'), (1, 'k = 0\nwhile k < $count:\n    $moves\n    k += 1'),
        (1, 'for v in zip($name, $name):\n    s += v[0] * v[1]\n    $write'),
        (0.7, 'd = {"a": $name, "b": $name}\nfor k in range($count):\n    d["a"] = d["b"]\n    $moves\nd["a"][0] = $number'),
    ],
    'moves': ['$move', '$move\n$move', '$move\n$move\n$move', '$move\n$write'],
    'move': [
        (4, '$name = $name'), (2, '$name, $name = $name, $name'), (1, '$name = $name[::-1]'), (1, '$name = $name.copy()'),
        (1, '$name = $name * 0.5'), (1, '$name = $name if $number > 0.2 else $name'),
             (0.7, 'p, q, r = q, r, p')],
    'write': [
        '$name[$place] = $number', '$name[$place] += $number', '$name *= 0.9', '$name[1:] = $name[:-1] * 0.5',
        '$name[$place] = np.sin($name[$place])'],
    'number': ['$name[$place]', 's * 0.1', '0.5', 'np.sum($name) * 0.2', '$name[$place] * $name[$place]', 'np.tanh(s)'],
    'name': ['p', 'q', 'r', 'a', 'x'],
    'place': ['0', '1', '2', '-1'],
    'count': [(3, 'n'), (1, '2'), (1, '3')],
})
HEAD = '''import numpy as np

def program(x, n):
    s, a, p, q, r = 0.0, x * 1.0, x * 2.0, x * 3.0, np.sin(x)
'''


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 3, 4, 5, 6)
    result = 'return np.tanh(s) + np.sum(p) * 0.3 + q[0] * r[1] + np.sum(a * x)'
    made = tuple((uniform(chance, 3), count) for count in chance.sample((0, 1, 2, 3, 5), 3))
    return Dialogue(HEAD + body([*lines, result]), made)
