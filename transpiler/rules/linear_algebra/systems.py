"""Systems of linear equations, inverses and determinants, of one matrix or of a stack of them."""

from typing import Any

import numpy as np

from transpiler.rules.base.batching import new_axes
from transpiler.rules.base.examples import case, definite, regular
from transpiler.rules.base.registry import batched, jvp, known, vjp
from transpiler.values.broadcasting import broadcast
from transpiler.values.types import Array, Scalar, Type, Unknown
from transpiler_kernels import arrays

SINGULAR = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])


def solved(a: Type, b: Type, **others: Any) -> Type:
    """As many unknowns as equations: the shape is that of the right sides, behind the axes along which matrices are stacked."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return Unknown()
    _check_matrix(a)
    dtype = np.result_type(_inexact(a.dtype), _inexact(b.dtype))
    if a.ndim is None or b.ndim is None:
        return Array(dtype, None)
    return Array(dtype, (*broadcast(a.dims[:-2], b.dims[:-2]).dims, *b.dims[-2:]))


def inverted(a: Type, **others: Any) -> Type:
    if isinstance(a, Unknown):
        return a
    _check_matrix(a)
    return Array(_inexact(a.dtype), a.dims)


def _check_matrix(a: Type) -> None:
    """Raise what NumPy does for what is no matrix, nor a stack of them."""
    if a.ndim is not None and a.ndim < 2:
        raise np.linalg.LinAlgError(f'{a.ndim}-dimensional array given. Array must be at least two-dimensional')


def changed(a: Type, *along: Type) -> Type:
    """What is linear in some matrices, and has the shape of another one."""
    types = (a, *along)
    if any(isinstance(type_, Unknown) for type_ in types):
        return Unknown()
    return Array(np.result_type(*(_inexact(type_.dtype) for type_ in types)), a.dims)


def _inexact(dtype: np.dtype) -> np.dtype:
    return dtype if dtype.kind in 'fc' else np.dtype(np.float64)


def turned(a):
    return np.swapaxes(a, -1, -2)


def adjoint(a):
    return np.conjugate(turned(a)) if np.iscomplexobj(a) else turned(a)


def symmetric(a):
    """The matrix that a lower triangle stands for; the diagonal of one that equals its adjoint is real."""
    if np.iscomplexobj(a):
        return half_of_lower(a) + adjoint(half_of_lower(a))
    return np.tril(a) + turned(np.tril(a, -1))


def of_lower(bar):
    """The cotangent of a lower triangle, from that of the transpose of the matrix that it stands for."""
    if np.iscomplexobj(bar):
        return half_of_lower(np.conjugate(bar) + turned(bar))
    return np.tril(bar) + np.tril(turned(bar), -1)


def half_of_lower(a):
    """The lower triangle that, with its adjoint, makes a matrix that equals its adjoint."""
    return (np.tril(a) + np.tril(a, -1)) / 2


@vjp(np.linalg.solve, type=solved, scales=('b',),
     examples=(case(regular(3), (3,)), case(regular(3), (3, 2)), case(regular(4, 3), (4, 3, 2)), case(regular(3), (4, 3, 2)),
               case(regular(4, 3), (3, 2)), case(regular(3, 3), (3,))))
def solve(ct, ans, a, b):
    """Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008), 2.3.1."""
    if a.ndim == 2 and b.ndim <= 2:
        b_bar = np.linalg.solve(a.T, ct)
        return (-np.outer(b_bar, ans) if b.ndim == 1 else -(b_bar @ ans.T)), b_bar
    if b.ndim == 1:
        b_bar = np.linalg.solve(turned(a), ct[..., None])
        return -(b_bar * ans[..., None, :]), arrays.unbroadcast(b_bar[..., 0], b)
    b_bar = np.linalg.solve(turned(a), ct)
    return arrays.unbroadcast(-(b_bar @ turned(ans)), a), arrays.unbroadcast(b_bar, b)


@jvp(np.linalg.solve)
def solve_jvp(a_dot, b_dot, ans, a, b):
    if known(a_dot):
        return np.linalg.solve(a, b_dot)
    if a.ndim > 2 and b.ndim == 1:
        moved = a_dot @ ans[..., None]
        return np.linalg.solve(a, -moved if known(b_dot) else b_dot[:, None] - moved)[..., 0]
    if known(b_dot):
        return -np.linalg.solve(a, a_dot @ ans)
    return np.linalg.solve(a, b_dot - a_dot @ ans)


@batched(np.linalg.solve, mixed=True)
def solve_of_examples(function, which, a, b):
    first, second = a.ndim - which[0], b.ndim - which[1]
    if first == 2 and second == 1 and which == (False, True):
        return np.linalg.solve(a, b.T).T
    if first == 2 and second == 1 and which == (True, True):
        return np.linalg.solve(a, b[:, :, None])[:, :, 0]
    if first == 2 and second == 1:
        return np.linalg.solve(a, b[:, None])[:, :, 0]
    if second == 1:
        return np.linalg.solve(a, np.expand_dims(b, (*range(1, first - 1), -1)))[..., 0] if which[1] else np.linalg.solve(a, b)
    if which[0] and first < second:
        a = a[new_axes(second, a.ndim)]
    if which[1] and second < first:
        b = b[new_axes(first, b.ndim)]
    return np.linalg.solve(a, b)


@vjp(np.linalg.inv, type=inverted, examples=(case(regular(3)), case(regular(4, 3))))
def inv(ct, ans, a):
    back = turned(ans)
    return -(back @ ct @ back)


@jvp(np.linalg.inv)
def inv_jvp(a_dot, ans, a):
    return -(ans @ a_dot @ ans)


@batched(np.linalg.inv)
def inv_of_examples(function, a):
    return np.linalg.inv(a)


def determined(a: Type, **others: Any) -> Type:
    if isinstance(a, Unknown):
        return a
    dtype = inverted(a).dtype
    return Scalar(dtype) if a.ndim == 2 else Array(dtype, None if a.dims is None else a.dims[:-2])


@vjp(np.linalg.det, type=determined, examples=(case(regular(3)), case(regular(4, 3)), case(SINGULAR)))
def det(ct, a):
    """Jacobi's formula; a singular matrix has cofactors too."""
    return np.expand_dims(ct, (-2, -1)) * arrays.cofactors(a) if a.ndim > 2 else ct * arrays.cofactors(a)


@jvp(np.linalg.det)
def det_jvp(a_dot, a):
    return np.sum(arrays.cofactors(a) * a_dot, axis=(-2, -1))


@vjp(arrays.cofactors, type=inverted, examples=(case(regular(3)), case(regular(4, 3)), case(SINGULAR)))
def cofactors(ct, a):
    return arrays.cofactors_along(a, ct)


@jvp(arrays.cofactors)
def cofactors_jvp(a_dot, a):
    return arrays.cofactors_along(a, a_dot)


@vjp(arrays.cofactors_along, type=changed, scales=('b',),
     examples=(case(regular(3), (3, 3)), case(regular(4, 3), (4, 3, 3)), case(SINGULAR, (3, 3))))
def cofactors_along(ct, a, b):
    return arrays.cofactors_along_two(a, b, ct), arrays.cofactors_along(a, ct)


@jvp(arrays.cofactors_along)
def cofactors_along_jvp(a_dot, b_dot, a, b):
    if known(a_dot):
        return arrays.cofactors_along(a, b_dot)
    if known(b_dot):
        return arrays.cofactors_along_two(a, b, a_dot)
    return arrays.cofactors_along(a, b_dot) + arrays.cofactors_along_two(a, b, a_dot)


@vjp(arrays.cofactors_along_two, type=changed, fixed=('a',),
     examples=(case(regular(3), (3, 3), (3, 3)), case(regular(4, 3), (4, 3, 3), (4, 3, 3)), case(SINGULAR, (3, 3), (3, 3))))
def cofactors_along_two(ct, a, b, c):
    return None, arrays.cofactors_along_two(a, ct, c), arrays.cofactors_along_two(a, b, ct)


@batched(np.linalg.det, arrays.cofactors, arrays.cofactors_along, arrays.cofactors_along_two)
def det_of_examples(function, *matrices):
    return function(*matrices)


@vjp(np.linalg.cholesky, type=inverted, allowed={'upper': (False,)}, examples=(case(definite(3)), case(definite(4, 3))))
def cholesky(ct, ans, a, *, upper=False):
    """Murray, "Differentiation of the Cholesky decomposition" (2016); as NumPy, it takes the lower triangle for the matrix."""
    back = turned(ans)
    return of_lower(np.linalg.solve(adjoint(ans), turned(np.linalg.solve(back, half_of_lower(back @ ct)))))


@jvp(np.linalg.cholesky)
def cholesky_jvp(a_dot, ans, a, *, upper=False):
    inner = np.linalg.solve(ans, adjoint(np.linalg.solve(ans, symmetric(a_dot))))
    return ans @ half_of_lower(inner)


@batched(np.linalg.cholesky)
def cholesky_of_examples(function, a, upper=False):
    return np.linalg.cholesky(a)
