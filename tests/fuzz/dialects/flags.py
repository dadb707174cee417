"""Flags and small integers: functions that return from loops, alone and in batches, and what operators make of one number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, calls, outcome
from tests.fuzz.dialects.grammar import Grammar, body
from tests.fuzz.dialects.stores import as_expected, dtypes
from tests.fuzz.oracle import Verdict

OWN = {'b': ('v', 'k[0]', 'v + k[0]', 'v * k[-1]', '~v', 'v ^ k[0]'), 'f': ('v', 'k[0]', 'v * 2', '-v', 'v + k[0]', 'abs(v)'),
       'i': ('v', 'k[0]', 'v * 2', '-v', 'v + k[-1]', 'v // 3', '~v', 'v << 1', 'abs(v)')}    # numbers of the same dtype
SEARCH = (
    'for v in k:\n    if v $than t:\n        return $own\n    $step\nv = k[-1]\nreturn $own',
    'i = 0\nwhile i < len(k):\n    v = k[i]\n    i += 1\n    if v $than t:\n        return $own\n'
    '    if $test:\n        break\nreturn $own',
    'for v in k:\n    if v $than t:\n        r = $own\n        break\nelse:\n    r = k[0]\nreturn r',
    'for v in k:\n    for w in k[1:]:\n        if v $than w:\n            return $own\nv = k[0]\nreturn $own',
    'for v in k:\n    r = $own\n    if v $than t:\n        break\nreturn r',
    'for v in k:\n    if v $than t:\n        r = $own\n        if $test:\n            return r\n    $step\nreturn k[-1]')
TABLE = {
    'search': SEARCH,
    'step': ['s = $own', 's = s + 1', 'if $test:\n    continue', 'if $test:\n    v = k[0]\n    return $own'],
    'test': ['v $than k[0]', 's > 2', 'v $than t', 'len(k) > 2'],
    'than': ['<', '>', '==', '!='],
    'result': [
        (3, 'r'), 'r, q', 'np.sqrt(np.float64(r))', '{"a": r, "b": q}', 'np.array([r, q])', 'np.zeros(2, r.dtype) + r',
        'r > t, r', 'np.sum(r), q', 'r / 3', 'r, $number', '$number', '$number, $number'],
    'number': [
        (2, 'sum([r > t, q > t])'), '$flag ** -1', '$flag ** -2', '$flag ** 3', '-$flag', 'np.sum($some)', 'np.mean($some)',
        'np.prod($some)', 'np.max($some)', 'np.count_nonzero($some)', 'np.argmax(r)', '~$flag', 'np.invert($flag)', 'abs($some)',
        'np.add($flag, f)', 'np.power($flag, 2)', 'sum([k > t, k > r])', '$flag + $flag', '$flag * 3', 'int($some)',
        'np.divide(3, 1 + $flag)', '$flag // 2', '1 % (1 + $flag)', '$flag << 2', 'divmod($flag, 2)', 'np.diff(k)',
        'float($some)', '$flag.conjugate()', 'np.nansum(r)', 'r & q if r.dtype.kind != "f" else r'],
    'some': ['r', 'q', '$flag'],
    'flag': [(2, 'f'), (2, 'g'), '(r > t)'],
}
GRAMMARS = {kind: Grammar({**TABLE, 'own': own}) for kind, own in OWN.items()}
KINDS = ('uint8', 'int8', 'int32', 'bool', 'float32', 'uint16')


def generate(seed: int) -> Dialogue:
    """Calls have two examples of the first argument; what they share comes after it."""
    chance = Random(seed)
    kind = np.dtype(chance.choice(KINDS))
    grammar = GRAMMARS['i' if kind.kind == 'u' else kind.kind]
    search = grammar.text('search', chance, 5).split('\n')
    lines = ['r, q = first(k, t), first(k[::-1], t)', f'return {grammar.text("result", chance, 5)}']
    text = f'import numpy as np\n\ndef first(k, t):\n    s = 0\n{body(search)}\ndef program(k, t, f, g):\n{body(lines)}'
    items = lambda: np.array([[chance.choice((0, 1, 2, 3, 100, 127)) for _ in range(3)] for _ in range(2)]).astype(kind)
    made = tuple((items(), chance.choice((0, 1, 2)), chance.random() < 0.5, np.bool_(chance.random() < 0.5)) for _ in range(3))
    return Dialogue(text, made, argnums=())


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Results have the values and the dtypes of Python's, one example at a time and all at once."""
    alone = tp.jit(function) if compiled else None
    batched = tp.vmap(function, in_axes=(0, None, None, None))
    batched = tp.jit(batched) if compiled else batched
    for k, *shared in calls(dialogue, function):
        expected = [outcome(function, (row, *shared)) for row in k]
        if alone is not None:
            for row, wanted in zip(k, expected, strict=True):
                yield as_expected([wanted], outcome(alone, (row, *shared)), wanted.value, dtypes)
        if not any(one.error for one in expected):
            stacked = optree.tree_map(lambda *parts: np.stack(parts), *(one.value for one in expected))
            yield as_expected(expected, outcome(batched, (k, *shared)), stacked, dtypes)
