# energies (test_threads.py:77), for x: float64[n], table: float64[m, n], for Numba
import numpy as np

from transpiler_kernels.memory.allocation import empty
from transpiler_kernels.memory.layout import flat_in_place
from transpiler_kernels.reductions.lanes import plus
from transpiler_kernels.threads import in_parts, most_parts, parts_of


def energies_part(part, low, count, total_1_parts, product, table_flat):
    low = np.maximum(low, 0)
    total1 = -0.0
    for offset in range(count):
        start = 1024 * (low + offset)
        first = np.maximum(start, 0)
        block = 0.0
        for turn in range(np.minimum(1024, product - start)):
            i = first + turn
            table_flat_i = table_flat[i]
            block = plus(block, table_flat_i * table_flat_i)
            table_flat[i] = 0.9 * table_flat_i
        total1 += block
    total_1_parts[part] = total1


def energies(x, table):
    total = 0.0
    total_1_parts = empty(most_parts(), np.float64)
    for t in range(3):
        product = table.shape[0] * x.shape[0]
        table_flat = flat_in_place(table)
        total1 = 0.0
        turns = (product + 1023) // 1024
        parts = parts_of(turns, turns * 10248)
        in_parts(energies_part, parts, turns, total_1_parts, product, table_flat)
        for part in range(parts):
            total1 = total1 + total_1_parts[part]
        total += 0.5 * total1
    return total
