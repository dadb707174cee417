"""PolyBench's products of matrices and vectors, by loops and as in NPBench."""
import numpy as np

from benchmarks.kernels.record import Kernel


def gemm(alpha, beta, C, A, B):
    """Three loops, in place."""
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] *= beta
        for k in range(A.shape[1]):
            for j in range(C.shape[1]):
                C[i, j] += alpha * A[i, k] * B[k, j]
    return np.sum(C ** 2)


def syrk(alpha, beta, C, A):
    """The lower triangle, by slices of rows."""
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += alpha * A[i, k] * A[:i + 1, k]
    return np.sum(C ** 2)


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += A[:i + 1, k] * alpha * B[i, k] + B[:i + 1, k] * alpha * A[i, k]
    return np.sum(C ** 2)


def trmm(alpha, A, B):
    """A triangular product in place: rows of B read those below them."""
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    B *= alpha
    return np.sum(B ** 2)


def symm(alpha, beta, C, A, B):
    temp2 = np.empty(C.shape[1])
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2
    return np.sum(C ** 2)


def atax(A, x):
    """Loops over rows, with a result gathered in place."""
    y = np.zeros(A.shape[1])
    for i in range(A.shape[0]):
        tmp = 0.0
        for j in range(A.shape[1]):
            tmp += A[i, j] * x[j]
        for j in range(A.shape[1]):
            y[j] += A[i, j] * tmp
    return np.sum(y ** 2)


def bicg(A, p, r):
    s = np.zeros(A.shape[1])
    q = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            s[j] += r[i] * A[i, j]
            q[i] += A[i, j] * p[j]
    return np.sum(s ** 2) + np.sum(q ** 2)


def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A
    return np.sum(x1 * x2)


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x
    return np.sum(w ** 2)


def gesummv(alpha, beta, A, B, x):
    return np.sum((alpha * A @ x + beta * B @ x) ** 2)


def doitgen(A, C4):
    """A product for each row of a block, through a scratch array."""
    total = np.zeros(C4.shape[1])
    for r in range(A.shape[0]):
        for q in range(A.shape[1]):
            for p in range(C4.shape[1]):
                total[p] = 0.0
                for s in range(C4.shape[0]):
                    total[p] += A[r, q, s] * C4[s, p]
            A[r, q, :] = total
    return np.sum(A ** 2)


def two_mm(alpha, beta, A, B, C, D):
    D[:] = alpha * A @ B @ C + beta * D
    return np.sum(D ** 2)


def horizontal_diffusion(field, coefficient):
    """NPBench hdiff: fluxes limited by their sign."""
    i, j = coefficient.shape
    lap = 4.0 * field[1:i + 3, 1:j + 3] - (field[2:i + 4, 1:j + 3] + field[0:i + 2, 1:j + 3] + field[1:i + 3, 2:j + 4] +
                                           field[1:i + 3, 0:j + 2])
    res = lap[1:, 1:j + 1] - lap[:-1, 1:j + 1]
    flx = np.where(res * (field[2:i + 3, 2:j + 2] - field[1:i + 2, 2:j + 2]) > 0.0, 0.0, res)
    res = lap[1:i + 1, 1:] - lap[1:i + 1, :-1]
    fly = np.where(res * (field[2:i + 2, 2:j + 3] - field[2:i + 2, 1:j + 2]) > 0.0, 0.0, res)
    return np.sum((field[2:i + 2, 2:j + 2] - coefficient * (flx[1:, :] - flx[:-1, :] + fly[:, 1:] - fly[:, :-1])) ** 2)


def _normal(rng, *shapes):
    return tuple(rng.normal(size=shape) for shape in shapes)


KERNELS = (
    Kernel(gemm, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n + 1), (n, n + 2), (n + 2, n + 1))), (4,), (150,), (0, 2, 3, 4)),
    Kernel(syrk, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n), (n, n + 1))), (4,), (120,), (0, 1, 3)),
    Kernel(syr2k, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n), (n, n + 1), (n, n + 1))), (4,), (100,), (2, 3, 4)),
    Kernel(trmm, lambda rng, n: (1.5, *_normal(rng, (n, n), (n, n + 1))), (4,), (120,), (0, 1, 2)),
    Kernel(symm, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n + 1), (n, n), (n, n + 1))), (4,), (120,), (2, 3, 4)),
    Kernel(atax, lambda rng, n: _normal(rng, (n, n + 1), n + 1), (4,), (1200,), (0, 1)),
    Kernel(bicg, lambda rng, n: _normal(rng, (n + 1, n), n, n + 1), (4,), (1200,), (0, 1, 2)),
    Kernel(mvt, lambda rng, n: _normal(rng, n, n, n, n, (n, n)), (4,), (1500,), (0, 2, 4)),
    Kernel(gemver, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n), *8 * (n,))), (4,), (800,), (2, 3, 6)),
    Kernel(gesummv, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n), (n, n), n)), (4,), (1000,), (0, 2, 4)),
    Kernel(doitgen, lambda rng, n: _normal(rng, (n, n + 1, n + 2), (n + 2, n + 2)), (2,), (40,), (0, 1)),
    Kernel(two_mm, lambda rng, n: (1.5, 1.2, *_normal(rng, (n, n), (n, n), (n, n), (n, n))), (3,), (200,), (2, 3, 5)),
    Kernel(horizontal_diffusion, lambda rng, n: _normal(rng, (n + 4, n + 4), (n, n)), (3,), (500,), (0, 1)),
)
