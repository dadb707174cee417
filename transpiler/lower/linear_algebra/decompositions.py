"""Linear algebra: one matrix, or stacks of as many."""
from __future__ import annotations

import gast
import numpy as np

from transpiler.core import build
from transpiler.lower.context.context import Context, Value, called
from transpiler.lower.context.registry import Call, lowers
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
    solver, triangle = SOLVERS.get((a.ndim, b.ndim)), triangle_of(context.core, call.args[0])
    if solver in TRIANGULAR and triangle and type_.dtype.name in NUMBERS:
        sides = [build.constant(side) for side in (False, triangle == LOWER, False)]
        return called(type_.dtype, b.ndim, f'kernels.linalg.{TRIANGULAR[solver]}', a.node, b.node, *sides)
    if solver and type_.dtype.name in NUMBERS:
        return called(type_.dtype, max(a.ndim, b.ndim) if b.ndim > 1 else a.ndim - 1, f'kernels.linalg.{solver}', a.node, b.node)
    raise context.unsupported(call.name, 'compiled code solves for one matrix, or for a stack of them along one axis')


@lowers('scipy.linalg.solve_triangular')
def solve_triangular(context: Context, call: Call, type_: Type) -> Value:
    a, b, trans, *flags, _, _ = call.bind(
        'a', 'b', 'trans', 'lower', 'unit_diagonal', 'overwrite_b', 'check_finite')
    matrix, right = (context.named(context.cast(context.number(context.value(node)), type_.dtype), 'x') for node in (a, b))
    if matrix.ndim != 2 or right.ndim not in (1, 2) or type_.dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code solves for one matrix')
    sides = [build.constant(bool(node is not None and context.literal(node))) for node in (trans, *flags)]
    return called(type_.dtype, right.ndim, 'kernels.linalg.solve_triangular', matrix.node, right.node, *sides)


@lowers('numpy.linalg.inv', 'numpy.linalg.cholesky')
def same_shape(context: Context, call: Call, type_: Type) -> Value:
    (a,) = operands(context, call, ('a',), type_.dtype)
    if a.ndim in (2, 3) and type_.dtype.name in NUMBERS:
        kernel = call.name.removeprefix('numpy.') if a.ndim == 2 else f'{call.name.removeprefix("numpy.")}_each'
        return called(type_.dtype, a.ndim, f'kernels.{kernel}', a.node)
    raise context.unsupported(call.name, 'compiled code takes one matrix, or a stack of them')


@lowers('numpy.linalg.det')
def determinant(context: Context, call: Call, type_: Type) -> Value:
    (a,) = operands(context, call, ('a',), type_.dtype)
    if a.ndim in (2, 3) and type_.dtype.name in NUMBERS:
        return called(type_.dtype, a.ndim - 2, 'kernels.linalg.det' if a.ndim == 2 else 'kernels.linalg.det_each', a.node)
    raise context.unsupported(call.name, 'compiled code takes one matrix, or a stack of them')


@lowers('kernels.cofactors', 'kernels.cofactors_along', 'kernels.cofactors_along_two')
def cofactors(context: Context, call: Call, type_: Type) -> Value:
    matrices = [context.named(context.cast(context.number(context.value(node)), type_.dtype), 'x').node for node in call.args]
    if type_.dtype.name not in NUMBERS:
        raise context.unsupported('numpy.linalg.det', 'compiled code takes matrices of numbers')
    kernel = call.name.removeprefix('kernels.cofactors_').removeprefix('kernels.')
    return called(type_.dtype, type_.ndim, f'kernels.cofactors.{kernel}{"" if type_.ndim == 2 else "_each"}', *matrices)


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
    suffix = '' if matrix.ndim == 2 else '_each'
    return Value(build.call(f'kernels.decompositions.{name}{suffix}', matrix.node, *flags), type_)


@lowers('scipy.linalg.lu', 'scipy.linalg.lu_factor')
def factors(context: Context, call: Call, type_: Type) -> Value:
    matrix = context.named(context.cast(context.number(context.value(call.args[0])), type_[0].dtype), 'x')
    if matrix.ndim != 2 or matrix.dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code takes one matrix')
    return Value(build.call(f'kernels.factors.{call.name.rpartition(".")[2]}', matrix.node), type_)


@lowers('kernels.pivoted')
def pivoted(context: Context, call: Call, type_: Type) -> Value:
    swapped, size = call.bind('swapped', 'size')
    return called(type_.dtype, 1, 'kernels.factors.pivoted', context.value(swapped).node, context.number_of(size))


@lowers('scipy.linalg.solve_banded')
def solve_banded(context: Context, call: Call, type_: Type) -> Value:
    widths, *operands, _, _, _ = call.bind('l_and_u', 'ab', 'b', 'overwrite_ab', 'overwrite_b', 'check_finite')
    ab, b = (context.named(context.cast(context.number(context.value(node)), type_.dtype), 'x') for node in operands)
    if ab.ndim != 2 or b.ndim not in (1, 2) or type_.dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code solves for one matrix')
    counts = map(build.constant, context.literal(widths, 'number of diagonals'))
    return called(type_.dtype, b.ndim, 'kernels.factors.solve_banded', *counts, ab.node, b.node)


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
    kernel = f'kernels.spectra.{"real_" if real else ""}{name}{"" if matrix.ndim == 2 else "_each"}'
    return Value(build.call(kernel, *given), type_)


@lowers('scipy.linalg.solve_sylvester')
def solve_sylvester(context: Context, call: Call, type_: Type) -> Value:
    dtype = np.result_type(type_.dtype, np.complex64)
    given = [context.named(context.cast(context.number(context.value(node)), dtype), 'x') for node in call.args]
    if {matrix.ndim for matrix in given} not in ({2}, {3}) or dtype.name not in NUMBERS:
        raise context.unsupported(call.name, 'compiled code takes matrices, or as many of each in stacks')
    kernel = f'kernels.spectra.solve_sylvester{"" if given[0].ndim == 2 else "_each"}'
    found = called(dtype, given[0].ndim, kernel, *(matrix.node for matrix in given))
    if type_.dtype.kind == 'c':
        return found
    return Value(build.call('numpy.ascontiguousarray', build.attribute(found.node, 'real')), type_)


@lowers('kernels.of_full_rank')
def of_full_rank(context: Context, call: Call, type_: Type) -> Value:
    values, rank, full = call.args
    wrong = build.compare(context.number_of(rank), gast.Lt, context.number_of(full))
    context.require(wrong, 'ValueError', 'there are no residuals, as the rank of the matrix is not full')
    return context.value(values)
