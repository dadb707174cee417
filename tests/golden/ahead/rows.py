# grad of rows (test_ahead.py:65), for x: float64[n], y: float64[n], for Numba
import numpy as np

from transpiler_kernels.linear_algebra.products import matrix_product
from transpiler_kernels.memory.allocation import empty, zeros
from transpiler_kernels.memory.layout import flat
from transpiler_kernels.threads import in_parts, parts_of


def rows_grad_part(part, low, count, a, x, y):
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        x_i = x[i]
        for j in range(x.shape[0]):
            a[i, j] = x_i * y[j]


def rows_grad_part_1(part, low, count, a_bar_flat, a_flat):
    # pullback of line 70: return np.sum(a ** 2)
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        a_bar_flat[i] = 2.0 * a_flat[i]


def rows_grad(x, y):
    x_part = x[:5]
    a = empty((x_part.shape[0], x.shape[0]), np.float64)
    parts = parts_of(x_part.shape[0], x_part.shape[0] * (4 * x.shape[0]))
    in_parts(rows_grad_part, parts, x_part.shape[0], a, x, y)
    n = a.shape[1]
    a_ri_at = empty((4, n), np.float64)
    for r_down in range(3, -1, -1):
        r = np.maximum(r_down, 0)
        for i in range(n):
            a_ri = a[r, i]
            a_ri_at[3 - r, i] = a_ri
            a[r, i] += a[r + 1, i] * a_ri
    # pullback of line 70: return np.sum(a ** 2)
    a_flat = flat(a)
    a_bar = empty((x_part.shape[0], x.shape[0]), np.float64)
    a_bar_flat = flat(a_bar)
    turns1 = x_part.shape[0] * x.shape[0]
    parts1 = parts_of(turns1, turns1 * 4)
    in_parts(rows_grad_part_1, parts1, turns1, a_bar_flat, a_flat)
    for r in range(4):               # line 67: for r in range(3, -1, -1)
        for i in range(n):           # line 68: for i in range(a.shape[1])
            # pullback of line 69: a[r, i] += a[r + 1, i] * a[r, i]
            a_bar_ri = a_bar[r, i]
            a_bar[r, i] += a_bar_ri * a[r + 1, i]
            a_bar[r + 1, i] += a_bar_ri * a_ri_at[3 - r, i]
    # pullback of line 66: a = np.outer(x[:5], y)
    x_part_bar = matrix_product(a_bar, y)
    x_bar = zeros(x.shape, np.float64)
    for i in range(x_part.shape[0]):
        x_bar[i] = x_part_bar[i]
    return x_bar
