"""What a user may ask of compiled code."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """accurate: elementary functions are those of C's library, not the vectorised ones of `kernels.vector_math`

    parallel: loops may be shared among threads
    cache: machine code is kept for the next process
    fastmath: arithmetic may be done in another order, and a product and a sum be rounded once
    background: calls run as Python until what they need is compiled, in another thread
    """

    accurate: bool = False
    parallel: bool = True
    cache: bool = True
    fastmath: bool = False
    background: bool = False


def joined(outer: Options | None, inner: Options | None) -> Options | None:
    """Of a function that is compiled, perhaps within another one that is: what any of them asks for holds.

    >>> joined(Options(), Options(accurate=True)), joined(None, None)
    (Options(accurate=True, parallel=True, cache=True, fastmath=False, background=False), None)
    """
    if outer is None or inner is None:
        return outer or inner
    return Options(outer.accurate or inner.accurate, outer.parallel and inner.parallel, outer.cache and inner.cache,
                   outer.fastmath or inner.fastmath, outer.background or inner.background)
