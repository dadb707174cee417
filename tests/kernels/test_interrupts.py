"""Ctrl-C ends compiled loops within a second, wherever they are; looks leave results and vectors as they were."""
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import transpiler as tp
from transpiler_kernels.interrupts.loops import with_looks

LONG = 10 ** 11


def serial(x, n):
    s = 0.0
    for i in range(n):
        s = s * 0.5 + x[i % 3]
    return s


def endless(x, n):
    s = 0.0
    while s < n:
        s = s * 0.5 + x[0]
    return s


def nested(x, n):
    s = 0.0
    for i in range(n):
        for j in range(5):
            s = s * 0.5 + x[j % 3]
    return s


def calling(x, n):
    for _ in range(n):
        x = np.linalg.solve(np.eye(3) + np.outer(x, x), x)
    return x[0]


def of_arrays(x, n):
    y = np.zeros(1000)
    for _ in range(n):
        y += np.exp(-y) * x[0]
    return y[0]


def in_parts(x, n):
    out = np.zeros(100)
    for i in range(100):
        s = 0.0
        for j in range(n // 100):
            s = s * 0.5 + x[j % 3]
        out[i] = s
    return np.sum(out)


def cases():
    """A function, an argument, and how long its loop is."""
    x = np.ones(3)
    yield from ((tp.jit(f), x, LONG) for f in (serial, nested, calling, of_arrays, in_parts))
    yield tp.jit(endless), x, LONG
    yield tp.jit(tp.grad(nested)), x, 10 ** 8
    yield tp.jit(tp.vmap(endless, in_axes=(0, None))), np.ones((64, 3)), LONG
    yield tp.jit(serial, fastmath=True), x, LONG


def interrupted(function, x, n):
    """How long after the signal the function has ended."""
    sent = []

    def send():
        time.sleep(0.25)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=send).start()
    try:
        function(x, n)
    except KeyboardInterrupt:
        return time.perf_counter() - sent[0]
    raise AssertionError('it has come to its end')


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)    # what a shell runs in the background is not to hear of it
    for function, x, n in cases():
        first, held = function(x, 0), sys.getrefcount(x)
        passed = interrupted(function, x, n)
        gc.collect()
        assert np.array_equal(function(x, 0), first)
        print(function.__name__, sys.getrefcount(x) - held, passed)


def test_a_signal_ends_loops_within_a_second():
    program = 'from tests.kernels.test_interrupts import main; main()'
    done = subprocess.run([sys.executable, '-c', program], capture_output=True, text=True, timeout=200)
    assert not done.returncode, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert len(rows) == len(list(cases())) and max(float(passed) for *_, passed in rows) < 1.0, done.stdout
    assert {name for name, held, _ in rows if held != '0'} <= {'calling', 'in_parts'}, done.stdout


def test_the_handler_of_a_signal_runs_and_the_loop_goes_on():
    seen = []
    function = tp.jit(serial)
    function(np.ones(3), 1)
    before = signal.signal(signal.SIGALRM, lambda number, frame: seen.append(function(np.ones(3), 3)))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        start = time.perf_counter()
        while not seen and time.perf_counter() - start < 20:
            result = function(np.array([1.0, 0.0, 0.0]), 3 * 10 ** 8)
        assert seen == [1.75] and result == serial(np.array([1.0, 0.0, 0.0]), 300)
    finally:
        signal.signal(signal.SIGALRM, before)


def out_of_time(number, frame):
    raise TimeoutError('budget')


@pytest.fixture
def alarmed():
    """A handler of alarms that raises."""
    before = signal.signal(signal.SIGALRM, out_of_time)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_what_a_handler_raises_arrives_at_once_and_as_it_is(alarmed):
    function, x = tp.jit(serial), np.ones(3)
    function(x, 1)
    with pytest.raises(TimeoutError, match='^budget$') as found:
        signal.setitimer(signal.ITIMER_REAL, 0.25)
        start = time.process_time()
        function(x, LONG)
    assert time.process_time() - start < 2 and found.traceback[-1].name == 'out_of_time'    # to find a line takes minutes
    assert not hasattr(found.value, '__notes__') and found.value.__context__ is None


def test_what_the_program_raises_beside_a_handler_still_tells_the_line(alarmed):
    def beyond(x, n):
        s = 0.0
        for i in range(n):
            s += x[i % 3]
        return s + x[n]

    function, seen = tp.jit(beyond), []
    signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    with pytest.raises(IndexError) as found:
        function(np.ones(3), 10 ** 8)
    assert seen and 'return s + x[n]' in found.value.__notes__[0]


def two_arrays(x, n):
    s = 0.0
    for i in range(n):
        s = s * 0.5 + x[i % 3]
    return x + s, x - s


@pytest.mark.parametrize('number, kind', [(signal.SIGINT, KeyboardInterrupt), (signal.SIGALRM, TimeoutError)])
def test_a_signal_during_a_short_call_that_gives_arrays(alarmed, number, kind):
    """No loop looks in time, so Python handles it where Numba makes arrays of the result, and ignores what is raised."""
    function, x = tp.jit(two_arrays), np.ones(3)
    function(x, 1)
    before = signal.signal(number, signal.default_int_handler if number == signal.SIGINT else out_of_time)
    try:
        for _ in range(5):
            function(x, 10 ** 8)        # looks
            with pytest.raises(kind) as found:
                threading.Timer(0.01, signal.pthread_kill, (threading.main_thread().ident, number)).start()
                start = time.perf_counter()
                while time.perf_counter() - start < 20:
                    function(x, 10 ** 7)
            assert found.value.__context__ is None and not hasattr(found.value, '__notes__')
    finally:
        signal.signal(number, before)


def test_other_threads_are_not_interrupted():
    function, results = tp.jit(serial), []
    function(np.ones(3), 1)
    thread = threading.Thread(target=lambda: results.append(function(np.ones(3), 3 * 10 ** 8)))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            os.kill(os.getpid(), signal.SIGINT)
            thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
    thread.join()
    assert results == [2.0]


def test_memory_is_given_back_where_a_loop_ends_early():
    """What is owned for certain: a phi, or another number of references on another way, leaves it to nobody."""
    before = LOOP.replace('  br label %loop\n', '  call void @NRT_incref(ptr %x)\n  br label %loop\n', 1)
    after = before.replace('  ret i32 0', '  call void @NRT_decref(ptr nonnull %x)\n  ret i32 0')
    assert with_looks(after, {'f'}, '').count('call void @NRT_decref(ptr %x)') == 1
    for line in 'call void @NRT_decref(ptr nonnull %x)', '%y = phi ptr [ %x, %entry ], [ %y, %loop ]':
        assert 'decref(ptr %x)' not in with_looks(after.replace('  %next', f'  {line}\n  %next'), {'f'}, '')


LOOP = '''
define i32 @f(i64 %n) {
entry:
  br label %loop

loop:                                             ; preds = %loop, %entry
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add nuw i64 %i, 4
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !0

end:                                              ; preds = %loop
  ret i32 0
}

!0 = distinct !{!0}
'''


def test_a_loop_that_counts_looks_by_the_bits_of_its_counter():
    text = with_looks(LOOP, {'f'}, '')
    assert '%i = phi i64 [ 0, %entry ], [ %next, %look.0 ], [ %next, %look.0.now ]' in text
    assert re.search(r'%look\.0\.bits = and i32 %look\.0\.low, 65532\n', text) and 'alloca' not in text
    assert with_looks(LOOP, {'g'}, '') == LOOP


def test_other_loops_count_down_on_the_stack():
    text = with_looks(LOOP.replace('add nuw i64 %i, 4', 'call i64 @g(i64 %i)'), {'f'}, '')
    assert text.count('alloca i64') == 2 and 'sub i64 %look.0.had, 64' in text
