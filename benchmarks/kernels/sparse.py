"""Sparse matrices in compressed rows, and graphs."""
import numpy as np

from benchmarks.kernels.record import Kernel


def spmv(values, columns, pointers, x):
    """A product of a matrix in compressed rows with a vector."""
    y = np.zeros(pointers.size - 1)
    for i in range(y.size):
        for k in range(pointers[i], pointers[i + 1]):
            y[i] += values[k] * x[columns[k]]
    return np.sum(y ** 2)


def spmv_rows(values, columns, pointers, x):
    """NPBench spmv: a gather and a dot product for each row."""
    y = np.empty(pointers.size - 1)
    for i in range(pointers.size - 1):
        cols = columns[pointers[i]:pointers[i + 1]]
        vals = values[pointers[i]:pointers[i + 1]]
        y[i] = vals @ x[cols]
    return np.sum(y ** 2)


def pagerank(values, columns, pointers, damping, iterations):
    """Power iteration until it has run its course, scaled each time."""
    n = pointers.size - 1
    rank = np.full(n, 1.0 / n)
    for _ in range(iterations):
        new = np.zeros(n)
        for i in range(n):
            total = 0.0
            for k in range(pointers[i], pointers[i + 1]):
                total += values[k] * rank[columns[k]]
            new[i] = (1.0 - damping) / n + damping * total
        rank = new / np.sum(new)
    return np.sum(rank ** 2)


def scatter_product(values, rows, columns, x):
    """The transposed product, scattered from coordinates."""
    y = np.zeros_like(x)
    for k in range(values.size):
        y[rows[k]] += values[k] * x[columns[k]]
        y[columns[k]] -= 0.5 * values[k] * x[rows[k]]
    return np.sum(y ** 2)


def conjugate_gradient(values, columns, pointers, b, iterations):
    """Conjugate gradients with vectors updated in place."""
    n = b.size
    x = np.zeros(n)
    r = b.copy()
    p = b.copy()
    ap = np.empty(n)
    rr = r @ r
    for _ in range(iterations):
        for i in range(n):
            total = 0.0
            for k in range(pointers[i], pointers[i + 1]):
                total += values[k] * p[columns[k]]
            ap[i] = total
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        p *= new / rr
        p += r
        rr = new
    return np.sum(x ** 2)


def jacobi_csr(values, columns, pointers, b, sweeps):
    """Jacobi's method; the diagonal is found among the entries of its row."""
    x = np.zeros_like(b)
    for _ in range(sweeps):
        old = x.copy()
        for i in range(b.size):
            total, diagonal = b[i], 1.0
            for k in range(pointers[i], pointers[i + 1]):
                if columns[k] == i:
                    diagonal = values[k]
                else:
                    total -= values[k] * old[columns[k]]
            x[i] = total / diagonal
    return np.sum(x ** 2)


def label_propagation(features, edges, weights, rounds):
    """A graph network by hand: messages along edges, by index arrays and np.add.at."""
    for _ in range(rounds):
        messages = weights[:, None] * features[edges[:, 0]]
        gathered = np.zeros_like(features)
        np.add.at(gathered, edges[:, 1], messages)
        features = np.tanh(features + gathered)
    return np.sum(features)


def _rows(rng, n, entries):
    """A diagonally dominant symmetric matrix in compressed rows."""
    dense_columns = [np.unique(np.append(rng.integers(n, size=entries), i)) for i in range(n)]
    columns = np.concatenate(dense_columns)
    pointers = np.append(0, np.cumsum([part.size for part in dense_columns]))
    values = rng.uniform(-0.5, 0.5, columns.size)
    for i in range(n):
        values[pointers[i]:pointers[i + 1]][dense_columns[i] == i] = entries + 1.0
    return values, columns, pointers


KERNELS = (
    Kernel(spmv, lambda rng, n, k: (*_rows(rng, n, k), rng.normal(size=n)), (6, 2), (100_000, 10), (0, 3)),
    Kernel(spmv_rows, lambda rng, n, k: (*_rows(rng, n, k), rng.normal(size=n)), (6, 2), (30_000, 10), (0, 3)),
    Kernel(pagerank, lambda rng, n, k: (*_rows(rng, n, k), 0.85, 20), (6, 2), (5000, 10), (0, 3)),
    Kernel(scatter_product, lambda rng, n, k: (rng.normal(size=k), rng.integers(n, size=k), rng.integers(n, size=k),
                                               rng.normal(size=n)), (5, 9), (1000, 500_000), (0, 3)),
    Kernel(conjugate_gradient, lambda rng, n, k: (*_rows(rng, n, k), rng.normal(size=n), k), (6, 2), (10_000, 10), (0, 3)),
    Kernel(jacobi_csr, lambda rng, n, k: (*_rows(rng, n, k), rng.normal(size=n), k), (6, 2), (10_000, 10), (0, 3)),
    Kernel(label_propagation, lambda rng, n, k: (rng.normal(size=(n, 8)), rng.integers(n, size=(k, 2)), rng.normal(size=k), 3),
           (5, 9), (1000, 5000), (0, 2)),
)
