"""Garbage that making programs leaves: searched for rarely, but searched for. In processes that hold little else to search."""
import gc
import linecache
import multiprocessing
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest

import transpiler as tp
from transpiler import garbage
from transpiler.backends import python
from transpiler.garbage import among_new_objects
from transpiler.source.reading import capture


@contextmanager
def often() -> Iterator[None]:
    """Python searches often, and while programs are made thirty times less."""
    garbage.OBJECTS, garbage.YOUNG = 20_000, 100
    gc.collect()
    gc.set_threshold(100, 2, 3)
    try:
        yield
    finally:
        gc.unfreeze()


@pytest.fixture(scope='module')
def elsewhere():
    """`elsewhere(function, ...)` calls it in a new process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context('spawn')) as pool:
        yield lambda function, *args: pool.submit(function, *args).result()


class Ring:
    def __init__(self):
        self.own = self


def rings(count: int) -> list[weakref.ref]:
    return [weakref.ref(Ring()) for _ in range(count)]


def searches() -> int:
    return gc.get_stats()[2]['collections']


def leaving_rings(size: int) -> None:
    with often():
        before, left = searches(), []
        for _ in range(200_000 // size):
            with among_new_objects():
                left += rings(size)
        assert sum(ring() is not None for ring in left) < 40_000
        assert searches() > before


def keeping_lists() -> None:
    with often():
        before = searches()
        with among_new_objects():
            kept = [[k] for k in range(5_000)]
        assert gc.get_count()[2] <= 3 and searches() - before <= 1
        assert gc.get_threshold() == (100, 2, 3) and gc.get_freeze_count() == 0 and len(kept) == 5_000


def setting_aside() -> None:
    with often():
        gc.freeze()
        aside = gc.get_freeze_count()
        with among_new_objects():
            rings(5_000)
        assert 0 < gc.get_freeze_count() <= aside


@pytest.mark.parametrize('size', [20, 2_000])
def test_no_garbage_is_kept_for_good(elsewhere, size):
    """However little each program leaves."""
    elsewhere(leaving_rings, size)


def test_all_is_searched_rarely_and_not_right_afterwards(elsewhere):
    elsewhere(keeping_lists)


def test_what_is_set_aside_stays_so(elsewhere):
    elsewhere(setting_aside)


def a_lambda(c: float) -> None:
    tp.grad(lambda x: np.sum(np.sin(x * c) * x))(np.ones(3))


def a_text(c: float) -> None:
    tp.grad(tp.from_source(f'import numpy as np\ndef f(x):\n    return np.sum(np.sin(x * {c}) * x)\n'))(np.ones(3))


def a_compiled_lambda(c: float) -> None:
    tp.jit(lambda x: x * c)(3.0)


def objects() -> int:
    capture._by_name.cache_clear()  # of which there are few
    gc.collect()
    return len(gc.get_objects())


def made_and_dropped(step: Callable[[float], None], count: int) -> int:
    """By how much objects have become more when so many functions have been differentiated, and dropped."""
    python.MANY = 2
    for k in range(3):
        step(k + 0.5)
    before = objects()
    for k in range(count):
        step(k + 10.5)
    return objects() - before


@pytest.mark.parametrize('step', [a_lambda, a_text, a_compiled_lambda])
def test_nothing_is_left_of_functions_that_are_gone(elsewhere, step):
    assert elsewhere(made_and_dropped, step, 10) < 50


def lines_kept() -> None:
    f = tp.from_source('def f(x):\n    return g(x)\ndef g(x):\n    return x * x\n', 'f')
    g = f.__globals__['g']
    del f
    gc.collect()
    assert tp.grad(g)(3.0) == 6.0
    before = len(linecache.cache)
    del g
    gc.collect()
    assert len(linecache.cache) == before - 1


def test_texts_live_as_long_as_one_of_their_functions(elsewhere):
    elsewhere(lines_kept)
