"""From expression trees back to one operation per assignment."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from transpiler.core.build import assign, call, like
from transpiler.core.build import name as name_node
from transpiler.core.language import Core, Hint
from transpiler.core.naming import Supply
from transpiler.core.query import all_defined, all_reads, is_atom
from transpiler.optimize.rewriting.expression_types import type_of


class Flattener:
    """Writes trees of arithmetic as core assignments, and remembers the types of the temporaries that it makes."""

    def __init__(self, core: Core):
        self.core = core
        self.types: dict[str, Any] = {}
        self.hints: dict[str, Hint] = {}
        self.supply = Supply({*core.inputs, *all_defined(core.body), *all_reads(core.body), *core.types})

    def assign(self, statement: gast.Assign, tree: gast.expr) -> list[gast.stmt]:
        """`statement` with `tree` as its value, after the temporaries that it needs."""
        done: list[gast.stmt] = []
        value = self._operation(tree, statement, done)
        return [*done, like(statement, value=value)]

    def _operation(self, tree: gast.expr, statement: gast.Assign, done: list[gast.stmt]) -> gast.expr:
        match tree:
            case gast.BinOp(left=left, right=right):
                return like(tree, left=self._atom(left, statement, done), right=self._atom(right, statement, done))
            case gast.UnaryOp(operand=operand):
                return like(tree, operand=self._atom(operand, statement, done))
            case gast.Constant(value=np.generic() as number):
                return call(f'numpy.{number.dtype}', number.item())
        return tree

    def _atom(self, tree: gast.expr, statement: gast.Assign, done: list[gast.stmt]) -> gast.expr:
        if is_atom(tree) and not isinstance(getattr(tree, 'value', None), np.generic):
            return tree
        fresh = self.fresh(type_of(tree, self.core.types))
        value = self._operation(tree, statement, done)
        done.append(assign(fresh, value, statement.origin, statement.role))
        return name_node(fresh)

    def fresh(self, type_: Any) -> str:
        """A new temporary; `optimize/surface/naming.py` gives it a speaking name should it survive."""
        name = self.supply.take('part')
        self.hints[name], self.types[name] = Hint('part', temporary=True), type_
        return name

    def after(self, statement: gast.Assign, value: gast.expr, wrap: Callable[[gast.expr], gast.expr]) -> list[gast.stmt]:
        """`statement` with `wrap(t)` as its value, where `t` is a temporary of the same type that holds `value`."""
        fresh = self.fresh(self.core.types.get(statement.targets[0].id))
        return [assign(fresh, value, statement.origin, statement.role), like(statement, value=wrap(name_node(fresh)))]

    def register(self, core: Core) -> Core:
        """The program with the types and hints of the new temporaries in its tables."""
        types = {**core.types, **self.types} if core.types else core.types
        return core.with_body(core.body, types=types, hints={**core.hints, **self.hints})
