"""Printing: once, in order, in the primal, whatever derivative is taken; `sep`, `end`, `file` and `flush` as in Python."""
from __future__ import annotations

import io
import sys

import numpy as np
import pytest

import transpiler as tp
from tests.support import same

P, V = np.array([0.6, 1.2]), np.array([1.0, 2.0])
LOG, OTHER = io.StringIO(), io.StringIO()


def beside_a_branch(p):
    print('start', end=' ')
    u = p[0] if p[0] > p[1] else p[1]
    print('larger', u)
    return np.array([u * u, p[0]])


def in_loops(p):
    s = p[0]
    for i in range(2):
        if s > p[1]:
            print('large', i, sep='|')
            s = s * 0.5
        else:
            s = s * p[1]
        print(f'{s:.2f}', file=sys.stderr)
    while s < 3.0:
        s = s * 2.0
        if s > 2.0:
            print('left')
            break
    return np.array([s, p[0] * p[1]])


def in_an_arm_alone(p):
    if p[0] > 0.0:
        print('positive', end='!\n')
    y = p.copy()
    for i in range(2):
        y[i] = y[i] * p[1]
    return y


def in_a_function(p):
    return np.array([magnitude(p[0]), -p[1] * magnitude(-p[1])])


def magnitude(x):
    print('of', x)
    return x if x > 0.0 else -x


def in_a_recursion(p):
    return power(p[0], 2) * p


def power(x, n):
    print(n, end='.')
    return x * power(x, n - 1) if n > 0 else x


def differences(f, x, step):
    return np.stack([(f(x + step * e) - f(x - step * e)) / (2.0 * step) for e in np.eye(x.size)], axis=-1)


FUNCTIONS = [beside_a_branch, in_loops, in_an_arm_alone, in_a_function, in_a_recursion]


@pytest.mark.parametrize('f', FUNCTIONS)
def test_derivatives_print_once(f, capsys):
    first = differences(f, P, 1e-6)
    total = lambda p: np.sum(f(p))
    second = differences(lambda p: differences(total, p, 1e-4), P, 1e-4)
    ways = [(transform(f), first) for transform in (tp.jacfwd, tp.jacrev, tp.jacobian)]
    ways += [(lambda p: tp.jvp(f, (p,), (V,))[1], first @ V), (lambda p: tp.linearize(f, p)[1](V), first @ V)]
    ways += [(lambda p: tp.vjp(f, p)[1](V)[0], V @ first), (tp.hessian(total), second)]
    ways += [(outer(inner(total)), second) for outer in (tp.jacfwd, tp.jacrev) for inner in (tp.jacfwd, tp.jacrev, tp.grad)]
    ways += [(lambda p: tp.hvp(total, (p,), (V,)), second @ V), (lambda p: tp.vmap(tp.jacfwd(f))(p[None])[0], first)]
    capsys.readouterr()
    f(P)
    printed = capsys.readouterr()
    for way, expected in ways:
        same(way(P), expected, rtol=1e-3, atol=1e-4)
        assert capsys.readouterr() == printed


def test_batches_print_as_a_loop_over_examples_does(capsys):
    points = np.stack([P, P[::-1], 2 * P])
    expected = np.stack([beside_a_branch(p) for p in points])
    printed = capsys.readouterr()
    same(tp.vmap(beside_a_branch)(points), expected)
    assert capsys.readouterr() == printed
    same(tp.vmap(tp.jacfwd(beside_a_branch))(points), np.stack([tp.jacrev(beside_a_branch)(p) for p in points]))
    assert capsys.readouterr().out == 2 * printed.out


def test_compiled_jacobians_print(capsys):
    def f(p):
        print('start')
        u = p[0] if p[0] > p[1] else p[1]
        return np.array([u * u, p[0]])

    same(tp.jit(tp.jacfwd(f))(P), np.array([[0.0, 2.4], [1.0, 0.0]]))
    same(tp.jit(tp.hessian(lambda p: np.sum(f(p))))(P), np.array([[0.0, 0.0], [0.0, 2.0]]))
    assert capsys.readouterr().out == 'start\nstart\n'
    tp.jit(tp.grad(lambda x: print(x, x, sep='|', end='.', file=sys.stderr) or x))(1.0)
    assert capsys.readouterr() == ('', '1.0|1.0.')
    with pytest.raises(tp.TranspileError, match='`file` of `print` cannot be compiled'):
        tp.jit(lambda x: print(x, file=LOG) or x)(1.0)


def to_files(x):
    print(x, file=LOG, end='')
    print(x, 'two', file=OTHER, sep=f'<{x}>')
    print(x, file=LOG, flush=True)
    print('out', file=sys.stdout, sep=None, end=None)
    print('err', file=sys.stderr, flush=x > 0)
    return x * x


def test_files_around_the_program(capsys):
    gradient = tp.grad(to_files)
    for k in range(2):
        same(gradient(2.0), 4.0)
        assert capsys.readouterr() == ('out\n', 'err\n')
        assert LOG.getvalue() == '2.02.0\n' * (k + 1) and OTHER.getvalue() == '2.0<2.0>two\n' * (k + 1)
    assert 'file=sys.stderr' in gradient.source


def test_a_file_that_is_replaced(monkeypatch):
    gradient = tp.grad(to_files)
    gradient(2.0)
    new = io.StringIO()
    monkeypatch.setitem(globals(), 'LOG', new)
    gradient(3.0)
    assert new.getvalue() == '3.03.0\n'


def test_containers_are_printed(capsys):
    assert tp.grad(lambda x: print([x, 2.0], (x,), {'a': x, 3: [x]}, None) or x * x)(2.0) == 4.0
    assert capsys.readouterr().out == "[2.0, 2.0] (2.0,) {'a': 2.0, 3: [2.0]} None\n"


@pytest.mark.parametrize('f, message', [
    (lambda x: print(x, sep=3) or x, '`sep` of `print` is the int 3'),
    (lambda x: print(x, end=x) or x, '`end` of `print` is a run-time value'),
    (lambda x: print(x, file=x) or x, '`file` of `print` is a run-time value'),
    (lambda x: print(x, file='log.txt') or x, '`file` of `print` is'),
    (lambda x: print(x, colour='red') or x, 'called in a way that is not supported')])
def test_what_print_does_not_take(f, message):
    with pytest.raises(tp.TranspileError, match=message):
        tp.grad(f)(1.0)
