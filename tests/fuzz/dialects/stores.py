"""Stores: numbers of all kinds that become items of arrays of integers, in range and out of it, one by one and in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, Outcome, calls, identical, outcome
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.dialects.peaks import peak
from tests.fuzz.oracle import BACKEND, Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (4, 'b[$place] = $number'), (2, 'b[$place] $op= $number'), (2, 'b[:] = $number'), (1, 'b[b $than 1] = $number'),
        (1, 'b[[0, -1]] = $number'), (1, 'b[1:] = $number'), (0.5, 'b[...] = $number'), (1, 'b.fill($number)'),
        (0.7, 'np.put(b, [$place], $number)'), (0.7, 'np.place(b, b $than 1, $number)'),
        (0.7, 'np.putmask(b, b $than 1, $number)'),
        (1, 'b[:] = [$number, $number]'), (1, 'b = np.array([$number, $number], KIND)'), (1, 'b = np.full(2, $number, KIND)'),
        (0.7, 'c = np.insert(b, 1, $number)'), (0.7, 'c = np.asarray($number, KIND)'), (0.7, 'b = np.full_like(b, $number)'),
        (1, 'c = KIND($number)'), (1, 'c = x.astype(KIND)'), (0.7, 'b[:] = x[:2]'), (0.7, 'b[:] = k[:2]'),
        (0.7, 'c = k.astype(KIND)'),
        (1, 'for i in range(2):\n    b[i] = $number'), (1, 'for y in x:\n    b[$place] = y'),
        (1, 'for j in k:\n    b[$place] $op= j'),
        (1, 'if $number $than $number:\n    $statement'),
        (1, 'b[:] = [y for y in x[:2]]'), (1, 'c = np.array([j * 2 for j in k], KIND)'),
        (1, 'c = np.array([float(y) for y in x], KIND)'),
    ],
    'number': [
        (3, 'x[$place]'), (3, 'k[$place]'), (1, 'v'), (1, 'n'), (2, 'u'), (1, 'float(x[$place])'), (1, 'int(k[$place])'),
        (1, '$constant'), (1, 'x[$place] * 100'), (1, 'k[0] + k[1]'), (0.7, 'k[$place] // 3'), (0.7, '-x[$place]'),
        (0.5, 'abs(x[0])'),
        (0.7, 'np.floor(x[$place])'), (0.5, 'np.float32(x[$place])'), (0.5, 'b[$place]'), (0.5, 'x[0] > 1'), (0.3, 'np.int64(n)'),
        (0.3, 'np.asarray(x[$place])'),
    ],
    'place': ['0', '1', '-1'],
    'op': ['+', '-', '*'],
    'than': ['<', '>', '=='],
    'constant': ['1', '300', '-1', '2.5', '300.5', '-0.5', '100'],
})
HEAD = 'import numpy as np\n\ndef program(x, k, b, v, n, u):\n    b, c = b.copy(), b[:1]\n'
# not uint32: what NumPy makes of floats that it does not hold depends on how many there are
KINDS = ('int8', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'int64', 'uint64')
FLOATS = (0.0, 1.0, 2.7, -1.5, 100.0, 127.9, 128.0, 255.5, 300.5, -129.0, 4e4, 3e9, -3e9, 1e12, 1e19, np.nan, np.inf, -np.inf)
WHOLE = (0, 1, 2, -1, 3, 100, 127, 128, 255, 300, -129, 40_000, 2**31, 2**40, 2**63 - 1, -2**63, 2**63)


def generate(seed: int) -> Dialogue:
    """Calls have two examples, of the first three arguments; what they share comes after these."""
    chance = Random(seed)
    lines = [*GRAMMAR.block(chance, 1, 2, 3), 'return b, np.asarray(c)']
    kind, real, whole = chance.choice(KINDS), chance.choice(('float64', 'float64', 'float32')), chance.choice(KINDS)
    shared = chance.choice((real, whole, kind))
    text = HEAD + body(lines).replace('KIND', f'np.{kind}')
    return Dialogue(text, tuple(_arguments(chance, kind, real, whole, shared) for _ in range(4)), argnums=())


def _arguments(chance: Random, kind: str, real: str, whole: str, shared: str) -> tuple:
    wild = chance.random() < 0.7
    real_item = lambda: chance.choice(FLOATS if wild else FLOATS[:4])
    item = lambda dtype: np.array(real_item() if dtype[0] == 'f' else _whole(chance, dtype, wild))
    items = lambda dtype, size: np.array([[item(dtype) for _ in range(size)] for _ in range(2)]).astype(dtype)
    number = item(shared).astype(shared)[()]
    return items(real, 3), items(whole, 3), items(kind, 2), chance.choice(FLOATS), _whole(chance, 'int64', wild), number


def _whole(chance: Random, dtype: str, wild: bool) -> int:
    ends = np.iinfo(dtype)
    return chance.choice([n for n in (WHOLE if wild else WHOLE[:3]) if ends.min <= n <= ends.max])


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """What is stored, and what raises, is what NumPy stores and raises, one example at a time and all at once."""
    wrap = tp.jit if compiled else lambda transformed: transformed
    alone = tp.jit(function) if compiled else None
    batched = wrap(tp.vmap(function, in_axes=(0, 0, 0, None, None, None)))
    peaks = lambda *examples: (peak(dialogue.text, example) for example in examples)
    for args in calls(dialogue, function):
        examples = [(*(one[row] for one in args[:3]), *args[3:]) for row in range(2)]
        expected = [outcome(function, example) for example in examples]
        if alone is not None:
            for example, wanted in zip(examples, expected, strict=True):
                yield as_expected([wanted], outcome(alone, example), wanted.value, dtypes, peaks(example))
        fails = any(one.error for one in expected)
        values = [] if fails else [one.value for one in expected]
        if fails or len({optree.tree_structure(value) for value in values}) == len(set(map(_shapes, values))) == 1:
            stacked = None if fails else optree.tree_map(lambda *parts: np.stack(parts), *values)
            yield as_expected(expected, outcome(batched, args), stacked, peaks=peaks(*examples))


def as_expected(
    expected: list[Outcome], got: Outcome, value: tuple, sort: Callable = lambda value: None, peaks: Iterable[int] = ()
) -> Verdict:
    """Whether a call gives that, to the last bit, or raises what an example does.

    peaks: the largest integers of Python's in the examples, which may raise where 64 bits do not hold them
    """
    if isinstance(got.error, tp.TranspileError):
        return Verdict('uncompiled' if BACKEND in str(got.error) else 'refused', str(got.error))
    errors = {type(one.error) for one in expected if one.error}
    if isinstance(got.error, OverflowError) and any(size >= 2**63 for size in peaks):
        return Verdict('refused', f'beyond 64 bits: {got.error}')
    if errors and got.error is None:
        return Verdict('silent', f'{expected} expected; gave {got.value}')
    if got.error is not None:
        return Verdict('right' if type(got.error) in errors else 'error', f'{got.error!r} instead of {expected}')
    same = identical(got.value, value) and sort(got.value) == sort(value)
    return Verdict('right') if same else Verdict('value', f'{got.value} instead of {value}')


def _shapes(value: tuple) -> tuple:
    return tuple(map(np.shape, optree.tree_leaves(value)))


def dtypes(value: tuple) -> list[np.dtype]:
    return [np.asarray(leaf).dtype for leaf in optree.tree_leaves(value)]
