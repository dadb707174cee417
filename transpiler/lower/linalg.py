"""Linear algebra: one matrix, or stacks of as many."""
from __future__ import annotations

from transpiler.lower.context import Context, Value, called
from transpiler.lower.products import operands
from transpiler.lower.registry import Call, lowers
from transpiler.values.types import Type

FLOATS = ('float32', 'float64')


# the kernels of `np.linalg.solve`, by the numbers of axes of its arguments
SOLVERS = {(2, 1): 'solve', (2, 2): 'solve', (3, 3): 'solve_each', (2, 3): 'solve_for_each', (3, 2): 'solve_each_for'}


@lowers('numpy.linalg.solve')
def solve(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('a', 'b'), type_.dtype)
    solver = SOLVERS.get((a.ndim, b.ndim))
    if solver and type_.dtype.name in FLOATS:
        return called(type_.dtype, max(a.ndim, b.ndim) if b.ndim > 1 else 1, f'kernels.linalg.{solver}', a.node, b.node)
    raise context.unsupported(call.name, 'compiled code solves for one matrix of floats, or for a stack of them along one axis')


@lowers('numpy.linalg.inv')
def inverse(context: Context, call: Call, type_: Type) -> Value:
    (a,) = operands(context, call, ('a',), type_.dtype)
    if a.ndim in (2, 3) and type_.dtype.name in FLOATS:
        kernel = 'kernels.linalg.inv' if a.ndim == 2 else 'kernels.linalg.inv_each'
        return called(type_.dtype, a.ndim, kernel, a.node)
    raise context.unsupported(call.name, 'compiled code inverts one matrix of floats, or a stack of them')


@lowers('numpy.linalg.det')
def determinant(context: Context, call: Call, type_: Type) -> Value:
    (a,) = operands(context, call, ('a',), type_.dtype)
    if a.ndim in (2, 3) and type_.dtype.name in FLOATS:
        return called(type_.dtype, a.ndim - 2, 'kernels.linalg.det' if a.ndim == 2 else 'kernels.linalg.det_each', a.node)
    raise context.unsupported(call.name, 'compiled code takes one matrix of floats, or a stack of them')
