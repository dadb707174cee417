"""Eigenvalues, singular values, orthogonal factors, and what follows from them, of one matrix or of a stack of them.

Of values that are equal, the vectors have no derivative: `policies.equal_eigenvalues` says what is given; that of the values is
right. A sign of a vector that LAPACK chooses stays as it is. As in NumPy, symmetric matrices are known by their lower triangle.
Formulas: Giles, "An extended collection of matrix derivative results for forward and reverse mode automatic differentiation"
(2008); Townsend, "Differentiating the singular value decomposition" (2016); Walter and Lehmann, "Algorithmic differentiation
of linear algebra functions with application in optimum experimental design" (2010), for QR.
"""
from typing import Any

import numpy as np

from transpiler.rules.base.examples import case, definite, regular
from transpiler.rules.base.policies import chosen
from transpiler.rules.base.registry import batched, jvp, known, vjp
from transpiler.rules.linear_algebra.systems import determined, inverted, of_lower, symmetric, turned
from transpiler.values.dims import Dim
from transpiler.values.types import Array, Type, Unknown

ONE = np.eye(1)
LOWER, SYMMETRIC = {'UPLO': ('L',)}, (case(definite(3)), case(definite(2, 3)))


def absent(bar):
    """Whether a result has no cotangent."""
    return known(bar) and bar == 0


def plus(total, part):
    """A sum of as many parts as there are."""
    return part if total is None else total + part


def inverse_gaps(values):
    """1 / (values[j] - values[i]), and 0 on the diagonal."""
    gaps = values[..., None, :] - values[..., :, None]
    if chosen.equal == 'regularise':
        return regularised(gaps, np.max(np.abs(values), axis=-1, keepdims=True)[..., None])
    one = np.eye(values.shape[-1], dtype=values.dtype)
    return inverses(gaps + one, values) - one


def inverses(values, scale):
    """1 / values, those of them that are nothing beside the greatest `scale` as it is chosen."""
    if chosen.equal == 'regularise':
        return regularised(values, np.max(scale, axis=-1, keepdims=True))
    if chosen.equal == 'raise':
        if np.any(values == 0):
            raise ValueError('vectors of equal eigenvalues or singular values, or of a singular value 0, have no derivative')
    return 1 / values


def regularised(values, greatest):
    limits = np.finfo(values.dtype)
    return values / (values * values + limits.eps * (greatest * greatest) + limits.tiny)


def beside(vectors, change, values):
    """What a change of singular vectors has outside of the space that they span: nothing, if they span the whole of it."""
    return (change - vectors @ (turned(vectors) @ change)) * inverses(values, values)[..., None, :]


def decomposed(a: Type, **others: Any) -> Type:
    """Eigenvalues, and eigenvectors in columns."""
    vectors = inverted(a)
    if isinstance(vectors, Unknown):
        return vectors, vectors
    return Array(vectors.dtype, None if a.dims is None else a.dims[:-1]), vectors


@vjp(np.linalg.eigh, type=decomposed, named=type(np.linalg.eigh(ONE)), real_only=True, allowed=LOWER, examples=SYMMETRIC)
def eigh(ct, ans, a, UPLO='L'):
    values, vectors = ans
    values_bar, vectors_bar = ct
    if absent(vectors_bar):
        return of_lower((vectors * values_bar[..., None, :]) @ turned(vectors))
    inner = inverse_gaps(values) * (turned(vectors) @ vectors_bar)
    if not absent(values_bar):
        inner = inner + values_bar[..., None, :] * np.eye(a.shape[-1], dtype=vectors.dtype)
    return of_lower(vectors @ inner @ turned(vectors))


@jvp(np.linalg.eigh)
def eigh_jvp(a_dot, ans, a, UPLO='L'):
    values, vectors = ans
    inner = turned(vectors) @ symmetric(a_dot) @ vectors
    return np.diagonal(inner, axis1=-2, axis2=-1), vectors @ (inverse_gaps(values) * inner)


def values_of(a: Type, **others: Any) -> Type:
    return decomposed(a)[0]


@vjp(np.linalg.eigvalsh, type=values_of, real_only=True, allowed=LOWER, examples=SYMMETRIC)
def eigvalsh(ct, a, UPLO='L'):
    _, vectors = np.linalg.eigh(a)
    return of_lower((vectors * ct[..., None, :]) @ turned(vectors))


@jvp(np.linalg.eigvalsh)
def eigvalsh_jvp(a_dot, a, UPLO='L'):
    _, vectors = np.linalg.eigh(a)
    return np.sum(vectors * (symmetric(a_dot) @ vectors), axis=-2)


@batched(np.linalg.eigh, np.linalg.eigvalsh)
def eigh_of_examples(function, a, UPLO='L'):
    return function(a)


def with_singular_values(a: Type, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Type:
    whole = inverted(a)
    if isinstance(whole, Unknown):
        return (whole, whole, whole) if compute_uv else whole
    if a.dims is None:
        return (Array(whole.dtype, None),) * 3 if compute_uv else Array(whole.dtype, None)
    outer, rows, columns = a.dims[:-2], *a.dims[-2:]
    least = rows if rows == columns else Dim.of(min(rows.constant, columns.constant)) if (
        None not in (rows, columns) and rows.is_constant and columns.is_constant) else None
    values = Array(whole.dtype, (*outer, least))
    if not compute_uv:
        return values
    left, right = (rows, columns) if full_matrices else (least, least)
    return Array(whole.dtype, (*outer, rows, left)), values, Array(whole.dtype, (*outer, right, columns))


SVD = {'hermitian': (False,)}
THIN = {'full_matrices': False}
THIN_ALONE = 'the derivative of the full svd is that of the thin one, if the matrix is not square: give full_matrices=False'


def thin(parts, values):
    """Of the factors of a full decomposition, or of their cotangents, what the thin one has."""
    left, _, right = parts
    least = values.shape[-1]
    return left if absent(left) else left[..., :least], right if absent(right) else right[..., :least, :]


@vjp(np.linalg.svd, type=with_singular_values, named=type(np.linalg.svd(ONE)), real_only=True, allowed=SVD,
     examples=(case((3, 4), **THIN), case((4, 3), **THIN), case(regular(3), **THIN), case((3, 4), compute_uv=False),
               case((2, 4, 3), **THIN), case(regular(3))))
def svd(ct, ans, a, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        left, _, right = np.linalg.svd(a, full_matrices=False)
        return (left * ct[..., None, :]) @ right
    left, values, right = ans
    left_bar, values_bar, right_bar = ct
    if full_matrices:
        left, right, left_bar, right_bar = *thin(ans, values), *thin(ct, values)
    if absent(left_bar) and absent(right_bar):
        return (left * values_bar[..., None, :]) @ right
    if full_matrices and a.shape[-2] != a.shape[-1]:
        raise ValueError(THIN_ALONE)
    inner, gaps = None, inverse_gaps(values * values)
    if not absent(values_bar):
        inner = values_bar[..., None, :] * np.eye(values.shape[-1], dtype=values.dtype)
    if not absent(left_bar):
        product = turned(left) @ left_bar
        inner = plus(inner, gaps * (product - turned(product)) * values[..., None, :])
    if not absent(right_bar):
        product = right @ turned(right_bar)
        inner = plus(inner, values[..., :, None] * (gaps * (product - turned(product))))
    whole = left @ inner @ right
    if not absent(left_bar) and a.shape[-2] > a.shape[-1]:
        whole = whole + beside(left, left_bar, values) @ right
    if not absent(right_bar) and a.shape[-2] < a.shape[-1]:
        whole = whole + left @ turned(beside(turned(right), turned(right_bar), values))
    return whole


@jvp(np.linalg.svd)
def svd_jvp(a_dot, ans, a, full_matrices=True, compute_uv=True, hermitian=False):
    if not compute_uv:
        left, _, right = np.linalg.svd(a, full_matrices=False)
        return np.sum((turned(left) @ a_dot) * right, axis=-1)
    if full_matrices and a.shape[-2] != a.shape[-1]:
        raise ValueError(THIN_ALONE)
    left, values, right = ans
    if full_matrices:
        left, right = thin(ans, values)
    inner, gaps = turned(left) @ a_dot @ turned(right), inverse_gaps(values * values)
    across, down = values[..., None, :], values[..., :, None]
    left_dot = left @ (gaps * (inner * across + down * turned(inner)))
    if a.shape[-2] > a.shape[-1]:
        left_dot = left_dot + beside(left, a_dot @ turned(right), values)
    right_dot = turned(gaps * (down * inner + turned(inner) * across)) @ right
    if a.shape[-2] < a.shape[-1]:
        right_dot = right_dot + turned(beside(turned(right), turned(a_dot) @ left, values))
    return left_dot, np.diagonal(inner, axis1=-2, axis2=-1), right_dot


@batched(np.linalg.svd)
def svd_of_examples(function, a, full_matrices=True, compute_uv=True):
    return np.linalg.svd(a, full_matrices=full_matrices, compute_uv=compute_uv)


def factored(a: Type, mode: str = 'reduced') -> Type:
    left, _, right = with_singular_values(a, False)
    return left, right


@vjp(np.linalg.qr, type=factored, named=type(np.linalg.qr(ONE)), real_only=True, allowed={'mode': ('reduced',)},
     examples=(case(regular(3)), case((4, 3)), case((2, 4, 3))))
def qr(ct, ans, a, mode='reduced'):
    if a.shape[-2] < a.shape[-1]:
        raise ValueError('the derivative of qr is that of a matrix with at least as many rows as columns')
    left, right = ans
    left_bar, right_bar = ct
    inner = None if absent(right_bar) else right @ turned(right_bar)
    if not absent(left_bar):
        inner = plus(inner, -(turned(left_bar) @ left))
    whole = left @ symmetric(inner)
    if not absent(left_bar):
        whole = left_bar + whole
    return turned(np.linalg.solve(right, turned(whole)))


@jvp(np.linalg.qr)
def qr_jvp(a_dot, ans, a, mode='reduced'):
    if a.shape[-2] < a.shape[-1]:
        raise ValueError('the derivative of qr is that of a matrix with at least as many rows as columns')
    left, right = ans
    moved = turned(np.linalg.solve(turned(right), turned(a_dot)))
    inner = turned(left) @ moved
    iteration = np.tril(inner, -1) - turned(np.tril(inner, -1))
    return moved - left @ (inner - iteration), (inner - iteration) @ right


@batched(np.linalg.qr)
def qr_of_examples(function, a, mode='reduced'):
    return np.linalg.qr(a)


def with_sign(a: Type, **others: Any) -> Type:
    return determined(a), determined(a)


@vjp(np.linalg.slogdet, type=with_sign, named=type(np.linalg.slogdet(ONE)), real_only=True,
     examples=(case(regular(3)), case(regular(4, 3))))
def slogdet(ct, ans, a):
    """The sign has no derivative."""
    _, bar = ct
    if absent(bar):
        return None
    return np.expand_dims(bar, (-2, -1)) * turned(np.linalg.inv(a))


@jvp(np.linalg.slogdet)
def slogdet_jvp(a_dot, ans, a):
    return 0.0, np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)


@batched(np.linalg.slogdet)
def slogdet_of_examples(function, a):
    return np.linalg.slogdet(a)


def inverse(a: Type, **others: Any) -> Type:
    whole = inverted(a)
    if isinstance(whole, Unknown) or a.dims is None:
        return whole
    return Array(whole.dtype, (*a.dims[:-2], a.dims[-1], a.dims[-2]))


@vjp(np.linalg.pinv, type=inverse, real_only=True, runtime=('rcond',), real=('rcond',), allowed={'hermitian': (False,)},
     examples=(case((3, 4)), case((4, 3)), case(regular(3)), case((2, 3, 4)), case((3, 4), 1e-10)))
def pinv(ct, ans, a, rcond=None, hermitian=False):
    """Golub and Pereyra (1973); where the rank does not change. No product is larger than a matrix with many rows."""
    back, back_bar = turned(ans), turned(ct)
    left, right = back_bar @ (ans @ back), back @ (ans @ back_bar)
    return left - a @ (ans @ left) + right - right @ (ans @ a) - back @ (ct @ back)


@jvp(np.linalg.pinv)
def pinv_jvp(a_dot, ans, a, rcond=None, hermitian=False):
    back, back_dot = turned(ans), turned(a_dot)
    left, right = (ans @ back) @ back_dot, (back_dot @ back) @ ans
    return left - (left @ a) @ ans + right - (ans @ a) @ right - (ans @ a_dot) @ ans


@batched(np.linalg.pinv)
def pinv_of_examples(function, a, rcond=None):
    return np.linalg.pinv(a, rcond)
