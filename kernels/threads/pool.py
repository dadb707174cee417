"""Threads that wait in compiled code for parts of a task, and the call that hands a task to them.

A task is the address of a function, and an address that the function is given along with the number of a part. One word,
`CLAIM`, says which task it is (a number that grows), how many parts it has and how many are taken; whoever changes it from
"k are taken" to "k + 1 are" runs part k. As the number of the task is in the same word, a thread that comes late, when the task
is done or another one has begun, fails to change it. The caller takes parts like the others, so that it never waits for a thread
that does not come, only for parts that are being run.
"""
from __future__ import annotations

import atexit
import ctypes
import os
import threading

import numba
import numpy as np
from numba import types

from kernels.grain import OPERATIONS
from kernels.symbols import known_as, once
from kernels.threads.atomics import add, call, load, replace, store

NAME = 'transpiler_pool'
LINE, LINES = 128, 12  # what different threads write lies this far apart, in bytes, so that they do not wait for each other
BUSY, CLAIM, DONE, FUNCTION, TASK, ASLEEP, THREADS, HELPERS, ENDS, GRAIN, MUTEX, WOKEN = range(0, LINE * LINES, LINE)
MOST_PARTS = 2 ** 15 - 1  # bits 0 to 15 of `CLAIM` count the parts that are taken, bits 16 to 31 all parts of the task
ONE_TASK = 1 << 32
PATIENCE = 100  # times that a thread looks for work, leaving the processor to others in between, before it sleeps

_waiting = {name: types.ExternalFunction(f'pthread_{name}', types.int32(*[types.int64] * count)) for name, count in (
    ('mutex_lock', 1), ('mutex_unlock', 1), ('cond_wait', 2), ('cond_broadcast', 1))}
lock, unlock, sleep, wake = _waiting['mutex_lock'], _waiting['mutex_unlock'], _waiting['cond_wait'], _waiting['cond_broadcast']
leave_to_others = types.ExternalFunction('sched_yield', types.int32())
compiled = numba.njit(cache=True, nogil=True)


@compiled
def store_word(address, value):
    store(address, value)


@compiled
def has_parts(claim):
    return claim & 0xffff < (claim >> 16) & 0xffff


@compiled
def run_what_is_left(pool):
    """Take parts of the task at hand, one by one, until all are taken."""
    claim = load(pool + CLAIM)
    while has_parts(claim):
        function, task = load(pool + FUNCTION), load(pool + TASK)
        if replace(pool + CLAIM, claim, claim + 1):  # so what was read belongs to this task
            call(function, task, claim & 0xffff)
            add(pool + DONE, 1)
        claim = load(pool + CLAIM)


@compiled
def help_until_the_end(pool):
    """What a thread does: help, look for more, and then sleep until there is more."""
    while not load(pool + ENDS):
        run_what_is_left(pool)
        patience = PATIENCE
        while patience and not has_parts(load(pool + CLAIM)):
            leave_to_others()
            patience -= 1
        if not patience:
            lock(pool + MUTEX)
            add(pool + ASLEEP, 1)
            while not (has_parts(load(pool + CLAIM)) or load(pool + ENDS)):
                sleep(pool + WOKEN, pool + MUTEX)
            add(pool + ASLEEP, -1)
            unlock(pool + MUTEX)


@compiled
def wake_all(pool):
    lock(pool + MUTEX)
    wake(pool + WOKEN)
    unlock(pool + MUTEX)


@once('transpiler_runs_parts', types.void(types.int64, types.int64, types.int64, types.int64))
def run(pool, function, task, parts):
    """Run all parts of a task, with the help of others if they are free."""
    if not load(pool + HELPERS) or not replace(pool + BUSY, 0, 1):
        for part in range(parts):
            call(function, task, part)
        return
    store(pool + FUNCTION, function)
    store(pool + TASK, task)
    store(pool + DONE, 0)
    number = load(pool + CLAIM) >> 32
    store(pool + CLAIM, (number + 1) * ONE_TASK | parts << 16)
    if load(pool + ASLEEP):
        wake_all(pool)
    run_what_is_left(pool)
    while load(pool + DONE) < parts:
        leave_to_others()
    store(pool + BUSY, 0)


class Pool:
    """The threads of this process, and the memory through which they find their work."""

    def __init__(self):
        self.memory = np.zeros(2 * LINE * LINES, np.uint8)
        self.address = self.memory.ctypes.data + -self.memory.ctypes.data % LINE
        self.threads: list[threading.Thread] = []
        known_as(NAME, self.address)

    def start(self) -> None:
        """Start as many threads as Numba would use, less the one that calls."""
        count = numba.config.NUMBA_NUM_THREADS
        store_word(self.address + THREADS, count)
        self.set_grain(OPERATIONS)
        system = ctypes.CDLL(None) if hasattr(os, 'fork') else None
        if count > 1 and system is not None:
            for offset, kind in ((MUTEX, 'mutex'), (WOKEN, 'cond')):
                getattr(system, f'pthread_{kind}_init')(ctypes.c_void_p(self.address + offset), None)
            for _ in range(1, count):
                self.threads.append(threading.Thread(target=help_until_the_end, args=(self.address,), daemon=True))
                self.threads[-1].start()
            store_word(self.address + HELPERS, count - 1)

    def set_grain(self, operations: int) -> None:
        """From how many operations on something is a part of its own; tests want all loops in parts."""
        store_word(self.address + GRAIN, operations)

    def stop(self) -> None:
        """Let them end, before the code that they run is thrown away."""
        if self.threads:
            store_word(self.address + HELPERS, 0)
            store_word(self.address + ENDS, 1)
            wake_all(self.address)
            for thread in self.threads:
                thread.join(1.0)

    def forget(self) -> None:
        """A process that was forked has none of them; it runs all parts by itself."""
        self.threads = []
        for offset in (BUSY, HELPERS):
            store_word(self.address + offset, 0)


pool = Pool()
pool.start()
atexit.register(pool.stop)
if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=pool.forget)
