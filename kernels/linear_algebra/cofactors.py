"""Cofactors of matrices, and their derivatives, for compiled code: see `kernels.arrays.cofactors`.

Cofactors multiply as determinants do. So those of a matrix are the ones of its unitary factors, and of its singular values: of
a diagonal matrix they are products of all values but one, their derivatives products of all but two, or but three.
"""
import numpy as np

from transpiler_kernels.linear_algebra.factors import determinant, factored, inverse
from transpiler_kernels.machine.compiled import kernel
from transpiler_kernels.memory.allocation import empty, zeros


@kernel()
def of_factors(factors, turned, a):
    """The cofactors of a matrix with these triangular factors, or of its transpose `a` if that is `turned`.

    >>> a = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> of_factors(factored(a), False, a).round(12)
    array([[ 4., -3.],
           [-2.,  1.]])
    """
    whole = determinant(factors, turned)
    is_normal = np.finfo(a.dtype).tiny <= np.abs(whole) and np.isfinite(whole)
    return whole * inverse(factors, not turned) if is_normal else of_singular(a)


@kernel()
def cofactors(a):
    """The cofactors of a matrix.

    >>> cofactors(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    return of_factors(factored(a), False, a)


@kernel()
def of_singular(a):
    """The cofactors of a matrix whose determinant is 0, or no normal number.

    >>> of_singular(np.zeros((1, 1)))
    array([[1.]])
    """
    left, values, right, scale = parts(a)
    for i in range(values.size):
        left[:, i] *= without(values, i, i, i)
    return scale * (left @ right)


@kernel()
def parts(a):
    """The unitary factors, conjugated, the singular values, and what all is to be multiplied by."""
    if a.size == 0:
        return a.copy(), empty(0, a.real.dtype), a.copy(), a.dtype.type(1)
    known = np.all(np.isfinite(a))
    left, values, right = np.linalg.svd(np.ascontiguousarray(a) if known else np.zeros_like(a))
    scale = determinant(factored(left), False) * determinant(factored(right), False)
    left, right = np.ascontiguousarray(np.conj(left)), np.ascontiguousarray(np.conj(right))
    return left, values, right, scale if known else a.dtype.type(np.nan)


@kernel()
def without(values, i, j, k):
    """The product of all values but these; 1 of none.

    >>> without(np.array([2.0, 3.0, 5.0]), 0, 2, 2)
    3.0
    """
    product = values.dtype.type(1)
    for place in range(values.size):
        if place not in (i, j, k):
            product *= values[place]
    return product


@kernel()
def between(left, b, right):
    """A matrix in the bases of singular vectors.

    >>> between(np.eye(2), np.ones((2, 2)), np.eye(2)).sum()
    np.float64(4.0)
    """
    return left.T @ np.ascontiguousarray(b) @ right.T


@kernel()
def along(a, b):
    """The derivative of the cofactors of `a` along `b`.

    >>> along(np.zeros((2, 2)), np.array([[1.0, 2.0], [3.0, 4.0]])).round(12)
    array([[ 4., -3.],
           [-2.,  1.]])
    """
    left, values, right, scale = parts(a)
    inner, n = between(left, b, right), values.size
    change = zeros((n, n), a.dtype)
    for i in range(n):
        for j in range(n):
            if i != j:
                others = without(values, i, j, j)
                change[i, j] -= others * inner[j, i]
                change[i, i] += others * inner[j, j]
    return scale * (left @ change @ right)


@kernel()
def along_two(a, b, c):
    """The derivative of `along(a, b)` by `a` along `c`.

    >>> along_two(np.zeros((3, 3)), np.eye(3), np.eye(3)).round(12)[1]
    array([0., 2., 0.])
    """
    left, values, right, scale = parts(a)
    b, c, n = between(left, b, right), between(left, c, right), values.size
    change = zeros((n, n), a.dtype)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if i != j and i != k and j != k:
                    others = without(values, i, j, k)
                    change[i, j] -= others * (b[j, i] * c[k, k] + c[j, i] * b[k, k] - b[j, k] * c[k, i] - c[j, k] * b[k, i])
                    change[i, i] += others * (b[k, k] * c[j, j] - b[k, j] * c[j, k])
    return scale * (left @ change @ right)


@kernel()
def in_a_row(a):
    """The matrices of a stack, along one axis."""
    rows, columns = a.shape[-2:]
    return np.ascontiguousarray(a).reshape((a.size // max(rows * columns, 1), rows, columns))


@kernel()
def cofactors_each(a):
    """The cofactors of each matrix in a stack.

    >>> cofactors_each(np.ones((3, 2, 2))).shape
    (3, 2, 2)
    """
    out, matrices = empty(a.shape, a.dtype), in_a_row(a)
    places = in_a_row(out)
    for k in range(places.shape[0]):
        places[k] = cofactors(matrices[k])
    return out


@kernel()
def along_each(a, b):
    """The derivative of the cofactors of each matrix in a stack.

    >>> along_each(np.ones((3, 2, 2)), np.ones((3, 2, 2))).shape
    (3, 2, 2)
    """
    out, matrices, first = empty(a.shape, a.dtype), in_a_row(a), in_a_row(b)
    places = in_a_row(out)
    for k in range(places.shape[0]):
        places[k] = along(matrices[k], first[k])
    return out


@kernel()
def along_two_each(a, b, c):
    """The second derivative of the cofactors of each matrix in a stack.

    >>> along_two_each(np.ones((3, 2, 2)), np.ones((3, 2, 2)), np.ones((3, 2, 2))).shape
    (3, 2, 2)
    """
    out, matrices, first, second = empty(a.shape, a.dtype), in_a_row(a), in_a_row(b), in_a_row(c)
    places = in_a_row(out)
    for k in range(places.shape[0]):
        places[k] = along_two(matrices[k], first[k], second[k])
    return out
