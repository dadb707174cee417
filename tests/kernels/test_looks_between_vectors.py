"""Loops whose numbers are in vectors when they look for signals: they find them unchanged.

In a process of its own: the suite compiles without vectors, and these loops look in every iteration.
"""

import os
import subprocess
import sys

import numpy as np

import transpiler as tp
from transpiler_kernels.interrupts import loops

WIDTHS = 4, 5, 11, 37      # vectors are as wide as fits in


def below_each_other(a):
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = a[i - 1, j] + a[i, j] * 0.25
    return a


def two_numbers(a, k=0.3, m=1.7):
    for i in range(1, a.shape[0]):
        for j in range(1, a.shape[1] - 1):
            a[i, j] = k * a[i - 1, j] + m * (a[i - 1, j - 1] - a[i - 1, j + 1])
    return a


def of_a_row(a):
    row, factor = a[0] * 1.5, a[1, 1]
    for i in range(1, a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] = row[j] - a[i, j] * factor if a[i, j] > 0.1 else factor
    return a


def in_half_precision(a):
    b = a.astype(np.float32)
    c = np.float32(0.7)
    for i in range(1, b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = b[i - 1, j] * c + b[i, j]
    return b


def of_integers(a):
    b = (100 * a).astype(np.int64)
    for i in range(1, b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] = b[i - 1, j] + b[i, j] * 3 - (b[i, j] & 7)
    return b


def a_loop_alone(a):
    row = a[0].copy()
    for j in range(row.shape[0]):
        row[j] = 0.5 * row[j] + 2.0
    return row


def three_deep(a):
    for _ in range(5):
        for i in range(1, a.shape[0] - 1):
            for j in range(a.shape[1]):
                a[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j]) + 0.5 * a[i, j]
    return a


def summed(a):
    return np.sum(below_each_other(a * 1.0)[-1])


def main():
    loops.SHARED = loops.CALL = 1
    loops.INNERMOST = 2
    for f in (below_each_other, two_numbers, of_a_row, in_half_precision, of_integers, a_loop_alone, three_deep, tp.grad(summed)):
        compiled = tp.jit(f, cache=False)
        for width in WIDTHS:
            a = np.linspace(-1.0, 1.0, 9 * width).reshape(9, width)
            assert np.array_equal(compiled(a.copy()), f(a.copy())), (f, width)


def test_a_look_leaves_vectors_as_they_are():
    program = 'from tests.kernels.test_looks_between_vectors import main; main()'
    done = subprocess.run([sys.executable, '-c', program], env=os.environ | {'NUMBA_OPT': '3'}, capture_output=True, text=True)
    assert not done.returncode, done.stderr
