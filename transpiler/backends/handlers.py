"""What handlers of signals raise while compiled code runs: no failure of the program, so it goes through as it is, at once."""
from __future__ import annotations

import os
import traceback
from pathlib import Path
from types import FrameType

import numba

import transpiler_kernels
from transpiler import errors

OURS = tuple(f'{Path(module.__file__).parent}{os.sep}' for module in (transpiler_kernels, errors, numba) if module.__file__)


def raised_by_a_handler(error: BaseException) -> BaseException | None:
    """What a handler has raised, if that is why a call of compiled code raises `error`, and not the program itself.

    The traceback of such an exception goes through Python that is neither ours nor Numba's; frames without globals are what
    Numba makes up to tell a line. While it makes Python's objects of a result it ignores exceptions, and Python then raises
    a `SystemError` that names the one ignored as its cause.
    """
    if any(_is_others(frame) for frame, _ in traceback.walk_tb(error.__traceback__)):
        return error
    if isinstance(error, SystemError) and error.__cause__ is not None:
        return raised_by_a_handler(error.__cause__) or error.__cause__
    return None


def _is_others(frame: FrameType) -> bool:
    return bool(frame.f_globals) and not frame.f_code.co_filename.startswith(OURS)
