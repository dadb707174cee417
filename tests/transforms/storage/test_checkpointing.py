"""Loops that keep few states: the derivative is that of the plain loop, at any order, and few states are kept."""

from __future__ import annotations

import tracemalloc
from functools import cache

import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, PLAIN, check, same, summed_gradient
from transpiler_kernels.arrays import next_snapshot

MODES = [PLAIN, JIT]


def rebound(x, n=7):
    """The state is an array that is bound anew in every turn."""
    for _ in tp.checkpointed(range(n), snapshots=3):
        x = x + 0.1 * np.sin(x) * x
    return np.sum(x * x)


def in_place(x, n=7):
    """The state is an array that is written in place, with a loop inside."""
    u = x.copy()
    for t in tp.checkpointed(range(n), snapshots=2):
        for i in range(1, len(u) - 1):
            u[i] = u[i] + 0.1 * u[i - 1] * np.sin(u[i + 1] + t)
    return np.sum(u * x)


def several(x, n=6):
    """Numbers, an array, and an array of results that every turn writes into."""
    a, b, energy = np.sum(x), 0.5, np.zeros(n)
    v = np.zeros_like(x)
    for t in tp.checkpointed(range(n), snapshots=2):
        a, b = b * np.cos(a), a - 0.1 * b * x[0]
        v = v + a * x
        if b > 0.3:
            energy[t] = np.sum(v * v)
        else:
            energy[t] = b * b
    return np.sum(energy * energy) + a


def history(x, n=6):
    """Each turn reads what an earlier one wrote."""
    u = np.zeros((n + 1, len(x)))
    u[0] = x
    for t in tp.checkpointed(range(n), snapshots=3):
        u[t + 1] = u[t] * np.cos(u[t]) + 0.1 * u[t, ::-1]
    return np.sum(u * u)


def overwritten_later(x, n=5):
    """What the turns read is written after the loop."""
    w = 0.5 * np.cos(x)
    u = x.copy()
    for t in tp.checkpointed(range(n), snapshots=2):
        u = u * w + 0.01 * t
    w[:] = u * u
    u[0] = 2.0
    return np.sum(w * u)


def written_before(x, n=5):
    """The array is written, and read, on both sides of the loop."""
    u = x * 2.0
    for i in range(len(u)):
        u[i] = np.sin(u[i]) * u[i]
    for t in tp.checkpointed(range(n), snapshots=2):
        u[1:] = u[1:] * u[:-1] + 0.1
    for i in range(len(u)):
        u[i] = np.cos(u[i]) * u[i]
    return np.sum(u)


def in_a_loop(x, n=4):
    """A loop with snapshots in another loop, which changes how many turns it has."""
    u, total = x.copy(), 0.0
    for k in range(3):
        scale = np.sum(u) * 0.01
        for t in tp.checkpointed(range(k, n + k), snapshots=2):
            u = u + scale * np.sin(u + t)
        u[0] = np.sin(total)
        total = total + 0.1 * np.sum(u * u)
    return total


def within_each_other(x, n=4):
    for _ in tp.checkpointed(range(n), snapshots=2):
        y = x * 0.5
        for t in tp.checkpointed(range(n, 0, -1), snapshots=2):
            y = y + 0.1 * np.sin(y) * t
        x = x + y * y * 0.01
    return np.sum(x)


def in_branches(x, n=5):
    """What only some turns define."""
    u, total = x.copy(), 0.0
    for t in tp.checkpointed(range(n), snapshots=2):
        if t % 2:
            v = u * u
            u[1:] = v[:-1] * np.cos(t)
        elif t < 3:
            w = np.sin(u)
            total = total + np.sum(w * u)
    return total + np.sum(u)


def over_rows(x, n=4):
    h = np.zeros(3)
    for row in tp.checkpointed(x.reshape(4, 3), snapshots=2):
        h = np.tanh(h + row) * h[0] + row
    return np.sum(h)


PROGRAMS = [rebound, in_place, several, history, overwritten_later, written_before, in_a_loop, within_each_other, in_branches]


@pytest.mark.parametrize('mode', MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize('program', PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(program, mode):
    x = np.array([0.3, 0.9, -0.4, 0.7])
    for n in (5, 0):
        value, gradient = mode(tp.value_and_grad(program))(x, n)
        assert np.isclose(value, program(x, n))
        check(mode, program, x, n)


@pytest.mark.parametrize('program', PROGRAMS, ids=lambda f: f.__name__)
def test_second_derivatives(program):
    check(PLAIN, program, np.array([0.3, 0.9, -0.4, 0.7]), order=2)


@pytest.mark.compiles
@pytest.mark.parametrize('program', [rebound, in_place], ids=lambda f: f.__name__)
def test_second_derivatives_compiled(program):
    x = np.array([0.3, 0.9, -0.4, 0.7])
    second = tp.grad(summed_gradient(program))
    same(tp.jit(second)(x), second(x))


def test_rows():
    check(PLAIN, over_rows, np.linspace(0.1, 1.0, 12))


def test_results_keep_their_values():
    def states(x):
        u = x.copy()
        for _ in tp.checkpointed(range(4), snapshots=2):
            u[1:] = u[1:] * u[:-1]
        return np.sum(u), u
    x = np.array([0.3, 0.9, -0.4])
    gradient, u = tp.grad(states, has_aux=True)(x)
    same(u, states(x)[1])


# how much is kept, and how often turns run


def run_through(turns: int, snapshots: int) -> tuple[int, int]:
    """The turns that the schedule runs again before they are reversed, and the most states it keeps at a time."""
    marks, mark, again, most = [], 0, 0, 0
    for t in range(turns):
        if t == mark:
            marks.append(t)
            mark, most = next_snapshot(t, turns, snapshots - len(marks)), max(most, len(marks))
    for t in range(turns - 1, -1, -1):
        start = mark = marks.pop()
        for u in range(start, t):
            if u == mark:
                marks.append(u)
                mark, most = next_snapshot(u, t + 1, snapshots - len(marks)), max(most, len(marks))
            again += 1
    assert not marks
    return again, most


@cache
def fewest(turns: int, snapshots: int) -> int:
    """The fewest runs of turns that get the state before each turn, last to first, by trying all places for the next state."""
    if turns <= 1 or snapshots == 1:
        return turns * (turns - 1) // 2
    return min(m + fewest(turns - m, snapshots - 1) + fewest(m, snapshots) for m in range(1, turns))


@pytest.mark.parametrize('snapshots', range(1, 6))
def test_no_schedule_is_better(snapshots):
    for turns in range(40):
        again, most = run_through(turns, snapshots)
        assert most <= snapshots
        assert turns + again == fewest(turns + 1, snapshots)  # the first sweep runs through all turns


@pytest.mark.parametrize(('turns', 'runs'), [(10, 0), (231, 2), (1771, 3), (10_000, 4)])
def test_turns_run_a_few_times(turns, runs, snapshots=20):
    again, most = run_through(turns, snapshots)
    assert most <= snapshots and again <= runs * turns


def test_memory():
    """20 states of 80 kB instead of 400."""
    def far(x):
        for _ in tp.checkpointed(range(400), snapshots=20):
            x = x + 0.01 * np.sin(x)
        return np.sum(x)
    gradient, x = tp.grad(far), np.ones(10_000)
    gradient(x)
    tracemalloc.start()
    gradient(x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 30 * x.nbytes


# what is refused


def test_at_least_one_snapshot():
    def none(x, k):
        for _ in tp.checkpointed(range(3), snapshots=k):
            x = x * x
        return x
    with pytest.raises(ValueError, match='at least 1'):
        none(2.0, 0)
    with pytest.raises(ValueError, match='at least 1'):
        tp.grad(none)(2.0, 0)


def test_a_list_that_grows():
    def growing(x):
        ys = []
        for _ in tp.checkpointed(range(3), snapshots=2):
            x = x * x
            ys.append(x)
        return ys.pop()
    assert tp.grad(growing)(2.0) == pytest.approx(8 * 2.0 ** 7)


def test_buffers_that_swap_names():
    def swapping(x):
        u, v = x.copy(), np.zeros_like(x)
        for _ in tp.checkpointed(range(5), snapshots=2):
            v[:] = u * u + v
            u, v = v, u
        return np.sum(u * v)
    with pytest.raises(tp.TranspileError, match='may show other memory in every iteration'):
        tp.grad(swapping)(np.ones(3))


def test_printed_once(capsys):
    def talking(x):
        for t in tp.checkpointed(range(4), snapshots=1):
            print(t)
            x = x * x
        return x
    tp.grad(talking)(1.1)
    assert capsys.readouterr().out.split() == ['0', '1', '2', '3']


def a_branch_that_never_runs(x):
    """Whether `k < 1.3` is known, but not in an arm whose own test is not."""
    for k in tp.checkpointed(range(1), snapshots=2):
        if x[0] > 0.0:
            pass
        elif k < 1.3:
            pass
        else:
            x[k % 1] = 1.0
    return np.sum(x * x)


def test_a_name_of_a_branch_that_never_runs():
    check(PLAIN, a_branch_that_never_runs, np.array([-0.5, 0.2]))
