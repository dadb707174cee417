"""What a user may ask of compiled code."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """accurate: elementary functions are those of C's library, not the vectorised ones of `kernels.vector_math`."""

    accurate: bool = False
