"""What each variable of Numba's IR is defined by, where there is one definition only."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from numba.core import ir


class Definitions:
    """single: by variable, the one value that is ever assigned to it

    indexed: by a tuple that does nothing but say which item is meant, whose item, and what is stored there, if anything is
    iterated: what is done with nothing but to iterate over it, once
    """

    def __init__(self, blocks: Mapping[int, ir.Block]):
        assigned: dict[str, list] = {}
        uses: Counter[str] = Counter()
        indexed: dict[str, list[tuple[str, str | None]]] = {}
        iterated: set[str] = set()
        for block in blocks.values():
            for statement in block.body:
                if isinstance(statement, ir.Assign):
                    assigned.setdefault(statement.target.name, []).append(statement.value)
                if not isinstance(statement, ir.Del):
                    uses.update(var.name for var in statement.list_vars())
                    iterated.update(_iterated(statement))
                for index, *access in _indices(statement):
                    indexed.setdefault(index, []).append(tuple(access))
        self.single = {name: values[0] for name, values in assigned.items() if len(values) == 1}
        self.indexed = {name: accesses for name, accesses in indexed.items() if uses[name] == len(accesses) + 1}
        self.iterated = frozenset(name for name in iterated if uses[name] == 2)

    def origin(self, name: str) -> str:
        """The variable whose value this one has, through copies."""
        while isinstance(value := self.single.get(name), ir.Var):
            name = value.name
        return name

    def expression(self, name: str) -> Any:
        """What the variable is defined by, through copies: an expression, or None."""
        value = self.single.get(self.origin(name))
        return value if isinstance(value, ir.Expr) else None


def _indices(statement: ir.Stmt) -> Iterator[tuple[str, str, str | None]]:
    """The variable that says which item `statement` reads or writes, the one whose item it is, and the one that is stored."""
    if isinstance(statement, ir.SetItem):
        yield statement.index.name, statement.target.name, statement.value.name
    elif isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == 'getitem':
        yield statement.value.index.name, statement.value.value.name, None


def _iterated(statement: ir.Stmt) -> Iterator[str]:
    if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == 'getiter':
        yield statement.value.value.name
