# energies (test_threads.py:77), for x: float64[n], table: float64[m, n], for Numba
import numpy as np

from kernels.threads import in_parts, most_parts, parts_of


def energies_part(part, low, count, band_parts, whole_parts, table, x_size):
    low = np.maximum(low, 0)
    band = 0.0
    whole = 0.0
    for offset in range(count):
        i = low + offset
        total1 = 0.0
        for start in range(0, x_size, 1024):
            first = np.maximum(start, 0)
            block = 0.0
            for turn in range(np.minimum(1024, x_size - start)):
                j = first + turn
                table_ij = table[i, j]
                block += table_ij * table_ij
                table[i, j] = 0.9 * table_ij
            total1 += block
        band += total1
        if i % 128 == 127:
            whole += band
            band = 0.0
    band_parts[part] = band
    whole_parts[part] = whole


def energies(x, table):
    total = 0.0
    band_parts = np.empty(most_parts())
    whole_parts = np.empty(most_parts())
    for t in range(3):
        band = 0.0
        whole = 0.0
        parts = parts_of(table.shape[0], table.shape[0] * (18 * x.shape[0]))
        in_parts(energies_part, parts, table.shape[0], (band_parts, whole_parts, table, x.shape[0]))
        for part in range(parts):
            band = band + band_parts[part]
            whole = whole + whole_parts[part]
        total += 0.5 * (whole + band)
    return total
