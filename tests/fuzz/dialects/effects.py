"""Effects: printing with its keywords beside branches and loops, once and in order, in values, gradients and Jacobians."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, calls, compared, outcome, questions
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (3, 'print($shown$more)'), (2, 's = s + $number'), (1, 'u = $number if $test else $number'),
        (1, 'if $test:\n    $block'), (1, 'if $test:\n    $block\nelse:\n    $block'),
        (1, 'for k in range($count):\n    $block'), (1, 'y = y * $number'), (1, 'y[$place] = $number'),
        (0.5, 'assert s == s, f"never {s}"'), (0.5, 'm = 0\nwhile m < $count:\n    $calm\n    m += 1'),
        (0.5, 'for k in range($count):\n    if $test:\n        print($shown)\n        break\n    $block'),
        (0.7, '$items\ns = s * 0.5 + e[$place]'),
    ],
    'calm': [    # in which nothing else counts by the same name, or the loop might never end
        (3, 'print($shown$more)'), (2, 's = s + $number'), (1, 'u = $number if $test else $number'),
        (1, 'if $test:\n    $calm\n$calm'), (1, 'for k in range($count):\n    $calm')],
    'items': [
        'e = [(u := v * $number) * 0.5 for v in y]', 'e = [s := s * 0.5 + v for v in y if (u := v + u) < 9.0]\ne.append(u)',
        'e = [u * s for _ in range($count + 1) if [(u := u * 0.5 + v) for v in y]]',
        'e = {j: (u := u * y[j]) for j in (0, -1)}\ne = [e[0], u]',
    ],
    'shown': [
        '"start"', '"at", k', 'f"k={k}"', '"%d" % k', 'k, n', '"size {}".format(y.size)', '"n", n > 1', '[k, n]',
        '{"k": n}["k"]', '{"a": k, "b": n}.items()', '[{"a": k}.keys()], {"n": n}.values()', 'range(k, n), slice(0, n)',
        'Pair(k, [n])', '{"p": Pair(n, "t")}, f"{Pair(k, n)!r}"', 'Shown(n), [Shown(k)]', 'str(Shown(k)) + "!"',
        'f"{Shown(n)} {range(k)} {np.sin}"'],
    'more': [(4, ''), ', end=" "', ', sep="-"', ', sep="", end=";\\n"', ', flush=True', ', end=""'],
    'number': [
        's', 'u', 'x[0]', 'x[-1]', 'y[$place]', 'np.sin($number)', '($number * $number)', 'np.sum(y)', '0.5', 'np.sum(x * y)',
        'sum((u := v * 0.7) * 0.5 for v in y)'],
    'test': ['$number > 0.2', 'k % 2 == 0', 'n > 1', 'x[0] > x[-1]', 'np.sum(y) > s',
             'any((u := v) > 0.2 for v in y)', 'all((u := v * s) < 0.2 for v in y)'],
    'count': ['2', 'n', '1'],
    'place': ['0', '-1', 'k % 2'],
})
HEAD = '''import typing

import numpy as np


class Pair(typing.NamedTuple):
    first: object
    second: object


class Shown:
    def __init__(self, k):
        self.k = k

    def __str__(self):
        return f'shown {self.k}'

    def __repr__(self):
        return f'Shown({self.k})'


def program(x, n):
    s, u, y, k = 0.0, 0.3, x * 1.0, 0
'''


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = [*GRAMMAR.block(chance, 3, 4, 5), 'return s * 0.1 + u + np.sum(y * y)']
    made = tuple((np.array([chance.uniform(-1, 1) for _ in range(2)]), count) for count in (0, 1, 3))
    return Dialogue(HEAD + body(lines), made)


def ask(dialogue: Dialogue, function, compiled: bool) -> Iterator[Verdict]:
    """What Jacobians and Hessians print is what one call prints, too."""
    yield from questions(dialogue, function, compiled)
    if compiled:
        return
    whole = {name: getattr(tp, name)(function) for name in ('jacfwd', 'jacrev', 'hessian')}
    for args in calls(dialogue, function):
        expected = outcome(function, args)
        for name, derivative in whole.items():
            got = outcome(derivative, args)
            verdict = compared(dialogue, args, expected, replace(got, value=expected.value))
            yield verdict if verdict.fine else replace(verdict, kind=f'{name} {verdict.kind}')
