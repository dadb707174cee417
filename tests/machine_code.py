"""Machine code that test runs keep, so that the next one compiles only what is new to it."""
from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from transpiler_kernels.machine.private import folder

ROOT = Path(__file__).parents[1]
MOST = 60_000   # files in all folders together


def kept(root: Path = ROOT) -> Path | None:
    """The folder of this version; None if there can be none that is this user's alone.

    Machine code is found by all that stands in the text that it was made of, and the versions of what that calls. What else
    decides about it, the options in `transpiler/backends/` and how well LLVM is to optimise, is in the name of the folder.
    Others are kept while there is room, for who goes to and fro between branches.
    """
    home = root / 'build' / 'machine_code'
    found = home / _version(root)
    with suppress(OSError):
        if not folder(found):
            return None
        os.utime(found)
        files = 0
        for place in sorted(home.iterdir(), key=lambda place: -place.stat().st_mtime):
            files += sum(1 for _ in place.rglob('*'))
            if files > MOST:
                shutil.rmtree(place, ignore_errors=True)
        return found if folder(found) else None
    return None


def passing() -> Path:
    """A folder for one run."""
    return Path(tempfile.mkdtemp(prefix='transpiler-tests-'))


def _version(root: Path) -> str:
    digest = hashlib.sha256(os.environ.get('NUMBA_OPT', '').encode())
    for path in sorted((root / 'transpiler' / 'backends').rglob('*.py')):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
