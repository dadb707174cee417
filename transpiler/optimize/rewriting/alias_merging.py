"""Letting two names be one array, several times in one pass."""
from __future__ import annotations

from transpiler.analyses.memory.aliases import OUTSIDE, memory
from transpiler.analyses.memory.views import read_only
from transpiler.core.language import Core


class Sharing:
    """Grants that a name may stand for another's value, and remembers what it granted.

    >>> from transpiler.core.text import parse
    >>> sharing = Sharing(parse('a = x * 2; b = x * 2; c = x * 2; return b, c'))
    >>> sharing.grant('b', 'a'), sharing.grant('c', 'a')
    (True, False)
    >>> sharing = Sharing(parse('a = np.copy(x); b = np.copy(a); return b', params=['x']))
    >>> sharing.grant('a', 'x'), sharing.grant('b', 'a')
    (True, False)
    """

    def __init__(self, core: Core):
        self.memory, self.closed = memory(core), read_only(core)
        self.returned = set(self.memory.returned)
        self.granted: dict[str, frozenset[str]] = {}    # the roots that one has got by what was granted

    def grant(self, new: str, old: str) -> bool:
        """Whether `old` may be read for its copy `new`.

        Of the arrays that the caller gets, no two may share memory, and each may be written into.
        """
        fresh, source = self.memory.of(new), self._roots(old)
        if not fresh or not source:
            return True
        handed = not fresh.isdisjoint(self.returned)
        if (fresh | source) & self.memory.written or handed and source & (self.returned | {OUTSIDE}):
            return False
        if handed and new not in self.closed and source & self.closed:
            return False
        if handed:
            self.returned |= source
        self.granted |= {root: self.granted.get(root, frozenset()) | source for root in fresh}
        return True

    def _roots(self, name: str) -> frozenset[str]:
        own = self.memory.of(name)
        return own.union(*(self.granted.get(root, ()) for root in own))
