"""Single assignment, made block by block, is what Numba makes of the whole program."""
import numpy as np
import pytest
from numba.core import ssa
from numba.core.compiler import run_frontend

from transpiler_kernels.compiler.assignments import reconstructed


def straight(x):
    y = x
    y = y + 1
    return y


def branches(x, flag):
    if flag:
        y = x
    else:
        y = -x
        if x > 3:
            y = y * 2
    return y


def loops(x, n):
    total, last = 0.0, x[0]
    for i in range(n):
        for j in range(i):
            if x[j] > last:
                last = x[j]
                continue
            total = total + last * j
        if total > 100.0:
            break
    return total, last


def crossing(n):
    a, b = 0, 1
    while a < n:
        a, b = b, a + b
    return a


def sometimes(x):
    for k in range(len(x)):
        if x[k] > 0:
            found = k
    return found


def texts(blocks):
    return {label: [str(statement) for statement in block.body] for label, block in blocks.items()}


@pytest.mark.parametrize('function', (straight, branches, loops, crossing, sometimes))
def test_it_is_what_numba_makes(function):
    assert texts(reconstructed(run_frontend(function).blocks)) == texts(ssa._run_ssa(run_frontend(function).blocks))
    assert np.size(list(texts(reconstructed(run_frontend(function).blocks))))
