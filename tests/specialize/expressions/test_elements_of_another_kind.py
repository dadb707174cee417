"""`b[i] += v` where the sum is of another dtype than the array: NumPy adds two numbers, and stores what comes out."""

import warnings

import numpy as np
import pytest

import transpiler as tp

I8, U8, I64 = np.array([5, -3, 7], np.int8), np.array([250, 3, 4], np.uint8), np.array([1, 2, 3])


def of_another_sign(b, a):
    b[1] += a[0]
    b[2] *= a[1]
    return b


def with_floats(b, a):
    b[0] += 1.7
    b[1] /= 2
    b[2] -= np.float64(0.5) * a[0]
    return b


def in_a_loop(b, a):
    for i in range(len(b)):
        b[i] *= 0.5
    return b


@pytest.mark.parametrize('f', [of_another_sign, with_floats, in_a_loop])
def test_elements_are_updated_as_numbers(mode, f):
    for b, a in ((U8, I8), (I64, I8), (I64, np.array([1, 2], np.uint64))):
        given, wanted = mode(f)(b.copy(), a), f(b.copy(), a)
        assert given.dtype == wanted.dtype and np.array_equal(given, wanted)


def test_the_same_for_all_examples():
    for b, a in ((U8, I8), (I64, np.array([1, 2], np.uint64))):
        given = tp.vmap(of_another_sign)(np.stack([b, b]), np.stack([a, a]))
        assert np.array_equal(given, np.stack([of_another_sign(b.copy(), a)] * 2)) and given.dtype == b.dtype


def complex_into_floats(x):
    y = x.copy()
    y[0] += 2j
    return y


def test_only_the_real_part_is_stored(mode):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        assert np.array_equal(mode(complex_into_floats)(np.ones(2)), np.ones(2))


def rounded(x):
    k = np.zeros(3, int)
    for i in range(3):
        k[i] += 2 * x[i]
    return np.sum(k * x)


def test_what_is_stored_as_an_integer_has_no_slope(mode):
    x = np.array([0.6, 1.6, 2.6])
    assert np.array_equal(mode(tp.grad(rounded))(x), [1.0, 3.0, 5.0])
    assert np.array_equal(mode(tp.jacfwd(rounded))(x), [1.0, 3.0, 5.0])


def a_slice(b):
    b[:2] += 1.7
    return b


def test_slices_are_refused_as_numpy_refuses_them():
    with pytest.raises(tp.TranspileError, match='in place'):
        tp.jit(a_slice)(I64.copy())
