"""The pool of threads: every part runs once, whoever calls, however often, in whatever process."""

import ctypes
import multiprocessing
import os
import re
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba.core import event

from tests.support import from_many_threads
from transpiler_kernels.grain import OPERATIONS
from transpiler_kernels.interrupts.places import FUNCTION, LINE, LINES, THREADS
from transpiler_kernels.machine.symbols import in_python, set_word
from transpiler_kernels.memory.allocation import LARGE, empty
from transpiler_kernels.threads import in_parts, parts_of
from transpiler_kernels.threads.pool import offer, pool, run_what_is_left

compiled = numba.njit(nogil=True, error_model='numpy')


@compiled
def count_turns(part, low, count, turns, parts):
    parts[part] += 1
    for turn in range(low, low + count):
        turns[turn] += 1


@compiled
def counted(size, parts):
    turns, seen = np.zeros(size, np.int64), np.zeros(parts, np.int64)
    in_parts(count_turns, parts, size, turns, seen)
    return turns, seen


@compiled
def around(part, low, count, found):
    for turn in range(low, low + count):
        turns, _ = counted(100, 4)
        found[turn] = turns.sum()


@compiled
def nested(size):
    found = np.zeros(size, np.int64)
    in_parts(around, 5, size, found)
    return found


@compiled
def failing(part, low, count, out):
    if part == 2:
        raise ValueError('a part fails')
    if part > 2:
        raise ValueError('a later one does')
    out[part] = 1


@compiled
def failed():
    out = np.zeros(9)
    in_parts(failing, 9, 9, out)
    return out


@pytest.mark.parametrize('size, parts', [(10, 1), (10, 2), (7, 7), (1000, 8), (3, 2), (100_000, 32_767)])
def test_every_turn_runs_once(size, parts):
    turns, seen = counted(size, parts)
    assert np.all(turns == 1) and np.all(seen == 1)


def test_every_turn_runs_once_every_time():
    for k in range(20_000):
        turns, seen = counted(1 + k % 50, 1 + k % 9)
        assert np.all(turns == 1) and np.all(seen == 1)


def test_loops_within_loops():
    assert np.all(nested(40) == 100)


def test_no_turns():
    turns, seen = counted(0, 3)
    assert turns.size == 0 and np.all(seen == 1)


def test_a_part_that_fails():
    """As in order: the first exception comes out."""
    for _ in range(2_000):
        with pytest.raises(ValueError, match='a part fails'):
            failed()
    test_every_turn_runs_once(1000, 8)


def test_many_callers():
    """Eight threads call at the same time: one of them gets help, the others run their parts by themselves."""
    wrong = []

    def call():
        for k in range(3_000):
            turns, seen = counted(64, 2 + k % 7)
            if not (np.all(turns == 1) and np.all(seen == 1)):
                wrong.append(k)

    from_many_threads(call)
    assert not wrong


def test_how_many_parts():
    before = numba.config.NUMBA_NUM_THREADS
    try:
        pool.set_grain(OPERATIONS)
        assert parts_of(1000, OPERATIONS) == 1
        assert parts_of(1000, 2 * OPERATIONS) == (2 if before > 1 else 1)
        assert parts_of(3, 10 ** 12) == (3 if before > 1 else 1)
        assert parts_of(0, 0) == parts_of(-5, -50) == 1
    finally:
        pool.set_grain(1)


def _in_a_child(results):
    turns, seen = counted(1000, 8)
    results.put(bool(np.all(turns == 1) and np.all(seen == 1)))


@pytest.mark.filterwarnings('ignore:.*multi-threaded, use of fork:DeprecationWarning')
def test_a_forked_process():
    counted(1000, 8)
    context = multiprocessing.get_context('fork')
    results = context.SimpleQueue()
    child = context.Process(target=_in_a_child, args=(results,))
    child.start()
    child.join(60)
    assert child.exitcode == 0 and results.get()


SCRIPT = """
import numpy as np, transpiler as tp
from transpiler_kernels.interrupts.places import THREADS
from transpiler_kernels.threads.pool import pool
import ctypes
pool.set_grain(1)
x = np.arange(100_000.0)
f = tp.jit(tp.from_source("import numpy as np\\ndef f(x): return 2.0 * np.sin(x), np.sum(x * x)"))
y, s = f(x)
for _ in range(200):
    again, total = f(x)
    assert total == s and np.array_equal(again, y)
print(ctypes.c_int64.from_address(pool.address + THREADS).value, len(pool.threads), repr(float(s)), repr(float(np.sum(y))))
"""


@pytest.mark.parametrize('count', [1, 2, 5])
def test_as_many_threads_as_numba_has(count):
    """The same from run to run, with another number of threads the same but for rounding, and an end without trouble."""
    environment = {**os.environ, 'NUMBA_NUM_THREADS': str(count)}
    found = subprocess.run([sys.executable, '-c', SCRIPT], env=environment, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0 and not found.stderr, found.stderr
    threads, helpers, total, sines = found.stdout.split()
    assert (int(threads), int(helpers)) == (count, count - 1)
    x = np.arange(100_000.0)
    assert np.isclose(float(total), np.sum(x * x), rtol=1e-13) and np.isclose(float(sines), np.sum(2.0 * np.sin(x)), rtol=1e-9)


def test_a_function_that_several_loops_run_is_compiled_once():
    lowered = []

    class Listener(event.Listener):
        def on_start(self, told):
            lowered.append(told.data['name'])

        def on_end(self, told):
            pass

    @compiled
    def add_one(part, low, count, x):
        for k in range(low, low + count):
            x[k] += 1.0

    @compiled
    def both(x, y):
        in_parts(add_one, 2, x.size, x)
        in_parts(add_one, 3, y.size, y)

    x, y = np.zeros(5), np.ones(7)
    with event.install_listener('numba:run_pass', Listener()):
        both(x, y)
    assert np.all(x == 1.0) and np.all(y == 2.0)
    assert sum(name.startswith('native_lowering') and name.endswith('add_one]') for name in lowered) == 1, lowered


def test_what_every_program_needs_is_in_none():
    """Looking after memory and sharing out parts are compiled once, not along with each function that does so."""
    shared = {'transpiler_runs_parts', 'transpiler_takes_block', 'transpiler_gives_block_back'}

    @compiled
    def fill(part, low, count, x):
        for k in range(low, low + count):
            x[k] = k

    @compiled
    def filled(n):
        x = empty((n,), np.float64)
        in_parts(fill, 2, n, x)
        return x

    assert np.array_equal(filled(5), np.arange(5.0))
    assert np.array_equal(filled(LARGE), np.arange(float(LARGE)))
    (text,) = filled.inspect_llvm().values()
    assert shared == set(re.findall(r'^declare [^@]*@(transpiler_\w+)', text, re.MULTILINE))
    own = [line for line in text.splitlines() if line.startswith('define')]
    assert not any(part in line for line in own for part in ('taken', 'give_back', 'pool'))


def test_threads_take_parts_of_their_own_first():
    """The same ones in each task, from the front; those of others from the back."""
    memory = np.zeros(LINE * (LINES + 4), np.uint8)
    here = memory.ctypes.data + -memory.ctypes.data % LINE
    taken, run = [], in_python(run_what_is_left)
    note = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(lambda task, part: taken.append(part))
    set_word(here + THREADS, 3)
    set_word(here + FUNCTION, ctypes.cast(note, ctypes.c_void_p).value)
    for thread, order in (0, [0, 1, 4, 3, 2, 7, 6, 5]), (1, [2, 3, 4, 7, 6, 5, 1, 0]), (2, [5, 6, 7, 1, 0, 4, 3, 2]):
        offer(here, 8)
        run(here, thread)
        assert taken == order
        taken.clear()
    offer(here, 2)
    run(here, 0)
    assert sorted(taken) == [0, 1]


@compiled
def copy_part(part, low, count, source, out, factor, flag):
    for k in range(low, low + count):
        for j in range(source.shape[1]):
            out[k, j] = source[k, j] * factor + source.strides[1] * 0 + (1 if flag else 0)


@compiled
def copied_in_parts(source, out, factor, flag, parts):
    in_parts(copy_part, parts, source.shape[0], source, out, factor, flag)


@pytest.mark.parametrize('parts', [1, 3])
def test_arrays_of_all_layouts_are_handed_over(parts):
    for source in (np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(3, 4).T, np.arange(48.0).reshape(8, 6)[::-2, ::2],
                   np.arange(12, dtype=np.int8).reshape(4, 3), np.zeros((0, 3)), np.zeros((4, 0))):
        for out in (np.zeros(source.shape), np.zeros(source.shape, order='F'), np.zeros((*source.shape, 2))[..., 1]):
            copied_in_parts(source, out, 2, True, parts)
            np.testing.assert_array_equal(out, 2 * source + 1)


@compiled
def note_part(part, low, count, lists, x):
    for k in range(low, low + count):
        lists[k] = x[k:k + 2]


@compiled
def noted(x, parts):
    y = x * 2.0
    lists = [y[:0] for _ in range(4)]
    in_parts(note_part, parts, 4, lists, y)
    return lists


@pytest.mark.parametrize('parts', [1, 2])
def test_what_lists_keep_of_the_arguments_lives_on(parts):
    kept = [noted(np.full(6, float(k)), parts) for k in range(100)]
    assert all(np.all(item == 2.0 * k) for k, lists in enumerate(kept) for item in lists)
