"""Dispatch tables: which method of which part runs for a node, for a method of a container, for a primitive of core programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from transpiler.specialize.structures.container import Container

Handler = tuple[type, str]      # a part of the evaluator, and one of its methods

EXPRESSIONS: dict[type[gast.AST], Handler] = {}
STATEMENTS: dict[type[gast.AST], Handler] = {}
METHODS: dict[tuple[type[Container], str], Handler] = {}    # by the class of a container and the name of the method
PRIMITIVES: dict[str, Handler] = {}


class _Marked:
    """A method until its class is made, which puts it into a table then."""

    def __init__(self, table: dict, key: Any, method: Any):
        self.table, self.key, self.method = table, key, method

    def __set_name__(self, owner: type, name: str) -> None:
        self.table[self.key] = owner, name
        setattr(owner, name, self.method)
        if isinstance(self.method, _Marked):
            self.method.__set_name__(owner, name)


def evaluates(node: type[gast.AST]) -> Callable[[Any], Any]:
    """The method gives the binding of such an expression: `method(frame, node)`."""
    return lambda method: _Marked(EXPRESSIONS, node, method)


def executes(node: type[gast.AST]) -> Callable[[Any], Any]:
    """The method runs such a statement, and says whether nothing comes behind it: `method(frame, statement)`."""
    return lambda method: _Marked(STATEMENTS, node, method)


def answers(kind: type[Container], name: str) -> Callable[[Any], Any]:
    """The method is that method of containers of this kind: `method(container, *args, **keywords)`."""
    return lambda method: _Marked(METHODS, (kind, name), method)


def primitive(name: str) -> Callable[[Any], Any]:
    """The method does what this primitive of core programs does: `method(*args)`."""
    return lambda method: _Marked(PRIMITIVES, name, method)
