"""Generated modules and their machine code on disk, which the next process loads: `tp.cache`."""
from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from transpiler.api.calls.nested import only_outside
from transpiler.backends import cache


def where() -> Path:
    """The directory, which is of this user alone; the environment variable `TRANSPILER_CACHE_DIR` names another one."""
    return cache.directory()


def size() -> int:
    """How many bytes lie there.

    >>> size() >= 0
    True
    """
    total = 0
    for path in cache.files():
        with suppress(FileNotFoundError):  # another process has cleared it
            total += path.lstat().st_size
    return total


def clear() -> None:
    """Throw all of it away. What this process has loaded goes on working; what it needs again is generated and compiled anew."""
    for path in cache.files():
        path.unlink(missing_ok=True)


for _function in (where, size, clear):
    only_outside(_function, 'it looks at files')
