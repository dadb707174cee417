"""None on some paths and a value on others, asked with `is None`."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([[1.0, 2.0], [3.0, 4.0]])


def summed(x):
    total = None
    for row in x:
        total = row**2 if total is None else total + row
    return np.sum(total)


def extremes(x):
    best, where, previous, steps = None, None, None, 0.0
    for i in range(2):
        for j in range(2):
            if best is None or x[i, j] > best:
                best, where = x[i, j], (i, j)
            if previous is not None and previous < x[i, j]:
                steps += (x[i, j] - previous)**2
            previous = x[i, j]
    return best * x[where[0], where[1]] + steps * previous


def inverse(row):
    if row[0] == 0.0:
        return None
    return row[0], 1 / row[0]


def found(x, least):
    for k in range(x.size):
        if x.ravel()[k] > least:
            return k
    return None


def doubled(x, n):
    for m in range(n):
        x = x * 2
        if m == n - 1:
            return x, m


def results_of_functions(x):
    pair, k = inverse(x[0]), found(x, 2.5)
    y, m = doubled(x, 3)
    total = 0.0 if pair is None else pair[0] * pair[1]**2
    if k is not None:
        total += x.ravel()[k]**2
    return total + np.sum(y) * m + x.ravel()[found(x, 9.0) or 1]**2


def shifted(x, w=None, b=None):
    if w is None:
        w = np.ones(2)
    y = x @ w
    if b is not None:
        y = y + b
    return np.sum(y**2)


def arguments(x):
    chosen = x[0] if x[0, 0] > 0 else None
    return shifted(x) + shifted(x, x[0]) + shifted(x, b=chosen)


class Best:
    def __init__(self):
        self.value = None

    def put(self, value):
        self.value = value if self.value is None else self.value + value**2


def attributes_and_items(x):
    best, table = Best(), {'product': None, 'last': None}
    for v in x.ravel():
        best.put(v)
        table['product'] = v if table['product'] is None else table['product'] * v
    if x[0, 0] > 0:
        table['last'] = x[1] * 3
    return best.value + table['product'] + (np.sum(table['last']) if table['last'] is not None else 0.0)


def asked(x):
    r = None
    if x[0, 0] > 0:
        r = x[0, 0] * 3
    if r and r is not None:
        return r
    return 2.0


@pytest.mark.parametrize('f', [summed, extremes, results_of_functions, arguments, attributes_and_items, asked])
@pytest.mark.parametrize('x', [X, X - 2.6])
def test_derivatives(f, x, mode):
    check(mode, f, x)


def unasked(x):
    pair = inverse(x[0])
    return pair[0] * 2


def unfinished(x):
    last = None
    for k in range(2):
        if x[k, 0] > 2.0:
            last = x[k, 1]
    return last


@pytest.mark.parametrize('f', [unasked, unfinished])
def test_none_where_a_value_is_needed_is_missed_as_in_python(f, mode):
    gradient = mode(tp.grad(f))
    gradient(X)
    with pytest.raises(TypeError):
        np.sum(f(0 * X) + 1)
    with pytest.raises(TypeError, match='None stands where a value is needed'):
        gradient(0 * X)
