"""Answers: flags that share names, lists and results with numbers, printed, returned, put into arrays, asked for by `is`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import optree

import transpiler as tp
from tests.fuzz.dialects.dialogue import Dialogue, Outcome, calls, compared, outcome
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body
from tests.fuzz.oracle import Verdict

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (4, '$whole = $flag_or_int'), (2, 'w = $flag_or_float'), (2, 'if $test:\n    $step'),
        (1, 'if $test:\n    $step\nelse:\n    $step'), (2, 'for i in range(n):\n    $step'),
        (1, 'for i in range(3):\n    if $test:\n        $step'), (1, 'print($shown)'),
        (1, 's += 2.0 * $number'), (3, 's += 2.0 * $counted'), (1, 's += 3.0 if $asked else 5.0'),
        (0.5, 'b, c = c, b'), (0.5, 'h["f"] = $flag_or_int'), (0.5, 's += float(np.sum(a[$whole]))'),
        (0.5, 's += float(np.sum(a[np.array([$whole, $whole, $whole])]))'),
        (0.5, 'while c and k < 3:\n    k += 1\n    $step'), (0.5, 'm = $flag_or_int if $test else None')],
    'step': [
        (4, '$whole = $flag_or_int'), (2, 'w = $flag_or_float'), (1, 'b = $whole $op $small'), (1, 'w = w $op $small'),
        (1, 's += $number'), (0.5, 'h["f"] = $flag_or_int'), (0.3, 'b, c = c, b'), (0.3, 'print($whole)'), (0.5, 'm = $flag')],
    'whole': [(3, 'b'), (3, 'c'), (1, 'h["f"]')],
    'flag': [(2, 'True'), (2, 'False'), (2, '(n > $small)'), '(not $whole)', '$one', '(x > $small)', 'any([$whole, $whole])',
             '($asked)'],
    'flag_or_int': [
        (5, '$flag'), (2, 'n'), (2, '$small'), (2, '$whole'), 'max($whole, $small)', 'min($whole, n)', '($flag and $small)',
        '($flag or n)', '($whole if $test else $whole)', '($whole & $flag)', '($whole | $whole)', '($whole ^ $flag)',
        'abs($whole)', '$whole * 1', '$whole + 0',
        'int($whole)', 'bool($whole)', '~$whole', '-$whole', '+$whole', 'sum([$whole, $whole])'],
    'flag_or_float': [(2, '$flag'), (2, 'x'), '0.5', 'w', 'w * 1.0', 'float($whole)', '($flag and x)', 'max(w, $small)'],
    'number': ['$whole', 'w', '($whole + $whole)', '($whole * x)', '($whole - w)', 'abs(w)', 'round($whole)', 'int(w)',
               'len(a[:$whole])'],
    'counted': ['($one + $one)', '($one + $one)', '($one - $one)', '(-$one)', 'sum([$one, $flag])', 'a[$one + $one]',
                '($one + $whole)', '2.0 ** ($one + $one)'],
    'one': ['(not x > $small)', '(x in (0.5, $small))', '(x not in [$small, n])', 'bool(x > $small)', '(not $flag)',
            '(not $whole)'],
    'asked': [
        '$whole is True', '$whole is not False', 'isinstance($whole, bool)', 'type($whole) is int', 'w is False', 'm is True',
        'np.array([$whole]).dtype == np.bool_', 'm is None', 'isinstance(w, bool)'],
    'test': ['$whole', 'w', '$whole > $small', 'n > $small', 'x > $small', '$whole == $whole', 'not w', '$asked'],
    'shown': ['$whole', '$whole, w', "f'{$whole} {w!r}'", '[$whole, w]', 'h', 'str($whole)', '"%s" % $whole', '{"k": $whole}',
              'm'],
    'op': ['+', '-', '*', '&', '|', '^', '//', '%'],
    'small': [(2, '0'), (2, '1'), '2', 'True', 'False'],
    'result': [
        (3, 'b, c'), (2, 'w'), 'b', 'h', 'np.array([b, c])', 'np.array([w])', '[b, w]', '~b, -c', 'np.asarray(b), c',
        'np.full(2, b)', '(b & c), (b or c)', 'max(b, c), min(b, n)', 'x * b, b + c', 'any([b, c]), all([b, n])',
        't', 'sum(t), len(t)', 'x'],
    'list': ['t.append($whole)', 't.append(i > 1)', 't.append(i)', 't.append(i if $whole else i > 1)'],
})
HEAD = ('import numpy as np\n\ndef program(x, n, a):\n    s, k, w, m, t, h = 0.0, 0, False, None, [], {"f": False}\n'
        '    b, c = $first, $second\n')


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 3, 4, 5)
    lines += ['for i in range(n):', '    ' + GRAMMAR.text('list', chance, 3)] if chance.random() < 0.3 else []
    lines.append(f'return s * x, ({GRAMMAR.text("result", chance, 4)},)')
    first, second = (chance.choice(('True', 'False', 'n > 1', 'n', '0', 'x > 1')) for _ in range(2))
    head = HEAD.replace('$first', first).replace('$second', second)
    kind = chance.choice((float, np.float64))
    made = tuple((kind(chance.choice((0.5, 1.0, 2.0))), n, np.array([1.5, -0.5, 2.5])) for n in (0, chance.choice((1, 2)), 3))
    return Dialogue(head + body(lines), made)


def ask(dialogue: Dialogue, function: Callable, compiled: bool) -> Iterator[Verdict]:
    """Results are of the classes, and texts say, what they are and say in Python; beside a derivative and in a batch as well."""
    beside = tp.value_and_grad(function, has_aux=True)
    way = tp.jit(function) if compiled else lambda *args: beside(*args)[0]
    for args in calls(dialogue, function):
        expected = outcome(function, args)
        if expected.error is None and not isinstance(expected.value[0], float):
            continue
        got = outcome(way, args)
        verdict = compared(dialogue, args, replace(expected, value=None), replace(got, value=None))
        if verdict.kind == 'silent' and not compiled:
            verdict = Verdict('vague', 'a derivative does not read what it does not need')
        if verdict.kind == 'right' and expected.error is None and not _are_one(expected.value, got.value):
            verdict = Verdict('value', f'{got.value!r} instead of {expected.value!r} at {args!r}')
        yield verdict
        if not compiled:
            yield _in_a_batch(dialogue, function, args)


def _in_a_batch(dialogue: Dialogue, function: Callable, args: tuple) -> Verdict:
    """The number that examples give, of which one after the other says what it says in Python."""
    examples = np.array([args[0], 0.5, 3.0])
    rows = [outcome(function, (x, *args[1:])) for x in examples]
    got = outcome(tp.vmap(lambda x, n, a: function(x, n, a)[0], in_axes=(0, None, None)), (examples, *args[1:]))
    error = next((row.error for row in rows if row.error is not None), None)
    if error is not None or got.error is not None:
        return compared(dialogue, args, replace(rows[0], error=error), got)
    wanted = Outcome(np.array([row.value[0] for row in rows]), None, ''.join(row.printed for row in rows))
    return compared(dialogue, args, wanted, got)


def _are_one(expected: Any, got: Any) -> bool:
    """The same structure, and numbers of the same classes; an integer may be a float that holds it."""
    one, other = optree.tree_flatten(expected), optree.tree_flatten(got)
    return one[1] == other[1] and all(map(_is_one, one[0], other[0]))


def _is_one(expected: Any, got: Any) -> bool:
    if expected is None or got is None:
        return expected is got
    flags = [np.asarray(side).dtype.kind == 'b' for side in (expected, got)]
    kinds = [isinstance(side, np.ndarray) or side.__class__ in (bool, int) for side in (expected, got)]
    same = np.array_equal(expected, got, equal_nan=not any(flags)) and np.shape(expected) == np.shape(got)
    return same and flags[0] == flags[1] and (kinds[0] == kinds[1] or isinstance(expected, int) and isinstance(got, float))
