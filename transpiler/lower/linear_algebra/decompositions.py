"""Linear algebra: one matrix, or stacks of as many."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context
from transpiler.lower.context.registry import Call, lowers
from transpiler.lower.context.values import Value, called
from transpiler.lower.linear_algebra.products import operands
from transpiler.lower.linear_algebra.triangular import LOWER, triangle_of
from transpiler.values.types import Type

FLOATS = ('float32', 'float64')
NUMBERS = (*FLOATS, 'complex64', 'complex128')

OPTIONS = {'pinv': ('rcond', 'hermitian'), 'eigh': ('UPLO',), 'eigvalsh': ('UPLO',), 'qr': ('mode',),
           'svd': ('full_matrices', 'compute_uv', 'hermitian')}

# the kernels of `np.linalg.solve`, by the numbers of axes of its arguments
SOLVERS = {(2, 1): 'solve', (2, 2): 'solve', (3, 3): 'solve_each', (2, 3): 'solve_for_each', (3, 2): 'solve_each_for',
           (3, 1): 'solve_each_for'}
TRIANGULAR = {'solve': 'solve_triangular', 'solve_each': 'solve_triangular_each'}


@lowers('numpy.linalg.solve')
def solve(context: Context, call: Call, type_: Type) -> Value:
    a, b = operands(context, call, ('a', 'b'), type_.dtype)
    kernels = context.target.linear_algebra.solved
    solver, triangle = SOLVERS.get((a.ndim, b.ndim)), triangle_of(context.core, call.args[0])
    if solver in TRIANGULAR and triangle and type_.dtype.name in NUMBERS:
        sides = [build.constant(side) for side in (False, triangle == LOWER, False)]
        return called(type_.dtype, b.ndim, kernels.format(TRIANGULAR[solver]), a.node, b.node, *sides)
    if solver and type_.dtype.name in NUMBERS:
        ndim = max(a.ndim, b.ndim) if b.ndim > 1 else a.ndim - 1
        return called(type_.dtype, ndim, kernels.format(solver), a.node, b.node)
    raise context.unsupported(call.name, 'compiled code solves for one matrix, or for a stack of them along one axis')


@lowers('scipy.linalg.solve_triangular')
def solve_triangular(context: Context, call: Call, type_: Type) -> Value:
    a, b, trans, *flags, _, _ = call.bind(
        'a', 'b', 'trans', 'lower', 'unit_diagonal', 'overwrite_b', 'check_finite')
    matrix, right = (context.named(context.cast(context.number(context.value(node)), type_.dtype), 'x') for node in (a, b))
    if matrix.ndim != 2 or right.ndim not in (1, 2) or type_.dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code solves for one matrix')
    sides = [build.constant(bool(node is not None and context.literal(node))) for node in (trans, *flags)]
    kernel = context.target.linear_algebra.solved.format('solve_triangular')
    return called(type_.dtype, right.ndim, kernel, matrix.node, right.node, *sides)


@lowers('numpy.linalg.inv', 'numpy.linalg.cholesky')
def same_shape(context: Context, call: Call, type_: Type) -> Value:
    (a,) = operands(context, call, ('a',), type_.dtype)
    if a.ndim in (2, 3) and type_.dtype.name in NUMBERS:
        kernel = context.target.linear_algebra.solved.format(call.name.removeprefix('numpy.linalg.') + _each(a))
        return called(type_.dtype, a.ndim, kernel, a.node)
    raise context.unsupported(call.name, 'compiled code takes one matrix, or a stack of them')


@lowers('numpy.linalg.det')
def determinant(context: Context, call: Call, type_: Type) -> Value:
    (a,) = operands(context, call, ('a',), type_.dtype)
    if a.ndim in (2, 3) and type_.dtype.name in NUMBERS:
        kernel = context.target.linear_algebra.solved.format(f'det{_each(a)}')
        return called(type_.dtype, a.ndim - 2, kernel, a.node)
    raise context.unsupported(call.name, 'compiled code takes one matrix, or a stack of them')


@lowers('kernels.cofactors', 'kernels.cofactors_along', 'kernels.cofactors_along_two')
def cofactors(context: Context, call: Call, type_: Type) -> Value:
    matrices = [context.named(context.cast(context.number(context.value(node)), type_.dtype), 'x').node for node in call.args]
    if type_.dtype.name not in NUMBERS:
        raise context.unsupported('numpy.linalg.det', 'compiled code takes matrices of numbers')
    kernel = call.name.partition('.')[2].removeprefix('cofactors_')
    return called(type_.dtype, type_.ndim, context.target.linear_algebra.cofactors.format(kernel + _each(type_)), *matrices)


@lowers(*(f'numpy.linalg.{name}' for name in ('eigh', 'eigvalsh', 'svd', 'qr', 'slogdet', 'pinv')))
def decomposition(context: Context, call: Call, type_: Type) -> Value:
    name, flags = call.name.removeprefix('numpy.linalg.'), []
    a, *options = call.bind('a', *OPTIONS.get(name, ()))
    dtype = type_[0].dtype if isinstance(type_, tuple) else type_.dtype
    matrix = context.named(context.cast(context.number(context.value(a)), dtype), 'x')
    if matrix.ndim not in (2, 3) or dtype.name not in FLOATS:
        raise context.unsupported(call.name, 'compiled code takes one matrix of floats, or a stack of them')
    if name == 'svd' and not isinstance(type_, tuple):
        name = 'singular_values'
    elif name == 'svd':
        flags = [build.constant(options[0] is None or bool(context.literal(options[0])))]
    elif name == 'pinv':
        flags = [build.constant(1e-15) if options[0] is None else context.value(options[0]).node]
    return Value(build.call(context.target.linear_algebra.decomposed.format(name + _each(matrix)), matrix.node, *flags), type_)


def _each(matrix: Value | Type) -> str:
    """How the helper for a stack is called."""
    return '' if matrix.ndim == 2 else '_each'


@lowers('scipy.linalg.lu', 'scipy.linalg.lu_factor')
def factors(context: Context, call: Call, type_: Type) -> Value:
    matrix = context.named(context.cast(context.number(context.value(call.args[0])), type_[0].dtype), 'x')
    if matrix.ndim != 2 or matrix.dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code takes one matrix')
    return Value(build.call(context.target.linear_algebra.factors.format(call.name.rpartition('.')[2]), matrix.node), type_)


@lowers('kernels.pivoted')
def pivoted(context: Context, call: Call, type_: Type) -> Value:
    swapped, size = call.bind('swapped', 'size')
    kernel = context.target.linear_algebra.factors.format('pivoted')
    return called(type_.dtype, 1, kernel, context.value(swapped).node, context.number_of(size))


@lowers('scipy.linalg.solve_banded')
def solve_banded(context: Context, call: Call, type_: Type) -> Value:
    widths, *operands, _, _, _ = call.bind('l_and_u', 'ab', 'b', 'overwrite_ab', 'overwrite_b', 'check_finite')
    ab, b = (context.named(context.cast(context.number(context.value(node)), type_.dtype), 'x') for node in operands)
    if ab.ndim != 2 or b.ndim not in (1, 2) or type_.dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code solves for one matrix')
    counts = map(build.constant, context.literal(widths, 'number of diagonals'))
    return called(type_.dtype, b.ndim, context.target.linear_algebra.factors.format('solve_banded'), *counts, ab.node, b.node)


@lowers('kernels.still_real')
def still_real(context: Context, call: Call, type_: Type) -> Value:
    """What is compiled has raised already if it is not."""
    return context.value(call.args[0])


@lowers('numpy.linalg.eig', 'numpy.linalg.eigvals', 'scipy.linalg.sqrtm')
def spectrum(context: Context, call: Call, type_: Type) -> Value:
    name = call.name.rpartition('.')[2]
    dtype = type_[0].dtype if isinstance(type_, tuple) else type_.dtype
    matrix = context.named(context.cast(context.number(context.value(call.args[0])), dtype), 'x')
    real = dtype.name in FLOATS
    if matrix.ndim not in (2, 3) or dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code takes one matrix, or a stack of them')
    given = [matrix.node]
    if real and name == 'sqrtm':
        given.append(context.named(context.cast(matrix, np.result_type(dtype, np.complex64)), 'x').node)
    kernel = f'{"real_" if real else ""}{name}{_each(matrix)}'
    return Value(build.call(context.target.linear_algebra.spectrum.format(kernel), *given), type_)


@lowers('scipy.linalg.solve_sylvester')
def solve_sylvester(context: Context, call: Call, type_: Type) -> Value:
    dtype = np.result_type(type_.dtype, np.complex64)
    given = [context.named(context.cast(context.number(context.value(node)), dtype), 'x') for node in call.args]
    if {matrix.ndim for matrix in given} not in ({2}, {3}) or dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code takes matrices, or as many of each in stacks')
    kernel = context.target.linear_algebra.spectrum.format(f'solve_sylvester{_each(given[0])}')
    found = called(dtype, given[0].ndim, kernel, *(matrix.node for matrix in given))
    if type_.dtype.kind == 'c':
        return found
    return Value(build.call('numpy.ascontiguousarray', build.attribute(found.node, 'real')), type_)


@lowers('kernels.of_full_rank')
def of_full_rank(context: Context, call: Call, type_: Type) -> Value:
    values, rank, full = call.args
    wrong = build.compare(context.number_of(rank), gast.Lt, context.number_of(full))
    context.guards.require(wrong, 'ValueError', 'there are no residuals, as the rank of the matrix is not full')
    return context.value(values)
