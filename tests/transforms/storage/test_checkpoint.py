"""Functions that are run again for their pullback: the same derivatives, with less kept."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check, same


@tp.checkpoint
def layer(w, x):
    h = np.tanh(w * x)
    return h * np.sin(h) + x


def twice(x):
    return np.sum(layer(x, layer(x, x)))


def in_a_loop(x):
    y = x
    for k in range(4):
        y = layer(x, y) * np.cos(k)
    return np.sum(y * y)


def within_each_other(x):
    def inner(a):
        return layer(x, a) * a
    for _ in tp.checkpointed(range(3), snapshots=2):
        x = tp.checkpoint(inner)(x)
    return np.sum(x)


def with_a_loop_inside(x):
    @tp.checkpoint
    def relaxed(u):
        v = u.copy()
        for i in range(1, len(v)):
            v[i] = v[i] * np.sin(v[i - 1])
        return v
    return np.sum(relaxed(relaxed(x) + x))


def writing(x):
    """What is called writes into an array of the caller, which is read and written before and after."""
    @tp.checkpoint
    def step(u, a):
        u[1:] = u[1:] * u[:-1] + a
        u[0] = np.sin(u[0]) * a
    u = x * 1.0
    u[1] = u[0] * u[1]
    for k in range(3):
        step(u, x[0] + k)
        u[2] = u[2] * u[0]
    return np.sum(u * x)


def several_results(x):
    @tp.checkpoint
    def parts(a, scale=2.0):
        b = np.exp(-a * a)
        return {'sum': np.sum(b), 'all': (b * scale, a)}
    found = parts(x)
    b, a = found['all']
    return found['sum'] * np.sum(a * b)


PROGRAMS = [twice, in_a_loop, within_each_other, with_a_loop_inside, writing, several_results]


@pytest.mark.parametrize('program', PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(program):
    x = np.array([0.3, 0.9, -0.4, 0.7])
    check(PLAIN, program, x, order=2)


@pytest.mark.compiles
@pytest.mark.parametrize('program', PROGRAMS, ids=lambda f: f.__name__)
def test_compiled(program):
    x = np.array([0.3, 0.9, -0.4, 0.7])
    same(tp.jit(tp.grad(program))(x), tp.grad(program)(x))


def test_the_function_alone():
    x = np.array([0.3, 0.9])
    energy = tp.checkpoint(lambda x: np.sum(np.sin(x) * x))
    assert energy(x) == np.sum(np.sin(x) * x) == tp.jit(energy)(x)
    check(PLAIN, energy, x, order=2)
    same(tp.checkpoint(tp.grad(energy))(x), tp.grad(energy)(x))


def test_nothing_is_kept():
    """Ten calls that each need eight values of 80 kB for their pullbacks."""
    @tp.checkpoint
    def deep(x):
        for _ in (1, 2, 3, 4, 5, 6, 7, 8):
            x = np.sin(x) * 0.9
        return x

    def loss(x):
        for _ in range(10):
            x = deep(x)
        return np.sum(x)
    slope, x = tp.grad(loss), np.ones(10_000)
    slope(x)
    tracemalloc.start()
    slope(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * x.nbytes


def test_printed_once(capsys):
    @tp.checkpoint
    def talking(x):
        print('here')
        return x * x
    tp.grad(lambda x: talking(talking(x)))(1.1)
    assert capsys.readouterr().out.split() == ['here', 'here']
