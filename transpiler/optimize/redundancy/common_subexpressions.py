"""Common subexpressions: what is computed already is not computed again."""
from __future__ import annotations

import gast

from transpiler.analyses.memory.effects import is_pure
from transpiler.core.build import like
from transpiler.core.build import name as name_node
from transpiler.core.language import Core
from transpiler.core.query import is_atom
from transpiler.optimize.rewriting.alias_merging import Sharing
from transpiler.optimize.rewriting.available_expressions import Facts, forward, says_twice
from transpiler.passes import rewrite


@rewrite('common subexpressions')
def share_common(core: Core) -> Core:
    """Copy the value of an operation that was done before, where it must give the same.

    Legal because a fact ends as soon as an operand is bound again or memory behind it is written; and because two
    arrays become one only if neither is written into and at most one of them is handed to the caller.

    >>> from transpiler.passes import show
    >>> show(share_common, 'e = np.exp(x); y = e + 1; z = np.exp(x); w = z * y; return w')
    e = np.exp(x)
    y = e + 1
    z = e
    w = z * y
    return w
    """
    if not says_twice(core):
        return core
    sharing = Sharing(core)

    def are_alike(statement: gast.Assign, holder: str) -> bool:
        """Of Python's complex z and a float64, `z * x` is Python's, `x * z` NumPy's."""
        either = (getattr(core.types.get(name), 'weak', None) for name in (statement.targets[0].id, holder))
        return statement.role != 'primal' or len(set(either)) == 1

    def step(statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        match statement:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if not is_atom(value) and is_pure(value):
                holder = facts.holder(value, statement.role)
                if holder and holder != target and are_alike(statement, holder) and sharing.grant(target, holder):
                    return [like(statement, value=name_node(holder))]
        return [statement]
    return forward(core, step)
