"""Single assignment and lifetimes, found block by block and bit by bit, are what Numba finds in the whole program."""
import pytest
from numba.core import ssa
from numba.core.compiler import run_frontend
from numba.core.postproc import PostProcessor, VariableLifetime

from transpiler_kernels.compiler.assignments import reconstructed
from transpiler_kernels.compiler.lifetimes import Lifetimes, Processor


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


EACH = pytest.mark.parametrize('function', (straight, branches, loops, crossing, sometimes))


@EACH
def test_it_is_what_numba_makes(function):
    assert texts(reconstructed(run_frontend(function).blocks)) == texts(ssa._run_ssa(run_frontend(function).blocks))


@EACH
def test_lifetimes_are_those_of_numba(function):
    blocks = run_frontend(function).blocks
    found = Lifetimes(blocks).livemap
    assert found == VariableLifetime(blocks).livemap and (len(blocks) == 1 or any(found.values()))
    ours, numbas = run_frontend(function), run_frontend(function)
    Processor(ours).run(emit_dels=True)
    PostProcessor(numbas).run(emit_dels=True)
    assert texts(ours.blocks) == texts(numbas.blocks)
