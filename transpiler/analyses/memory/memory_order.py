"""Which arrays certainly have their items in C order, one after the other: then `reshape` and `ravel` give views of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import gast

from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import SHOWING, is_fresh, is_ufunc
from transpiler.core.fixpoint import lasting
from transpiler.core.indices import entries_of
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import children, defined, is_primitive, names, parts, primitive, reads
from transpiler.values.types import Scalar

ALWAYS = frozenset(
    f'numpy.{name}'
    for name in 'zeros ones empty full arange eye identity outer ndarray.flatten copy ascontiguousarray ravel'.split()
)
Ordered = tuple[str, bool]       # a name, and whether there may be gaps between the items of its rows
AS_OPERANDS = frozenset(
    f'numpy.{name}'
    for name in '''
    zeros_like ones_like empty_like full_like where sum prod mean max min clip round copy array stack concatenate linspace
    astype dot matmul
    '''.split()
)
PRODUCTS = frozenset({'numpy.dot', 'numpy.matmul'})     # of matrices lie in C order, whatever these do; of stacks they do not
ORDER_DECIDES = frozenset({'numpy.reshape', 'numpy.ravel', 'numpy.ascontiguousarray'})  # a view or a copy, as the items lie


def by_order(node: gast.AST) -> bool:
    """Whether the order in which items lie decides if this gives a view of its operand, or a copy.

    >>> from transpiler.core.text import expression
    >>> [by_order(expression(text)) for text in ('np.ravel(x)', "np.asarray(x, order='C')", 'np.asarray(x)', 'np.transpose(x)')]
    [True, True, False, False]
    """
    said = (getattr(k.value, 'value', None) for k in getattr(node, 'keywords', ()) if k.arg == 'order')
    return primitive(node) in ORDER_DECIDES or primitive(node) == 'numpy.asarray' and 'C' in said


@memoised
def order_matters(core: Core) -> frozenset[str]:
    """The memory, by its roots, whose items must stay in order: it is written, and an array that is perhaps a view shows it.

    >>> from transpiler.core.text import parse
    >>> core = parse("a = np.zeros((2, 3)); b = np.zeros((2, 3)); c = np.ravel(a); d = np.ravel(b); c[0] = 1.0; return d")
    >>> sorted(order_matters(core))
    ['a', 'c']
    """
    found = memory(core)
    views = (s for s in core.statements if isinstance(s, gast.Assign) and defined(s) and not is_fresh(s.value))
    shown = (defined(s) for s in views if any(map(by_order, parts(s.value))))
    return frozenset().union(*(roots for roots in map(found.of, shown) if roots & found.written))


@memoised
def in_c_order(core: Core) -> frozenset[str]:
    """The arrays whose items lie in C order without gaps, whatever the path that made them.

    >>> from transpiler.core.text import parse
    >>> core = parse("a = np.zeros((2, 3)); b = 2 * a; c = np.transpose(b); d = np.exp(x); e = b[1]; f = -b[:, 1:]; return e")
    >>> sorted(in_c_order(core))
    ['a', 'b', 'e', 'f']
    """
    return frozenset(name for name, gaps in _orders(core) if not gaps)


def lies_in_c_order(core: Core, value: gast.expr) -> bool:
    """Whether the items of an expression's value lie in C order without gaps."""
    return _Ordered(core, _orders(core)).is_dense(value)


@memoised
def _orders(core: Core) -> frozenset[Ordered]:
    others = set(core.inputs) - core.ordered
    made: dict[str, list[gast.stmt]] = {name: [] for name in core.inputs if name in core.ordered}
    for statement in core.statements:
        name = defined(statement)
        if name is not None and name not in others and not isinstance(core.types.get(name), Scalar):
            made.setdefault(name, []).append(statement)
    known = [(name, gaps) for name in made for gaps in (False, True)]
    readers: dict[str, list[str]] = {}
    for name, statements in made.items():
        for read in {read for statement in statements for read in reads(statement)}:
            readers.setdefault(read, []).append(name)

    def holds(one: Ordered, left: Collection[Ordered]) -> bool:
        ordered = _Ordered(core, left)
        return all(ordered.after(statement, one[1]) for statement in made[one[0]])
    return lasting(known, holds, lambda one: [(name, gaps) for name in readers.get(one[0], ()) for gaps in (False, True)])


@dataclass(frozen=True)
class _Ordered:
    """What lies in C order if some names do: what is made of that, item by item, is dense, even of what has gaps."""

    core: Core
    known: Collection[Ordered]

    def after(self, statement: gast.stmt, gaps: bool) -> bool:
        """Whether the name that a statement defines is in order then."""
        if not isinstance(statement, gast.Assign):
            return False
        if links(statement).protects:  # NumPy makes such a copy in C order, but it stands for the argument
            return all((name, gaps) in self.known for name in names(statement.value))
        ndim = getattr(self.core.types.get(defined(statement)), 'ndim', None)
        if ndim == 1 and is_fresh(statement.value) or ndim in (1, 2) and primitive(statement.value) in PRODUCTS:
            return True
        return self.has_order(statement.value) if gaps else self.is_dense(statement.value)

    def is_dense(self, value: gast.expr) -> bool:
        match value:
            case gast.Subscript(value=base, slice=index):
                return self.is_dense(base) and _is_leading(index) and all(map(self.is_dense, entries_of(index)))
            case gast.Call(func=gast.Name(id='numpy.reshape'), args=[base, *_], keywords=[]):
                return self.is_dense(base)
        return self._is_made(value, gaps=False)

    def has_order(self, value: gast.expr) -> bool:
        """Whether its items lie in C order, perhaps apart."""
        match value:
            case gast.Subscript(value=base, slice=index):
                parts = entries_of(index)
                return self.has_order(base) and all(map(_goes_forward, parts)) and all(map(self.is_dense, parts))
            case gast.Call(func=gast.Name(id='numpy.reshape')):
                return self.is_dense(value)
        return self._is_made(value, gaps=True)

    def _is_made(self, value: gast.expr, gaps: bool) -> bool:
        match value:
            case gast.Name(id=name):
                no_axes = getattr(self.core.types.get(name), 'ndim', None) == 0
                return (name, gaps) in self.known or no_axes or is_primitive(name)
            case gast.Constant() | gast.Slice():
                return True
            case gast.Attribute(attr=attribute):
                return attribute not in SHOWING     # sizes
            case gast.Call(func=gast.Name(id=name), args=args, keywords=keywords):
                said = {k.arg: getattr(k.value, 'value', None) for k in keywords}
                if said.get('order') == 'C' and name != 'numpy.reshape':
                    return True
                if said.get('order', 'K') != 'K' or name == 'numpy.linspace' and 'axis' in said:
                    return False
                always = name in ALWAYS and 'order' not in said or name.startswith(('python.', 'math.'))
                return always or (name in AS_OPERANDS or is_ufunc(name)) and all(map(self.has_order, args))
            case gast.BinOp() | gast.UnaryOp() | gast.Compare() | gast.Tuple() | gast.List() | gast.IfExp():
                return all(self.has_order(part) for part in children(value) if isinstance(part, gast.expr))
        return False


def _goes_forward(entry: gast.expr) -> bool:
    match entry:
        case gast.Slice(step=step):
            return step is None or isinstance(step, gast.Constant) and step.value > 0
    return True


def _is_leading(index: gast.expr) -> bool:
    """Whether an index picks a stretch of memory: integers, then at most one slice without a step."""
    parts = entries_of(index)
    return (
        not any(isinstance(p, gast.Slice) for p in parts[:-1])
        and not any(isinstance(p, gast.Slice) and p.step is not None for p in parts[-1:])
        and not any(isinstance(p, gast.Constant) and not isinstance(p.value, int) for p in parts)
    )
