"""Sizes: programs over vectors and matrices whose sizes are drawn from 1 to 4, so that they coincide by chance, and large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from tests.fuzz.dialects.dialogue import Dialogue, questions
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (2, 's = s + $number'), (1, 'u = $long'), (1, 'h = $ofn'), (1, 'g = $ofm'),
        (1, 'for row in a:\n    h = np.tanh($ofn * row[0])'),
        (1, 'for i in range($count):\n    h = $ofn\n    s += np.sum(h)'), (1, 'for row in a:\n    s += np.sum($ofn * row[0])'),
        (1, 'a = $matrix'),
        (1, 'h[1:] = h[:-1] * 0.5'), (1, 'h[:1] = $number'), (1, 'b = $square'), (1, 'if $number > 0.1:\n    h = $ofn'),
        (1, 'for row in w:\n    h = np.tanh(row @ np.concatenate([g, h]) + h)'),
    ],
    'ofn': [
        'h', '$ofn * $number', '($ofn + $ofn)', 'a @ g', 'np.sin($ofn)', 'w @ np.concatenate([g, h])', 'w[:, :m] @ g',
        'np.sum(a, axis=1)', 'a[:, 0]', '$ofn[::-1]', 'np.cumsum($ofn)',
            'np.diagonal(np.outer($ofn, h))', 'b @ $ofn', 'w @ np.hstack((h, g))', 'np.concatenate([h[:1], h[1:]])',
            'np.einsum("ij,j->i", a, g)', 'np.roll($ofn, 1)', 'np.resize($long, n)',
            'np.dot(b, $ofn)', 'a.reshape(-1)[:n]', 'np.max(a, axis=1)', '$long[:n]', '$long[m:]', '(h @ b)',
            'np.ravel(np.stack([h, h]))[:n]', 'np.maximum($ofn, h)', 'np.convolve(h, g)[:n]'],
    'ofm': [
        'g', 'h @ a', 'a.T @ h', 'np.mean(a, axis=0)', 'a[0]', 'np.cos($ofm)', '$ofm * $number',
        '(np.concatenate([h, g])[n:])', 'a[-1] + g', 'np.tile(g, 2)[m:]', 'w[0, :m]', 'np.repeat(g, 2)[::2]'],
    'long': [
        'np.concatenate([g, h])', 'np.hstack([g, h])', 'np.append(g, h)', 'np.r_[g, h]', 'w[0]', 'np.ones(n + m) * $number',
        'np.pad(h, (m, 0))', '$long * 0.5', 'h @ w', 'np.mean(w, axis=0)', 'u'],
    'matrix': [
        'a', 'np.outer(h, g)', 'a * $number', 'b @ a', '(a + g)', '(a * h[:, None])', 'np.sin(a)', 'w[:, :m]',
        'np.tile(h, (m, 1)).T', 'np.broadcast_to(g, (n, m)) * 1.0', 'np.stack([h] * m, axis=1)', 'a[::-1]',
        'np.reshape(np.outer(g, h), (n, m))', 'np.vstack([a, a])[:n]'],
    'square': [
        'b', 'a @ a.T', 'np.outer(h, h)', 'w @ w.T', 'np.eye(n) * $number', 'np.diag(h)', 'b.T',
        'np.kron(b, np.ones((1, 1)))'],
    'number': [
        's', 'h[0]', 'g[-1]', 'np.sum($ofn)', 'np.sum($ofm ** 2)', 'np.mean($long)', '0.5', 'np.tanh(s)', 'h @ h',
        '$long @ $long * 0.1', 'np.trace(b)', 'np.sum($matrix) * 0.1', 'np.sum(h[1:] * h[:-1])', '1.0 / n',
        'np.sum(w * np.concatenate([g, h]))', 'np.linalg.norm(h + 2.0)', 'np.sum(a[:, :1])',
               'np.sum(np.diff(u)) if u.size > 1 else 0.3', 'a.size * 0.1', 'np.max($long)'],
    'count': ['2', 'n', 'm', '1'],
})
HEAD = '''import numpy as np

def program(w, a, h, g):
    n, m = a.shape
    s, b, u, h = 0.0, np.eye(n) + 0.1, np.concatenate([g, h]), h * 1.0
'''


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 4, 5, 6)
    lines.append(f'return s + {GRAMMAR.text("number", chance, depth=3)} + np.sum(h) * 0.3')
    sizes = [(chance.randint(1, 4), chance.randint(1, 4)) for _ in range(3)]
    made = tuple(_arguments(chance, n, m) for n, m in (*sizes, (7, 5)))
    return Dialogue(HEAD + body(lines), made, argnums=(0, 1, 2, 3))


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """What any program is asked; compiled for two of the sizes, since each is a version of its own."""
    return questions(replace(dialogue, calls=dialogue.calls[:2]) if compiled else dialogue, function, compiled)


def _arguments(chance: Random, n: int, m: int) -> tuple:
    return uniform(chance, n, n + m), uniform(chance, n, m), uniform(chance, n), uniform(chance, m)
