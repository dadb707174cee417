"""Integers: powers that Python gives as numbers with a point, and what is too long for 64 bits."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, check

X = np.array([1.5, 2.0, 3.0])


def negative_powers(x):
    total, p = 0.0, -1
    for k in range(1, x.size + 1):
        total += x[0] * k**-2 + x[1] * 2**-k + x[2] * pow(k, -1) + x[0] * k**p + x[1] * 2**k
    return total * x.size**-1


def test_negative_powers(mode):
    check(mode, negative_powers, X)


@pytest.mark.parametrize('f', [lambda x, k: x * 2**k, lambda x, k: x * np.sum(np.arange(1, 4)**np.int64(k))])
def test_powers_that_turn_out_negative_are_no_integers(f, mode):
    assert mode(tp.grad(f))(1.5, 3) == f(1.0, 3)
    with pytest.raises(ValueError, match='negative'):
        mode(tp.grad(f))(1.5, -1)


def factorial(x, n):
    total, k_fact = 0.0, 1
    for k in range(1, n):
        k_fact *= k
        total += x**k / k_fact
    return total


def fibonacci(x, n):
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return x * (b / a)


def doubled(x, n):
    c = 1
    while n > 0:
        c = c * 2
        n -= 1
    return x / (c * 3)


@pytest.mark.parametrize('f', [factorial, fibonacci, doubled, lambda x, n: x / (1 << n), lambda x, n: x / 2**n])
def test_integers_too_long_for_compiled_code_are_missed(f):
    gradient = JIT(tp.value_and_grad(f))
    np.testing.assert_allclose(gradient(1.5, 12)[0], f(1.5, 12), rtol=1e-14)
    with pytest.raises(OverflowError):
        gradient(1.5, 95)


def test_zero_shifted_by_more_than_a_word():
    """What a machine makes of such a shift is anything at all: the process ended."""
    def shifted(n, k):
        return (n << 70) ** 5, ((n << k) + 3) ** 5, (n - 1) >> k

    compiled = tp.jit(shifted)
    for args in ((0, 70), (0, 3)):
        assert compiled(*args) == shifted(*args)
    with pytest.raises(OverflowError):
        compiled(1, 70)


def product_of(n):
    return 1 if n == 0 else n * product_of(n - 1)


def gathered(n, product):
    return product if n == 0 else gathered(n - 1, product * n)


@pytest.mark.parametrize(('f', 'n'), [
    (lambda x, n: x / product_of(n), 30), (lambda x, n: x / gathered(n, 1), 30), (lambda x, n: x / (n + 0)**3 + n**2, 10**7)])
def test_integers_that_calls_and_powers_make_too_long_are_missed(f, n):
    gradient = JIT(tp.value_and_grad(f))
    np.testing.assert_allclose(gradient(1.5, 12)[0], f(1.5, 12), rtol=1e-14)
    with pytest.raises(OverflowError):
        gradient(1.5, n)


def bits_of_flags(x):
    positive = x > 0
    return ~positive, ~(not positive), -positive, round(positive), positive + positive


def test_flags_of_python_are_numbers():
    for x in (1.0, -1.0):
        assert tp.jit(bits_of_flags)(x) == bits_of_flags(x)


@pytest.mark.parametrize('f', [lambda a: int(a), lambda a: round(a), lambda a: a.item()])
def test_integers_without_sign_that_are_too_long_for_those_with_one(f):
    """Numba compares them with the longest integer as floats, of which these are the same."""
    assert tp.jit(f)(np.uint64(2**63 - 1)) == 2**63 - 1
    for a in (2**63, 2**63 + 5, 2**64 - 1):
        with pytest.raises(OverflowError):
            tp.jit(f)(np.uint64(a))
