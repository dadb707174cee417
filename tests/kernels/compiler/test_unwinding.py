"""A function that ends by an exception leaves nothing behind, whoever raises it, and says it in few words."""
import gc
import re
import sys

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from transpiler_kernels.compiler.pipeline import OfKernels
from transpiler_kernels.linear_algebra.stacks import cholesky, inv, solve
from transpiler_kernels.machine.options import ARITHMETIC

X = np.arange(5.0)


def lean(function, **options):
    return numba.njit(pipeline_class=OfKernels, **ARITHMETIC, **options)(function)


@lean
def refused(x, n):
    y = x * 2.0
    if n > 2:
        raise ValueError('too many')
    return y


@lean
def twice_refused(x, n):
    u = x + 1.0
    return refused(u, n) + refused(u * 2.0, n - 1)


def by_a_callee(x, n):
    y = x * 2.0
    z = y + 1.0
    return refused(z, n) + y


def of_temporary_arrays(x, n):
    return refused(x * 2.0, n - 1) * (x + 1.0) + twice_refused(x - 1.0, n) * x


def within_loops(x, n):
    total = 0.0
    for k in range(n):
        row = x * k
        part = row[1:]
        for j in range(k):
            total += refused(part, j + k)[0]
        x = row + 0.5
    return total


def after_exchanges(x, n):
    y, z = x * 2.0, x + 1.0
    for k in range(n):
        y, z = z, y
        if k == 3:
            raise ValueError('k')
        y = y * refused(z, k)
    return y


def on_one_path(x, n):
    if n > 1:
        y = x * 2.0
        z = refused(y, n)
    else:
        z = x
    if n > 4:
        raise ValueError('n')
    return z * refused(z, n + 1)


def in_containers(x, n):
    pair = x * 2.0, x + 1.0
    items = [x * k for k in range(n)]
    if n > 5:
        raise ValueError('n')
    return items[0] + refused(pair[0], n) + pair[1]


@lean
def of_itself(x, n):
    y = x * 2.0
    if n > 3:
        raise ValueError('deep')
    if n < 0:
        return y
    return y * of_itself(x + 1.0, n + 1)


def of_elements(x, n):
    y = x * 2.0
    return y[n] * y


def with_values(x, n):
    y = x * 2.0
    z = y + 1.0
    for k in range(n):
        z = z * y
        if k == 2:
            raise ValueError('values', y, z[1:], k, z * 2.0)
    return z


def of_arguments_alone(x, n):
    out = np.empty(3)
    for k in range(3):
        if x[k] < n - 2:
            raise ValueError('n')
        out[k] = x[k]
    return out


def without_any_array(x, n):
    total = 0.0
    for k in range(x.size):
        if x[k] < n - 2:
            raise ValueError('n')
        total += x[k]
    return total


def singular(x, n):
    y = x * 2.0
    matrix = np.zeros((x.size, x.size))
    return (solve(matrix, y) if n == 0 else inv(matrix)[0] if n == 1 else cholesky(matrix)[0]) if n < 3 else y


def in_numba_s_own(x, n):
    y = x + 1.0
    if n == 0:
        return np.reshape(y, (2, 2))[0]
    if n == 1:
        return np.stack((y, y[:1]))[0]
    if n == 2:
        return np.broadcast_to(y, (x.size + 1, x.size - 1))[0]
    if n == 3:
        y[1:] = x[:1]
        y[:1] = x[1:]
    return y


FUNCTIONS = [by_a_callee, of_temporary_arrays, within_loops, after_exchanges, on_one_path, in_containers, of_elements, singular,
             of_arguments_alone, without_any_array, with_values, in_numba_s_own]


def what_is_left(compiled, n):
    """How many pieces of memory more there are after a call, and whether it raised."""
    before = rtsys.get_allocation_stats()
    try:
        compiled(X, n)
        raised = False
    except (ValueError, IndexError, np.linalg.LinAlgError):
        raised = True
    after = rtsys.get_allocation_stats()
    return (after.alloc - after.free) - (before.alloc - before.free), raised


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_nothing_is_left_behind(f):
    _nrt_python.memsys_enable_stats()
    compiled = lean(f, boundscheck=f is of_elements)
    found = [what_is_left(compiled, n) for n in (*range(8), *range(8))][8:]     # what is made once is there by then
    assert not any(left for left, _ in found), found
    assert any(raised for _, raised in found)


def test_the_values_of_an_exception_are_python_s_alone():
    """They live as long as the exception, and are what they were; nothing of Python's is left behind either."""
    compiled = lean(with_values)
    with pytest.raises(ValueError, match='values') as caught:
        compiled(X, 5)
    y = X * 2.0
    for found, expected in zip(caught.value.args[1:], (y, ((y + 1.0) * y**3)[1:], 2, (y + 1.0) * y**3 * 2.0), strict=True):
        np.testing.assert_allclose(found, expected)

    def call():
        for _ in range(200):
            with pytest.raises(ValueError, match='values'):
                compiled(X, 5)
        gc.collect()
        return sys.getallocatedblocks()

    call()
    assert -call() + call() < 200


def test_a_function_that_calls_itself():
    _nrt_python.memsys_enable_stats()
    assert [what_is_left(of_itself, n) for n in (3, 3, 0, 5)][1:] == [(0, True)] * 3


def test_results_outlive_exceptions():
    """What is let go of is not let go of twice: nothing that lives is given to others."""
    compiled, kept = lean(after_exchanges), []
    for k in range(200):
        kept.append((compiled(X + k, 2), k))
        with pytest.raises(ValueError, match='k'):
            compiled(X, 4)
    for result, k in kept:
        np.testing.assert_array_equal(result, after_exchanges(X + k, 2))


def many(x, n):
    a = x * 1.0
    b = x * 2.0
    c = x * 3.0
    d = x * 4.0
    if n == 0:
        raise ValueError('0')
    if n == 1:
        raise ValueError('1')
    if n == 2:
        raise ValueError('2')
    if n == 3:
        raise ValueError('3')
    if n == 4:
        raise ValueError('4')
    return a + b + c + d


def test_exceptions_share_the_words():
    compiled = lean(many)
    compiled(X, 5)
    (text,) = compiled.inspect_llvm().values()
    start = next(line for line in text.splitlines() if line.startswith('define') and 'many' in line and 'cpython' not in line)
    body = text[text.index(start):].split('\n}', 1)[0]
    assert len(re.findall('call void @NRT_decref', body)) < 25      # five arrays at seven exceptions were over 30
