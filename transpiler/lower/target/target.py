"""What code is compiled for: a `Target` answers lowering's questions with the names of its run-time helpers.

Lowering asks for the sum over axes, the product of matrices, an empty array, a loop in parallel parts, what to raise to
give up, whether an integer is too long. One small table for each kind of question; all of them make up the target, which
passes take and lowerings reach as `context.target`. Nothing outside this room names a helper. Another target is another
`Target`, with what is known of its helpers declared beside it (`core/helpers.py`, which also says which names belong to the
language); `cpu.py` is the one there is.

A name with `{}` in it is a family: lowering puts in the one it means.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Mathematics:
    """Functions of elements.

    function: of a ufunc and a dtype: what computes it there; None where the compiler's own does as NumPy
    in_vectors: of a ufunc and the dtype of its result: what loops are vectorised with; None if nothing is
    one_by_one: whether a ufunc is a function that no loop is vectorised with
    faster_alone: the ufuncs of which the compiler's own is the faster one for a number alone
    half_powers: roots times products, by the character of the dtype
    whole_power: a float to the power of an integer
    extremes: the larger or smaller one of two floats, by its ufunc
    of_integers: integers that are divided and shifted as NumPy does, by ufunc
    heaviside, zeta: what no ufunc of the compiler's is
    select: `np.where`
    """

    function: Callable[[np.ufunc, np.dtype], str | None]
    in_vectors: Callable[[np.ufunc, np.dtype], str | None]
    one_by_one: Callable[[np.ufunc], bool]
    faster_alone: frozenset[np.ufunc]
    half_powers: Mapping[str, str]
    whole_power: str
    extremes: Mapping[np.ufunc, str]
    of_integers: Mapping[np.ufunc, str]
    heaviside: str
    zeta: str
    select: str


@dataclass(frozen=True)
class Integers:
    """Integers of 64 bits that stand for Python's, or wrap around as NumPy's.

    too_long: whether a sum, difference, product, power, or what is shifted has more bits
    quotient, order: of integers that floats may not hold: `a / b`, and the sign of an integer minus a float
    order_of_unsigned: the sign of an unsigned integer minus one that may be negative
    wrapping: arithmetic that wraps around, by the name of the ufunc
    narrowed: the array with the bits that a dtype has
    cut: a float without its fraction, as that dtype
    """

    too_long: str
    quotient: str
    order: str
    order_of_unsigned: str
    wrapping: str
    narrowed: str
    cut: str


@dataclass(frozen=True)
class Products:
    """Products of matrices.

    matrix: `a @ b` of vectors and matrices; of_itself: `a @ a.T`; stacked: of two stacks of matrices
    common_size: the size that two broadcast to
    """

    matrix: str
    of_itself: str
    stacked: str
    common_size: str


@dataclass(frozen=True)
class Memory:
    """Where arrays come from and how they lie.

    new: what makes arrays, by the function of NumPy that it stands for
    borrowed: the parameter, which the caller holds
    add_into, subtract_from, copy_into: `view += array` and so on; put_part: of a join, an array to its place
    converted: an array of another dtype
    in_place: the array, which is in C order, or an exception
    flat, flat_in_place: the items as a vector: a copy if need be, or never one
    of_vector: a vector in another shape, never a copy
    of_one_item: a vector of one item without its axis, never a copy
    """

    new: Mapping[str, str]
    borrowed: str
    add_into: str
    subtract_from: str
    copy_into: str
    put_part: str
    converted: str
    in_place: str
    flat: str
    flat_in_place: str
    of_vector: str
    of_one_item: str


@dataclass(frozen=True)
class Loops:
    """Loops that are handed out in parts, and the order of their arithmetic.

    parts: into how many parts a loop is cut, by its iterations and its operations; most_parts: at most
    in_parts: run the parts of a loop; sharing: though its arrays may overlap
    worth: a loop of fewer operations stays as it is
    plus: a step of a sum that may be taken in any order
    once: a number that is computed where it stands, whatever the compiler thinks of it
    """

    parts: str
    most_parts: str
    in_parts: str
    sharing: str
    worth: int
    plus: str
    once: str


@dataclass(frozen=True)
class Checks:
    """What is asked of indices, and what is raised.

    position: where in an array an index points; is_beyond: whether that is out of range
    any_beyond: whether some index of an array is
    bail_out: raised to give up: another version of the program runs then
    failure: raised for an exception that only Python can make, with what it is made of
    """

    position: str
    is_beyond: str
    any_beyond: str
    bail_out: str
    failure: str


@dataclass(frozen=True)
class Reductions:
    """Sums and what else is reduced, running or searched; `along` axes that lie side by side, given by the first and the last.

    total: of all items; rows, columns: the sum of each
    along: sums and products; searched: `max`, `argmax`, `count` and so on
    to_shape: sums over the axes where a shape has 1
    exact: the sum of a vector of floats, rounded once
    mean: totals, in place, over how many items they are of
    equal: whether two arrays are
    running: `cumsum`, extremes so far and so on, along an axis; recurrence: `y[k] = y[k - 1] * a[k] + b[k]`
    """

    total: str
    rows: str
    columns: str
    exact: str
    along: str
    searched: str
    to_shape: str
    mean: str
    equal: str
    running: str
    recurrence: str


@dataclass(frozen=True)
class Arrays:
    """Arrays made of others.

    repeated, rolled, sorted: along an axis; triangle: `tril` and `triu` of stacks; ones: on and below a diagonal
    held: the indices of items that are not zero; only_item: the item of an array that has one
    binned: between which edges items fall; placed: where the items at given places in order stand
    diagonal, diagonals, diagonal_length, on_diagonal, on_diagonals: of matrices, read and written
    first_two, equidistant, distance_count, integer_count, between: `np.arange` and `np.linspace`
    """

    repeated: str
    rolled: str
    sorted: str
    triangle: str
    ones: str
    held: str
    binned: str
    placed: str
    only_item: str
    diagonal: str
    diagonals: str
    diagonal_length: str
    on_diagonal: str
    on_diagonals: str
    first_two: str
    equidistant: str
    distance_count: str
    integer_count: str
    between: str


@dataclass(frozen=True)
class LinearAlgebra:
    """Families by the name of what they compute; `_each` of a stack.

    solved: equations, inverses, determinants, Cholesky factors
    decomposed: `eigh`, `svd`, `qr` and so on; spectrum: `eig`, `sqrtm` and so on
    cofactors: of a matrix and their derivatives
    factors: triangular ones, found once; from_factors: what is computed with them, by primitive
    fourier: transforms
    """

    solved: str
    decomposed: str
    spectrum: str
    cofactors: str
    factors: str
    from_factors: Mapping[str, str]
    fourier: str


@dataclass(frozen=True)
class Host:
    """What Python's own run time does: lists, output, the schedule of checkpoints.

    numbers, stacked: a list as an array; apart: an array as a list of its rows
    zeros_of, add_items: of lists of arrays
    printed: a line of text
    next_snapshot: the next iteration to be remembered
    """

    numbers: str
    stacked: str
    apart: str
    zeros_of: str
    add_items: str
    printed: str
    next_snapshot: str


@dataclass(frozen=True)
class Target:
    """What the machine has, and what code for it may do with arithmetic.

    accurate: elementary functions are those of C's library
    fastmath: roundings may be others than the program's
    threads: loops may be shared among threads
    """

    mathematics: Mathematics
    integers: Integers
    products: Products
    memory: Memory
    loops: Loops
    checks: Checks
    reductions: Reductions
    arrays: Arrays
    linear_algebra: LinearAlgebra
    host: Host
    accurate: bool = False
    fastmath: bool = False
    threads: bool = False
