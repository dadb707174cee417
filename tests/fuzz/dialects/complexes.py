"""Complex results: functions of real and complex numbers whose Jacobians are complex, in both modes, against differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import numpy as np

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, calls, outcome, questions
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (3, 'z = $items'), (1, 'z[$place] = $number'), (1, 'for k in range(2):\n    z = $items'),
        (1, 'if x[0] > 0.1:\n    z = $items'), (1, 'w = $number'), (1, 'z = z + w'),
                  (0.7, 'w = w * $number'), (0.7, 'for v in z:\n    w = w + v * v')],
    'items': [
        'z', '($items * $items)', '($items + $number)', 'np.exp($items * 0.5)', 'np.fft.fft($items)', 'np.conj($items)',
        '(1j * $items)', 'np.sin($items)', '$items * x', '$items[::-1]',
              'np.sqrt($items + 3.0)', '($items / (2.0 + x * x))', 'np.fft.ifft($items)',
              'np.real($items) + 0.5j * np.imag($items)', 'np.abs($items) * 1j', 'np.where(x > 0.2, $items, $items)',
              '(a @ $items)', '$items ** 2',
              'np.cumsum($items)', 'np.outer($items, x)[0]', 'np.angle($items + 3.0)'],
    'number': [
        'w', 'z[$place]', 'np.sum($items)', 'np.exp(1j * x[0])', '(0.5 + 1j)', 'x[-1] * 1j', 'np.vdot($items, z)',
        'np.mean($items)', 'complex(x[0], 0.5)', 'z @ z', 'w.conjugate()', 'abs(w) * 1j'],
    'place': ['0', '-1', '1'],
})
RESULTS = ('z', 'w', 'z * w', '(z, w)', 'np.abs(z)', 'z.real', '{"z": z, "w": w.imag}', 'np.sum(z)')
HEAD = 'import numpy as np\n\ndef program(x, a):\n    z, w = x + 0.3j, 0.5 + 0.1j\n'
REAL = 'np.sum(np.abs(z) ** 2) + w.real'


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    result = REAL if chance.random() < 0.3 else chance.choice(RESULTS)
    lines = [*GRAMMAR.block(chance, 3, 4, 5), f'return {result}']
    return Dialogue(HEAD + body(lines), tuple((uniform(chance, n), uniform(chance, n, n)) for n in (2, 3)))


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Real results: as anywhere; others: Jacobians by both modes, and by the one that is chosen, against differences."""
    if REAL in dialogue.text:
        yield from questions(dialogue, function, compiled)
        return
    wrap = tp.jit if compiled else lambda transformed: transformed
    ways = {name: wrap(getattr(tp, name)(function)) for name in ('jacrev', 'jacfwd', 'jacobian')}
    for args in calls(dialogue, function):
        expected = None if outcome(function, args).error else columns(function, args)
        if expected is None:
            yield Verdict('vague')
            continue
        for name, way in ways.items():
            yield _judged(name, outcome(way, args), expected)


def _judged(name: str, got, expected: list[np.ndarray]) -> Verdict:
    if isinstance(got.error, tp.TranspileError):
        return Verdict('refused', str(got.error))
    if got.error is not None:
        return Verdict(f'{name} crash', repr(got.error))
    found = _parts(got.value)
    size = 1 + max(float(np.max(np.abs(part), initial=0.0)) for part in expected)
    pairs = list(zip(found, expected, strict=True))
    if all(a.shape == b.shape and np.max(np.abs(a - b), initial=0.0) < 1e-5 * size for a, b in pairs):
        return Verdict('right')
    return Verdict(f'{name} differs', f'{found} instead of {expected}')


def columns(function: Callable, args: tuple) -> list[np.ndarray] | None:
    """The Jacobian of each part of the result by central differences; None where steps of two lengths do not agree."""
    x, *rest = args
    made = []
    for step in (1e-5, 3e-6):
        moves = step * np.eye(x.size)
        ends = [[_parts(function(x + sign * move, *rest)) for sign in (1, -1)] for move in moves]
        parts = range(len(ends[0][0]))
        made.append([np.stack([(ahead[k] - behind[k]) / (2 * step) for ahead, behind in ends], axis=-1) for k in parts])
    wide, narrow = made
    if not all(np.isfinite(part).all() and np.max(np.abs(part), initial=0.0) < 1e6 for part in narrow):
        return None
    return narrow if all(np.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in zip(wide, narrow, strict=True)) else None


def _parts(result) -> list[np.ndarray]:
    parts = result.values() if isinstance(result, dict) else result if isinstance(result, tuple) else (result,)
    return [np.asarray(part) for part in parts]
