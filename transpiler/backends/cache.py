"""The per-user cache directory: generated modules live there as real files, named by their content."""
from __future__ import annotations

import atexit
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from transpiler_kernels.machine.private import POSIX, folder, read, write

VARIABLE = 'TRANSPILER_CACHE_DIR'


def directory() -> Path:
    """The directory of generated modules: private to this user, and created when it is first asked for.

    `TRANSPILER_CACHE_DIR` names it; otherwise it lies where the platform keeps caches. A directory that cannot be
    written is passed over for a temporary one that lives as long as the process; one that somebody else could write,
    or put another in the place of, too, with a warning.
    """
    return _usable(os.environ.get(VARIABLE) or _default(), _user())


def store(text: str, name: str) -> Path:
    """The path of a module that holds `text`, written unless it is there already: `<name>_<hash of the text>.py`.

    What is there is trusted only if it is a plain file of ours with exactly these bytes. Writing goes through a
    temporary file and a rename, so that processes that race for one name all end up with a whole file. Where it cannot be
    written (a full disk, a folder of that name) the temporary folder has it; or none, and then nothing is at the path.
    """
    data, file = text.encode(), f'{module_name(text, name)}.py'
    for place in (directory(), _temporary(_user())):
        with suppress(OSError):
            if read(place / file) != data:
                write(place / file, data)
            return place / file
    return directory() / file


def module_name(text: str, name: str) -> str:
    """The name of the module that holds `text`.

    >>> module_name('x = 1', 'loss_grad'), module_name('x = 1', '<lambda>')[:7]
    ('loss_grad_8ff436def1451285', 'lambda_')
    """
    stem = re.sub(r'[^0-9A-Za-z_]+', '_', name).strip('_')[:80] or 'generated'
    stem = f'f_{stem}' if stem[0].isdigit() else stem
    return f'{stem}_{hashlib.sha256(text.encode()).hexdigest()[:16]}'


def files() -> Iterator[Path]:
    """What lies in the directory of ours: generated modules, and the machine code that was made of them."""
    for path in (*directory().glob('*.py'), *directory().glob('__pycache__/*')):
        if re.match(r'\w+_[0-9a-f]{16}\.', path.name) and (path.is_symlink() or not path.is_dir()):
            yield path


def _user() -> int:
    return os.getuid() if POSIX else 0


def _default() -> str | None:
    """The place for the caches of this user, if there is a home for it."""
    home = Path(os.path.expanduser('~'))
    if not os.environ.get('XDG_CACHE_HOME') and not home.is_dir():
        return None
    if os.environ.get('XDG_CACHE_HOME'):
        base = Path(os.environ['XDG_CACHE_HOME'])
    elif sys.platform == 'win32':
        base = Path(os.environ.get('LOCALAPPDATA') or home / 'AppData' / 'Local')
    elif sys.platform == 'darwin':
        base = home / 'Library' / 'Caches'
    else:
        base = home / '.cache'
    return str(base / 'transpiler')


@functools.cache
def _usable(wanted: str | None, user: int) -> Path:
    if wanted is None:
        return _temporary(user)
    try:
        path = Path(wanted).absolute()
        private = folder(path)
        handle, probe = tempfile.mkstemp(dir=path, prefix='.probe-')
        os.close(handle)
        os.unlink(probe)
    except OSError:
        return _temporary(user)
    if not private:
        warnings.warn(f'the cache folder {path} is passed over for a temporary one: it, or a folder that it lies in, belongs to '
                      f'another user or can be written by others (`chmod go-w` it, or name another by {VARIABLE})', stacklevel=2)
    return path if private else _temporary(user)


@functools.cache
def _temporary(user: int) -> Path:
    """A folder that lives as long as the process; a place where nothing can be if there is no room for one."""
    try:
        path = tempfile.mkdtemp(prefix='transpiler-')
    except OSError:
        return Path(os.devnull, 'transpiler')
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)
