"""Identity: what tells the symbols of compiled functions apart, in this process and in all that read its machine code."""
from __future__ import annotations

import functools
import hashlib
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.core.bytecode import FunctionIdentity

HERE = Path(__file__).parents[1]            # the package of all kernels
NUMBA = Path(numba.__file__).parent
PROCESS = secrets.token_hex(8)              # no other process gives the symbols of this one to functions of its own


@functools.lru_cache(maxsize=1)
def version(package: Path = HERE) -> str:
    """What stands in the files of a package, in short."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob('*.py')):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def lasting(function: Callable) -> str | None:
    """What is the same for a function of this package, or Numba's, in all processes, and for no other one; None if that cannot be
    told.

    >>> lasting(version.__wrapped__) == lasting(version.__wrapped__), lasting(lambda: 1)
    (True, None)
    """
    code = function.__code__
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    if not {HERE, NUMBA} & set(Path(code.co_filename).parents) or not all(map(_is_plain, cells)):
        return None
    told = (version(), numba.__version__, sys.version_info[:2], code.co_filename, function.__qualname__, code.co_firstlineno,
            *map(repr, cells))
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def _is_plain(value: Any) -> bool:
    """Whether what a function holds shows all that it is."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, (bool, int, float, str, bytes, np.dtype, np.generic, types.Type))


def identify(identity: FunctionIdentity, shared: bool) -> None:
    """Give a function that is about to be compiled what its symbol is to differ by.

    Numba counts the functions of a process, so that those of two may have one symbol, of which the first that is loaded holds.

    shared: other processes may have the same symbol for the same function
    """
    known = lasting(identity.func) if shared else None
    identity.unique_id = f'{PROCESS}x{identity.unique_id}' if known is None else known
