"""Linear operations: signs move out of them, transposes cancel, copies that nobody needs go."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import gast
import numpy as np

from transpiler.analyses.memory.aliases import memory
from transpiler.core.build import assign, binary, call, constant, like, unary
from transpiler.core.build import name as name_node
from transpiler.core.fixpoint import closure
from transpiler.core.indices import may_repeat
from transpiler.core.language import Core
from transpiler.core.query import gives, is_atom, names
from transpiler.optimize.algebra.broadcasts import Spread
from transpiler.optimize.rewriting.alias_merging import Sharing
from transpiler.optimize.rewriting.available_expressions import Facts, forward
from transpiler.optimize.rewriting.flatten import Flattener
from transpiler.optimize.rewriting.substitute import replace_name
from transpiler.optimize.rewriting.use_counts import read_once
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar, Unknown

# linear in the first operand; and in each of the first two
ONE = frozenset({'numpy.sum', 'numpy.mean', 'numpy.transpose', 'numpy.expand_dims', 'numpy.reshape', 'numpy.broadcast_to',
                 'numpy.squeeze', 'numpy.trace', 'kernels.unbroadcast'})
TWO = frozenset({'numpy.matmul', 'numpy.outer', 'numpy.dot', 'numpy.inner'})


@rewrite('linear operations')
def simplify_linear(core: Core) -> Core:
    """Take signs out of linear operations in pullbacks; turn transposes of transposes and of products around.

    A sign is exact, so it may move; outside it meets other signs, or fewer numbers. A copy of memory that nobody else
    changes or keeps is that memory.

    >>> import numpy as np
    >>> from transpiler.passes import show
    >>> row, table = Array(np.dtype(float), (None,)), Array(np.dtype(float), (None, None))
    >>> show(simplify_linear, '''
    ... # pullback
    ... t = -x
    ... s = np.sum(t, axis=0)
    ... u = np.transpose(x)
    ... v = u @ y
    ... w = np.transpose(v)
    ... return s, w''', types=dict(x=table, y=table, t=table, s=row, u=table, v=table, w=table), temporaries=['t', 'u', 'v'])
    t = -x
    part = np.sum(x, axis=0)
    s = -part
    u = x.T
    v = u @ y
    part_1 = y.T
    w = part_1 @ x
    return s, w
    """
    return _Linear(core).run()


class _Linear:
    def __init__(self, core: Core):
        self.core, self.memory, self.sharing = core, memory(core), Sharing(core)
        self.once = read_once(core)
        self.flattener = Flattener(core)

    def run(self) -> Core:
        new = forward(self.core, self.step)
        return new if new is self.core else self.flattener.register(new)

    def step(self, statement: gast.stmt, facts: Facts) -> Sequence[gast.stmt]:
        statement = self.whole(statement)
        if getattr(statement, 'role', '') == 'primal':
            return [statement]
        spread = Spread(self.core.types, facts)
        match statement:
            case gast.AugAssign(target=gast.Subscript(value=gast.Name() as base) as target, value=value) \
                    if _is(spread.number(base), 0) and not may_repeat(target.slice, self.core.types):
                return [like(assign(target, value), origin=statement.origin, role=statement.role)]
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Subscript(value=gast.Name() as base)) \
                    if isinstance(self.core.types.get(target), Scalar) and self.is_double(base.id):
                number = spread.number(base)
                if number is None or not is_atom(number):
                    return [statement]
                return [like(statement, value=call('numpy.float64', number) if target in self.dividends else number)]
            case gast.Assign(targets=[gast.Name()], value=gast.Subscript(value=gast.Name() as base, slice=index)) \
                    if _is_all(index) and self.is_array(base.id):
                return [like(statement, value=base)]
            case gast.Assign(targets=[gast.Name(id=target)], value=value):
                pulled = self.sign(statement, target, value, facts)
                if pulled is not None:
                    return pulled
                value = self.summed(value, facts) or value
                statement = statement if value is statement.value else like(statement, value=value)
                match value:
                    case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=source)], keywords=[]):
                        return self.transpose(statement, source, facts)
                    case gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=source)], keywords=[]) \
                            if self.sharing.grant(target, source) and self.is_array(target):
                        return [like(statement, value=name_node(source))]
                    case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                        factor = self.beside_identity(left, right, facts)
                        if factor is not None and self.sharing.grant(target, factor):
                            return [like(statement, value=name_node(factor))]
        return [statement]

    @cached_property
    def dividends(self) -> set[str]:
        """The names of what goes into what a number of Python's divides: as such numbers themselves they would raise for 0."""
        values = [pair for statement in self.core.statements for pair in gives(statement)]
        arithmetic = [(name, value) for name, value in values if isinstance(value, (gast.BinOp, gast.UnaryOp, gast.Name))]
        divided = {value.left.id for _, value in values if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Div)
                   and isinstance(value.left, gast.Name) and isinstance(value.right, gast.Name)
                   and getattr(self.core.types.get(value.right.id), 'weak', True)}
        return closure(divided, lambda found: (part for name, value in arithmetic if name in found for part in names(value)))

    def summed(self, value: gast.expr, facts: Facts) -> gast.expr | None:
        """`np.sum(x, axis=1, keepdims=True)[:, 0]` as `np.sum(x, axis=1)`."""
        match value:
            case gast.Subscript(value=gast.Name(id=name), slice=gast.Tuple(elts=parts)) if name in self.once:
                made = facts.value(name)
            case _:
                return None
        if not isinstance(made, gast.Call) or made.func.id != 'numpy.sum':
            return None
        given = {k.arg: k.value for k in made.keywords}
        axis = given.get('axis')
        if given.keys() != {'axis', 'keepdims'} or not isinstance(axis, gast.Constant) or not isinstance(axis.value, int):
            return None
        place = axis.value % len(parts)
        fits = all(_is(part, 0) if k == place else _is_all(part) for k, part in enumerate(parts))
        if not fits or not _is(given['keepdims'], True):
            return None
        return like(made, keywords=[k for k in made.keywords if k.arg == 'axis'])

    def whole(self, statement: gast.stmt) -> gast.stmt:
        """`a[:] = v` as `a[...] = v`, the form that other passes know."""
        match statement:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index) as target]) \
                    if self.is_array(base) and _is_all(index):
                return like(statement, targets=[like(target, slice=constant(...))])
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index) as target) \
                    if self.is_array(base) and _is_all(index):
                return like(statement, target=like(target, slice=constant(...)))
        return statement

    def is_double(self, name: str) -> bool:
        return getattr(self.core.types.get(name), 'dtype', None) == np.float64

    def is_array(self, name: str) -> bool:
        type_ = self.core.types.get(name)
        return isinstance(type_, Array) and bool(type_.ndim)

    def sign(self, statement: gast.stmt, target: str, value: gast.expr, facts: Facts) -> Sequence[gast.stmt] | None:
        """`f(-x)` as `-f(x)`."""
        match value:
            case gast.Call(func=gast.Name(id=function), args=[first, *_]) if function in ONE:
                candidates = [first]
            case gast.Call(func=gast.Name(id=function), args=[first, second]) if function in TWO:
                candidates = [first, second]
            case gast.BinOp(left=first, op=gast.MatMult(), right=second):
                candidates = [first, second]
            case gast.Subscript(value=gast.Name() as first):
                candidates = [first]
            case _:
                return None
        if not isinstance(self.core.types.get(target), (Array, Scalar)) or self.memory.of(target) & self.memory.written:
            return None     # a view that is written through must stay one
        for name in [node.id for node in candidates if isinstance(node, gast.Name)]:
            done: list[gast.stmt] = []
            inner = self.without_sign(name, statement, facts, done)
            if inner is not None:
                changed = replace_name(value, name, inner)
                return [*done, *self.flattener.after(statement, changed, lambda result: unary(gast.USub, result))]
        return None

    def without_sign(self, name: str, statement: gast.stmt, facts: Facts, done: list[gast.stmt]) -> gast.expr | None:
        """An atom whose negative `name` is; a product that is read here only is computed without its sign."""
        match facts.value(name):
            case gast.UnaryOp(op=gast.USub(), operand=gast.Name() as inner):
                return inner
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div()) as product if name in self.once:
                match left:
                    case gast.Constant(value=int() | float() as number) if number < 0:
                        plain: gast.expr = constant(-number)
                    case gast.Name(id=factor):
                        sign = facts.value(factor)
                        if not isinstance(sign, gast.UnaryOp) or not isinstance(sign.op, gast.USub):
                            return None
                        plain = sign.operand
                    case _:
                        return None
                fresh = self.flattener.fresh(self.core.types.get(name))
                done.append(assign(fresh, like(product, left=plain), statement.origin, statement.role))
                return name_node(fresh)
        return None

    def transpose(self, statement: gast.stmt, source: str, facts: Facts) -> Sequence[gast.stmt]:
        match facts.value(source):
            case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name() as inner], keywords=[]) \
                    if self.sharing.grant(statement.targets[0].id, inner.id):
                return [like(statement, value=inner)]
            case gast.BinOp(left=gast.Name(id=left), op=gast.MatMult(), right=gast.Name(id=right)) \
                    if source in self.once and self.is_table(left) and self.is_table(right):
                done: list[gast.stmt] = []
                parts = [self.transposed(name, statement, facts, done) for name in (right, left)]
                return [*done, like(statement, value=binary(parts[0], gast.MatMult, parts[1]))]
        return [statement]

    def is_table(self, name: str) -> bool:
        return getattr(self.core.types.get(name), 'ndim', None) == 2

    def transposed(self, name: str, statement: gast.stmt, facts: Facts, done: list[gast.stmt]) -> gast.expr:
        match facts.value(name):
            case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name() as inner], keywords=[]):
                return inner
        type_ = self.core.types.get(name, Unknown())
        turned = Array(type_.dtype, type_.dims and type_.dims[::-1]) if isinstance(type_, Array) else type_
        fresh = self.flattener.fresh(turned)
        done.append(assign(fresh, call('numpy.transpose', name), statement.origin, statement.role))
        return name_node(fresh)

    def beside_identity(self, left: gast.expr, right: gast.expr, facts: Facts) -> str | None:
        """What an identity matrix is multiplied with."""
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, gast.Name) or not isinstance(other, gast.Name) or not _is_identity(facts.value(one.id)):
                continue
            if self.is_square(one.id) and self.is_table(other.id) and self.same_dtype(one.id, other.id):
                return other.id
        return None

    def is_square(self, name: str) -> bool:
        type_ = self.core.types.get(name)
        dims = type_.dims if isinstance(type_, Array) else None
        return dims is not None and len(dims) == 2 and None not in dims and dims[0] == dims[1]

    def same_dtype(self, a: str, b: str) -> bool:
        return self.core.types[a].dtype == self.core.types[b].dtype


def _is_identity(value: gast.expr | None) -> bool:
    match value:
        case gast.Call(func=gast.Name(id='numpy.eye'), args=[_] | [_, _], keywords=keywords):
            return all(k.arg == 'dtype' for k in keywords)
    return False


def _is(node: gast.expr | None, value: float) -> bool:
    return isinstance(node, gast.Constant) and node.value == value


def _is_all(index: gast.expr) -> bool:
    """`:`"""
    return isinstance(index, gast.Slice) and index.lower is index.upper is index.step is None
