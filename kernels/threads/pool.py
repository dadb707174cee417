"""Threads that wait in compiled code for parts of a task, and the call that hands a task to them.

A task is the address of a function, and an address that the function is given along with the number of a part. Each thread has
a word of its own, a claim, which says what task it is (a number that grows) and which parts are left of those meant for this
thread: from k to before n. Whoever changes it to "from k + 1" runs part k; to "before n - 1", part n - 1. As the number of the
task is in the same word, a thread that comes late, when the task is done or another one has begun, fails to change it.

A thread takes its own parts from the front, then those of others from the back: in task after task, call after call, it gets the
same stretch of the loop, and finds in its own cache what it has written. The caller is one of the threads, so that it never waits
for one that does not come, only for parts that are being run.
"""
from __future__ import annotations

import atexit
import ctypes
import os
import threading

import numba
from numba import types

from transpiler_kernels.grain import OPERATIONS
from transpiler_kernels.interrupts.looking import OVER, look
from transpiler_kernels.interrupts.places import (
    ASLEEP,
    BUSY,
    CLAIMS,
    DONE,
    ENDS,
    FUNCTION,
    GRAIN,
    HELPERS,
    LINE,
    MUTEX,
    TASK,
    THREADS,
    WHO,
    WOKEN,
    address,
)
from transpiler_kernels.machine.atomics import add, call, load, replace, store
from transpiler_kernels.machine.compiled import written_out
from transpiler_kernels.machine.symbols import in_python, once, set_word

MOST_PARTS = 2 ** 15 - 1
ONE_FIRST, ONE_END, ONE_TASK = 1, 1 << 16, 1 << 32  # a claim: from what part, before what part, and of what task, in its bits
CALLER = 0  # which of the threads it is
PATIENCE = 100  # times that a thread looks for work, leaving the processor to others in between, before it sleeps

_waiting = {name: types.ExternalFunction(f'pthread_{name}', types.int32(*[types.int64] * count)) for name, count in (
    ('mutex_lock', 1), ('mutex_unlock', 1), ('cond_wait', 2), ('cond_broadcast', 1))}
lock, unlock, sleep, wake = _waiting['mutex_lock'], _waiting['mutex_unlock'], _waiting['cond_wait'], _waiting['cond_broadcast']
this_thread = types.ExternalFunction('pthread_self', types.int64())
leave_to_others = types.ExternalFunction('sched_yield', types.int32())


@written_out
def first_part(claim):
    return claim & 0xffff


@written_out
def end_part(claim):
    return (claim >> 16) & 0xffff


@once('transpiler_runs_what_is_left', types.int64(types.int64, types.int64))
def run_what_is_left(pool, thread):
    """Take parts of the task at hand, one by one, until all are taken; how many they were."""
    taken, threads = 0, load(pool + THREADS)
    for k in range(threads):
        place = pool + CLAIMS + (thread + k) % threads * LINE
        claim = load(place)
        while first_part(claim) < end_part(claim):
            function, task = load(pool + FUNCTION), load(pool + TASK)
            part, rest = (end_part(claim) - 1, claim - ONE_END) if k else (first_part(claim), claim + ONE_FIRST)
            if replace(place, claim, rest):  # so what was read belongs to this task
                call(function, task, part)
                add(pool + DONE, 1)
                taken += 1
            claim = load(place)
    return taken


@written_out
def sleep_until_woken(pool):
    """Unless there is something to do: whoever offers that, later, sees that somebody is asleep, and waits for the lock."""
    lock(pool + MUTEX)
    add(pool + ASLEEP, 1)
    left = load(pool + ENDS)
    for thread in range(load(pool + THREADS)):
        claim = load(pool + CLAIMS + thread * LINE)
        left += end_part(claim) - first_part(claim)
    if not left:
        sleep(pool + WOKEN, pool + MUTEX)
    add(pool + ASLEEP, -1)
    unlock(pool + MUTEX)


@once('transpiler_helps', types.void(types.int64, types.int64))
def help_until_the_end(pool, thread):
    """What a thread does: help, look for more, and then sleep until there is more."""
    store(pool + CLAIMS + thread * LINE + WHO, this_thread())
    patience = PATIENCE
    while not load(pool + ENDS):
        if run_what_is_left(pool, thread):
            patience = PATIENCE
        elif patience:
            leave_to_others()
            patience -= 1
        else:
            sleep_until_woken(pool)
            patience = PATIENCE


@written_out
def offer(pool, parts):
    """A new task: an equal share of its parts for each thread, in order."""
    number, threads = load(pool + CLAIMS) // ONE_TASK + 1, load(pool + THREADS)
    for thread in range(threads):
        first, end = parts * thread // threads, parts * (thread + 1) // threads
        store(pool + CLAIMS + thread * LINE, number * ONE_TASK | end * ONE_END | first * ONE_FIRST)


@once('transpiler_runs_parts', types.void(types.int64, types.int64, types.int64, types.int64))
def run(pool, function, task, parts):
    """Run all parts of a task, with the help of others if they are free; a signal ends those that others run, too."""
    if not load(pool + HELPERS) or not replace(pool + BUSY, 0, 1):
        for part in range(parts):
            call(function, task, part)
        return
    store(pool + FUNCTION, function)
    store(pool + TASK, task)
    store(pool + DONE, 0)
    offer(pool, parts)
    if load(pool + ASLEEP):
        lock(pool + MUTEX)
        wake(pool + WOKEN)
        unlock(pool + MUTEX)
    run_what_is_left(pool, CALLER)
    while load(pool + DONE) < parts:
        leave_to_others()
        if load(task) != OVER and look(1) < 0:
            store(task, OVER)
    store(pool + BUSY, 0)


class Pool:
    """The threads of this process, as Python sees them."""

    def __init__(self):
        self.address = address
        self.system = ctypes.CDLL(None) if hasattr(os, 'fork') else None
        self.threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start as many threads as Numba would use, less the one that calls."""
        count = numba.config.NUMBA_NUM_THREADS
        self.set(THREADS, count)
        self.set_grain(OPERATIONS)
        if count > 1 and self.system is not None:
            self.wait_with('mutex_init', MUTEX, None)
            self.wait_with('cond_init', WOKEN, None)
            help_others = in_python(help_until_the_end)
            for k in range(1, count):
                self.threads.append(threading.Thread(target=help_others, args=(self.address, k), daemon=True))
                self.threads[-1].start()
            self.set(HELPERS, count - 1)

    def set_grain(self, operations: int) -> None:
        """From how many operations on something is a part of its own; tests want all loops in parts."""
        self.set(GRAIN, operations)

    def set(self, offset: int, value: int) -> None:
        set_word(self.address + offset, value)

    def wait_with(self, name: str, offset: int, *more: None) -> None:
        """Call one of the functions of `pthread` by which threads wait for each other."""
        getattr(self.system, f'pthread_{name}')(ctypes.c_void_p(self.address + offset), *more)

    def stop(self) -> None:
        """Let them end, before the code that they run is thrown away."""
        if self.threads:
            self.set(HELPERS, 0)
            self.set(ENDS, 1)
            self.wait_with('mutex_lock', MUTEX)
            self.wait_with('cond_broadcast', WOKEN)
            self.wait_with('mutex_unlock', MUTEX)
            for thread in self.threads:
                thread.join(1.0)

    def forget(self) -> None:
        """A process that was forked has none of them; it runs all parts by itself."""
        self.threads = []
        for offset in (BUSY, HELPERS):
            self.set(offset, 0)


pool = Pool()
pool.start()
atexit.register(pool.stop)
if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=pool.forget)
