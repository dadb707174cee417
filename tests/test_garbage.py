"""Garbage that making programs leaves: searched for rarely, but searched for."""
import gc
import weakref

import pytest

from transpiler import garbage
from transpiler.garbage import among_new_objects


@pytest.fixture
def often(monkeypatch):
    """Python searches often, and while programs are made thirty times less."""
    monkeypatch.setattr(garbage, 'OBJECTS', 20_000)
    before = gc.get_threshold()
    gc.collect()
    gc.set_threshold(100, 2, 3)
    yield
    gc.set_threshold(*before)


class Ring:
    def __init__(self):
        self.own = self


def rings(count: int) -> list[weakref.ref]:
    return [weakref.ref(Ring()) for _ in range(count)]


def searches() -> int:
    return gc.get_stats()[2]['collections']


@pytest.mark.parametrize('size', [20, 2_000])
def test_no_garbage_is_kept_for_good(often, size):
    """However little each program leaves."""
    before = searches()
    left = []
    for _ in range(200_000 // size):
        with among_new_objects():
            left += rings(size)
    assert sum(ring() is not None for ring in left) < 40_000
    assert searches() > before


def test_all_is_searched_rarely_and_not_right_afterwards(often):
    before = searches()
    with among_new_objects():
        kept = [[k] for k in range(5_000)]
    assert gc.get_count()[2] <= 3 and searches() - before <= 1
    assert gc.get_threshold() == (100, 2, 3) and gc.get_freeze_count() == 0 and len(kept) == 5_000


def test_what_is_set_aside_stays_so(often):
    gc.freeze()
    aside = gc.get_freeze_count()
    try:
        with among_new_objects():
            rings(5_000)
        assert 0 < gc.get_freeze_count() <= aside
    finally:
        gc.unfreeze()
