"""Room for what lies deep inside each other: a long sum, or a long chain of `elif`, is a tree as deep as it is long."""

from __future__ import annotations

import contextvars
import ctypes
import functools
import sys
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from transpiler.errors import TranspileError

STACK = 1 << 29  # bytes of the roomy thread's stack; only what is used of it is memory
LEVELS = 50_000  # calls inside each other that it holds
WHY = 'more lies inside each other in it, calls or expressions, than Python can follow'

P = ParamSpec('P')
R = TypeVar('R')

_here = threading.local()
_lock = threading.Lock()
_usual = 0  # the recursion limit when nobody has more room
_guests = 0  # threads that have


def roomy(function: Callable[P, R]) -> Callable[P, R]:
    """Run a function again in a thread with a large stack, where it comes to the end of Python's.

    Passes walk over trees by functions that call themselves, and Python stops these some hundred levels down, fewer if the
    caller is deep inside already. The function must be one that may run twice. Only the outermost of such functions is run
    again; what is too deep for the roomy thread as well is refused.

    >>> def depth(n): return n and 1 + depth(n - 1)
    >>> roomy(depth)(5_000)
    5000
    """

    @functools.wraps(function)
    def roomily(*args: P.args, **kwargs: P.kwargs) -> R:
        if getattr(_here, 'inside', False):
            return function(*args, **kwargs)
        _here.inside = True
        try:
            return function(*args, **kwargs)
        except RecursionError as error:
            if has_room() or not _is_of_python(error):
                raise
        finally:
            _here.inside = False
        return _in_a_thread(functools.partial(function, *args, **kwargs))

    return roomily


def has_room() -> bool:
    """Whether this is a thread that gives all the room there is."""
    return getattr(_here, 'roomy', False)


def _is_of_python(error: RecursionError) -> bool:
    """Whether Python itself has stopped, and not a program that says so."""
    return type(error) is RecursionError


def _too_deep() -> TranspileError:
    return TranspileError('this goes too deep', why=WHY, instead='write a loop, or give what lies inside a name')


class _Run:
    """One run of a function in a thread of its own, and what came of it."""

    def __init__(self, function: Callable[[], Any]):
        self.function, self.context = function, contextvars.copy_context()
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = threading.Event()

    def __call__(self) -> None:
        _here.roomy = True
        _more_levels()
        try:
            self.result = self.context.run(self.function)
        except RecursionError as error:
            self.error = _too_deep() if _is_of_python(error) else error
        except BaseException as error:  # raised again by the thread that waits
            self.error = error
        finally:
            _as_usual()
            self.done.set()


def _in_a_thread(function: Callable[[], Any]) -> Any:
    run = _Run(function)
    thread = _started(run)
    while True:
        try:
            run.done.wait()
            break
        except BaseException as stop:  # Ctrl-C is for whoever does the work
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(type(stop)))
    thread.join()
    if run.error is not None:
        raise run.error
    return run.result


def _started(run: _Run) -> threading.Thread:
    thread = threading.Thread(target=run, name='transpiler-room', daemon=True)
    with _lock:
        before = threading.stack_size(STACK)
        try:
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


def _more_levels() -> None:
    global _usual, _guests
    with _lock:
        if not _guests:
            _usual = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_usual, LEVELS))
        _guests += 1


def _as_usual() -> None:
    global _guests
    with _lock:
        _guests -= 1
        if not _guests and sys.getrecursionlimit() == max(_usual, LEVELS):
            sys.setrecursionlimit(_usual)
