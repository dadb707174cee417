"""Letting two names be one array, several times in one pass."""
from __future__ import annotations

from transpiler.analyses.aliases import OUTSIDE, Memory


class Sharing:
    """Grants that a name may stand for another's value, and remembers what it granted.

    >>> from transpiler.analyses.aliases import memory
    >>> from transpiler.core.text import parse
    >>> sharing = Sharing(memory(parse('a = x * 2; b = x * 2; c = x * 2; return b, c')))
    >>> sharing.grant('b', 'a'), sharing.grant('c', 'a')
    (True, False)
    """

    def __init__(self, memory: Memory):
        self.memory = memory
        self.returned = set(memory.returned)

    def grant(self, new: str, old: str) -> bool:
        """Whether `old` may be read for its copy `new`; of the arrays that the caller gets, no two may share memory."""
        fresh, source = self.memory.of(new), self.memory.of(old)
        if not fresh or not source:
            return True
        if (fresh | source) & self.memory.written or fresh & self.returned and source & (self.returned | {OUTSIDE}):
            return False
        if fresh & self.returned:
            self.returned |= source
        return True
