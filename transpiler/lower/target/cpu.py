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
    whole_power='kernels.powers.whole_power',
    extremes=MappingProxyType(EXTREMES),
    of_integers=MappingProxyType({ufunc: f'kernels.elementwise.{ufunc.__name__}' for ufunc in (
        np.floor_divide, np.left_shift, np.right_shift, np.fmod)}),
    heaviside='kernels.elementwise.heaviside',
    zeta='kernels.special.elementary.zeta',
    select='kernels.elementwise.select',
)

INTEGERS = Integers(
    too_long='kernels.integers.{}_is_too_long',
    quotient='kernels.integers.quotient',
    order='kernels.integers.order',
    wrapping='kernels.wrapping.{}',
    narrowed='kernels.wrapping.{}',
    cut='kernels.casts.{}',
)

PRODUCTS = Products(
    matrix='kernels.products.matrix_product',
    of_itself='kernels.gram.gram',
    stacked='kernels.products.stacked_product',
    common_size='kernels.products.common_size',
)

MEMORY = Memory(
    new=MappingProxyType({f'numpy.{name}': f'kernels.memory.{name}' for name in ('empty', 'zeros', 'ones', 'copy')}),
    borrowed='kernels.lending.lent',
    add_into='kernels.updates.add_into',
    subtract_from='kernels.updates.subtract_from',
    copy_into='kernels.updates.copy_into',
    converted='kernels.layout.astype',
    in_place='kernels.layout.in_place',
    flat='kernels.layout.flat',
    flat_in_place='kernels.layout.flat_in_place',
    of_vector='kernels.layout.of_vector',
)

LOOPS = Loops(
    parts='kernels.threads.parts_of',
    most_parts='kernels.threads.most_parts',
    in_parts='kernels.threads.in_parts',
    sharing='kernels.threads.in_parts_sharing',
    worth=OPERATIONS,
    plus='kernels.lanes.plus',
    once='kernels.fences.once',
)

CHECKS = Checks(
    position='kernels.indices.position',
    is_beyond='kernels.indices.is_beyond',
    any_beyond='kernels.indices.any_beyond',
    bail_out='kernels.failures.Unproven',
    failure='kernels.failures.Raised',
)

REDUCTIONS = Reductions(
    total='kernels.reductions.sum_all',
    rows='kernels.reductions.sum_rows',
    columns='kernels.reductions.sum_columns',
    exact='kernels.exact_sums.rounded_once',
    along='kernels.reductions.{}_axes',
    searched='kernels.searches.{}_axes',
    to_shape='kernels.reductions.sum_to',
    mean='kernels.reductions.mean_of',
    equal='kernels.reductions.equal',
    running='kernels.scans.{}_axis',
    recurrence='kernels.scans.recurrence',
)

ARRAYS = Arrays(
    repeated='kernels.shapes.repeat_axis',
    rolled='kernels.shapes.roll_axis',
    sorted='kernels.sorting.{}_axis',
    triangle='kernels.shapes.{}',
    ones='kernels.shapes.{}_ones',
    held='kernels.shapes.held',
    only_item='kernels.shapes.only_item',
    diagonal='kernels.shapes.diagonal_in_place',
    diagonals='kernels.shapes.diagonals',
    diagonal_length='kernels.shapes.diagonal_length',
    on_diagonal='kernels.shapes.square_with_diagonal',
    on_diagonals='kernels.shapes.with_diagonals',
    first_two='kernels.spaced.first_two',
    equidistant='kernels.spaced.counted',
    distance_count='kernels.spaced.length',
    integer_count='kernels.spaced.length_of_integers',
    between='kernels.spaced.linspace',
)

LINEAR_ALGEBRA = LinearAlgebra(
    solved='kernels.linalg.{}',
    decomposed='kernels.decompositions.{}',
    spectrum='kernels.spectra.{}',
    cofactors='kernels.cofactors.{}',
    factors='kernels.factors.{}',
    from_factors=MappingProxyType({
        'numpy.linalg.solve': 'kernels.factors.solved',
        'numpy.linalg.inv': 'kernels.factors.inverse',
        'numpy.linalg.det': 'kernels.factors.determinant',
        'numpy.linalg.slogdet': 'kernels.factors.sign_and_logarithm',
        'kernels.cofactors': 'kernels.cofactors.of_factors',    # which takes the matrix too, for where it is singular
    }),
    fourier='kernels.fourier.{}',
)

HOST = Host(
    numbers='kernels.lists.numbers',
    stacked='kernels.lists.stacked',
    apart='kernels.lists.apart',
    zeros_of='kernels.lists.zeros_of',
    add_items='kernels.lists.add_items',
    printed='kernels.texts.said',
    next_snapshot='kernels.schedule.next_snapshot',
)

CPU = Target(MATHEMATICAL, INTEGERS, PRODUCTS, MEMORY, LOOPS, CHECKS, REDUCTIONS, ARRAYS, LINEAR_ALGEBRA, HOST)

declare(Fact.FRESH, PRODUCTS.matrix, PRODUCTS.stacked, PRODUCTS.of_itself, REDUCTIONS.rows, REDUCTIONS.columns,
        REDUCTIONS.along.format('sum'))
declare(Fact.PASSES_ON, REDUCTIONS.mean)
declare(Fact.IN_C_ORDER, MEMORY.in_place, MEMORY.flat, MEMORY.flat_in_place, *(
    f'kernels.{module}.*' for module in ('fourier', 'reductions', 'scans', 'searches', 'shapes', 'spaced')))
declare(Fact.WRITES, MEMORY.add_into, MEMORY.subtract_from, MEMORY.copy_into)
declare(Fact.IS_NOTICED, HOST.printed)
declare(Fact.COMPUTES, LOOPS.once, LOOPS.plus, CHECKS.position, CHECKS.is_beyond, MATHEMATICAL.whole_power, MEMORY.flat,
        MEMORY.flat_in_place, *EXTREMES.values(), *(f'kernels.{module}.*' for module in (
            'vector_math', 'complex_math', 'special', 'integers', 'casts', 'wrapping', 'elementwise')))
declare(Fact.IS_CHEAP, LOOPS.plus, CHECKS.position, CHECKS.is_beyond, *EXTREMES.values())
declare(Fact.IN_VECTORS, 'kernels.vector_math.*')
declare(Fact.SELECTS, MATHEMATICAL.select)
declare(Fact.BAILS_OUT, CHECKS.bail_out)
