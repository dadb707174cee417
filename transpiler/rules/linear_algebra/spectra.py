"""Eigenvalues of matrices that are not symmetric.

Of real numbers NumPy and SciPy give real ones where that is possible: it depends on the values. Here it is taken that it is
possible, and looked at; complex numbers are asked for by complex operands.
"""
import numpy as np

from transpiler.rules.base.examples import UNARY, case
from transpiler.rules.base.registry import batched, element_by_element, jvp, linear, vjp
from transpiler.rules.base.types import like_operand
from transpiler.rules.linear_algebra.decompositions import absent, decomposed, inverse_gaps, values_of
from transpiler.rules.linear_algebra.systems import turned
from transpiler_kernels import arrays
from transpiler_kernels.definitions import spectra

APART = np.array([[1.0, 0.3, -0.2], [0.1, 2.0, 0.4], [0.2, -0.3, 3.5]])


@linear(arrays.still_real, view=True, examples=UNARY)
def still_real(ct, values):
    return ct


element_by_element(arrays.still_real)


@vjp(arrays.of_full_rank, linear_in=('values',), view=True, type=like_operand(0), examples=(case((2,), 3, 3),))
def of_full_rank(ct, values, rank, full):
    return ct, None, None


@vjp(np.linalg.eigvals, type=values_of, checked=spectra.eigvals, examples=(case(APART), case(np.stack((APART, APART.T + APART)))))
def eigvals(ct, a):
    """Giles, "Collected matrix derivative results for forward and reverse mode algorithmic differentiation" (2008), 3.1."""
    _, vectors = np.linalg.eig(a)
    back = turned(vectors)
    return np.linalg.solve(back, ct[..., :, None] * back)


@jvp(np.linalg.eigvals)
def eigvals_jvp(a_dot, a):
    _, vectors = np.linalg.eig(a)
    return np.diagonal(np.linalg.solve(vectors, a_dot @ vectors), axis1=-2, axis2=-1)


@vjp(np.linalg.eig, type=decomposed, named=type(np.linalg.eig(np.eye(1))), checked=spectra.eig, real_only=True,
     examples=(case(APART), case(np.stack((APART, APART.T)))))
def eig(ct, ans, a):
    """Vectors keep their length, which is 1."""
    values, vectors = ans
    values_bar, vectors_bar = ct
    inner = 0.0
    if not absent(vectors_bar):
        across = vectors_bar - vectors * np.sum(vectors * vectors_bar, axis=-2, keepdims=True)
        inner = inverse_gaps(values) * (turned(vectors) @ across)
    if not absent(values_bar):
        inner = inner + values_bar[..., None, :] * np.eye(a.shape[-1], dtype=vectors.dtype)
    back = turned(vectors)
    return np.linalg.solve(back, inner @ back)


@jvp(np.linalg.eig)
def eig_jvp(a_dot, ans, a):
    values, vectors = ans
    inner = np.linalg.solve(vectors, a_dot @ vectors)
    moved = vectors @ (inverse_gaps(values) * inner)
    return np.diagonal(inner, axis1=-2, axis2=-1), moved - vectors * np.sum(vectors * moved, axis=-2, keepdims=True)


@batched(np.linalg.eigvals, np.linalg.eig)
def spectrum_of_examples(function, a):
    return function(a)
