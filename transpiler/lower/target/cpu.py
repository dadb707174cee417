"""The CPU: NumPy's arrays, machine code by Numba, threads of our own, and the helpers of `kernels/` by their names."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from transpiler.core.helpers import Fact, declare
from transpiler.lower.target.mathematics import (
    EXTREMES,
    FASTER_ALONE,
    MATHEMATICS,
    SUFFIXES,
    is_one_by_one,
    vectorised_for,
    written_for,
)
from transpiler.lower.target.target import (
    Arrays,
    Checks,
    Host,
    Integers,
    LinearAlgebra,
    Loops,
    Mathematics,
    Memory,
    Products,
    Reductions,
    Target,
)
from transpiler_kernels.grain import OPERATIONS

MATHEMATICAL = Mathematics(
    function=written_for,
    in_vectors=vectorised_for,
    one_by_one=is_one_by_one,
    faster_alone=FASTER_ALONE,
    half_powers=MappingProxyType({char: f'{MATHEMATICS}half_power{suffix}' for char, suffix in SUFFIXES.items()}),
    whole_power='kernels.arithmetic.powers.whole_power',
    extremes=MappingProxyType(EXTREMES),
    of_integers=MappingProxyType({ufunc: f'kernels.arithmetic.elementwise.{ufunc.__name__}' for ufunc in (
        np.floor_divide, np.left_shift, np.right_shift, np.fmod)} | {
            ufunc: f'kernels.arithmetic.wrapping.{ufunc.__name__}' for ufunc in (np.power, np.lcm)}),
    heaviside='kernels.arithmetic.elementwise.heaviside',
    zeta='kernels.special.elementary.zeta',
    select='kernels.arithmetic.elementwise.select',
)

INTEGERS = Integers(
    too_long='kernels.arithmetic.integers.{}_is_too_long',
    quotient='kernels.arithmetic.integers.quotient',
    order='kernels.arithmetic.integers.order',
    order_of_unsigned='kernels.arithmetic.elementwise.order_of_unsigned',
    wrapping='kernels.arithmetic.wrapping.{}',
    narrowed='kernels.arithmetic.wrapping.{}',
    cut='kernels.arithmetic.casts.{}',
)

PRODUCTS = Products(
    matrix='kernels.linear_algebra.products.matrix_product',
    of_itself='kernels.linear_algebra.gram.gram',
    stacked='kernels.linear_algebra.products.stacked_product',
    common_size='kernels.linear_algebra.products.common_size',
)

MEMORY = Memory(
    new=MappingProxyType({f'numpy.{name}': f'kernels.memory.allocation.{name}' for name in ('empty', 'zeros', 'ones', 'copy')}),
    borrowed='kernels.memory.lending.lent',
    add_into='kernels.memory.updates.add_into',
    subtract_from='kernels.memory.updates.subtract_from',
    copy_into='kernels.memory.updates.copy_into',
    put_part='kernels.memory.joining.put_part',
    converted='kernels.memory.layout.astype',
    in_place='kernels.memory.layout.in_place',
    flat='kernels.memory.layout.flat',
    flat_in_place='kernels.memory.layout.flat_in_place',
    of_vector='kernels.memory.layout.of_vector',
    of_one_item='kernels.memory.layout.of_one_item',
)

LOOPS = Loops(
    parts='kernels.threads.parts_of',
    most_parts='kernels.threads.most_parts',
    in_parts='kernels.threads.in_parts',
    sharing='kernels.threads.in_parts_sharing',
    worth=OPERATIONS,
    plus='kernels.reductions.lanes.plus',
    once='kernels.arithmetic.fences.once',
)

CHECKS = Checks(
    position='kernels.memory.indices.position',
    is_beyond='kernels.memory.indices.is_beyond',
    any_beyond='kernels.memory.indices.any_beyond',
    bail_out='kernels.machine.failures.Unproven',
    failure='kernels.machine.failures.Raised',
)

REDUCTIONS = Reductions(
    total='kernels.reductions.along_axes.sum_all',
    rows='kernels.reductions.along_axes.sum_rows',
    columns='kernels.reductions.along_axes.sum_columns',
    exact='kernels.reductions.exact_sums.rounded_once',
    along='kernels.reductions.along_axes.{}_axes',
    searched='kernels.reductions.searches.{}_axes',
    to_shape='kernels.reductions.along_axes.sum_to',
    mean='kernels.reductions.along_axes.mean_of',
    equal='kernels.reductions.along_axes.equal',
    running='kernels.reductions.scans.{}_axis',
    recurrence='kernels.reductions.scans.recurrence',
)

ARRAYS = Arrays(
    repeated='kernels.memory.shapes.repeat_axis',
    rolled='kernels.memory.shapes.roll_axis',
    sorted='kernels.reductions.sorting.{}_axis',
    triangle='kernels.memory.shapes.{}',
    ones='kernels.memory.shapes.{}_ones',
    held='kernels.memory.shapes.held',
    binned='kernels.reductions.searches.equal_bins',
    placed='kernels.reductions.selection.places_in_order',
    only_item='kernels.memory.shapes.only_item',
    diagonal='kernels.memory.shapes.diagonal_in_place',
    diagonals='kernels.memory.shapes.diagonals',
    diagonal_length='kernels.memory.shapes.diagonal_length',
    on_diagonal='kernels.memory.shapes.square_with_diagonal',
    on_diagonals='kernels.memory.shapes.with_diagonals',
    first_two='kernels.spaced.first_two',
    equidistant='kernels.spaced.counted',
    distance_count='kernels.spaced.length',
    integer_count='kernels.spaced.length_of_integers',
    between='kernels.spaced.linspace',
)

LINEAR_ALGEBRA = LinearAlgebra(
    solved='kernels.linear_algebra.stacks.{}',
    decomposed='kernels.linear_algebra.decompositions.{}',
    spectrum='kernels.linear_algebra.spectra.{}',
    cofactors='kernels.linear_algebra.cofactors.{}',
    factors='kernels.linear_algebra.factors.{}',
    from_factors=MappingProxyType({
        'numpy.linalg.solve': 'kernels.linear_algebra.factors.solved',
        'numpy.linalg.inv': 'kernels.linear_algebra.factors.inverse',
        'numpy.linalg.det': 'kernels.linear_algebra.factors.determinant',
        'numpy.linalg.slogdet': 'kernels.linear_algebra.factors.sign_and_logarithm',
        # which takes the matrix too, for where it is singular
        'kernels.cofactors': 'kernels.linear_algebra.cofactors.of_factors',
    }),
    fourier='kernels.fourier.{}',
)

HOST = Host(
    numbers='kernels.memory.lists.numbers',
    stacked='kernels.memory.lists.stacked',
    apart='kernels.memory.lists.apart',
    zeros_of='kernels.memory.lists.zeros_of',
    add_items='kernels.memory.lists.add_items',
    printed='kernels.machine.texts.said',
    next_snapshot='kernels.schedule.next_snapshot',
)

CPU = Target(MATHEMATICAL, INTEGERS, PRODUCTS, MEMORY, LOOPS, CHECKS, REDUCTIONS, ARRAYS, LINEAR_ALGEBRA, HOST)

declare(Fact.FRESH, PRODUCTS.matrix, PRODUCTS.stacked, PRODUCTS.of_itself, REDUCTIONS.rows, REDUCTIONS.columns,
        REDUCTIONS.along.format('sum'))
declare(Fact.PASSES_ON, REDUCTIONS.mean)
declare(Fact.IN_C_ORDER, MEMORY.in_place, MEMORY.flat, MEMORY.flat_in_place, *(f'kernels.{module}.*' for module in (
    'fourier', 'memory.shapes', 'reductions.along_axes', 'reductions.scans', 'reductions.searches', 'spaced')))
declare(Fact.WRITES, MEMORY.add_into, MEMORY.subtract_from, MEMORY.copy_into, MEMORY.put_part)
declare(Fact.IS_NOTICED, HOST.printed)
declare(Fact.COMPUTES, LOOPS.once, LOOPS.plus, CHECKS.position, CHECKS.is_beyond, MATHEMATICAL.whole_power, MEMORY.flat,
        MEMORY.flat_in_place, *EXTREMES.values(), *(f'kernels.{module}.*' for module in (
            'vector_math', 'special.elementary', 'special.exported', 'arithmetic.casts', 'arithmetic.complex_math',
            'arithmetic.elementwise', 'arithmetic.integers', 'arithmetic.wrapping')))
declare(Fact.IS_CHEAP, LOOPS.plus, CHECKS.position, CHECKS.is_beyond, *EXTREMES.values())
declare(Fact.IN_VECTORS, 'kernels.vector_math.*')
declare(Fact.SELECTS, MATHEMATICAL.select)
declare(Fact.BAILS_OUT, CHECKS.bail_out)
