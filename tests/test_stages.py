"""The clock of the compiler's stages: what is charged to which, and to whom nothing is."""
import threading

import pytest

from transpiler import stages
from transpiler.stages import CACHE, LLVM, LOWER, NUMBA, Clock, Spent, clocked, stage


@pytest.fixture
def now(monkeypatch):
    """A time that passes when the test says so."""
    hand = [0.0]
    monkeypatch.setattr(stages.time, 'thread_time', lambda: hand[0])

    def later(seconds):
        hand[0] += seconds
    return later


def test_a_stage_is_charged_without_those_inside_it(now):
    clock = Clock()
    clock.enter(CACHE)
    now(1.0)
    clock.enter(NUMBA, 'loss')
    now(2.0)
    clock.enter(LLVM)
    now(4.0)
    clock.leave()
    now(8.0)
    clock.leave()
    clock.leave()
    now(16.0)
    assert clock.spent == {(CACHE, ''): Spent(1.0, 1), (NUMBA, 'loss'): Spent(10.0, 1), (LLVM, 'loss'): Spent(4.0, 1)}
    assert clock.functions == ['loss'] and clock.seconds(NUMBA) == 10.0 and clock.times(LLVM) == 1


def test_threads_have_stages_of_their_own(now):
    clock = Clock()

    def other():
        clock.enter(LLVM)
        now(1.0)
        clock.leave()
        clock.leave()       # of something that began before
    clock.enter(NUMBA, 'loss')
    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert clock.spent[LLVM, ''] == Spent(1.0, 1)
    clock.leave()


def test_a_stage_ends_where_it_fails(now):
    @stage(LOWER, lambda: 'loss')
    def fails():
        now(1.0)
        raise ValueError
    with clocked(Clock()) as clock, pytest.raises(ValueError):
        fails()
    with pytest.raises(ValueError):
        fails()
    now(1.0)
    clock.leave()
    assert clock.spent == {(LOWER, ''): Spent(1.0, 1)}
