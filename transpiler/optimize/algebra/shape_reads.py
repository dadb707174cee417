"""The size of `x ** 2` is the size of `x`: nothing is computed for its shape alone."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import gast
import numpy as np

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.effects import is_ufunc
from transpiler.analyses.memory.memory_order import order_matters
from transpiler.analyses.polyhedral.signs import never_negative
from transpiler.core.build import assign, attribute, binary, call, like, subscript
from transpiler.core.build import name as name_node
from transpiler.core.language import Core
from transpiler.core.query import defined, names
from transpiler.optimize.rewriting.available_expressions import Facts, forward
from transpiler.optimize.rewriting.expression_types import alike, type_of
from transpiler.optimize.rewriting.flatten import Flattener
from transpiler.optimize.rewriting.use_counts import occurrences
from transpiler.passes import rewrite
from transpiler.values.dims import Dim
from transpiler.values.types import INT, Array, Unknown

SHAPE = ('size', 'shape', 'ndim')
LIKE = ('numpy.zeros_like', 'numpy.ones_like', 'numpy.empty_like', 'numpy.full_like')


@rewrite('shapes')
def read_shapes_at_source(core: Core) -> Core:
    """Ask an operand for the shape of an element-by-element result, or an argument for a size that types say it shares.

    So is the number of iterations of a loop, where it is such a size, or that of a list: `len(range(n - 1, -1, -1))` is `n`.

    >>> import numpy as np
    >>> from transpiler.passes import show
    >>> from transpiler.values.dims import Dim
    >>> row = Array(np.dtype(float), (Dim.symbol('n', large=True),))
    >>> show(read_shapes_at_source, 'y = x ** 2; n = y.size; z = np.zeros_like(y); w = n + z; return w',
    ...      types=dict.fromkeys('xyzwn', row))
    y = x ** 2
    n = x.size
    z = np.zeros_like(x)
    w = n + z
    return w
    """
    return _Shapes(core).run() if any(map(_asks_for_shape, core.statements)) else core


class _Shapes:
    def __init__(self, core: Core):
        self.core, self.flattener = core, Flattener(core)
        self.read = Counter(name for s in core.statements for name in _looked_into(s))
        self.definitions = Counter(map(defined, core.statements))

    def run(self) -> Core:
        new = forward(self.core, self.step)
        return new if new is self.core else self.flattener.register(new)

    def step(self, statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        match statement:
            case gast.Assign(targets=[gast.Name()], value=value):
                new = _from_source(value, lambda name: _source(name, facts, self.core, self.read))
                done: list[gast.stmt] = []
                if new is value:
                    new = self.from_arguments(value, statement, done)
                return [*done, statement if new is value else like(statement, value=new)]
        return [statement]

    def from_arguments(self, value: gast.expr, statement: gast.stmt, done: list[gast.stmt]) -> gast.expr:
        """The same size or zeros, from the shapes of arguments: then the array asked need not exist."""
        match value:
            case gast.Subscript(value=gast.Attribute(value=gast.Name(id=name), attr='shape'), slice=gast.Constant(value=axis)):
                dims = self.replaceable(name)
                return (dims and self.size(dims[axis])) or value
            case gast.Attribute(value=gast.Name(id=name), attr='size'):
                dims = self.replaceable(name)
                return (dims and len(dims) == 1 and self.size(dims[0])) or value
            case gast.Call(func=gast.Name(id='numpy.ones_like' | 'numpy.zeros_like' | 'numpy.full_like' as like_),
                           args=[gast.Name(id=name), *filling], keywords=[]):
                dims = None if self.read[name] else self.replaceable(name)
                sizes = [self.size(dim) for dim in dims or ()]
                in_order = len(sizes) > 1 and memory(self.core).of(defined(statement)) & order_matters(self.core)
                if sizes and None not in sizes and not in_order:
                    return self.made(like_.removesuffix('_like'), sizes, filling, self.core.types[name].dtype, statement, done)
            case gast.Call(func=gast.Name(id='python.len'), args=[gast.Call(args=[
                    gast.Constant(value=0), gast.Name(id=stop), gast.Constant(value=1)])]) if stop in never_negative(self.core):
                return name_node(stop)
            case gast.Call(func=gast.Name(id='python.len'),
                           args=[gast.Call(args=[start, stop, gast.Constant(value=1 | -1 as step)])]):
                first, last = map(self.number, (start, stop))
                iterations = None if first is None or last is None else (last - first) * step
                return (iterations and iterations.is_at_least(0) and self.sum(iterations, statement, done)) or value
        return value

    def number(self, node: gast.expr) -> Dim | None:
        match node:
            case gast.Constant(value=int() as value):
                return Dim.of(value)
            case gast.Name(id=name) if self.definitions[name] <= 1:
                return getattr(self.core.types.get(name), 'size', None)
        return None

    def sum(self, dim: Dim, statement: gast.stmt, done: list[gast.stmt]) -> gast.expr | None:
        """The size of an argument, more or less a constant."""
        size = self.size(dim - dim.constant)
        if size is None or not dim.constant:
            return size
        atom = self.flattener.fresh(INT)
        done.append(assign(atom, size, statement.origin, statement.role))
        return binary(atom, gast.Add if dim.constant > 0 else gast.Sub, abs(dim.constant))

    def made(self, function: str, sizes: list, filling: list[gast.expr], dtype: np.dtype, statement: gast.stmt,
             done: list[gast.stmt]) -> gast.expr:
        atoms = [self.flattener.fresh(INT) for _ in sizes]
        done += [assign(atom, size, statement.origin, statement.role) for atom, size in zip(atoms, sizes)]
        given = getattr(type_of(filling[0], self.core.types), 'dtype', None) if filling else np.float64
        return call(function, tuple(atoms), *filling, dtype=None if dtype == given else name_node(f'numpy.{dtype.name}'))

    def replaceable(self, name: str) -> tuple | None:
        """The sizes of an array that is a temporary, or is computed for its shape alone."""
        type_ = self.core.types.get(name)
        if not isinstance(type_, Array) or name in self.core.inputs or self.read[name] and not self.core.is_temporary(name):
            return None
        return type_.dims

    def size(self, dim: object) -> gast.expr | None:
        """`x.shape[k]` of the first argument with that size."""
        if not isinstance(dim, Dim) or len(dim.terms) != 1 or dim.terms[0][1] != 1 or dim.constant:
            return None
        for name in self.core.inputs:
            dims = getattr(self.core.types.get(name), 'dims', None) or ()
            if dim in dims:
                return subscript(attribute(name, 'shape'), dims.index(dim))
        return None


def _asks_for_shape(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(value=gast.Attribute() | gast.Subscript(value=gast.Attribute())):
            return True
        case gast.Assign(value=gast.Call(func=gast.Name(id=called))):
            return called in LIKE or called == 'python.len'
    return False


def _looked_into(statement: gast.stmt) -> list[str]:
    """The names that a statement reads for more than their shape."""
    match statement:
        case gast.Assign(value=gast.Attribute(attr=attr)) if attr in SHAPE:
            return []
        case gast.Assign(value=gast.Call(func=gast.Name(id=made), args=[_, *rest])) if made in LIKE:
            return [name for part in rest for name in names(part)]
    return occurrences(statement)


def _from_source(value: gast.expr, find: Callable[[str], str]) -> gast.expr:
    match value:
        case gast.Attribute(value=gast.Name(id=name) as base, attr=attr) if attr in SHAPE:
            source = find(name)
            return like(value, value=like(base, id=source)) if source != name else value
        case gast.Call(func=gast.Name(id=made), args=[gast.Name(id=name) as base, *rest]) if made in LIKE:
            source = find(name)
            return like(value, args=[like(base, id=source), *rest]) if source != name else value
    return value


def _source(name: str, facts: Facts, core: Core, read: Counter) -> str:
    """A name that is computed in any case and is known to have the type, and so the shape, of `name`; else `name` itself."""
    current = name
    while not read[current] or current != name:
        operands = _operands(facts.value(current))
        arrays = [o for o in operands if isinstance(core.types.get(o), Array)]
        found = next((o for o in arrays if alike(core.types[o], core.types.get(name, Unknown()))), None)
        if found is None:
            return name
        if read[found] > 1 or not core.is_temporary(found):
            return found
        current = found
    return name


def _operands(value: gast.expr | None) -> list[str]:
    """The arrays that an element-by-element operation combines."""
    match value:
        case gast.BinOp(left=left, op=operator, right=right) if not isinstance(operator, gast.MatMult):
            parts = [left, right]
        case gast.UnaryOp(operand=operand):
            parts = [operand]
        case gast.Call(func=gast.Name(id=function), args=args) if is_ufunc(function) and function != 'numpy.matmul':
            parts = args
        case _:
            return []
    return [part.id for part in parts if isinstance(part, gast.Name)]
