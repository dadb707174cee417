"""Imports inside functions become assignments: a module is what it is, whenever it is imported."""
from __future__ import annotations

import importlib.util

import gast

from transpiler.core import build
from transpiler.core.query import parts
from transpiler.normalize.blocks import with_blocks

IMPORT = 'python.import'


def imports_as_assignments(body: list[gast.stmt], package: str = '') -> list[gast.stmt]:
    """Rewrite the imports in `body`, not those of nested functions; `package`: what relative ones start from.

    >>> tree = gast.parse('import numpy.linalg as la, scipy.special\\nfrom math import sin as s')
    >>> tree.body = imports_as_assignments(tree.body)
    >>> print(gast.unparse(tree))
    la = python.import('numpy.linalg', '')
    scipy = python.import('scipy', 'scipy.special')
    s = python.import('math', 'math.sin').sin
    >>> print(gast.unparse(imports_as_assignments(gast.parse('from ..b import f').body, 'a.c.d')[0]))
    f = python.import('a.c.b', 'a.c.b.f').f
    """
    return [new for statement in body for new in _without_imports(statement, package)]


def _without_imports(statement: gast.stmt, package: str) -> list[gast.stmt]:
    match statement:
        case gast.Import(names=aliases):
            return [_assigned(statement, alias.asname or alias.name.partition('.')[0], _module(alias)) for alias in aliases]
        case gast.ImportFrom(names=aliases):
            module = _absolute('.' * (statement.level or 0) + (statement.module or ''), package)
            return [_assigned(statement, alias.asname or alias.name,
                              build.attribute(_imported(module, f'{module}.{alias.name}'), alias.name)) for alias in aliases]
    if any(isinstance(part, (gast.Import, gast.ImportFrom)) for part in parts(statement)):
        return [with_blocks(statement, lambda body: imports_as_assignments(body, package))]
    return [statement]


def _absolute(name: str, package: str) -> str:
    """The whole name of a module; as it stands, for the import to fail, where there is no package to start from."""
    try:
        return importlib.util.resolve_name(name, package)
    except ImportError:
        return name


def _module(alias: gast.alias) -> gast.expr:
    """`import a.b as c` means the inner module, `import a.b` the outer one."""
    first, dot, _ = alias.name.partition('.')
    name, beside = (alias.name, '') if alias.asname or not dot else (first, alias.name)
    return _imported(name, beside)


def _imported(name: str, beside: str) -> gast.expr:
    """The module `name`, once `beside` is imported, if that is a module."""
    return build.call(IMPORT, build.constant(name), build.constant(beside))


def _assigned(statement: gast.stmt, name: str, value: gast.expr) -> gast.stmt:
    return build.placed(gast.Assign(targets=[build.name(name, build.STORE)], value=value, type_comment=None), statement)
