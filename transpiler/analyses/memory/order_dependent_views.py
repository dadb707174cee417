"""Where the order of items in memory, which only the run can tell, decides whether an array is a view that is noticed."""

from __future__ import annotations

import gast

from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.flow_sensitive_aliases import is_view_noticed
from transpiler.analyses.memory.memory_order import by_order, lies_in_c_order, order_matters
from transpiler.analyses.memory.views import is_reshaped_vector
from transpiler.core.language import Core
from transpiler.core.query import defined, parts


@memoised
def undecided(core: Core) -> tuple[tuple[gast.stmt, gast.Call], ...]:
    """The statements that give a view or a copy, as it comes, which somebody notices; with the reshapes in question.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('xy', Array(np.dtype(float), (None, None))) | {'v': Array(np.dtype(float), (None,))}
    >>> texts = [f'y = {made}; v = np.ravel(y); v[0] = 1.0; return y' for made in ('x * 2.0', 'np.zeros((2, 3))')]
    >>> [len(undecided(parse(text, params='x', types=types))) for text in texts]
    [1, 0]
    """
    if not order_matters(core):
        return ()
    open_ones = ((s, call) for s in core.statements if isinstance(s, gast.Assign) and defined(s) and not is_fresh(s.value)
                 for call in parts(s.value) if by_order(call) and not _is_known(core, call))
    return tuple((s, call) for s, call in open_ones if is_view_noticed(core, defined(s)))


def _is_known(core: Core, call: gast.Call) -> bool:
    """Whether a reshape is known to be a view, or nobody else has the memory that it shows."""
    operand = call.args[0]
    if is_reshaped_vector(core, call) or not isinstance(operand, gast.Name) and is_fresh(operand):
        return True
    return lies_in_c_order(core, operand) and all(k.arg != 'order' or k.value.value == 'C' for k in call.keywords)


@memoised
def arguments_in_order(core: Core) -> frozenset[str]:
    """The arguments of which the program takes for granted that their items lie in C order: a reshape is a view of one.

    >>> from dataclasses import replace
    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import Array
    >>> import numpy as np
    >>> types = dict.fromkeys('wx', Array(np.dtype(float), (None, None))) | {'v': Array(np.dtype(float), (None,))}
    >>> core = parse('y = x * 2.0; v = np.ravel(y); v[0] = np.sum(w); return y', params='wx', types=types)
    >>> sorted(arguments_in_order(replace(core, ordered=frozenset('wx'))))
    ['x']
    """
    return frozenset(name for name in core.ordered if undecided(core.with_body(core.body, ordered=core.ordered - {name})))
