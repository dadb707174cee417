"""Scalars of linear algebra and Fourier transforms that are differentiated in their first argument."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

N = 200


def solve(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


def inv(a, w):
    return np.sum(np.linalg.inv(a) * w)


def det(a):
    return np.linalg.det(a / 5)


def slogdet(a):
    return np.linalg.slogdet(a)[1]


def cholesky(a, w):
    return np.sum(np.linalg.cholesky(a) * w)


def eigvalsh(a):
    return np.sum(np.linalg.eigvalsh(a) ** 3)


def eigh(a, w):
    return np.sum(np.linalg.eigh(a)[1] ** 2 * w)


def singular_values(a):
    return np.sum(np.linalg.svd(a, compute_uv=False) ** 3)


def svd(a, w):
    u, s, _ = np.linalg.svd(a, full_matrices=False)
    return np.sum((u * s) ** 2 * w)


def qr(a, w):
    q, r = np.linalg.qr(a)
    return np.sum(r * w) + np.sum(q)


def pinv(a, w):
    return np.sum(np.linalg.pinv(a) * w)


def lstsq(a, b):
    return np.sum(np.linalg.lstsq(a, b, rcond=None)[0] ** 2)


def matrix_power(a, w):
    return np.sum(np.linalg.matrix_power(a, 3) * w)


def nuclear_norm(a):
    return np.linalg.norm(a, 'nuc')


def triangular(a, b):
    return np.sum(scipy.linalg.solve_triangular(a, b, lower=True) ** 2)


def expm(a, w):
    return np.sum(scipy.linalg.expm(a) * w)


def batched_inv(a):
    return np.sum(np.linalg.inv(a) ** 2)


def batched_cholesky(a):
    return np.sum(np.linalg.cholesky(a) ** 3)


def matmul(a, b):
    return np.sum((a @ b) ** 2)


def fft(x):
    return np.sum(np.abs(np.fft.fft(x)) ** 2)


def rfft(x):
    return np.sum(np.abs(np.fft.rfft(x)) ** 2)


def fft2(x):
    return np.sum(np.abs(np.fft.fft2(x)) ** 2)


def irfft(x):
    return np.sum(np.fft.irfft(np.fft.rfft(x) * 2.0) ** 2)


def fft_columns(x):
    return np.sum(np.abs(np.fft.fft(x, axis=0)) ** 2)


def arguments() -> dict[Callable[..., Any], tuple[np.ndarray, ...]]:
    """What each row is differentiated at, in its first argument."""
    rng = np.random.default_rng(0)
    a, w, v, tall = (rng.normal(size=shape) for shape in ((N, N), (N, N), N, (2 * N, N)))
    definite, small = a @ a.T / N + 4 * np.eye(N), 0.5 * a / np.sqrt(N)
    stack = rng.normal(size=(16, N // 4, N // 4))
    definites = stack @ stack.swapaxes(1, 2) / (N // 4) + 4 * np.eye(N // 4)
    signal = rng.normal(size=N * N)
    return {
        solve: (definite, v), inv: (definite, w), det: (definite,), slogdet: (definite,), cholesky: (definite, w),
        eigvalsh: (definite,), eigh: (definite, w), singular_values: (a,), svd: (a, w), qr: (tall, w),
        pinv: (tall, np.repeat(w, 2, axis=1)), lstsq: (tall, np.repeat(v, 2)), matrix_power: (small, w), nuclear_norm: (a,),
        triangular: (np.tril(definite), v), expm: (small, w), batched_inv: (definites,), batched_cholesky: (definites,),
        matmul: (a, w), fft: (signal,), rfft: (signal,), irfft: (signal,), fft2: (a,), fft_columns: (a,),
    }


# Their arguments are symmetric: what a gradient says of the two items of a pair, beyond their sum, is a convention.
SYMMETRIC = cholesky, batched_cholesky, eigh, eigvalsh

# The transforms of a row by SciPy: those of the value, which are of real numbers, and those of the gradient.
TRANSFORMS: dict[Callable[..., Any], Callable[[np.ndarray], Any]] = {
    fft: lambda x: scipy.fft.fft(scipy.fft.fft(x)),
    rfft: lambda x: (scipy.fft.rfft(x), scipy.fft.rfft(x)),
    irfft: lambda x: [scipy.fft.irfft(scipy.fft.rfft(x)) for _ in range(2)],
    fft2: lambda x: scipy.fft.fft2(scipy.fft.fft2(x)),
    fft_columns: lambda x: scipy.fft.fft(scipy.fft.fft(x, axis=0), axis=0),
}
