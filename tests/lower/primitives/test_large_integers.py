"""Integers that floats do not hold: compared, raised to powers and multiplied compiled as NumPy does it."""
import numpy as np
import pytest

import transpiler as tp

UNSIGNED = np.array([0, 1, 5, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1], np.uint64)
SIGNED = np.array([0, 1, -1, 5, -5, 2**53, 2**53 + 1, 2**63 - 1, 2**63 - 2, -2**63], np.int64)
COMPARED = ('==', '!=', '<', '<=', '>', '>=')


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize('signed', [SIGNED, SIGNED.astype(np.int32)], ids=['int64', 'int32'])
def test_unsigned_ones_beside_others(signed):
    """Numba compares them as floats, to which 2**53 + 1 is 2**53."""
    lines = ''.join(f'    flags[{k}, i] = x[i] {symbol} y[i]\n' for k, symbol in enumerate(COMPARED))
    each = ', '.join(f'x {symbol} y, y {symbol} x, x[0] {symbol} y, x {symbol} y[0]' for symbol in COMPARED)
    f = tp.from_source(f'import numpy as np\ndef f(x, y):\n  flags = np.zeros(({len(COMPARED)}, x.size), bool)\n'
                       f'  for i in range(x.size):\n{lines}  return flags, {each}\n')
    x, y = (part.ravel() for part in np.meshgrid(UNSIGNED, signed))
    assert_same(tp.jit(f)(x, y), f(x, y))


@pytest.mark.parametrize('number', [-1, 5, 2**53, 2**63 - 1, np.int64(-1), np.int64(2**63 - 1), np.int8(-1)], ids=repr)
def test_unsigned_ones_beside_numbers(number):
    def f(x, n):
        return x == n, n != x, x < n, n <= x, x > n, n >= x, x[4] > n, x[4] == n
    assert_same(tp.jit(f)(UNSIGNED, number), f(UNSIGNED, number))


def powers(x, y):
    out = x.copy()
    for i in range(x.size):
        out[i] = x[i] ** y[i]
    return out, x ** y, np.power(x, y[0]), x ** 3


@pytest.mark.parametrize('dtype', [np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64])
def test_large_powers_wrap_around(dtype):
    """Numba's own are floats' powers from the exponent 2**16 on."""
    x, y = np.array([3, 5, 7, 2, 9, 0, 1]), np.array([70_000, 65_536, 100_000, 3, 2**30 + 1, 5, 2**31 - 1])
    if dtype is np.uint64:
        y[0] = -1   # the largest one
    x, y = x.astype(dtype), y.astype(dtype) if dtype is np.uint64 else np.abs(y.astype(dtype))
    assert_same(tp.jit(powers)(x, y), powers(x, y))


def multiples(x, y):
    return np.lcm(x, y), np.lcm(x[0], y[0]), np.lcm(x, 4), np.gcd(x, y), np.left_shift(x, 3), np.right_shift(x, y)


@pytest.mark.parametrize('dtype', [np.uint64, np.int64, np.int32, np.uint8])
def test_least_common_multiples(dtype):
    x, y = np.array([-2, 2**63 - 1, 2**62 - 1, 12, 0, -6]), np.array([1, 2, 7, -8, 5, 4])
    x, y = x.astype(dtype), y.astype(dtype)
    assert_same(tp.jit(multiples)(x, y), multiples(x, y))


def test_signs_of_small_ones():
    """NumPy takes them for numbers of half precision, which Numba has not."""
    def f(x, y, flags):
        return np.signbit(x), np.signbit(y), np.signbit(flags)
    given = np.array([1, -1, -128], np.int8), np.array([0, 255], np.uint8), np.array([True, False])
    assert_same(tp.jit(f)(*given), f(*given))
