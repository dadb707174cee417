"""The module under the command's eyes: its text, and a refusal where the text alone does not say what a name means."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from transpiler.errors import Origin, UnsupportedSyntax
from transpiler.source.module import ModuleText

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
PLAIN = (ast.FunctionDef, ast.Import, ast.ImportFrom)


class Module(ModuleText):
    """A module's text. Every name asked for must be bound plainly: by an import, a definition or an assignment at the top.

    A name bound under an `if` or in a `try`, changed by `+=` or from inside a function, may mean something else when the
    module runs, so it is refused.

    >>> module = Module('n = 1\\nn += 1\\ndef f(x): return n * x', 'm.py')
    >>> try: module.lookup('n')
    ... except UnsupportedSyntax as error: print(error)
    m.py:2:0: what `n` means cannot be read off the module's text
        n += 1
        ^
      why: it is bound here as well, when the module runs
      instead: bind it once, by an assignment, a definition or an import at the top level
    """

    @cached_property
    def doubtful(self) -> dict[str, ast.stmt]:
        """Names with a binding that plain reading misses, and the first such statement."""
        found: dict[str, ast.stmt] = {}
        for name, statement in _doubtful(ast.parse(self.text).body, top=True):
            found.setdefault(name, statement)
        return found

    def lookup(self, name: str) -> Any:
        statement = self.doubtful.get(name)
        if statement is None:
            return super().lookup(name)
        line = statement.lineno
        raise UnsupportedSyntax(f"what `{name}` means cannot be read off the module's text",
                                Origin(self.file, line, statement.col_offset, self.lines[line - 1]),
                                why='it is bound here as well, when the module runs',
                                instead='bind it once, by an assignment, a definition or an import at the top level')


def _doubtful(body: Iterable[ast.stmt], top: bool) -> Iterator[tuple[str, ast.stmt]]:
    """Every name bound in a way that is not plain, with its statement; functions are searched for `global` only."""
    for statement in body:
        if _is_main_guard(statement):
            continue
        plain = top and (isinstance(statement, PLAIN) or _assigns_one_name(statement))
        if not plain:
            yield from ((name, statement) for name in _bound(statement))
        for node in ast.walk(statement) if isinstance(statement, SCOPES) else ():
            if isinstance(node, ast.Global):
                yield from ((name, node) for name in node.names)
        if not isinstance(statement, SCOPES):
            yield from _doubtful(_inner(statement), top=False)


def _is_main_guard(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and ast.unparse(statement.test) in ("__name__ == '__main__'", "'__main__' == __name__")


def _assigns_one_name(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
            return True
    return False


def _inner(statement: ast.stmt) -> list[ast.stmt]:
    """The statements inside a compound statement."""
    parts = [getattr(statement, part, []) for part in ('body', 'orelse', 'finalbody')]
    parts += [part.body for part in (*getattr(statement, 'handlers', ()), *getattr(statement, 'cases', ()))]
    return [inner for part in parts for inner in part]


def _bound(statement: ast.stmt) -> list[str]:
    """The names that one statement binds or unbinds itself."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [alias.asname or alias.name.split('.')[0] for alias in aliases]
    inner = {id(node) for part in _inner(statement) for node in ast.walk(part)}
    return [node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)) and id(node) not in inner]
