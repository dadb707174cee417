"""`scipy.linalg`: triangular factors of a matrix, and equations with matrices that are zero but for a few diagonals."""
from typing import Any

import numpy as np
import scipy.linalg

from transpiler.rules.base.examples import case, integers, regular
from transpiler.rules.base.registry import inactive, jvp, known, vjp
from transpiler.rules.base.types import created
from transpiler.rules.linear_algebra.decompositions import absent, plus
from transpiler.rules.linear_algebra.systems import solved
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Type, Unknown
from transpiler_kernels import arrays

NAME = 'scipy.linalg.'
UNCHECKED = {'overwrite_a': (False,), 'check_finite': (True, False)}
BAND = np.array([[0.3, -0.2, 0.4, 0.1, 0.2], [3.0, 4.0, -3.5, 3.2, 3.9], [0.5, 0.1, -0.7, 0.2, 0.6]])


def require_square(a, name):
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f'the derivative of {name} is that of one square matrix')


def _of_triangles(a: Type) -> tuple[Type, Type]:
    """A matrix, and the smaller one of its sizes, for stacks of none."""
    if isinstance(a, Unknown) or a.dims is None or len(a.dims) != 2:
        raise ValueError('it is supported for one matrix, not for stacks')
    dtype = a.dtype if a.dtype.kind in 'fc' else np.dtype(np.float64)
    rows, columns = a.dims
    if rows == columns:
        least = rows
    else:
        constant = None not in (rows, columns) and rows.is_constant and columns.is_constant
        least = Dim.of(min(rows.constant, columns.constant)) if constant else None
    return Array(dtype, a.dims), least


def with_permutation(a: Type, **others: Any) -> tuple[Type, ...]:
    whole, least = _of_triangles(a)
    rows, columns = whole.dims
    real = np.zeros(0, whole.dtype).real.dtype
    return Array(real, (rows, rows)), Array(whole.dtype, (rows, least)), Array(whole.dtype, (least, columns))


def with_swaps(a: Type, **others: Any) -> tuple[Type, ...]:
    whole, least = _of_triangles(a)
    return whole, Array(np.dtype(np.int32), (least,))


def unsolved(left, right, inner):
    """`inv(left.T) @ inner @ inv(right.T)` of a lower triangle with ones on its diagonal and an upper one."""
    first = scipy.linalg.solve_triangular(left, inner, trans=1, lower=True, unit_diagonal=True)
    return scipy.linalg.solve_triangular(right, first.T).T


def moved_between(left, right, moved):
    """What a change of a matrix, whose rows are in order already, is between its factors."""
    first = scipy.linalg.solve_triangular(left, moved, lower=True, unit_diagonal=True)
    return scipy.linalg.solve_triangular(right, first.T, trans=1).T


@vjp(scipy.linalg.lu, name=NAME + 'lu', type=with_permutation, real_only=True,
     allowed={'permute_l': (False,), 'p_indices': (False,), **UNCHECKED}, examples=(case(regular(3)), case(regular(4))))
def lu(ct, ans, a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """Of a matrix that is not square, or of the permutation, there is no derivative.

    De Hoog, Anderssen and Lukas, "Differentiation of matrix functionals using triangular factorization" (2011).
    """
    require_square(a, 'lu')
    permutation, left, right = ans
    _, left_bar, right_bar = ct
    inner = None if absent(left_bar) else np.tril(left.T @ left_bar, -1)
    if not absent(right_bar):
        inner = plus(inner, np.triu(right_bar @ right.T))
    return None if inner is None else permutation @ unsolved(left, right, inner)


@jvp(scipy.linalg.lu)
def lu_jvp(a_dot, ans, a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    require_square(a, 'lu')
    permutation, left, right = ans
    moved = moved_between(left, right, permutation.T @ a_dot)
    return 0.0, left @ np.tril(moved, -1), np.triu(moved) @ right


@inactive(arrays.pivoted, static=('size',), runtime=('size',), type=lambda swapped, size: created(size, np.intp),
          examples=(case(integers(3, high=3), 3),))
def pivoted(swapped, size):
    pass


@vjp(scipy.linalg.lu_factor, name=NAME + 'lu_factor', type=with_swaps, real_only=True, allowed=UNCHECKED,
     examples=(case(regular(3)), case(regular(4))))
def lu_factor(ct, ans, a, overwrite_a=False, check_finite=True):
    """Both triangles in one array; which rows were swapped has no derivative."""
    require_square(a, 'lu_factor')
    both, swapped = ans
    bar, _ = ct
    if absent(bar):
        return None
    inner = np.tril(np.tril(both, -1).T @ bar + bar, -1) + np.triu(np.triu(bar) @ np.triu(both).T)
    order = arrays.pivoted(swapped, both.shape[0])
    return unsolved(both, both, inner)[np.argsort(order)]


@jvp(scipy.linalg.lu_factor)
def lu_factor_jvp(a_dot, ans, a, overwrite_a=False, check_finite=True):
    require_square(a, 'lu_factor')
    both, swapped = ans
    moved = moved_between(both, both, a_dot[arrays.pivoted(swapped, both.shape[0])])
    below = np.tril(moved, -1)
    return np.tril(both, -1) @ below + below + np.triu(np.triu(moved) @ np.triu(both)), 0.0


def with_right_side(ab: Type, b: Type, l_and_u: Any = None, **others: Any) -> Type:
    if isinstance(b, Array) and b.dims is not None and len(b.dims) > 2:
        raise ValueError('it is supported for one matrix, not for stacks')
    return solved(ab, b)


def places_beside(size, offsets):
    """For each diagonal the places so far beside those from 0 to `size`: whether they are some, and the nearest that are."""
    places = np.arange(size) + offsets[:, None]
    return (places >= 0) & (places < size), np.clip(places, 0, size - 1)


@vjp(scipy.linalg.solve_banded, name=NAME + 'solve_banded', static=('l_and_u',), scales=('b',), type=with_right_side,
     real_only=True, allowed={'overwrite_ab': (False,), 'overwrite_b': (False,), 'check_finite': (True, False)},
     examples=(case([1, 1], BAND, (5,)), case([1, 1], BAND, (5, 2)), case([2, 0], BAND[[1, 0, 2]], (5,)),
               case([0, 2], BAND[[0, 2, 1]], (5,)), case([0, 0], BAND[1:2], (5,)), case([1, 1], BAND[:, :1], (1,))))
def solve_banded(ct, ans, l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    """As of `np.linalg.solve`, for the diagonals that are there."""
    below, above = l_and_u
    size = ab.shape[1]
    diagonals = np.arange(below + above + 1)
    inside, places = places_beside(size, diagonals - below)
    transpose = np.where(inside, ab[below + above - diagonals[:, None], places], 0)
    b_bar = scipy.linalg.solve_banded((above, below), transpose, ct)
    inside, rows = places_beside(size, diagonals - above)
    products = b_bar[rows] * ans if b.ndim == 1 else np.sum(b_bar[rows] * ans, axis=-1)
    return np.where(inside, -products, 0), b_bar


@jvp(scipy.linalg.solve_banded)
def solve_banded_jvp(ab_dot, b_dot, ans, l_and_u, ab, b, overwrite_ab=False, overwrite_b=False, check_finite=True):
    if known(ab_dot):
        return scipy.linalg.solve_banded(l_and_u, ab, b_dot)
    below, above = l_and_u
    diagonals = np.arange(below + above + 1)
    inside, columns = places_beside(ab.shape[1], above - diagonals)
    change = np.where(inside, ab_dot[diagonals[:, None], columns], 0)
    moved = np.sum(change * ans[columns], axis=0) if b.ndim == 1 else np.sum(change[:, :, None] * ans[columns], axis=0)
    return scipy.linalg.solve_banded(l_and_u, ab, b_dot - moved)
