"""Ragged: lists of arrays of several lengths, lists of lists, None as a placeholder and among the items of lists, names that
are a number, an array and None in turn, generators, what is joined of them; such lists as results, of batches too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, Outcome, calls, compared, outcome, questions
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (2, 's = s + $number'), (2, 'u = $piece'), (2, 'p = $pieces'), (2, 'for c in range($count):\n    p.append($piece)'),
        (1, 'for c in range($count):\n    if $test:\n        p.append($piece)'),
        (1, 'for q in p:\n    s = s + np.sum(q * $weight)'),
        (1, 'for c, q in enumerate(p):\n    s += c * np.sum(q)'), (1, 'if $test:\n    best = $number'),
        (1, 's += 0.0 if best is None else best * 0.3'),
        (1, 'for c in range($count):\n    if best is None or $number > best:\n        best = $number'), (1, 'rows = $rows'),
        (1, 's += sum(sum(r) for r in rows)'), (1, 'rows.append([$number, $number])'), (1, 's += sum($generator)'),
        (1, 'x = x * $weight'),
        (1, 'held = [None] * ($count)\nfor c in range(len(held)):\n    held[c] = $number\ns += sum(held)'),
        (1, 'held = [None] * ($count)\nfor c in range(0, len(held), 2):\n    held[c] = $piece'),
        (1, 'held = [None] * ($count)\nfor c in range(len(held)):\n    if $test:\n        held[c] = $number, c'),
        (1, 'if n > 2:\n    s += $certain'), (1, 'p = p + [$piece]'),
        (1, 's += np.sum($joined * $weight)'), (1, 's += np.sum($joined ** 2)'),
        (1, 'for g in steps($count):\n    s += g * $weight'), (4, '$fill'), (4, '$ask'), (2, '$turn'),
    ],
    'fill': [
        'for c in range($count):\n    t.append(None if $test else $number)',
        't = [None if $test else $number for c in range($count)]',
        'for c in range($count):\n    if $test:\n        t.append(None)\n    else:\n        t.append($number)', 't.append(None)',
        't = t + [None]', 't.extend([$number, None])', 't.insert(0, None)', 'for c in range(0, len(t), 2):\n    t[c] = None',
        'for c in range($count):\n    t.append(best)\n    best = None if $test else $number'],
    'ask': [
        'for v in t[::-1]:\n    s = s * 0.5 + 0.1 if v is None else s + v * $weight',
        's += sum(v * $weight for v in t if v is not None)',
        's += t.count(None) * $weight', 's += $number if None in t else 0.1', 'if any(v is None for v in t):\n    s += $number',
        'while len(t) > 2:\n    v = t.pop()\n    s = s * 0.5 if v is None else s + v', 't = [v for v in t if v is not None]',
        'for v, w in zip(t, t[1:]):\n    if v is not None and w is not None:\n        s += v * w', 's += sum(t)',
        'if len(t) > 1 and t[0] is not None:\n    s += t[0] * $weight'],
    'turn': [
        'for k in range($count):\n    a, b, d = b, d, a', 's += sum(np.sum(v) * $weight for v in (a, b, d) if v is not None)',
        'for c in range($count):\n    h = $number if c == 0 else h * $weight\n    s += h',
        'for c in range($count):\n    if c == 1:\n        d = $piece\n    elif c > 1:\n        s += np.sum(d)'],
    'pieces': [
        '[x[c:] for c in range($count)]', '[$piece, $piece]', '[$piece]', '[np.sin(x[:c + 1]) for c in range($count)]',
        'list(np.split(x, [1]))',
        '[x[c] * x[:c] for c in range($count)]', '[]', '[np.array([v, v * 2]) for v in x]', 'np.array_split(x, 2)',
        'np.array_split(x, $count)', '[q * 2 for q in p]', '[v * x for v in x if v > 0.3]'],
    'certain': [
        'np.max(x[:0])', 'np.argmin(np.zeros(0))', 'np.sum(np.stack([]))', 'np.sum(np.ones(2) * np.ones(3))',
        'np.sum(x, axis=3)'],
    'result': [
        'p', 'held', '(s, p)', '{"held": held, "x": x}', '[(c, q) for c, q in enumerate(p)]',
        '[q * 2 for q in np.array_split(x, n)]', '[x * c for c in range($count)]', '[v * x for v in x if v > 0.1]',
        '[x[:c] for c in range($count)]', '(p, p)', 't', '(t[:1], t[::-1], s)', 'a, b, d'],
    'piece': [
        'x[1:]', 'x', 'x[:2] * $weight', 'np.sin(x)', 'np.zeros(2)', 'x[::2]', 'np.ones(c + 1) * s', 'np.array([s, $number])',
        'x[c:] ** 2', 'np.full(c, $weight)'],
    'joined': [
        'np.concatenate(p + [x])', 'np.hstack(p + [x])', 'np.concatenate([x, u])', 'np.concatenate([*p, u])',
        'np.hstack((u, s))', 'np.r_[u, x, s]',
        'np.concatenate([np.arange(k + 1.0) * x[k] for k in range($count)])', 'np.hstack([r[:1] for r in p + [x]])',
               'np.append(u, x)'],
    'rows': [
        '[[$number], [$number, $number]]', '[[v] * k for k, v in enumerate(x)]',
        '[[v * w for w in x[:k]] for k, v in enumerate(x)]', '[[] for _ in range($count)]'],
    'generator': [
        'v * v for v in x', 'np.sum(q) for q in p', 'v * $weight for v in x if v > 0.1', 'len(q) * 0.1 for q in p',
        'v * w for v, w in zip(x, x[1:])'],
    'number': [
        'x[0]', 's', '$weight', 'x[-1] * s', 'np.sum(u)', 'u.size * 0.5', 'np.tanh(s)', 'len(p) * 0.1',
        'np.cos(x[0]) * $weight'],
    'weight': ['0.5', '-0.7', '1.5', 'np.cos(s)', 'np.tanh(x[0])'],
    'count': ['n', '2', 'x.size', 'n + 1', '3'],
    'test': ['x[0] > 0.2', 's > 0.0', 'c % 2 == 0', 'len(p) > 1', 'np.sum(u) > 0.3'],
})
HEAD = '''import numpy as np

def steps(n):
    k, v = 0, 0.5
    while k < n:
        yield v
        v, k = v * 0.5 + 0.1, k + 1

def program(x, n):
    s, c, p, rows, u, best, held, t = 0.0, 0, [], [], x, None, [], []
    a, b, d, h = x[0], x, None, None
'''


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = [*GRAMMAR.block(chance, 4, 5, 7), *GRAMMAR.text('statement', chance, depth=3).split('\n')]
    lists = chance.random() < 0.3
    lines.append(f'return {GRAMMAR.text("result", chance, depth=3)}' if lists else 'return s')
    made = tuple((uniform(chance, size), chance.choice((0, 1, 2, 3))) for size in chance.choices((1, 2, 3, 4), k=3))
    return Dialogue(HEAD + body(lines), made, () if lists else (0,))


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Where lists are results: a batch puts together what the examples give, or says that they differ."""
    yield from questions(dialogue, function, compiled)
    if dialogue.argnums:
        return
    batch = tp.vmap(function, in_axes=(0, None))
    batch = tp.jit(batch) if compiled else batch
    for x, n in calls(dialogue, function):
        several = np.stack([x, 2.0 * x])
        each = [outcome(function, (one, n)) for one in several]
        got = outcome(batch, (several, n))
        expected = next((one for one in each if one.error), None)
        try:
            yield compared(dialogue, (several, n), expected or Outcome(together([one.value for one in each]), None, ''), got)
        except Unlike as unlike:
            if isinstance(got.error, tp.TranspileError):
                yield Verdict('refused', str(got.error))
            elif not isinstance(got.error, ValueError) or not str(got.error).startswith('vmap: '):
                yield Verdict('unlike', f'{got} where {unlike}')


class Unlike(Exception):
    """The results of examples differ in more than numbers."""


def together(values: Sequence[Any]) -> Any:
    """The results of all examples as one: arrays and numbers stacked, None where all have None."""
    first = values[0]
    if isinstance(first, dict):
        return {key: together([value[key] for value in values]) for key in first}
    if isinstance(first, (list, tuple)):
        if len({len(value) for value in values}) > 1:
            raise Unlike(f'they have {[len(value) for value in values]} items')
        return type(first)(together(parts) for parts in zip(*values, strict=True))
    if first is None and all(value is None for value in values):
        return None
    if any(value is None for value in values) or len({np.shape(value) for value in values}) > 1:
        raise Unlike('one is None, or has another shape')
    return np.stack([np.asarray(value) for value in values])
