"""Orders: matrices whose items lie by rows or by columns, and what is a view of them or a copy for that reason alone."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.fuzz.dialects.dialogue import Dialogue
from tests.fuzz.dialects.draws import uniform
from tests.fuzz.dialects.grammar import BLOCK, Grammar, body

GRAMMAR = Grammar({
    'block': BLOCK,
    'statement': [
        (4, '$flat = $row\n$write'), (2, '$name = $matrix'), (2, '$flat = $row'), (2, '$write'), (1, 's = s + $number'),
        (1, 'if $number > 0.3:\n    $flat = $row\n    $write'), (1, 'for k in range(2):\n    $flat = $row\n    $write'),
        (1, '$name = $matrix\n$flat = $name.reshape(-1)\n$write'), (1, '$flat = $name.ravel()\n$name[0, 1] += $number'),
    ],
    'matrix': [
        (3, '$name'), (2, '$name * 2'), (2, '$name + $name'), (2, '$name.T'), (1, '$name.T * 0.5'), (1, '$name.copy()'),
        (1, 'np.copy($name)'), (1, 'np.exp($name.T)'), (0.7, 'np.where($name > 0.2, $name, 0.1)'), (0.7, '$name @ $name'),
        (0.7, '$name[::-1]'), (0.7, '$name[:, ::-1]'), (0.5, 'np.asfortranarray($name)'), (0.5, 'np.ascontiguousarray($name)'),
        (0.5, 'np.zeros_like($name)'), (0.5, '$name.astype(float)'), (0.5, 'np.array($name)'),
        (0.5, 'np.transpose($name) + $name'),
    ],
    'row': [
        (3, '$name.ravel()'), (3, '$name.reshape(-1)'), (1, '$name.T.ravel()'), (1, '$name.flatten()'), (1, 'np.ravel($name)'),
        (1, '$name.reshape(-1)[::2]'), (1, 'np.ascontiguousarray($name).reshape(-1)'), (0.5, '($name * 2).ravel()'),
        (0.5, '$name.copy().ravel()'), (0.5, 'np.copy($name).ravel()'), (0.5, '$name.ravel(order="F")'),
    ],
    'write': [
        (3, '$flat[$place] = $number'), (2, '$flat[$place] += $number'), (2, '$flat *= 0.5'), (1, '$name[1, 0] = $number'),
        (1, '$flat[:2] = $flat[1:3]'),
    ],
    'number': ['$name[0, 1]', '$flat[$place]', '0.7', 's * 0.3', 'np.sin($name[1, 0])', '$name[0, 0] * $flat[1]'],
    'name': [(2, 'x'), 'p', 'q'],
    'flat': ['u', 'v'],
    'place': ['0', '1', '2', '-1'],
})
HEAD = '''import numpy as np

def program(x):
    s, p, q = 0.0, x * 1.5, x.T.copy()
    u, v = np.ravel(p * 2), q.ravel()
'''


def generate(seed: int) -> Dialogue:
    """Square matrices, since names hold now one and now its transpose; some calls have one that lies by columns."""
    chance = Random(seed)
    lines = GRAMMAR.block(chance, 2, 3, 4)
    result = 'return s + np.sum(p * x) * 0.3 + np.sum(q[0] * q[1]) + u[1] * v[2] + np.sum(x * x) * 0.1'
    size, orders = chance.choice((2, 3)), chance.choice(('CF', 'FC', 'CFC'))
    calls = tuple((np.array(uniform(chance, size, size), order=order),) for order in orders)
    return Dialogue(HEAD + body([*lines, result]), calls)
