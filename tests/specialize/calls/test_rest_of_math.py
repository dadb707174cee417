"""The functions of `math` that NumPy has no name for, or another one: exact sums, parts of floats, integers of loops."""
import math

import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler_kernels.reductions.exact_sums import rounded_once

X = np.array([1.5, 2.25, -3.7])


def exact(x):
    positive = []
    for v in x:
        if v > 0:
            positive.append(v)
    products = (a * b for a, b in zip(x, x[1:], strict=False))
    return math.fsum(x) * math.fsum([v * v for v in x]) + math.fsum(positive) * math.fsum(products) + math.fsum([x[0], 1])


def cancelling(x):
    return math.fsum((1e16, 1.0, x[0], -1e16)) + math.fsum([])


def parts_of_floats(x):
    fraction, whole = math.modf(x[2] * x[0])
    mantissa, exponent = math.frexp(x[1])
    total = fraction * x[0] + whole * x[1] + mantissa * x[2] + exponent * math.ldexp(x[0], exponent)
    return total + math.remainder(x[2], x[0]) * x[1] + math.nextafter(x[0], 2.0) + math.ulp(x[1])


def integers_of_loops(x):
    total = 0.0
    for i in range(len(x)):
        total += math.gcd(i, 6) * x[i] + math.lcm(i + 1, 4) * x[i] ** 2 + x[i] / math.factorial(i) * math.comb(4, i)
        total += math.isqrt(i + 8) * math.perm(5, i) * x[i] ** 3
    return total


@pytest.mark.parametrize('f', [exact, cancelling, parts_of_floats, integers_of_loops])
def test_values_and_derivatives(mode, f):
    assert np.isclose(mode(tp.vmap(f))(X[None])[0], f(X), rtol=1e-15)
    check(mode, f, X)


EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0**-1074, 1.7e308, 3e-310, math.nextafter(1.0, 0.0), math.nextafter(4.0, 5.0), -7.25, 1e16]


REMAINDERS = [lambda a: math.remainder(a, 2.5), lambda a: math.remainder(5.0, a)]


@pytest.mark.parametrize('f', [math.frexp, math.modf, math.ulp, *REMAINDERS], ids=['frexp', 'modf', 'ulp', 'left', 'divided'])
def test_values_at_the_ends_of_the_range(f):
    compiled = tp.jit(lambda a: f(a))
    for a in EDGES:
        try:
            expected = f(a)
        except ValueError:
            continue
        assert repr(compiled(a)) == repr(expected), a


def test_sums_are_rounded_once():
    rng = np.random.default_rng(0)
    for k in range(300):
        x = rng.standard_normal(rng.integers(1, 30)) * 2.0 ** rng.integers(-60, 60)
        x = np.concatenate([x, -x[: x.size // 2]]) if k % 2 else rng.integers(-4, 4, 20) * 2.0 ** rng.integers(-54, 54, 20)
        assert rounded_once(x) == math.fsum(x)
    assert rounded_once(np.array([1e308, 1e308])) == np.inf


INTEGERS = {
    'gcd': (lambda a, b: math.gcd(int(a), int(b)), [(0, 0), (-4, 0), (12, 18), (0, 5), (-12, 18), (-12, -27)]),
    'lcm': (lambda a, b: math.lcm(int(a), int(b)), [(4, 6), (0, 5), (-4, 6)]),
    'one': (lambda a, b: math.gcd(int(a)) + math.lcm(int(b)), [(-4, -6), (0, 0)]),
    'factorial': (lambda a, b: math.factorial(int(a)), [(0, 0), (1, 0), (10, 0), (-1, 0)]),
    'comb': (lambda a, b: math.comb(int(a), int(b)), [(5, 2), (5, 0), (2, 5), (30, 15), (-1, 2)]),
    'perm': (lambda a, b: math.perm(int(a), int(b)), [(5, 2), (5, 5), (2, 5), (5, -1)]),
    'isqrt': (lambda a, b: math.isqrt(int(a)), [(k, 0) for k in (0, 1, 2, 3, 4, 99, 10**12 + 1, -1)]),
}


@pytest.mark.parametrize('name', INTEGERS)
def test_integers_that_run_time_knows(mode, name):
    function, examples = INTEGERS[name]
    found = mode(tp.vmap(function))
    for a, b in examples:
        try:
            expected = function(a, b)
        except ValueError:
            with pytest.raises(ValueError):
                found(np.array([a]), np.array([b]))
        else:
            assert found(np.array([a]), np.array([b]))[0] == expected


def test_an_integer_that_is_a_float():
    with pytest.raises(TypeError, match='float'):
        tp.grad(lambda x: math.gcd(x[0], 2) * x[1])(X)


def test_the_class_of_a_generator():
    assert tp.grad(lambda x: 1.0 if isinstance((v for v in x), list) else x[0])(X)[0] == 1.0


def remainders(x, base, mod):
    seed, total = 5, 0.0
    for i in range(len(x)):
        seed = pow(seed, i + 2, 1_000_003)
        total += x[i] * pow(base, i, mod=mod) + seed % 7 * x[i] ** 2 + pow(x[i], 3, None) * pow(3, -i, 7)
    return total


def test_powers_modulo(mode):
    check(mode, remainders, X, 7, 12)

    def power(base, exponent, mod):
        return pow(base, exponent, mod)
    compiled = tp.jit(power)
    for base in (0, 1, -3, 12345):
        for exponent in (0, 1, 13, 70_000, -1, -5):
            for mod in (1, 7, -7, 12, 1_000_003, 0):
                try:
                    expected = power(base, exponent, mod)
                except ValueError as error:
                    with pytest.raises(ValueError) as raised:
                        compiled(base, exponent, mod)
                    assert str(raised.value) == str(error)
                else:
                    assert compiled(base, exponent, mod) == expected


def test_flags_are_divided_as_integers():
    """Rounded once: as a float, 2**53 + 1 is another number."""
    def f(flag, n):
        return flag / n, n / flag
    assert tp.jit(f)(True, 2**53 + 1) == f(True, 2**53 + 1)
