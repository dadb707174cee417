"""Making a failing program small: statements are dropped, blocks unwrapped and expressions replaced as long as it fails alike."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.fuzz.programs import Program


def shrink(program: Program, fails: Callable[[Program], bool], rounds: int = 12) -> Program:
    """The smallest program found that `fails` still says yes to."""
    for _ in range(rounds):
        smaller = next((p for p in _smaller(program) if fails(p)), None)
        if smaller is None:
            return program
        while smaller is not None:
            program = smaller
            smaller = next((p for p in _smaller(program) if fails(p)), None)
    return program


def _smaller(program: Program) -> Iterator[Program]:
    seen = {program.text}
    for make in (_without_statements, _simpler_expressions):
        for tree in make(program.text):
            text = ast.unparse(ast.fix_missing_locations(tree)) + '\n'
            if text not in seen and len(text) < len(program.text):
                seen.add(text)
                yield program.with_text(text)


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ('body', 'orelse'):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield block


def _without_statements(text: str) -> Iterator[ast.AST]:
    count = sum(len(block) for block in _blocks(ast.parse(text)))
    for number in range(count):
        for unwrapped in (False, True):
            tree = ast.parse(text)
            position = 0
            for block in _blocks(tree):
                if position <= number < position + len(block):
                    place = number - position
                    statement = block[place]
                    inner = (
                        [*getattr(statement, 'body', []), *getattr(statement, 'orelse', [])]
                        if not isinstance(statement, ast.FunctionDef)
                        else []
                    )
                    if isinstance(statement, (ast.Import, ast.Return)) or unwrapped and not inner:
                        break
                    if isinstance(statement, ast.FunctionDef) and statement.name == 'program':
                        break
                    block[place : place + 1] = inner if unwrapped else [] if len(block) > 1 else [ast.Pass()]
                    yield tree
                    break
                position += len(block)


def _simpler_expressions(text: str) -> Iterator[ast.AST]:
    count = sum(1 for node in ast.walk(ast.parse(text)) if isinstance(node, ast.expr))
    for number in range(count):
        node = _expression(ast.parse(text), number)
        for choice in range(len(_parts(node))):
            tree = ast.parse(text)
            wanted = _expression(tree, number)
            yield _Replace(wanted, _parts(wanted)[choice]).visit(tree)


def _expression(tree: ast.AST, number: int) -> ast.expr:
    return [node for node in ast.walk(tree) if isinstance(node, ast.expr)][number]


def _parts(node: ast.expr) -> list[ast.expr]:
    """What may stand in place of an expression: its operands, or a number."""
    if isinstance(getattr(node, 'ctx', None), ast.Store) or isinstance(node, (ast.Constant, ast.Attribute)):
        return []
    parts = [
        child
        for child in ast.walk(node)
        if isinstance(child, ast.expr)
        and child is not node
        and not isinstance(child, ast.Slice)
        and not isinstance(getattr(child, 'ctx', None), ast.Store)
        and not (isinstance(child, ast.Name) and child.id in ('np', 'range', 'float', 'len'))
    ]
    return [*parts[:6], ast.Constant(1.0)]


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr):
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else super().visit(node)
