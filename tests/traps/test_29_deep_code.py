"""Trap 29: what is deep is derived all the same, where Python stops at 1000 calls, 100 levels of indentation and 20 loops."""
import sys

import pytest

import transpiler as tp
from tests.support import same
from transpiler import room


def a_sum(n):
    return 'def f(x):\n    return ' + ' + '.join(f'x * {k}.0' for k in range(n)) + '\n', sum(range(n))


def arms(n):
    chain = ''.join(f'    {"if" if k == 0 else "elif"} n == {k}:\n        y = {k}.0 * x\n' for k in range(n))
    return f'def f(x, n=15):\n    y = x\n{chain}    return y\n', 15.0


def early_returns(n):
    tests = ''.join(f'    if n == {k}:\n        return {k}.0 * y\n    y = y + x * {k}.0\n' for k in range(n))
    return f'def f(x, n=15):\n    y = x\n{tests}    return y\n', 15.0 * (1 + sum(range(15)))


def branches(n):
    deep = ''.join(f'{"    " * (k + 1)}if x > -{k}.5:\n' for k in range(n))
    return f'def f(x):\n    y = x\n{deep}{"    " * (n + 1)}y = 3.0 * x\n    return y * y\n', 18.0


def breaks(n):
    tests = ''.join(f'        if x > {k}.5:\n            break\n        s = s + x\n' for k in range(1, n + 1))
    return f'def f(x):\n    s = 0.0\n    for i in range(3):\n{tests}    return s\n', 3.0 * n


def conditions(n):
    return 'def f(x):\n    return ' + ' if x > 100 else '.join(f'{k}.0 * x' for k in range(n)) + '\n', n - 1.0


def brackets(n):
    return 'def f(x):\n    return ' + '[' * n + 'x' + ']' * n + '[0]' * n + ' * 2.0\n', 2.0


def at_the_end_of_the_stack(call, levels):
    """What `call` gives where hardly any calls are left."""
    return call() if not levels else at_the_end_of_the_stack(call, levels - 1)


DEEP = [(a_sum, 200), (arms, 105), (branches, 97), (conditions, 150), (brackets, 90), (early_returns, 20), (breaks, 10)]


@pytest.mark.parametrize('made, n', DEEP, ids=lambda value: getattr(value, '__name__', ''))
def test_what_is_deep_is_derived(made, n):
    text, slope = made(n)
    f, limit = tp.from_source(text), sys.getrecursionlimit()
    same(tp.grad(f)(1.0), slope)
    assert sys.getrecursionlimit() == limit
    assert max(len(line) - len(line.lstrip()) for line in tp.grad(f).source.splitlines()) < 400


def test_tangents_of_deep_code():
    f = tp.from_source(branches(97)[0])
    same(tp.jvp(f, (1.0,), (1.0,)), (9.0, 18.0))


def test_deep_code_is_compiled():
    for made, n in ((a_sum, 200), (branches, 97)):
        text, slope = made(n)
        same(tp.jit(tp.grad(tp.from_source(text)))(1.0), slope)


def test_it_does_not_matter_how_deep_the_caller_is():
    f = tp.grad(tp.from_source(early_returns(20)[0]))
    same(at_the_end_of_the_stack(lambda: f(1.0, 3), sys.getrecursionlimit() - 200), 3.0 * 4.0)


def test_loops_that_python_cannot_nest_are_refused():
    loops = ''.join(f'{"    " * (k + 1)}for k{k} in range(1):\n' for k in range(11))
    helper = f'def g(x):\n{loops}{"    " * 12}x = x + 1.0\n    return x\n'
    text = f'{helper}def f(x):\n{loops}{"    " * 12}x = g(x)\n    return x\n'
    with pytest.raises(tp.TranspileError, match='21 loops inside each other'):
        tp.jit(tp.from_source(text, 'f'))(1.0)


def test_what_is_deeper_still_is_refused(monkeypatch):
    monkeypatch.setattr(room, 'LEVELS', 1_500)
    with pytest.raises(tp.TranspileError, match='goes too deep'):
        tp.grad(tp.from_source(a_sum(700)[0]))(0.5)
