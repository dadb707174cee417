"""Shared: lists, dicts, objects and arrays that all examples of a batch hold, and that the program reads and changes."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random

import numpy as np

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, calls, near, outcome
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (2, 's = s + $number'), (2, 'own = $own'), (1, '$change'), (1, 'for k in range(2):\n    s = s + $number'),
        (1, 'if $number > 0.2:\n    s = s * 0.5'), (1, 'own[0] = $number'), (0.7, 'if $number > 0.2:\n    $change')],
    'change': [
        'items[0] = $number', 'items[1] += $number', 'table["a"] = $number', 'table["b"][0] = $number', 'box.value = $number',
        'box.value += $number', 'array[0] = $number', 'array *= 0.5', 'items.append(1.0)', 'box.push($number)',
        'items[0] = items[1]', 'HELD[0] = $number'],
    'own': ['list(items)', '[*items]', '[v * 0.5 for v in items]', '[box.value, s]', 'items[:]', '[table["a"], 1.0]'],
    'number': [
        's', 'x', 'x * x', 'items[0]', 'items[-1] * x', 'table["a"]', 'table["b"][1]', 'box.value * x', 'np.sin($number)',
        'array[0] * x', 'own[0]', 'HELD[0] * x', 'np.sum(array)', 'len(items) * x', '0.5'],
})
HEAD = '''import numpy as np

HELD = [0.7, 0.2]

class Box:
    def __init__(self, value):
        self.value = value
    def push(self, by):
        self.value = self.value * by

def program(x, items, table, box, array):
    s, own = 0.0, [0.4]
'''


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = [*GRAMMAR.block(chance, 2, 3, 4), 'return s + x * own[0]']
    return Dialogue(HEAD + body(lines), ((uniform(chance, 3),), (uniform(chance, 3),)))


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """A batch gives what a loop over its examples gives, and leaves shared things as that does; or it is refused."""
    wrap = tp.jit if compiled else lambda transformed: transformed
    batched = wrap(tp.vmap(function, in_axes=(0, None, None, None, None)))
    gradients = wrap(tp.vmap(tp.grad(function), in_axes=(0, None, None, None, None)))
    held = function.__globals__['HELD']
    for (x,) in calls(dialogue, function):
        for one, all_, changes in ((function, batched, True), (tp.grad(function), gradients, False)):
            looped, left = _with_shared(function, held, lambda *shared: np.array([one(v, *shared) for v in x]))
            got, right = _with_shared(function, held, lambda *shared: all_(x, *shared))
            if isinstance(got.error, tp.TranspileError) or isinstance(looped.error, tp.TranspileError):
                yield Verdict('refused', str(got.error or looped.error))
            elif got.error or looped.error:
                yield Verdict('right' if got.error and looped.error else 'crash', f'{got.error!r} instead of {looped.error!r}')
            elif not near(got.value, looped.value):
                yield Verdict('batch' if changes else 'gradients of a batch', f'{got.value} instead of {looped.value}')
            elif repr(left) != repr(right):
                yield Verdict('left behind', f'{right} instead of {left}')


def _with_shared(function: Callable, held: list, call: Callable) -> tuple:
    """What a call gives with new shared things, and what these hold afterwards; the module's list is put back."""
    before = copy.copy(held)
    shared = [0.5, 0.3], {'a': 0.2, 'b': [0.1, 0.6]}, function.__globals__['Box'](0.8), np.array([0.3, 0.4])
    left = None

    def called() -> object:
        return call(*shared)

    found = outcome(called, ())
    items, table, box, array = shared
    left = [items, table, vars(box), array.tolist(), list(held)]
    held[:] = before
    return found, left
