"""The memory through which threads find their work, and whether to go on with it: words, at distances from one place."""
import ctypes
import os
import threading

import numba
import numpy as np

from transpiler_kernels.interrupts.library import NEVER
from transpiler_kernels.machine.symbols import known_as, set_word

NAME = 'transpiler_pool'
LINE, LINES = 128, 13  # what different threads write lies this far apart, in bytes, so that they do not wait for each other
(BUSY, DONE, FUNCTION, TASK, ASLEEP, THREADS, HELPERS, ENDS, GRAIN, MUTEX, WOKEN, MAIN, CLAIMS) = range(0, LINE * LINES, LINE)
WHO = 8                         # beside the claim of a thread: which thread of the system it is
ASKED, LOOKED, TIME = MAIN + 8, MAIN + 16, MAIN + 24    # when it asked Python, and looked, last; what time it is: two words

memory = np.zeros(LINE * (LINES + numba.config.NUMBA_NUM_THREADS), np.uint8)
address = memory.ctypes.data + -memory.ctypes.data % LINE
never = ctypes.c_int64(0)
known_as(NAME, address)
known_as(NEVER, ctypes.addressof(never))


def enter_main() -> None:
    """Say which thread is the main one, whom alone signals interrupt."""
    set_word(address + MAIN, threading.main_thread().ident or 0)


enter_main()
if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=enter_main)
