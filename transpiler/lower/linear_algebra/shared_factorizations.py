"""Several results of one matrix, or of its transpose: its triangular factors are found once."""
from __future__ import annotations

from collections import Counter

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.builder import Builder
from transpiler.core.language import Core
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, called
from transpiler.lower.linear_algebra.decompositions import NUMBERS
from transpiler.lower.linear_algebra.triangular import triangle_of
from transpiler.optimize.rewriting.available_expressions import Facts, forward
from transpiler.passes import remark, rewrite
from transpiler.values.types import Array, Type

SHARING = frozenset({'numpy.linalg.solve', 'numpy.linalg.inv', 'numpy.linalg.det', 'numpy.linalg.slogdet', 'kernels.cofactors'})
SWAPS = Array(np.dtype(np.int32), (None,))


@rewrite('shared factors')
def share_factors(core: Core) -> Core:
    """Where a matrix is solved for, inverted or has its determinant taken more than once, find its factors before the first time.

    Legal because nothing in between writes into the matrix. What is known to be triangular needs no factors.

    >>> from transpiler.passes import show
    >>> types = {name: Array(np.dtype(float), (None,) * (1 + (name in 'at'))) for name in 'abtxy'}
    >>> show(share_factors, 'x = np.linalg.solve(a, b); t = np.transpose(a); y = np.linalg.solve(t, x); return y',
    ...      params='a, b', types=types)
    factors = factored(a)
    x = from_factors('numpy.linalg.solve', factors, False, b)
    t = a.T
    y = from_factors('numpy.linalg.solve', factors, True, x)
    return y
    """
    sharing = _Sharing(core)
    shared = forward(core, sharing.with_factors)
    if not any(count > 1 for count in sharing.users.values()):
        return core
    remark('the triangular factors of a matrix are found once')
    made = forward(shared, sharing.without_those_of_one)
    return made.with_body(made.body, types=dict(sharing.builder.types), hints=dict(sharing.builder.hints))


class _Sharing:
    """`users`: how many results come of these factors; `before`: the statement that one which takes factors stands for."""

    def __init__(self, core: Core):
        self.core, self.builder = core, Builder.of(core)
        self.users: Counter[str] = Counter()
        self.before: dict[int, gast.stmt] = {}

    def with_factors(self, statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        match statement:
            case gast.Assign(value=gast.Call(func=gast.Name(id=name), args=[gast.Name(id=matrix), *others], keywords=[])) \
                    if name in SHARING and _has_factors(self.core, matrix, others):
                base, turned = _untransposed(matrix, facts)
                found = build.call('kernels.factored', base)
                others = [build.name(matrix)] if name == 'kernels.cofactors' else others
                holder = facts.holder(found, statement.role)
                first = []
                if holder is None:
                    holder = self.builder.fresh('factors', (self.core.types[base], SWAPS), temporary=True).name
                    first = [build.assign(holder, found, statement.origin, statement.role)]
                taken = build.call('kernels.from_factors', build.constant(name), holder, build.constant(turned), *others)
                user = build.like(statement, value=taken)
                self.users[holder] += 1
                self.before[id(user)] = statement
                return [*first, user]
        return [statement]

    def without_those_of_one(self, statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        """Where factors have one user, the library's own call."""
        match statement:
            case gast.Assign(targets=[gast.Name(id=holder)], value=gast.Call(func=gast.Name(id='kernels.factored'))):
                return [statement] if self.users[holder] > 1 else []
            case gast.Assign(value=gast.Call(func=gast.Name(id='kernels.from_factors'), args=[_, gast.Name(id=holder), *_])):
                return [statement if self.users[holder] > 1 else self.before[id(statement)]]
        return [statement]


def _has_factors(core: Core, matrix: str, others: list[gast.expr]) -> bool:
    """Whether it is one matrix, and the result has its dtype."""
    type_ = core.types.get(matrix)
    if not isinstance(type_, Array) or type_.dims is None or len(type_.dims) != 2 or type_.dtype.name not in NUMBERS:
        return False
    right = [core.types.get(getattr(other, 'id', '')) for other in others]
    fits = all(isinstance(t, Array) and t.ndim in (1, 2) and np.result_type(t.dtype, type_.dtype) == type_.dtype for t in right)
    return fits and triangle_of(core, build.name(matrix)) is None


def _untransposed(matrix: str, facts: Facts) -> tuple[str, bool]:
    """The matrix of which this one is the transpose, if it is that of one with a name."""
    match facts.value(matrix):
        case gast.Call(func=gast.Name(id='numpy.transpose'), args=[gast.Name(id=other)], keywords=[]):
            return other, True
    return matrix, False


@lowers('kernels.factored')
def factored(context: Context, call: Call, type_: Type) -> Value:
    return Value(build.call(context.target.linear_algebra.factors.format('factored'), context.value(call.args[0]).node), type_)


@lowers('kernels.from_factors')
def from_factors(context: Context, call: Call, type_: Type) -> Value:
    of, factors, turned, *others = call.args
    dtype = type_[0].dtype if isinstance(type_, tuple) else type_.dtype
    right = [context.cast(context.number(context.value(other)), dtype).node for other in others]
    node = build.call(context.target.linear_algebra.from_factors[of.value], context.value(factors).node, turned, *right)
    return Value(node, type_) if isinstance(type_, tuple) else called(dtype, getattr(type_, 'ndim', 0), node.func.id, *node.args)
