"""Whether what runs must end: since Python has a signal to handle, or, in a thread that helps, since the caller has had one."""
import sys
import time

from numba import types

from transpiler_kernels.interrupts.places import ASKED, CLAIMS, LINE, LOOKED, MAIN, NAME, TASK, THREADS, TIME, WHO
from transpiler_kernels.machine.atomics import load, store
from transpiler_kernels.machine.symbols import address_of, once

OFTEN = 200_000_000     # nanoseconds: as often as this Python is asked, which takes its lock
SOON, LATE = 10_000_000, 50_000_000  # nanoseconds: how far apart looks may lie
MOST, MOST_OF_OTHERS = 8192, 2048    # how much a loop counts from look to look
ENDED = -1              # what functions of Python give where there is an exception
OVER = 0                # what a task that is interrupted says was raised, in place of an exception of its own
SECOND = 10 ** 9
CLOCK = 6 if sys.platform == 'linux' else getattr(time, 'CLOCK_MONOTONIC', 1)  # CLOCK_MONOTONIC_COARSE costs the least

_pool = address_of(NAME)
_this_thread = types.ExternalFunction('pthread_self', types.int64())
_what_time = types.ExternalFunction('clock_gettime', types.int32(types.int32, types.int64))
_take_lock = types.ExternalFunction('PyGILState_Ensure', types.int32())
_give_lock = types.ExternalFunction('PyGILState_Release', types.void(types.int32))
_handle_signals = types.ExternalFunction('PyErr_CheckSignals', types.int32())


@once('transpiler_looks', types.int64(types.int64))
def look(counted):
    """`ENDED` if the function that runs must end; else how much to count until the next look, if `counted` was it until this one.

    Only the main thread handles signals, and only if some time has passed. What their handlers raise is Python's exception then.
    """
    pool, me = _pool(), _this_thread()
    if me == load(pool + MAIN):
        _what_time(CLOCK, pool + TIME)
        now = load(pool + TIME) * SECOND + load(pool + TIME + 8)
        passed = now - load(pool + LOOKED)
        store(pool + LOOKED, now)
        if now - load(pool + ASKED) > OFTEN:
            store(pool + ASKED, now)
            lock = _take_lock()
            found = _handle_signals()
            _give_lock(lock)
            if found:
                return ENDED
        return min(2 * counted, MOST) if passed < SOON else counted // 2 + 1 if passed > LATE else counted
    for thread in range(1, load(pool + THREADS)):
        if me == load(pool + CLAIMS + thread * LINE + WHO):
            return ENDED if load(load(pool + TASK)) == OVER else min(2 * counted, MOST_OF_OTHERS)
    return min(2 * counted, MOST_OF_OTHERS)
