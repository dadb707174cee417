"""Unread: items, of lists too, at singular points that nothing reads, or where nothing flows: no influence in any mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, against_differences, against_tangent, calls, near, outcome
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (2, 'y = $items'), (1, 'b = np.zeros(4)\nb[1:3] = $smooth[1:3]\ny = $singular_of_b'), (1, 's = s + $number'),
        (1, 'b = np.zeros(4)\nb[1:3] = $smooth[1:3]\ns = s + $number_of_b'),
        (1, 'e = [$singular_of_v for v in x]\ns = s + $number_of_e'), (0.5, 'e = [$singular_of_v for v in $items]'),
        (0.5, 'e = []\nfor v in x:\n    e.append($singular_of_v)\ns = s + $number_of_e'),
        (0.5, 'e = [0.0] * x.size\nfor i in range(x.size):\n    e[i] = $singular[i]\ns = s + $number_of_e'),
        (0.5, 'g = [$singular * v for v in x]\ns = s + g[1][2]'), (0.5, 'g = [($singular_of_v, v) for v in x]\ns = s + g[2][0]'),
        (0.5, 'g = [u * m for u in e]\ns = s + g[2]'),
        (1, 'b = np.zeros(4)\nb[1:3] += $smooth[1:3]\ns = s + np.sum($pole_of_b[1:3])'),
        (0.7, 'b = np.pad($smooth[1:3], 1)\ny = $pole_of_b'),
        (0.7, 'b = np.where(x > 0.0, $smooth, 0.0)\ns = s + $pole_of_b[2]'),
        (0.7, 'a = np.ones(4)\na += $items\ns = s + a[1] * a[2]'),
        (0.5, 'a = np.zeros(4)\nfor i in range(4):\n    a[i] += $items[i]\ny = a'),
        (0.7, 'w = []\nfor i in range(x.size):\n    r = np.zeros(4)\n    r[1:3] = $smooth[1:3]\n    w.append(r)\n'
              's = s + $number_of_w'),
        (0.5, 'w, r = [], np.zeros(4)\nfor i in range(3):\n    r = r.copy()\n    r[1:3] += $smooth[1:3]\n    w.append(r)\n'
              's = s + $number_of_w'),
        (0.7, 'e = [0.0] * x.size\ne[1] = $smooth[1] * m\ns = s + sum([$root_of_v for v in e])'),
        (1, 'for i in range(1, 3):\n    s += $singular[i] * m'),
        (1, 'd = x[:, None] - x\nr = np.sqrt(d * d)\ns += r[1, 2]'), (0.7, 'if $number > 0.2:\n    s = s + $number'),
        (0.7, 't = np.zeros(4)\nfor i in range(1, 3):\n    t[i] = $smooth[i]\ns += np.sum($singular_of_t[1:3])')],
    'items': [
        '$singular', '(m * $singular)', '($singular * $smooth)', '($singular + $smooth)', 'np.sin($items)', '($items * m)',
        '(-$items)'],
    'singular': [
        'np.sqrt(x)', '(x ** 0.5)', 'np.log(x)', 'np.sqrt(x * m)', '(1.0 / x)', 'np.arccosh(x + 1.0)', '(x ** 1.5)',
        'np.sqrt(np.sin(x))', '(np.abs(x) ** 0.3)', 'np.arcsin(1.0 - x)', '(m / x)', '(x * np.log(x))',
        'np.hypot(x, 0.0 * x)', '(np.sqrt(x) * np.sqrt(x))'],
    'singular_of_b': ['np.sqrt(b)', '(b ** 0.5)', 'np.hypot(b, b)', '(np.abs(b) ** 0.7)', 'np.sqrt(b * m)', '(np.sqrt(b) * x)'],
    'pole_of_b': [
        '(1.0 / b)', 'np.log(b)', '(b ** -1.5)', '(np.cos(b) / b)', '(b * np.log(b))', '(m / b)', '(b / np.sqrt(b * b))',
        '$singular_of_b', 'np.exp(0.5 * np.log(b))', '(x / b)', 'np.exp(-1.0 / b)', 'np.arctan2(b, x)'],
    'root_of_v': ['np.sqrt(v)', 'np.abs(v) ** 0.3', 'np.sqrt(v * v) * m', 'np.arccosh(1.0 + v)', 'np.exp(0.5 * np.log(v))'],
    'number_of_w': [
        'np.sum(np.sqrt(np.array(w)))', 'sum([np.sum(np.sqrt(u)) for u in w])', 'np.sum(w[1] ** 0.5)',
        'np.sum(np.sqrt(np.concatenate(w)))', 'np.sum((1.0 / w[-1])[1:3])', 'np.sum([np.log(u)[1] for u in w])',
        'np.sum(np.sqrt(w.pop()))', 'np.sum(np.array(w) ** 1.5 * m)'],
    'singular_of_t': ['np.sqrt(t)', '(t ** 0.5)', 'np.log(t)', 'np.sqrt(t * m)'],
    'singular_of_v': ['np.sqrt(v)', '(v ** 0.5)', 'np.log(v)', '(m * np.sqrt(np.sin(v)))', '(1.0 / v)', '(np.abs(v) ** 0.3)'],
    'number_of_e': [
        'e[1]', 'sum(e[1:3])', 'e[1] * e[2]', 'np.sum(np.array(e)[1:3])', 'max(e[1:3])', 'e[::-1][1]', 'np.stack(e)[2] ** 2',
        'sum(u for u, v in zip(e, x) if v > 0.1)', '[u * m for u in e][2]'],
    'smooth': ['x', '(x * x)', 'np.sin(x)', '(x * m)', 'np.exp(x)'],
    'number': [
        'y[1]', '$items[1]', '$items[2]', 'np.sum($items[1:3])', 'm', 's', '$items[1] * $items[2]', 'y[1:3] @ x[1:3]',
        'np.sum(np.where(x > 0.1, $singular, 0.0))', 'y[[1, 2]].sum()', 'np.max(y[1:3])', '$number_of_e'],
    'number_of_b': [
        '$singular_of_b[1]', 'np.sum($singular_of_b[1:3])', '$singular_of_b[2] * m', 'np.sum(np.sqrt(b))',
        'np.sum(b ** 0.5 * m)'],
})
HEAD = 'import numpy as np\n\ndef program(x, m):\n    s, y, b, e = 0.0, x, x, [v for v in x]\n'


def generate(seed: int) -> Dialogue:
    """The first and the last item lie at the singular point; programs read the two between."""
    chance = Random(seed)
    lines = [*GRAMMAR.block(chance, 3, 4, 5), f'return s + {GRAMMAR.text("number", chance, depth=3)}']
    point = lambda: np.array([0.0, chance.uniform(0.3, 1.0), chance.uniform(0.3, 1.0), 0.0])
    return Dialogue(HEAD + body(lines), tuple((point(), chance.uniform(0.5, 1.5)) for _ in range(2)), argnums=(0, 1))


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Where differences exist, derivatives are theirs; second derivatives are symmetric, and the same in every way."""
    wrap = tp.jit if compiled else lambda transformed: transformed
    gradient = wrap(tp.value_and_grad(function, argnums=dialogue.argnums))
    forward = None if compiled else tp.jvp(function, argnums=dialogue.argnums)
    for args in calls(dialogue, function):
        got = outcome(gradient, args)
        if isinstance(got.error, tp.TranspileError):
            yield Verdict('refused', str(got.error))
            continue
        if got.error is not None:
            yield Verdict('crash', repr(got.error))
            continue
        if not np.isfinite(got.value[0]) or not differences_exist(dialogue, function, args):
            yield Verdict('vague')
            continue
        yield against_differences(dialogue, function, args, got.value[1])
        if forward is not None:
            yield against_tangent(dialogue, forward, args, got.value[1], outcome(function, args))
            yield from second_order(dialogue, function, args)


def differences_exist(dialogue: Dialogue, function: Callable, args: tuple) -> bool:
    """Whether no item that lies at the singular point has an influence: the value is the same with others there."""
    x, m = args
    values = [outcome(function, (np.where(x == 0.0, other, x), m)).value for other in (0.0, 1e-3, 0.7, np.nan)]
    return all(value is not None and near(value, values[0]) for value in values)


def second_order(dialogue: Dialogue, function: Callable, args: tuple) -> Iterator[Verdict]:
    ways = {'hessian': tp.hessian, 'reverse': lambda f: tp.jacrev(tp.grad(f))}
    found = {name: outcome(way(function), args) for name, way in ways.items()}
    for name, got in found.items():
        if isinstance(got.error, tp.TranspileError):
            yield Verdict('refused', str(got.error))
        elif got.error is not None:
            yield Verdict(f'{name} crash', repr(got.error))
        elif not np.isfinite(got.value).all():
            yield Verdict(f'{name} not finite', f'{got.value} at {args!r}')
        elif not near(got.value, got.value.T):
            yield Verdict(f'{name} not symmetric', f'{got.value} at {args!r}')
    values = {name: got.value for name, got in found.items() if got.error is None}
    if values and not all(near(value, next(iter(values.values()))) for value in values.values()):
        yield Verdict('second order', f'{values}')
