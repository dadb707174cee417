# normalised (test_axis_sums.py:15), for x: float64[n, m], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty, zeros
from transpiler_kernels.reductions.along_axes import mean_of, sum_rows
from transpiler_kernels.reductions.lanes import plus
from transpiler_kernels.threads import in_parts, parts_of
from transpiler_kernels.vector_math import exp as exp_1


def normalised_part(part, low, count, e, m, sum_e, x):
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        total = 0.0
        for start in range(0, m, 1024):
            first = np.maximum(start, 0)
            block = 0.0
            for turn in range(np.minimum(1024, m - start)):
                j = first + turn
                exp = exp_1(x[i, j])
                block = plus(block, exp)
                e[i, j] = exp
            total += block
        sum_e[i, 0] = total


def normalised_part_1(part, low, count, bands_sum, e, m1, n1, rows, sum_e):
    low = np.maximum(low, 0)
    for offset in range(count):
        top = 32 * (low + offset)
        first = np.maximum(top, 0)
        band = top // 32
        for turn1 in range(np.minimum(32, n1 - top)):
            i = first + turn1
            sum_e_item = sum_e[i, 0]
            for j in range(m1):
                ratio1 = e[i, j] / sum_e_item
                bands_sum[band, j] += ratio1 * ratio1
                rows[i, j] = ratio1


def normalised_part_2(part, low, count, mean, sqrt_):
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        sqrt_[i] = np.sqrt(mean[i])


def normalised_part_3(part, low, count, ratio, rows, sqrt_, x_size2):
    low = np.maximum(low, 0)
    for offset in range(count):
        i = low + offset
        for j in range(x_size2):
            ratio[i, j] = rows[i, j] / sqrt_[j]


def normalised(x):
    n = x.shape[0]
    m = x.shape[1]
    e = empty((n, m), np.float64)
    sum_e = empty((n, 1), np.float64)
    parts = parts_of(n, n * (28 * m))
    in_parts(normalised_part, parts, n, e, m, sum_e, x)
    n1 = x.shape[0]
    m1 = x.shape[1]
    rows = empty((n1, m1), np.float64)
    bands = (n1 + 31) // 32
    bands_sum = zeros((bands, m1), np.float64)
    turns1 = (n1 + 31) // 32
    parts1 = parts_of(turns1, turns1 * (32 * (12 * m1)))
    in_parts(normalised_part_1, parts1, turns1, bands_sum, e, m1, n1, rows, sum_e)
    mean = mean_of(sum_rows(bands_sum), n1)
    sqrt_ = empty((x.shape[1],), np.float64)
    parts2 = parts_of(x.shape[1], x.shape[1] * 15)
    in_parts(normalised_part_2, parts2, x.shape[1], mean, sqrt_)
    ratio = empty((x.shape[0], x.shape[1]), np.float64)
    parts3 = parts_of(x.shape[0], x.shape[0] * (9 * x.shape[1]))
    in_parts(normalised_part_3, parts3, x.shape[0], ratio, rows, sqrt_, x.shape[1])
    return ratio
