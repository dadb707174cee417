"""Functions of SciPy under `jit`: in loops with their neighbours, as vectors where there are some of them."""
import numpy as np
import pytest
import scipy.special

import transpiler as tp
from tests.support import same

X = np.linspace(-1.5, 3.0, 23)


@pytest.mark.parametrize('name', ['erf', 'erfc', 'expit', 'gammaln', 'log_expit'])
def test_functions_of_elements_are_vectors(name):
    f = tp.from_source(f'import scipy.special\ndef f(x):\n    return scipy.special.{name}(x)\n')
    for x in X, X.astype(np.float32):
        text, found = tp.jit(f).lower(x).loops, tp.jit(f)(x)
        assert f'from transpiler_kernels.vector_math import {name}{"f" if x.dtype == np.float32 else ""}\n' in text
        assert 'vector_math' not in tp.jit(f, accurate=True).lower(x).loops
        assert found.dtype == x.dtype
        np.testing.assert_allclose(found, f(x), rtol=8 * np.finfo(x.dtype).eps, atol=8 * np.finfo(x.dtype).eps)


def test_primal_and_pullback_are_one_loop():
    def f(x):
        return np.sum(scipy.special.expit(x) * np.exp(-x * x))

    value_and_grad = tp.jit(tp.value_and_grad(f), parallel=False)
    assert value_and_grad.lower(X).loops.count('empty((') == 1  # what is given, and nothing on the way
    same(value_and_grad(X), tp.value_and_grad(f)(X))


def test_a_number_alone_takes_what_scipy_takes():
    def f(x):
        return scipy.special.erf(x) + scipy.special.expit(x)

    assert 'vector_math' not in tp.jit(f).lower(0.5).loops
    assert 'from transpiler_kernels.special.elementary import erf' in tp.jit(f).lower(0.5).loops
    assert tp.jit(f)(0.5) == f(0.5)


def test_vectors_do_not_stand_beside_calls():
    """The compiler would compute the exponentials of a loop one by one that calls a function of SciPy in every turn."""
    def f(x):
        return scipy.special.digamma(x) * x + np.exp(x)

    x = X + 2.0
    loops = tp.jit(f).lower(x).loops
    assert loops.count('for offset in range') == 2 and loops.count('in_parts(') == 2  # and both may be shared among threads
    same(tp.jit(f)(x), f(x))


def test_what_scipy_gives_twice_is_refused():
    def f(x):
        return scipy.special.fresnel(x)[0]

    with pytest.raises(tp.TranspileError, match='fresnel'):
        tp.jit(f)(X)


@pytest.mark.parametrize('dtype', ['bool', 'int8', 'int32', 'uint16', 'float32'])
def test_dtypes_are_those_of_scipy(dtype):
    """In loops, as whole arrays and as numbers: small integers become doubles."""
    def f(x):
        return scipy.special.expit(x), scipy.special.digamma(x), scipy.special.xlogy(x, 0.5) + x, scipy.special.erf(x[0])

    x = np.array([1, 3, 2]).astype(dtype)
    for found, expected in zip(tp.jit(f)(x), f(x), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=8 * np.finfo(expected.dtype).eps)
