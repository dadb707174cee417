"""Factorisations and solves, written out by hand."""
import numpy as np

from benchmarks.kernels.record import Kernel


def lu(A):
    """PolyBench lu: Doolittle in place."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[k, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            for k in range(i):
                A[i, j] -= A[i, k] * A[k, j]
    return np.sum(np.log(np.abs(np.diag(A))))


def lu_slices(A, b):
    """Gauss elimination by rank-one updates of the trailing block, then substitution in place."""
    n = A.shape[0]
    for k in range(n - 1):
        A[k + 1:, k] /= A[k, k]
        A[k + 1:, k + 1:] -= np.outer(A[k + 1:, k], A[k, k + 1:])
    for i in range(1, n):
        b[i] -= A[i, :i] @ b[:i]
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - A[i, i + 1:] @ b[i + 1:]) / A[i, i]
    return np.sum(b ** 2)


def gauss_pivoted(A, b):
    """Gauss elimination with partial pivoting: rows change places."""
    n = b.size
    for k in range(n):
        pivot = k + np.argmax(np.abs(A[k:, k]))
        for j in range(n):
            A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
        b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            factor = A[i, k] / A[k, k]
            for j in range(k, n):
                A[i, j] -= factor * A[k, j]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= A[i, j] * x[j]
        x[i] = total / A[i, i]
    return np.sum(x ** 2)


def cholesky(A):
    """PolyBench cholesky, in place in the lower triangle."""
    n = A.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                A[i, j] -= A[i, k] * A[j, k]
            A[i, j] /= A[j, j]
        for k in range(i):
            A[i, i] -= A[i, k] ** 2
        A[i, i] = np.sqrt(A[i, i])
    return 2.0 * np.sum(np.log(np.diag(A)))


def cholesky_rows(A):
    """NPBench cholesky: dot products of rows."""
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])
    return A[-1, -1]


def givens(A):
    """QR by Givens rotations of rows in place."""
    m, n = A.shape
    for j in range(n):
        for i in range(m - 1, j, -1):
            a, b = A[i - 1, j], A[i, j]
            r = np.sqrt(a * a + b * b)
            if r > 0.0:
                c, s = a / r, b / r
                for k in range(j, n):
                    upper, lower = A[i - 1, k], A[i, k]
                    A[i - 1, k] = c * upper + s * lower
                    A[i, k] = c * lower - s * upper
    return np.sum(np.log(np.abs(np.diag(A))))


def householder(A, b):
    """Least squares by Householder reflections of slices in place."""
    n = A.shape[1]
    for k in range(n):
        v = A[k:, k].copy()
        v[0] += np.copysign(np.sqrt(np.sum(v ** 2)), v[0])
        scale = 2.0 / np.sum(v ** 2)
        A[k:, k:] -= scale * np.outer(v, v @ A[k:, k:])
        b[k:] -= scale * v * (v @ b[k:])
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1:n] @ x[i + 1:]) / A[i, i]
    return np.sum(x ** 2)


def gramschmidt(A, Q, R):
    """PolyBench gramschmidt, as in NPBench."""
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(R ** 2) + np.sum(Q[0] ** 3)


def trisolv(L, b):
    """PolyBench trisolv: forward substitution."""
    x = np.zeros_like(b)
    for i in range(b.size):
        x[i] = b[i]
        for j in range(i):
            x[i] -= L[i, j] * x[j]
        x[i] /= L[i, i]
    return np.sum(x ** 2)


def thomas(lower, diagonal, upper, d):
    """A tridiagonal system, solved in place."""
    n = d.size
    for i in range(1, n):
        w = lower[i] / diagonal[i - 1]
        diagonal[i] -= w * upper[i - 1]
        d[i] -= w * d[i - 1]
    d[n - 1] /= diagonal[n - 1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - upper[i] * d[i + 1]) / diagonal[i]
    return np.sum(d ** 2)


def durbin(r):
    """PolyBench durbin, as in NPBench: reversed slices."""
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return np.sum(y ** 2)


def _spread(rng, n):
    return rng.normal(size=(n, n)) + n * np.eye(n)


def _definite(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T / n + np.eye(n)


KERNELS = (
    Kernel(lu, lambda rng, n: (_spread(rng, n),), (5,), (150,)),
    Kernel(lu_slices, lambda rng, n: (_spread(rng, n), rng.normal(size=n)), (5,), (150,), (0, 1)),
    Kernel(gauss_pivoted, lambda rng, n: (rng.normal(size=(n, n)), rng.normal(size=n)), (5,), (150,), (0, 1)),
    Kernel(cholesky, lambda rng, n: (_definite(rng, n),), (5,), (200,)),
    Kernel(cholesky_rows, lambda rng, n: (_definite(rng, n),), (5,), (200,)),
    Kernel(givens, lambda rng, n: (rng.normal(size=(n + n // 2, n)),), (4,), (100,)),
    Kernel(householder, lambda rng, n: (rng.normal(size=(2 * n, n)), rng.normal(size=2 * n)), (4,), (80,), (0, 1)),
    Kernel(gramschmidt, lambda rng, n: (rng.normal(size=(2 * n, n)), np.zeros((2 * n, n)), np.zeros((n, n))), (4,), (100,)),
    Kernel(trisolv, lambda rng, n: (_spread(rng, n), rng.normal(size=n)), (5,), (1500,), (0, 1)),
    Kernel(thomas, lambda rng, n: (rng.normal(size=n), 4.0 + rng.uniform(size=n), rng.normal(size=n), rng.normal(size=n)), (6,),
           (200_000,), (0, 1, 2, 3)),
    Kernel(durbin, lambda rng, n: (rng.uniform(-0.5, 0.5, n) / np.arange(1.0, n + 1.0),), (6,), (1000,)),
)
