"""Renaming the variables of a program."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import gast

from transpiler.core.build import like
from transpiler.core.build import name as name_node
from transpiler.core.language import Core, Hint, Leaf, Node, Tree
from transpiler.core.query import blocks
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.optimize.rewriting.substitute import replace_names


def rename_program(core: Core, table: Mapping[str, str]) -> Core:
    """The program with every variable in `table` called otherwise; copies of a name to itself go.

    >>> from transpiler.passes import show
    >>> show(lambda core: rename_program(core, {'a': 'b'}), 'a = x; b = a; return b')
    b = x
    return b
    """
    if all(old == new for old, new in table.items()):
        return core
    params = tuple(replace(param, tree=_tree(param.tree, table)) for param in core.params)
    types: dict[str, Any] = {}
    # a name that the program no longer has may be called like a new one: it comes last
    for old, type_ in sorted(core.types.items(), key=lambda item: item[0] not in table):
        types.setdefault(table.get(old, old), type_)
    hints = {table.get(old, old): hint for old, hint in core.hints.items()}
    # a class with a member that the user named is the user's own
    hints.update({table[old]: Hint(core.base(old)) for old in table if not core.is_temporary(old)})
    return core.with_body(_block(core.body, table), params=params, types=types, hints=hints)


def _tree(tree: Tree, table: Mapping[str, str]) -> Tree:
    match tree:
        case Leaf(name):
            return Leaf(table.get(name, name))
        case Node(children=children):
            return replace(tree, children=tuple(_tree(child, table) for child in children))
    return tree


def _block(body: Sequence[gast.stmt], table: Mapping[str, str]) -> list[gast.stmt]:
    renamed = [_statement(statement, table) for statement in body]
    return [statement for statement in renamed if not _is_void(statement)]


def _statement(statement: gast.stmt, table: Mapping[str, str]) -> gast.stmt:
    if blocks(statement):
        statement = with_blocks(statement, [_block(block, table) for block in blocks(statement)])
    changes = {}
    for field in ('targets', 'target', 'value', 'test', 'iter', 'exc'):
        part = getattr(statement, field, None)
        if isinstance(part, list):
            changes[field] = [_renamed(p, table) for p in part]
        elif part is not None:
            changes[field] = _renamed(part, table)
    return like(statement, **changes)


def _renamed(part: gast.expr, table: Mapping[str, str]) -> gast.AST:
    return replace_names(part, lambda name: _as(part, name, table))


def _as(part: gast.expr, old: str, table: Mapping[str, str]) -> gast.expr | None:
    if table.get(old, old) == old:
        return None
    return like(name_node(table[old]), ctx=part.ctx) if isinstance(part, gast.Name) else name_node(table[old])


def _is_void(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=a)], value=gast.Name(id=b)):
            return a == b
    return False
