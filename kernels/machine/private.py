"""Files that only this user has written: how they are made, and what is asked of them before anything in them is run."""
from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
DIGEST = 32  # bytes at the start of a sealed file, of all that follows
FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ('O_NOFOLLOW', 'O_NONBLOCK', 'O_BINARY'))
POSIX = hasattr(os, 'getuid')  # elsewhere the platform's own folders are the user's


def is_private(status: os.stat_result) -> bool:
    """Owned by this user, and writable by nobody else."""
    return not POSIX or status.st_uid == os.getuid() and not status.st_mode & OTHERS_WRITE


def folder(path: Path) -> bool:
    """Make a folder, and those that it lies in, for this user alone; whether it is so, and nobody else can replace it.

    A folder that is there is left as it is. Raises OSError where none can be.
    """
    for part in (*reversed(path.parents), path):
        with suppress(FileExistsError, IsADirectoryError):
            os.mkdir(part, 0o700)
            os.chmod(part, 0o700)  # the umask may have taken away more
    return is_private(os.stat(path)) and all(map(_stays, (path, *path.parents, *Path(os.path.realpath(path)).parents)))


def _stays(path: Path) -> bool:
    """Whether only this user and root can rename what lies in a folder: others may write into a sticky one, such as `/tmp`."""
    if not POSIX:
        return True
    status = os.lstat(path)
    if status.st_uid not in (0, os.getuid()):
        return False
    own_group = status.st_gid in (0, os.getgid())
    others = status.st_mode & (stat.S_IWOTH if own_group else OTHERS_WRITE)
    return stat.S_ISLNK(status.st_mode) or not others or bool(status.st_mode & stat.S_ISVTX)


def tightened(path: str) -> None:
    """Take from others what lets them write into a folder of this user."""
    with suppress(OSError):
        status = os.lstat(path)
        if POSIX and stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and status.st_mode & OTHERS_WRITE:
            os.chmod(path, stat.S_IMODE(status.st_mode) & ~OTHERS_WRITE)


def read(path: str | Path) -> bytes | None:
    """What stands in a plain file of this user that nobody else can write; None for anything else."""
    try:
        with open(path, 'rb', opener=lambda name, _: os.open(name, FLAGS)) as file:
            status = os.fstat(file.fileno())
            return file.read() if stat.S_ISREG(status.st_mode) and is_private(status) else None
    except OSError:
        return None


def write(path: str | Path, data: bytes) -> None:
    """Put a file in its place as a whole, readable and writable by this user alone, whatever the umask."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix='.writing-')
    try:
        with os.fdopen(handle, 'wb') as file:
            if POSIX:
                os.fchmod(handle, 0o600)  # the umask may have taken away some of that
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def seal(data: bytes) -> bytes:
    """Data behind its checksum.

    >>> opened(seal(b'code')), opened(seal(b'code') + b'?'), opened(b'')
    (b'code', None, None)
    """
    return hashlib.sha256(data).digest() + data


def opened(sealed: bytes | None) -> bytes | None:
    """What was sealed; None if it has changed since."""
    if sealed is None or hashlib.sha256(sealed[DIGEST:]).digest() != sealed[:DIGEST]:
        return None
    return sealed[DIGEST:]
