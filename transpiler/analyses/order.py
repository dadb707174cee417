"""Which arrays certainly have their items in C order, one after the other: then `reshape` and `ravel` give views of them."""

from __future__ import annotations

import gast

from transpiler.analyses.aliases import memory
from transpiler.analyses.effects import is_fresh, is_ufunc
from transpiler.analyses.memo import memoised
from transpiler.core.fixpoint import closure
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.query import defined, names, parts, primitive, walk
from transpiler.values.types import Scalar

ALWAYS = frozenset(
    f'numpy.{name}' for name in 'zeros ones empty full arange eye identity dot matmul outer ndarray.flatten'.split()
)
AS_OPERANDS = frozenset(
    f'numpy.{name}'
    for name in '''
    zeros_like ones_like empty_like full_like where reshape ravel sum copy array stack concatenate linspace astype
    '''.split()
)
ORDER_DECIDES = frozenset({'numpy.reshape', 'numpy.ravel', 'numpy.ascontiguousarray'})  # a view or a copy, as the items lie


@memoised
def order_matters(core: Core) -> frozenset[str]:
    """The memory, by its roots, whose items must stay in order: it is written, and an array that is perhaps a view shows it.

    >>> from transpiler.core.text import parse
    >>> core = parse("a = np.zeros((2, 3)); b = np.zeros((2, 3)); c = np.ravel(a); d = np.ravel(b); c[0] = 1.0; return d")
    >>> sorted(order_matters(core))
    ['a', 'c']
    """
    found = memory(core)
    views = (s for s in walk(core.body) if isinstance(s, gast.Assign) and defined(s) and not is_fresh(s.value))
    shown = (defined(s) for s in views if any(primitive(part) in ORDER_DECIDES for part in parts(s.value)))
    return frozenset().union(*(roots for roots in map(found.of, shown) if roots & found.written))


@memoised
def in_c_order(core: Core) -> frozenset[str]:
    """The arrays whose items lie in C order without gaps, whatever the path that made them.

    >>> from transpiler.core.text import parse
    >>> core = parse("a = np.zeros((2, 3)); b = 2 * a; c = np.transpose(b); d = np.exp(x); e = b[1]; return e")
    >>> sorted(in_c_order(core))
    ['a', 'b', 'e']
    """
    others = set(core.inputs) - core.ordered
    made: dict[str, list[gast.stmt]] = {name: [] for name in core.ordered}
    for statement in walk(core.body):
        name = defined(statement)
        if name is not None and name not in others and not isinstance(core.types.get(name), Scalar):
            made.setdefault(name, []).append(statement)
    known = made.keys()
    wrong = closure((), lambda wrong: {
        name for name in known - wrong if not all(_keeps_order(core, s, known - wrong) for s in made[name])})
    return frozenset(known - wrong)


def _keeps_order(core: Core, statement: gast.stmt, known: set[str]) -> bool:
    def ordered(node: gast.AST) -> bool:
        return all(name in known or isinstance(core.types.get(name), Scalar) for name in names(node))

    if not isinstance(statement, gast.Assign):
        return False
    if hasattr(statement, 'protects'):  # NumPy makes such a copy in C order, but it stands for the argument
        return all(map(ordered, statement.value.args))
    if getattr(core.types.get(defined(statement)), 'ndim', None) == 1 and is_fresh(statement.value):
        return True
    match statement.value:
        case gast.Name() | gast.BinOp() | gast.UnaryOp() | gast.Compare() as value:
            return ordered(value)
        case gast.Subscript(value=gast.Name() as base, slice=index):
            return ordered(base) and _is_leading(index) and ordered(index)
        case gast.Call(keywords=keywords) as call:
            name = primitive(call) or ''
            return all(k.arg != 'order' for k in keywords) and (
                name in ALWAYS or (name in AS_OPERANDS or is_ufunc(name)) and all(map(ordered, call.args))
            )
    return False


def _is_leading(index: gast.expr) -> bool:
    """Whether an index picks a stretch of memory: integers, then at most one slice without a step."""
    parts = entries_of(index)
    return (
        all(isinstance(p, (gast.Name, gast.Constant, gast.UnaryOp)) for p in parts[:-1])
        and (not isinstance(parts[-1], gast.Slice) or parts[-1].step is None)
        and not any(isinstance(p, gast.Constant) and not isinstance(p.value, int) for p in parts)
    )
