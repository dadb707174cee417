"""How much work a transformation is: twice as long a program is twice as much, and loops in each other are what their bodies are.

What is counted are calls of Python functions, of which there are as many in every run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

import transpiler as tp

ROOM = 20_000  # calls inside each other: programs are not made a second time in a thread with more room
LINEAR = 2.3


def arms(n):
    """A chain of `elif`."""
    middle = [f'    elif x < {k}:\n        y = x * {k}.0' for k in range(n)]
    return ['    if x < 0:\n        y = x', *middle, '    else:\n        y = x * x', '    return y']


def branches(n):
    """One `if` after another."""
    return ['    y = x', *(f'    if y > {k}:\n        y = y * x + {k}.0' for k in range(n)), '    return y']


def terms(n):
    """A long sum."""
    return ['    return ' + ' + '.join(f'np.sin(x * {k}.5)' for k in range(n))]


def line(n):
    """Statements without branches, each with a name of its own."""
    return ['    v0 = x', *(f'    v{k} = np.sin(v{k - 1}) + v{max(0, k - 7)} * 0.5' for k in range(1, n)), f'    return v{n - 1}']


def body(n):
    """Statements inside a loop."""
    return ['    y = x', '    for i in range(5):', *(f'        y = np.sin(y) * x + {k}.0' for k in range(n)), '    return y']


def loops(n):
    """One loop after another."""
    return ['    y = x', *(f'    for i in range(3):\n        y = y * x + {k}.0' for k in range(n)), '    return y']


def nest(n):
    """Loops in each other."""
    heads = [f'{"    " * (k + 1)}for i{k} in range(2):' for k in range(n)]
    return ['    y = 0.0', *heads, f'{"    " * (n + 1)}y = y + x * x', '    return y']


def program(lines: list[str]) -> Callable:
    return tp.from_source('\n'.join(['import numpy as np', 'def f(x):', *lines]) + '\n')


def calls(transform: Callable, lines: list[str]) -> int:
    """So many calls of Python functions make the generated program, and what Numba gets of it where it is to be compiled."""
    function, count = program(lines), 0

    def note(frame, event, argument):
        nonlocal count
        count += event == 'call'

    before = sys.getrecursionlimit()
    sys.setrecursionlimit(ROOM)
    sys.setprofile(note)
    try:
        lowered = transform(function).lower(0.5)
        assert lowered.source and (transform in (tp.grad, tp.jacfwd) or lowered.loops)
    finally:
        sys.setprofile(None)
        sys.setrecursionlimit(before)
    return count


@pytest.mark.parametrize('family, length', ((arms, 80), (branches, 80), (terms, 80), (body, 80), (line, 300)))
def test_twice_the_program_is_twice_the_work(family, length):
    calls(tp.grad, family(5))  # rules are read once
    ratio = calls(tp.grad, family(length)) / calls(tp.grad, family(length // 2))
    assert ratio < LINEAR


@pytest.mark.parametrize('transform', (tp.jacfwd, tp.jit), ids=('forward', 'alone'))
def test_chains_of_branches_in_other_transformations(transform):
    calls(transform, arms(5))
    ratio = calls(transform, arms(80)) / calls(transform, arms(40))
    assert ratio < LINEAR


def test_loops_one_after_another_are_lowered_each_once():
    def transform(function):
        return tp.jit(tp.grad(function))

    calls(transform, loops(3))
    ratio = calls(transform, loops(40)) / calls(transform, loops(20))
    assert ratio < LINEAR


def test_loops_in_each_other_are_no_factor_each():
    calls(tp.grad, nest(2))
    six, nine, twelve = (calls(tp.grad, nest(n)) for n in (6, 9, 12))
    assert twelve - nine < 2 * (nine - six)
