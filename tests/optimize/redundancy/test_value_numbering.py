"""Merging derivatives that are always equal: what is merged, and what only looks alike."""
import numpy as np
import pytest

import transpiler as tp
from transpiler.core.text import parse
from transpiler.optimize import optimize
from transpiler.optimize.redundancy.value_numbering import merge_congruent
from transpiler.source.writing.emit import emit
from transpiler.values.types import FLOAT, INT, Array

A = Array(np.dtype(float), (None,))
TYPES = dict.fromkeys(['a', 'b', 'p', 'q', 'r', 's', 'x', 'y', 'z', 'u_dot', 'v_dot'], FLOAT) | {
    'n': INT, 'i': INT, 'A': A, 'B': A}


def in_a_loop(start, first, second):
    return (f'u_dot = 0.0\nv_dot = {start}\nfor i in range(0, n, 1):\n'
            f'    p = {first}\n    q = {second}\n    u_dot = p\n    v_dot = q\nreturn u_dot, v_dot')


def merged(text):
    core = parse('# pullback\n' + text, types=TYPES, temporaries=['p', 'q', 'r', 's'])
    return merge_congruent(core) is not core


@pytest.mark.parametrize('text', [
    'p = x * y\nq = y * x\nreturn p, q',
    'p = (x + y) * z\nq = z * y - -x * z\nreturn p, q',
    'p = np.sin(x * y)\nq = np.sin(y * x)\nreturn p, q',
    'p = x / y + z\nq = z - -x / y\nreturn p, q',
    'p = 0.5 * x\nr = x * 0.25 + 0.25 * x\nreturn p, r',
    'p = -(x - y) * -z\nq = x * z - y * z\nreturn p, q',
    in_a_loop('0.0', 'x * u_dot + 1.0', '1.0 + v_dot * x'),
])
def test_equal(text):
    assert merged(text)


@pytest.mark.parametrize('text', [
    'p = x * y\nq = x * z\nreturn p, q',
    'p = x / y * y\nq = x * 1.0\nreturn p, q',                       # not where y is 0
    'p = x - x\nq = y - y\nreturn p, q',                             # not where one is infinite
    'p = x * z\nq = (x * z + y) - y\nreturn p, q',                   # not where y is large
    'p = x * z\nq = x * (z + y) - x * y\nreturn p, q',
    'p = x + z\nq = x + z + 0.0 * y\nreturn p, q',                  # not where y is infinite
    'p = np.sin(x)\nq = np.cos(x)\nreturn p, q',
    'p = x - y\nq = y - x\nreturn p, q',
    'p = x * A[0]\nA[0] = y\nq = x * A[0]\nreturn p, q',
    'p = 2.0 * x\nx = y\nq = 2.0 * x\nreturn p, q',
    'A = np.zeros(3)\nB = np.zeros(3)\nfor i in range(0, n, 1):\n    p = A[i] * x\n    q = B[i] * x\n    A[i] = q\nreturn p, q',
    'A = np.zeros(3)\nB = A\np = A[0] * x\nB[0] = y\nq = A[0] * x\nreturn p, q',
    in_a_loop('1.0', 'x * u_dot', 'x * v_dot'),
    in_a_loop('0.0', 'x * u_dot + 1.0', 'x * v_dot + 2.0'),
])
def test_different(text):
    assert not merged(text)


def test_what_the_user_wrote_stays():
    core = parse('p = x * y + x * z\nq = x * (y + z)\nreturn p, q', types=TYPES)
    assert merge_congruent(core) is core


def test_names_that_a_loop_changes_alike_become_one():
    core = optimize(parse('''
        # pullback
        u_dot = 0.0
        v_dot = 0.0
        for i in range(0, n, 1):
            p = x * u_dot + 1.0
            q = 1.0 + v_dot * x
            u_dot = p
            v_dot = q
        s = u_dot * v_dot
        return s''', types=TYPES, temporaries=['p', 'q', 's']))
    assert 'v_dot' not in ''.join(line.partition('#')[0] for line in emit(core).text.splitlines())


def polynomial(x):
    total = 0.0
    term = 1.0
    for k in range(1, 12):
        term = term * x / k
        if k % 2 == 0:
            total = total - term
        else:
            total = total + term * term
    return total


def recurrence(x):
    u = np.zeros(8)
    u[0] = x
    for i in range(1, 8):
        u[i] = np.sin(u[i - 1]) * x
    total = 0.0
    for i in range(8):
        total += u[i] ** 2
    return total


def dense(x):
    a = np.sin(x)
    b = a * x + 1.0
    c = np.exp(-b * b)
    d = c / (1.0 + a * a)
    e = np.tanh(d * x)
    g = e + np.log(1.0 + b * b)
    h = g * g - d
    k = h / (2.0 + np.cos(c))
    return k * x


def branching(x):
    y = x
    total = 0.0
    for _ in range(6):
        if y > 0.5:
            y = np.sin(y) * x
        else:
            y = y * y + np.exp(-x)
        total += y * np.tanh(y)
    return total / (1.0 + x * x)


@pytest.mark.parametrize('function, value', [
    (polynomial, 13.594761476831968), (recurrence, 4744.741380229649), (dense, -78.33520985526418),
    (branching, -687.2015637070743)])
def test_fifth_derivatives_stay_short(function, value):
    """The values are differences of the fourth order, taken with sixty digits or more."""
    for _ in range(5):
        function = tp.grad(function)
    assert function(0.7) == pytest.approx(value, rel=1e-8)
    assert len(function.source.splitlines()) < 500
