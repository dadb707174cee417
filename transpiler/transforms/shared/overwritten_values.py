"""Memory that the pullback runs backwards: each write keeps what it overwrites, and its pullback puts that back."""

from __future__ import annotations

import gast

from transpiler.analyses.memory.aliases import ON_TAPES, OUTSIDE, Memory
from transpiler.core.language import Core
from transpiler.core.query import all_defined, call_of, changed_by, names, written

Roots = frozenset[str]


class Rewind:
    """Arrays that a write may mean alike belong together: they run backwards together, or none of them does.

    >>> from transpiler.core.text import parse
    >>> from transpiler.analyses.memory.aliases import memory
    >>> core = parse('a = np.zeros(3); b = np.zeros(3); a[0] = 1.0; b[0] = 2.0; return b')
    >>> rewind = Rewind(core, memory(core))
    >>> rewind.may_run_back(frozenset({'a'})), rewind.may_run_back(frozenset({'b'}))
    (True, False)
    """

    def __init__(self, core: Core, memory: Memory):
        self.memory = memory
        called = {name for s in core.statements if call_of(s) is not None for name in changed_by(s)}
        self.writes = [(s, memory.of(name)) for s in core.statements if (name := written(s)) is not None]
        self.running: set[str] = set()
        # memory made anew in every iteration, or in every call of a function, is kept on lists, and must then stay as it is
        loops = [s.body for s in core.statements if isinstance(s, (gast.For, gast.While))]
        own = any(param.kind == 'own' for param in core.params)
        loops += [[*core.body]] if own else []
        self.made_in_loops = {name for body in loops for name in all_defined(body)}
        self.of_caller = memory.of(*names(core.body[-1])) | set(core.inputs) if own else frozenset()
        self.seen = memory.returned | memory.of(*called) | {OUTSIDE, ON_TAPES} | self.made_in_loops | self.of_caller

    def together(self, roots: Roots) -> Roots:
        """The roots of all arrays that must run backwards if these do."""
        found = set(roots)
        while more := {r for _, touched in self.writes if touched & found for r in touched} - found:
            found |= more
        return frozenset(found)

    def may_run_back(self, roots: Roots) -> bool:
        """Whether nobody else sees the memory: what is returned, is from outside, on a list or changed by calls must stay."""
        return not self.together(roots) & self.seen

    def run_back(self, roots: Roots) -> None:
        self.running |= self.together(roots)

    def runs_back(self, roots: Roots) -> bool:
        return bool(roots & self.running)

    def writes_to(self, roots: Roots) -> list[gast.stmt]:
        return [statement for statement, touched in self.writes if touched & roots]
