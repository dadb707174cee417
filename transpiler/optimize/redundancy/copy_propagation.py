"""Copy propagation: after `a = b`, read `b` instead of `a`."""
from __future__ import annotations

import gast

from transpiler.core.build import like
from transpiler.core.language import Core
from transpiler.core.query import defined, is_atom
from transpiler.optimize.rewriting.available_expressions import Facts, forward
from transpiler.optimize.rewriting.substitute import substitute
from transpiler.passes import rewrite


@rewrite('copy propagation')
def propagate_copies(core: Core) -> Core:
    """Read the original instead of the copy, and a constant instead of the temporary that holds it.

    Legal because both names are bound to the same object until one of them is bound again. A constant with a name that
    the user gave it keeps the name.

    >>> from transpiler.passes import show
    >>> show(propagate_copies, 'y = x; z = y * y; y = 3; w = z + y; return w')
    y = x
    z = x * x
    y = 3
    w = z + y
    return w
    """
    def step(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        return [substitute(statement, lambda name: _original(core, name, facts))]
    return forward(core, step) if any(_is_copy(s) for s in core.statements) else core


def _is_copy(statement: gast.stmt) -> bool:
    return isinstance(statement, gast.Assign) and is_atom(statement.value) and defined(statement) is not None


def _original(core: Core, name: str, facts: Facts) -> gast.expr | None:
    value = facts.value(name)
    if value is None or not is_atom(value):
        return None
    if isinstance(value, gast.Constant) and not core.is_temporary(name):
        return None
    return like(value, ctx=gast.Load()) if isinstance(value, gast.Name) else value
