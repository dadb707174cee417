"""Compiling that is given up when the process ends: between two passes of Numba's, where no lock is left behind."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from numba.core.event import Listener, install_listener

from transpiler.backends import background


class _Leaving(Listener):
    def on_start(self, event: Any) -> None:
        leave()

    def on_end(self, event: Any) -> None:
        pass


def leave() -> None:
    if background.must_end():
        raise SystemExit


@contextmanager
def leaving() -> Iterator[None]:
    """Have the thread in the background end now, or at the next function, or pass, once it must."""
    leave()
    listener = _Leaving()
    with ExitStack() as stack:
        for kind in ('numba:compile', 'numba:run_pass'):
            stack.enter_context(install_listener(kind, listener))
        yield
