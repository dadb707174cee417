"""Forms: `match` with names beside tests of run time, in nested patterns, alternatives, guards and loops."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (3, 'match $pair:\n    $pairs'), (2, 'match n:\n    $numbers'), (1, 'match $pair, v:\n    $nested'),
        (1, 'match [n, $real, n, v]:\n    $lists'), (2, 'for i in range(4):\n    match i, s:\n        $turns'),
        (1, 's = s + $real'), (0.5, 'n = (n + 1) % 5'), (0.5, 'if $test:\n    $statement')],
    'pair': ['(n, $real)', '(n, s)', '[n, x[1]]', '(n % 3, $real)'],
    'pairs': ['$pair_arm', (3, '$pair_arm\n$pairs'), 'case _:\n    $step'],
    'pair_arm': ['case $two:\n    $step', 'case $two if $test:\n    $step', 'case $two as p:\n    s = s + p[1] * p[0]'],
    'two': [
        '(k, v)', '($number, v)', '($number as k, v)', '(($number | $number) as k, w)', '($number, 0.5 as v)',
        '(($number, v) | (0, v))', '(k, 0.0)', '(($number as k, w) | (k, w))', '[$number, *r]', '(k, _)', '[*_, v]'],
    'nested': [
        'case (($number as k, v), w):\n    $step', 'case ((k, w), v) if $test:\n    $step', 'case ($two, _):\n    $step',
        'case (($number, v), w) | ((_, w), v):\n    $step', 'case ((_, 0.5), v) | (_, v):\n    $step', '$nested\n$nested'],
    'lists': [
        'case [$number, *r]:\n    s = s + r[0] * r[-1]', 'case [k, v, $number, w]:\n    $step',
        'case [*r, 0.5]:\n    s = s + r[1]', 'case [($number as k), *_, w]:\n    $step', '$lists\n$lists'],
    'numbers': ['$number_arm', (3, '$number_arm\n$numbers'), 'case k:\n    $step'],
    'number_arm': [
        'case $number as k:\n    $step', 'case $number | $number as k:\n    $step', 'case k if $test:\n    $step',
        'case $number | $number as k if $test:\n    $step', 'case $number:\n    $step'],
    'turns': ['$turn', (3, '$turn\n$turns')],
    'turn': ['$pair_arm', 'case $two if $test:\n    $step\n    continue', 'case $two:\n    $step\n    break'],
    'step': ['s = s + v * k', 's = s * 0.5 + w', 'v = w * v', 'pass', 's = s + $real * k', 'w = $real', '$statement'],
    'number': ['0', '1', '2', '3'],
    'real': ['s', 'v', 'w', 'x[0]', '(x[1] * v)', 'np.sin(x[0])', '(s * w)'],
    'test': ['$real > 0.3', 'k > 1', 'v < w', 'n > k'],
})
HEAD = 'import numpy as np\n\ndef program(x, n):\n    s, k, v, w = x[0] * 0.5, -1, x[1] * 1.0, x[0] * x[1]\n'


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = [*GRAMMAR.block(chance, 4, 5, 6), 'return s + 0.1 * v * k + 0.2 * w']
    made = tuple((np.array([chance.uniform(-1, 1) for _ in range(2)]), n) for n in (0, 1, 2, 4))
    return Dialogue(HEAD + body(lines), made)
