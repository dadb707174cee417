"""Random exits from loops: `break`, `continue` and `return` behind a test, and the `else` of a loop."""

from __future__ import annotations

from tests.fuzz.statements import Lines, SimpleStatements

WORDS = ('break', 'continue', 'return')


class Exits(SimpleStatements):
    """`exit_` is a statement in a loop; `else_` comes after one."""

    def exit_(self) -> Lines:
        scope = self.scope
        words = [f'return {self.result()}', 'break', 'break', *(['continue'] * 2 if scope.may_continue else [])]
        inner = scope.inner(branches=scope.branches + 1)
        before = [f'    {line}' for line in (self._body(inner, 1) if scope.happens(0.4) else [])]
        return [f'if {self.condition()}:', *before, f'    {scope.pick(words)}']

    def else_(self) -> Lines:
        scope = self.scope
        if not scope.happens(0.2):
            return []
        return ['else:', *(f'    {line}' for line in self._body(scope.inner(branches=scope.branches + 1), 1))]

    @staticmethod
    def is_left(lines: Lines) -> bool:
        """Whether some turns may end early."""
        return any(line.split()[:1] and line.split()[0] in WORDS for line in lines)
