"""Random programs over names of lists, which refer to one list, to several, to another one in the next turn or on one path."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

import transpiler as tp
from tests.fuzz.oracle import Verdict

HEAD = '''
def push(items, v):
    items.append(v)

def renamed(items, v, n):
    for k in range(n):
        items = [w * v for w in items] + [v]
    return items

def replaced(items, v):
    if v > 0.2:
        items = items + [v]
    items.append(1.0)
    return items

'''
X, ALONG = np.array([0.5, -0.4, 0.7]), np.array([0.3, -0.5, 0.8])
NUMBERS = ('x[0]', 'x[1] * k', 'x[2]', '0.5', 's * 0.1', '{n}[0]', 'sum({n})', '{n}[-1]', '1.0 * len({n})')
LISTS = (
    '[v * 0.5 + {e} * 0.1 for v in {n}]', '{n} + [{e}]', '[{e}] + {n}', '{n}[1:] + [{e}]', '{n}[::-1]',
    '[v + w for v, w in zip({n}, {m})] + [{e}]', '[{e}, {e}]', 'renamed({n}, {e} * 0.1, n)', 'replaced({n}, {e})',
    '[v for v in {n} if v > 0.1] + [{e}]', 'list({n})', 'sorted({n})',
)
STATEMENTS = (
    (30, '{n} = {l}'), (15, '{n} = {m}'), (10, '{n}.append({e} * 0.3)'), (5, '{n}, {m} = {m}, {n}'), (3, 'push({n}, {e} * 0.2)'),
    (3, '{n}[0] = {e} * 0.7'), (6, 's = s + {e}'), (3, 'h.append(sum({n}))'), (3, '{n} = {m} if {e} > 0.3 else {l}'),
    (2, 'pair = ({n}, {m}); {o} = pair[0]; s = s + sum(pair[1])'), (14, 'if {e} > {c}:'),
    (8, '{head}:'),
)
HEADS = ('for k in range(n)', 'for k in range(2)', 'for k in range(1, n + 1)', 'for q in {n}')
FIRST = ('list(x)', '[x[0]]', '[v * v for v in x]', '[x[1], x[2]]', 'list(x[:n])', 'a')


class Writer:
    """One program for each seed."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        self.names = 'abc'[: self.chance.choice((2, 3, 3))]

    def text(self) -> str:
        first = [f'{name} = {self.chance.choice(FIRST) if name != "a" else "list(x)"}' for name in self.names]
        head = self.chance.choice(('for k in range(n):', 'for k in range(n):', 'for k in range(3):'))
        loop = [head, *self.block(1), *self.block(1)]
        body = [*first, *self.statements((0, 1, 2), 1), *loop, *self.statements((0, 1, 2), 1)]
        result = ' + '.join(f'sum({name}) * {k}' for k, name in enumerate(self.names, 1))
        lines = ['s, k, h = 0.0, 1, []', *body, f'return s + sum(h) + {result}']
        return HEAD + '\n'.join(['def program(x, n):', *(f'    {line}' for line in lines)]) + '\n'

    def filled(self, form: str) -> str:
        """The form with names, numbers and lists for its letters."""
        while '{' in form:
            kinds = {**dict.fromkeys('nmo', self.names), 'e': NUMBERS, 'l': LISTS, 'c': ('0.0', '0.4'), 'head': HEADS}
            start, end = form.index('{'), form.index('}')
            form = form[:start] + self.chance.choice(kinds[form[start + 1 : end]]) + form[end + 1 :]
        return form

    def statements(self, counts: tuple[int, ...], depth: int) -> list[str]:
        return [line for _ in range(self.chance.choice(counts)) for line in self.statement(depth)]

    def block(self, depth: int) -> list[str]:
        return [f'    {line}' for line in self.statements((1, 2, 3), depth + 1)]

    def statement(self, depth: int) -> list[str]:
        forms = [(w, form) for w, form in STATEMENTS if depth < 4 or not form.endswith(':')]
        form = self.filled(self.chance.choices([form for _, form in forms], [w for w, _ in forms])[0])
        if not form.endswith(':'):
            return form.split('; ')
        otherwise = ['else:', *self.block(depth)] if form.startswith('if') and self.chance.random() < 0.4 else []
        return [form, *self.block(depth), *otherwise]


def judge(text: str) -> Verdict:
    """Values for some numbers of turns, and a slope, against Python's; what a program over lists without end gives is vague."""
    space: dict[str, Any] = {}
    exec(text, space)
    generated = tp.value_and_grad(tp.from_source(text))
    for n in (2, 3, 0, 1):
        try:
            wanted = space['program'](X, n)
        except IndexError:
            return Verdict('vague')
        try:
            value, gradient = generated(X, n)
        except tp.TranspileError as error:
            return Verdict('refused', str(error))
        if not np.isclose(value, wanted, rtol=1e-9):
            return Verdict('value', f'{value} instead of {wanted} for n = {n}')
        slopes = [_slope(space['program'], n, step) for step in (1e-6, 1e-7)]
        if np.isclose(*slopes, rtol=1e-4) and not np.isclose(gradient @ ALONG, slopes[0], rtol=1e-4, atol=1e-6):
            return Verdict('gradient', f'{gradient @ ALONG} instead of {slopes[0]} for n = {n}')
    return Verdict('right')


def _slope(f: Callable, n: int, step: float) -> float:
    return (f(X + step * ALONG, n) - f(X - step * ALONG, n)) / (2 * step)
