"""Integers: Python's near 2 ** 63, NumPy's at the ends of their ranges, names and lists that hold either: in sums, results.

Python's near 2 ** 53, and zero, share names and lists with floats, too.
"""

from __future__ import annotations

from random import Random

import numpy as np

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (4, '$name = $whole'), (2, '$name $op= $whole'), (2, 'a = $items'), (1, 'a[0] = a[-1] $op a[0]'), (1, 'a $op= b'),
        (2, 'for i in range($count):\n    $step'), (1, 'for i in range(1, $count):\n    s += 1.0 / ($power)'),
        (1, 'if $whole $than $whole:\n    $step\nelse:\n    $step'), (1, 's = s + x * $whole'),
        (1, 'q, r = divmod($whole, $divisor)\ns += q + r'),
        (2, 'p = $either'), (1, 'p = p $op $few\ns += float(p)'),
        (1, 'if $whole $than $whole:\n    p = $either\nelse:\n    p = $few'),
        (1, 'for v in a:\n    if v $than p:\n        p = v'), (0.5, 'for v in b:\n    p = p $op v\ns += float(p)'),
        (1, 's += float(p $op $few)'),
        (1, 'for v in a:\n    if v $than $few:\n        p = p $op v'), (3, '$placed'),
        (1, 's += 3.0 if isinstance(p, int) else 5.0'), (0.5, 's += 0.5 if np.asarray(p $op $few).dtype == np.int64 else 0.7'),
        (0.7, 'w = $real'), (0.5, 's += w $op 0.3'),
        (0.7, 'for v in a:\n    s += float(v)'), (0.5, 'k = 0\nwhile k < $count:\n    $step\n    k += 1'),
    ],
    'beside': [
        (2, '$joined\ns += $shared'), (1, '$joined\n$joined\ns += $shared\ns += $shared'),
        (1, 't = [$long]\nfor v in g:\n    t.append(v)\ns += $float * $item_of')],
    'joined': [
        (3, 'q = $long\nfor v in g:\n    if v $than $edge:\n        q = v'), (1, 'q = $long if x $than $edge else $float'),
        (1, 'q = q $op $few'), (1, 'if x $than $edge:\n    q = $long\nelse:\n    q = q $op $float')],
    'long': [(3, '2 ** 53 + 1'), '-2 ** 53 - 1', '2 ** 53', (2, '0'), '1', 'n', 'True'],
    'edge': ['0.7', '9.0', '-9.0'],
    'float': ['g[0]', 'g[-1]', 'x', 'float(k)'],
    'shared': [(3, '$float * (q $op 2 ** 53)'), '$float * (q $op $long)', '$float / q', '$float * (1 / q)', '$float * (q % 7)',
               '$float * (q // 2)', '$float * abs(q)', '$float * (q == 2 ** 53)', '$float * (max(q, $long) $op $long)'],
    'lists': [(2, '$listed\n$use'), (1, '$listed\n$listed\n$use'), (1, '$listed\n$statement\n$use\n$use')],
    'use': [
        (4, 's += float($all)'), (0.5, 'p = $all'), (2, 's += float($reals)'),
        (0.5, 's += 0.5 if isinstance(t[0], int) else 0.7')],
    'listed': [
        (3, 't = [$item]\nfor v in $run:\n    t.append($put)'),
        (1, 't = []\nfor v in $run:\n    t.append($put)\nt.append($item)'),
        (1, 't = [$put for v in $run]'), (0.5, 't = t + [$item]'), (0.5, 't = t[1:] + [$item]'), (0.5, 't[-1] = $item'),
        (0.5, 't.extend($run)'), (0.5, 'o = t\nt *= 2\ns += len(o)'), (0.5, 't.insert(0, $item)'),
        (0.5, 't = sorted(t)'), (0.5, 't = [v * 3 for v in t]'),
        (0.5, 't = [$item] * (k % 5 + 2)\nfor i in range(1, len(t)):\n    t[i] = a[i % len(a)]'),
        (1, 'u = [$start]\nfor v in $run:\n    u.append(np.float32(v) * 0.1)'), (0.5, 'u = u[1:] + [np.float32(0.1)]')],
    'item_of': ['t[0]', '(t[0] $op 2 ** 53)', '(t[0] $op $long)', '(sum(t) $op $long)', '(max(t) $op $long)', '(1 / t[0])',
                '(t[0] // 2)', '(sum(t[:1]) $op 1)'],
    'run': [(3, 'a'), 'b', 'a[1:]', 'b[:k]'],
    'put': [(3, 'v'), '(1 if v $than $few else v)', 'v * 3', 'max(v, 1)'],
    'item': [(2, '1'), (2, '0'), '300', 'a[0]', 'p', 'n'],
    'start': [(2, '0.1'), '0.0', 'np.float32(0.3)', 's'],
    'all': [
        (3, 'sum(t)'), 'max(t)', 'min(t)', 'sum(t[1:])', 'sum(t[:2])', 'sum(t, t[0])', 'sorted(t)[0]', 'np.sum(t)', 'np.max(t)',
        'np.sum(np.array(t) * 3)', 't[-1]', '(t[0] * 100)', 'sum(v * 3 for v in t)', 'max(t[1:] + [$item])', 'len(t)',
        'np.array(t)[-1]', 'sum(np.array(t[-2:]))', 'np.asarray(t, dtype=np.int64)[0]', 'math.prod(t)', 'max(sum(t), 3)'],
    'reals': [
        'sum(u)', 'max(u)', 'sum(u[1:])', '(u[0] * 0.1)', '(u[-1] / 3)', 'np.array(u)[0]',
        '(np.array(u)[-1] * np.float32(0.1))'],
    'placed': [
        (2, '$small[0] = $kept'), '$small[:] = $kept', '$small.fill($kept)', '$small[np.array([1])] = $kept',
        '$small[$small >= 0] = $kept', '$small[1] += $kept', 'c = np.full(2, $kept, np.uint8)',
        'd = np.array([$kept, 1], np.int16)', '$small = np.clip($small, 0, $kept)', 's += float(np.uint16($kept))'],
    'kept': [(2, 'p'), (3, '(p $op $few)'), 'sum([v for v in a if v $than $few])', '(sum([v for v in b if v $than 3]) - 1)'],
    'small': ['c', 'd'],
    'step': [
        (3, '$name = $whole'), (2, '$name $op= $whole'), (1, 's += $whole * 0.5'), (1, '$name = $name * $name'),
        (1, '$name *= 3')],
    'whole': [
        (5, '$name'), (1, '$constant'), (4, '($whole $op $whole)'), (1, '-$whole'), (1, 'abs($whole)'),
        (1, '($whole // $divisor)'),
        (1, '($whole % $divisor)'), (1, '($whole << $shift)'), (1, '($whole >> $shift)'), (0.5, '$name ** $exponent'),
        (0.5, '~$whole'),
        (0.5, '($whole $bit $whole)'), (0.5, 'max($whole, $whole)'), (0.5, 'len(a) * $whole'), (0.3, 'sum([$whole, $whole])'),
        (0.2, 'int(x * $slope + 0.25)'), (0.2, 'int(m * 0.5 * $constant)'),
        (0.4, '($whole if $whole $than $whole else $whole)'),
    ],
    'either': [
        (2, 'min(a[0], $few)'), (2, 'max(b[-1], $few)'), (2, '($few if $whole $than $whole else a[0])'), (0.5, 'abs(p)'),
        (1, '(a[-1] if $whole $than $whole else np.int16(k))'), (1, 'min(a[0], b[-1], $few)'), (1, 'a[0]'), (1, '$few')],
    'few': [(2, '1'), (2, '3'), (2, '100'), (1, '300'), (1, '-1'), (0.5, 'n'), (1, 'p'), (1, '0')],
    'real': ['(0.1 if $whole $than $whole else np.float32(a[0]))', 'max(np.float32(b[0]), 0.3)', 'w * 3', 'w + np.float32(k)'],
    'items': [
        (3, 'a'), (2, 'b'), (3, '($items $op $items)'), (1, '-$items'), (1, 'np.abs($items)'), (1, '($items // $items)'),
        (1, '($items % $items)'),
        (1, '($items << $shift)'), (1, '($items >> $shift)'), (0.7, '($items $bit $items)'), (0.5, 'np.sign($items)'),
        (0.5, 'np.maximum($items, $items)'),
        (0.3, '~$items'), (0.3, 'np.cumsum($items)'), (0.3, 'np.where($items $than $items, $items, $items)'),
    ],
    'power': ['i * i', 'i * i * i', 'i * i * i * i * i', 'i ** 2', 'i * n', '(i + n) * (i + m)'],
    'name': ['n', 'm'],
    'exponent': ['2', '3', '0', '5'],
    'slope': ['1', '3', '-1', '10', '0'],     # between two steps, where differences are none
    'shift': ['1', '3', '63', '64', '70', 'len(a)', 'k'],
    'divisor': ['3', '-1', '7', 'm', '-5', 'len(a)', '2 ** 40'],
    'count': ['3', 'len(a)', 'min(k, 7)', '7'],
    'op': [(3, '+'), (3, '-'), (4, '*')],
    'bit': ['&', '|', '^'],
    'than': ['<', '>', '<=', '==', '!='],
    'constant': ['1', '2', '3', '-1', '10', '2 ** 31', '2 ** 62', '-2 ** 63', '2 ** 63 - 1', '0'],
})
HEAD = ('import math\nimport numpy as np\n\ndef program(x, n, m, k, a, b):\n    s, a, b = 0.0, a.copy(), b.copy()\n'
        '    p, q, w, t, u = 0, 1, 0.0, [2, 1], [0.1, 0.2]\n    g = np.array([x, 0.5 * x, 1.0])\n'
        '    c, d = np.zeros(2, np.uint8), np.zeros(2, np.int16)\n')
RESULTS = ('x * s + float(np.sum(a.astype(np.float64)))', 's + x * (n * 1.0) + m * 0.5', 'n, m, s', 'a, n * x + s', 'x * s + n',
           'p * 3, s', 'p, w * 0.1', 'p', 'p - 1, c', 'c, d', 'x * s + float(c[0]) + float(d[1])')
OF_LISTS = ('x * s', 'x * s + float(n)', 't', 't[1:], s', 'u[0], t[-1]', 'u')
WHOLE = (0, 1, -1, 2, 3, 5, 10**5, 2**31, 2**32 + 1, 2**40, 2**62, 2**63 - 1, -2**63)
TYPES = ('int64', 'int64', 'int64', 'int32', 'int16', 'int8', 'uint8', 'uint16', 'uint32', 'uint64')


def generate(seed: int) -> Dialogue:
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 3, 4, 5)
    lists = chance.random() < 0.4
    lines += GRAMMAR.text('beside', chance, depth=5).split('\n') if chance.random() < 0.5 else []
    lines += GRAMMAR.text('lists', chance, depth=5).split('\n') if lists else []
    lines.append(f'return {chance.choice(OF_LISTS if lists else RESULTS)}')
    kind, size = np.dtype(chance.choice(TYPES)), chance.choice((1, 2, 3, 4))
    made = tuple(_arguments(chance, kind, size) for _ in range(3))
    return Dialogue(HEAD + body(lines), made)


def _arguments(chance: Random, kind: np.dtype, size: int) -> tuple:
    ends = np.iinfo(kind)
    whole = lambda: chance.choice((*WHOLE, chance.randrange(-2**63, 2**63)))
    item = lambda: chance.choice((0, 1, 2, 3, ends.min, ends.max, ends.max - 1, chance.randrange(ends.min, ends.max + 1)))
    items = lambda: np.array([item() for _ in range(size)], kind)
    return chance.choice((0.5, 1.0, -2.0)), whole(), whole(), chance.choice((0, 1, 4, 63, 64)), items(), items()
