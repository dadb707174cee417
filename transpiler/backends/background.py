"""Compiling in the background: one thread of this process, which is there as long as there is something to do.

Nobody waits for it: who wants machine code asks whether a task is done, and goes on otherwise. When the process ends, the thread
gives up (`leaving.py`). A fork waits for the task at work, or the child would have Numba's locks, and nobody who opens them.
"""
from __future__ import annotations

import atexit
import functools
import logging
import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

LONG = 60.0  # seconds that a fork waits at most
log = logging.getLogger(__name__)  # imported here, its lock is taken by forks after the thread, which may need it, has ended

_lock = threading.RLock()  # of all that follows; letting go of something may run anything
_queue: OrderedDict[int, weakref.ref[Task]] = OrderedDict()  # by address, in the order in which they were asked for
_thread: threading.Thread | None = None
_at_work: Task | None = None
_forks = 0  # threads that are about to fork
_over = False  # the process is about to end
_worked = False  # something has been done, and what that needs has been imported
_here: ContextVar[bool] = ContextVar('background', default=False)  # whether this is the thread, or another that works for it


class Task:
    """What is to be done later for an owner, who keeps the task: `work(owner)`, whatever comes of it.

    What fails is done, too: it is made again, and fails again, where somebody waits for it.
    """

    def __init__(self, owner: Any, work: Callable[[Any], object]):
        self._owner = weakref.ref(owner)
        self._work: Callable[[Any], object] | None = work

    @property
    def done(self) -> bool:
        return self._work is None

    def wanted(self) -> None:
        """Have it done, unless that is so already; where there can be no thread, the next one to ask tries again."""
        with _lock:
            if self.done or self is _at_work or _over:
                return
            if id(self) not in _queue:
                _queue[id(self)] = weakref.ref(self, functools.partial(_forget, id(self)))
            _begin()

    def settle(self) -> None:
        """There is nothing to do any more."""
        self._work = None

    def finish(self) -> None:
        """Do it, if the owner is still there."""
        owner, work = self._owner(), self._work
        try:
            if owner is not None and work is not None:
                work(owner)
        except BaseException:   # the thread must go on
            log.debug('compiling in the background has failed', exc_info=True)
        self.settle()


def has_worked() -> bool:
    """Whether asking for what has been compiled imports nothing large any more."""
    return _worked


def must_end() -> bool:
    """Whether this is the thread, and the process waits for its end."""
    return _over and _here.get()


def _forget(key: int, gone: weakref.ref[Task]) -> None:
    _queue.pop(key, None)


def _begin() -> None:
    """Start the thread, if there is none and something to do."""
    global _thread
    if _thread is None and _queue and not _forks:
        atexit.unregister(_stop)
        atexit.register(_stop)  # to be called before all that has been imported by now is taken down
        thread = threading.Thread(target=_run, name='transpiler-background', daemon=True)
        try:
            thread.start()
        except RuntimeError:    # there can be no more threads
            return
        _thread = thread


def _run() -> None:
    global _worked
    _here.set(True)
    while (task := _next()) is not None:
        task.finish()
        _worked = True
        del task


def _next() -> Task | None:
    """The next task, which is at work from then on; None if there is none now, and then there is no thread."""
    global _at_work, _thread
    with _lock:
        _at_work = None
        while _queue and _at_work is None and not (_forks or _over):
            _at_work = _queue.popitem(last=False)[1]()
        if _at_work is None:
            _thread = None
        return _at_work


def _stop() -> None:
    """End the thread before the process takes down LLVM: what is not done by then is not done at all."""
    global _over
    with _lock:
        _over, thread = True, _thread
        _queue.clear()
    if thread is not None and thread is not threading.current_thread():
        thread.join()


def _before_fork() -> None:
    """Have the thread end when its task is done; nobody starts another one until the fork is over."""
    global _forks
    with _lock:
        _forks, thread = _forks + 1, _thread
    try:
        if thread is not None and thread is not threading.current_thread():
            thread.join(LONG)
    finally:
        _lock.acquire()


def _in_parent() -> None:
    global _forks
    _forks -= 1
    _begin()
    _lock.release()


def _in_child() -> None:
    """What waits for the thread of the parent is asked for again by who needs it here."""
    global _at_work, _forks, _thread
    _at_work, _forks, _thread = None, 1, None
    _queue.clear()
    _in_parent()


if hasattr(os, 'register_at_fork'):
    os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)
