"""The module under the command's eyes: its text, and a refusal where the text alone does not say what a name means."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import gast

from transpiler.errors import Origin, UnsupportedSyntax
from transpiler.source.reading.capture import MISSING, Function
from transpiler.source.reading.module import ModuleText, imported_from_elsewhere, library_of, public_names

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
KEEPING = ('jit', 'njit')      # decorators that do not change what a function means
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
      why: it is bound or changed here as well, when the module runs
      instead: bind it once, by an assignment, a definition or an import at the top level
    """

    @cached_property
    def doubtful(self) -> dict[str, ast.stmt]:
        """Names with a binding that plain reading misses, and the first such statement."""
        found: dict[str, ast.stmt] = {}
        for name, statement in _doubtful(ast.parse(self.text).body, top=True):
            if not (isinstance(statement, ast.Expr) and (name in self.imported or name in self.functions())):
                found.setdefault(name, statement)
        return found

    def lookup(self, name: str) -> Any:
        if (star := self._star(name)) is not None:
            source = '.' * star.level + (star.module or '')
            raise UnsupportedSyntax(f"what `{name}` means cannot be read off the module's text", self._at(star),
                                    why='it may be among the names that are imported here',
                                    instead=f'import the names that are used: `from {source} import {name}`')
        if name in self.doubtful:
            is_class = isinstance(self.doubtful[name], ast.ClassDef)
            raise UnsupportedSyntax(f"what `{name}` means cannot be read off the module's text", self._at(self.doubtful[name]),
                                    why='it is a class, and the output imports nothing of the module' if is_class
                                    else 'it is bound or changed here as well, when the module runs',
                                    instead='use `tp.grad` in Python; of exceptions, raise a built-in one' if is_class
                                    else 'bind it once, by an assignment, a definition or an import at the top level')
        found = super().lookup(name)
        if isinstance(found, Function):
            self._refuse_decorators(found)
        if found is MISSING and name in self.imported:
            raise imported_from_elsewhere(name, self._at(self.imported[name]))
        return found

    def refuse_rebound(self, name: str, owner: str) -> None:
        """What is made of `name` when the module runs is made of the value that it has there, not of the last one."""
        places = [statement for statement in ast.parse(self.text).body if name in _bound(statement)]
        if len(places) > 1:
            raise UnsupportedSyntax(f'`{name}` is bound several times', self._at(places[1]),
                                    why=f'which of its values {owner} is made of depends on where that stands',
                                    instead='give each value a name of its own')

    def _star(self, name: str) -> ast.ImportFrom | None:
        """The last `from … import *` that gives `name` its meaning, as far as is known."""
        for statement in reversed(ast.parse(self.text).body):
            match statement:
                case ast.ImportFrom(names=[ast.alias(name='*')], module=module, level=level):
                    library = library_of(module) if module and not level else MISSING
                    if (not name.startswith('_') if library is MISSING else name in public_names(library)):
                        return statement
                case _ if name in _bound(statement):
                    return None
        return None

    @cached_property
    def imported(self) -> dict[str, ast.stmt]:
        imports = [s for s in ast.parse(self.text).body if isinstance(s, (ast.Import, ast.ImportFrom))]
        return {name: statement for statement in imports for name in _bound(statement)}

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that have a meaning in the module."""
        return frozenset(name for statement in ast.parse(self.text).body for name in _bound(statement)) | self.doubtful.keys()

    def _at(self, node: ast.stmt | ast.expr) -> Origin:
        return Origin(self.file, node.lineno, node.col_offset, self.lines[node.lineno - 1])

    def _refuse_decorators(self, function: Function) -> None:
        for decorator in function.node.decorator_list:
            plain = gast.gast_to_ast(decorator)
            name = ast.unparse(plain.func if isinstance(plain, ast.Call) else plain)
            if name.split('.')[-1] not in KEEPING:
                raise UnsupportedSyntax(f'`{function.name}` has the decorator `{name}`', function.origin(decorator),
                                        why='what it makes of the function is not known without running the module',
                                        instead='take it off, or decorate a second name: `other = decorator(function)`')


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
    """The names that one statement binds or unbinds itself, or whose values it may change: by a store into them, by a method."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [alias.asname or alias.name.split('.')[0] for alias in aliases]
        case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
            return list(filter(None, [_root(method)]))
    inner = {id(node) for part in _inner(statement) for node in ast.walk(part)}
    own = [node for node in ast.walk(statement) if id(node) not in inner]
    return list(filter(None, [_root(node) for node in own if isinstance(getattr(node, 'ctx', None), (ast.Store, ast.Del))]))


def _root(node: ast.AST) -> str | None:
    """The name that a place such as `table[0].rows` belongs to."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
