"""Rounding: arithmetic that cancels, overflows and vanishes, in numbers and arrays from 1e-200 to 1e200, judged bit for bit."""

from __future__ import annotations

import ast
from random import Random

import numpy as np

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (4, '$name = $number'), (2, '$name $op= $number'), (2, '$array = $items'), (2, '$array[$place] = $number'),
        (1, '$array[$place] $op= $number'), (1, '$array $op= $items'), (1, 'for $name in $items:\n    $step'),
        (2, 'for i in range(v.size):\n    $step'), (1, 'if $number $than $number:\n    $step\nelse:\n    $step'),
        (1, 'for i in range(v.size):\n    w[i] = $number'), (1, 'for i in range($count):\n    $array = $items'),
        (1, 'for i in range($count):\n    for j in range(v.size):\n        $array[j] = $element'),
        (1, 'k = 0\nwhile k < $count and $number $than $number:\n    $step\n    k += 1'),
    ],
    'step': [(3, '$name = $number'), (2, '$name $op= $number'), (1, '$name = $name * $number $op $number'),
             (1, '$name = $number\n$step'), (1, '$array[$place] $op= $number')],
    'number': [
        (4, '$name'), (2, '$array[$place]'), (1, '$constant'), (4, '($number $op $number)'),
        (2, '($number * $number - $number * $number)'),
        (1, '($number * $number + $number)'), (1, '-$number'), (1, 'abs($number)'), (1, 'math.sqrt(abs($number))'),
        (0.5, '$number ** 2'),
        (0.7, '($name * $name - $name * $name)'), (0.5, '($number if $number $than $number else $number)'),
        (0.5, 'min($number, $number)'),
        (0.4, '($number + $number - $number)'), (0.4, '($number * $constant * $constant)'), (0.3, '($number / $constant)'),
    ],
    'items': [
        (3, '$array'), (3, '($items $op $items)'), (1, '($number $op $items)'), (1, '($items * $items - $items * $items)'),
        (1, '-$items'),
        (0.7, 'np.sqrt(np.abs($items))'), (0.5, 'np.square($items)'), (0.5, '$items ** 2'),
        (0.5, 'np.maximum($items, $number)'),
        (0.7, 'np.where($items $than $items, $items, $items)'), (0.4, '$array[::-1]'), (0.3, '($items / $constant)'),
    ],
    'element': [(3, '$array[j]'), (2, '$name'), '$constant', (6, '($element $op $element)'), '-$element'],
    'name': ['a', 'b', 'c', 's', 't'],
    'array': ['v', 'w'],
    'place': [(2, '0'), (1, '-1')],
    'count': ['2', '5'],
    'op': [(3, '+'), (4, '-'), (4, '*'), (1, '/')],
    'than': ['<', '>', '<=', '=='],
    'constant': ['0.1', '3.0', '4', '2', '1e200', '1e-200', '0.3', '1.0', '1e16', '-7.0'],
})
HEAD = '''import math
import numpy as np

def program(a, b, c, v, w):
    s, t, v, w, i = 0.0, 1.0, v * 1.0, w * 1.0, 0
'''
SIZES = (1, 2, 3, 4, 9, 40)
HUGE = 1.5e308


def generate(seed: int) -> Dialogue:
    """Numbers that occur twice and differ by roundings make what cancels likely."""
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 3, 4, 5, 6)
    while adds_up('\n'.join(lines)):
        lines = GRAMMAR.block(chance, 3, 4, 5, 6)
    result = GRAMMAR.text('number', chance, depth=2)
    whole = chance.random() < 0.5
    parts = f'{result} * 1.0, a * 1.0, s * 1.0, t * 1.0, w'
    lines.append(f'return {parts}' if whole else f'return {result} + a + s - t + w[0] * v[-1]')
    size = chance.choice(SIZES)
    made = tuple(_arguments(chance, size) for _ in range(2))
    return Dialogue(HEAD + body(lines), made, argnums=() if whole else (0, 1, 3), bits=True)


def adds_up(text: str) -> bool:
    """Whether some loop does nothing but add up terms, whose order is open then.

    >>> adds_up('for a in v:\\n    s = (s + a) - b'), adds_up('for a in v:\\n    s = s * a')
    (True, False)
    """
    loops = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.For, ast.While))]
    return any(all(map(_adds, loop.body)) for loop in loops)


def _adds(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AugAssign):
        return isinstance(statement.op, (ast.Add, ast.Sub)) and isinstance(statement.target, (ast.Name, ast.Subscript))
    if not isinstance(statement, ast.Assign):
        return False
    value, name = statement.value, ast.unparse(statement.targets[0])
    while isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
        if name in (ast.unparse(value.left), ast.unparse(value.right)):
            return True
        value = value.left
    return False


def _arguments(chance: Random, size: int) -> tuple:
    scale = chance.choice((0, 0, 1, 8, 100, 200))
    few = [chance.uniform(-1, 1) * 10.0 ** chance.uniform(-scale, scale) for _ in range(3)]
    few += [few[0] * (1 + 2.0**-52), 0.0, *[HUGE, -HUGE] * (scale > 100)]
    number = lambda: chance.choice((*few, chance.uniform(-2, 2)))
    return (*(number() for _ in range(3)), *(np.array([number() for _ in range(size)]) for _ in range(2)))
