"""A module read as text: its functions and the meaning of its names, without running it."""

from __future__ import annotations

import ast
import builtins
import importlib
from dataclasses import dataclass, field
from typing import Any

import gast

from transpiler.errors import Origin, SourceNotFound, UnsupportedSyntax
from transpiler.source.reading.capture import MISSING, Function
from transpiler.source.reading.patterns import as_gast
from transpiler.source.reading.texts import lines_of

LIBRARIES = ('numpy', 'math', 'scipy', 'transpiler', 'bisect', 'collections', 'copy', 'functools', 'itertools', 'operator')


@dataclass(frozen=True)
class ModuleValue:
    """A module-level assignment: `value` where it is a literal, else only its text."""

    name: str
    text: str
    value: Any = MISSING
    origin: Origin | None = None


@dataclass(frozen=True, eq=False)
class ModuleText:
    """The scope of a module's text. Imports of numeric libraries are real; nothing of the module itself is run."""

    text: str
    file: str
    tree: gast.Module = field(init=False)

    def __post_init__(self):
        try:
            object.__setattr__(self, 'tree', as_gast(ast.parse(self.text)))
        except SyntaxError as error:
            line = self.lines[error.lineno - 1] if error.lineno else ''
            raise UnsupportedSyntax(
                'the module is not valid Python',
                why=error.msg,
                origin=Origin(self.file, error.lineno or 1, (error.offset or 1) - 1, line),
            ) from None
        except ValueError as error:  # null bytes, before Python 3.12
            raise UnsupportedSyntax('the module is not valid Python', why=str(error), origin=Origin(self.file, 1)) from None

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line.rstrip('\n') for line in lines_of(self.text))

    def functions(self) -> list[str]:
        return [n.name for n in self.tree.body if isinstance(n, gast.FunctionDef)]

    def function(self, name: str) -> Function:
        found = self.lookup(name)
        if not isinstance(found, Function):
            raise SourceNotFound(
                f'{self.file} defines no function `{name}`', instead=f'one of: {", ".join(self.functions()) or "(it has none)"}'
            )
        return found

    def lookup(self, name: str) -> Any:
        """A `Function`, a library or one of its members, a `ModuleValue`, a builtin, or MISSING."""
        for statement in reversed(self.tree.body):
            match statement:
                case gast.FunctionDef(name=found) if found == name:
                    return Function(name, statement, self.file, self.lines, self)
                case gast.Import(names=aliases):
                    for alias in aliases:
                        if (alias.asname or alias.name.split('.')[0]) == name:
                            return library_of(alias.name if alias.asname else alias.name.split('.')[0])
                case gast.ImportFrom(module=module, names=aliases, level=level) if module and not level:
                    for alias in aliases:
                        if (alias.asname or alias.name) == name:
                            return getattr(library_of(module), alias.name, MISSING)
                case gast.Assign(targets=[gast.Name(id=found)], value=value) if found == name:
                    return self._value(name, value, statement)
                case gast.AnnAssign(target=gast.Name(id=found), value=gast.AST() as value) if found == name:
                    return self._value(name, value, statement)
        return getattr(builtins, name, MISSING)

    def _value(self, name: str, value: gast.expr, statement: gast.stmt) -> Any:
        if isinstance(value, gast.Lambda):
            from_lambda = gast.FunctionDef(
                name=name,
                args=value.args,
                decorator_list=[],
                returns=None,
                type_comment=None,
                type_params=[],
                body=[gast.copy_location(gast.Return(value=value.body), value.body)],
            )
            return Function(name, gast.copy_location(from_lambda, value), self.file, self.lines, self)
        plain = gast.gast_to_ast(value)
        origin = Origin(self.file, statement.lineno, statement.col_offset, self.lines[statement.lineno - 1])
        try:
            return ModuleValue(name, ast.unparse(plain), ast.literal_eval(plain), origin)
        except ValueError:
            return ModuleValue(name, ast.unparse(plain), MISSING, origin)


def library_of(name: str) -> Any:
    """A numeric library, or one of its modules, by its name; else MISSING."""
    if not is_library(name):
        return MISSING
    try:
        return importlib.import_module(name)
    except ImportError:
        return MISSING


def is_library(name: str) -> bool:
    """Whether importing this module runs code of a numeric library only, and none that is a program.

    >>> is_library('scipy.special'), is_library('numpy.f2py.__main__'), is_library('model')
    (True, False, False)
    """
    return name.split('.')[0] in LIBRARIES and '._' not in name


def imported_from_elsewhere(name: str, origin: Origin) -> UnsupportedSyntax:
    """The refusal of what only running other modules would tell."""
    return UnsupportedSyntax(
        f'`{name}` is imported from elsewhere',
        origin,
        why='only this module is read, NumPy, SciPy, and `math`, `itertools` and their like',
        instead='put what the function needs into this module, or use `tp.grad` in Python',
    )


def public_names(library: Any) -> list[str]:
    """What `from library import *` gives names to."""
    return getattr(library, '__all__', None) or [name for name in vars(library) if not name.startswith('_')]
