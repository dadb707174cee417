"""Trap 42: a derivative divides by zero as the program does: NumPy's numbers give an infinity, Python's raise."""

import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, 0.3, -2.0])


def total(x, n):
    return np.sum(x) / n


def item(x, n):
    return x[0] / n


def items(x, n):
    return np.sum(x / n)


def counted(x, n):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s / n


def halves(x, a):
    return a / 2.0 * x[0] / a


def constant_divisor(x, n):
    q = 1.0 - 1.0
    y = x * 2
    return y[1] / q


def squared(x, n):
    return (np.sum(x) / n) ** 2 / n


@pytest.mark.parametrize('f, n, slope', [
    (total, 0, [np.inf] * 3), (item, 0, [np.inf, 0.0, 0.0]), (items, 0, [np.inf] * 3), (counted, 0, [np.inf] * 3),
    (halves, 0.0, [np.nan, 0.0, 0.0]), (constant_divisor, 1, [0.0, np.inf, 0.0])])
def test_numpys_numbers_give_infinity(f, n, slope, mode):
    with np.errstate(all='ignore'):
        np.testing.assert_array_equal(mode(tp.grad(f))(X, n), slope)
        _, moved = mode(lambda x, n: tp.jvp(lambda x: f(x, n), (x,), (np.ones(3),)))(X, n)
        assert not np.isfinite(moved)


def test_of_second_order(mode):
    with np.errstate(all='ignore'):
        assert not np.isfinite(mode(tp.hessian(squared))(X, 0)).any()


def python_number(a, b):
    return a / b


def python_factor(x, a):
    return np.sum(x * (2.0 / a))


@pytest.mark.parametrize('f, given', [(python_number, (1.0, 0.0)), (python_factor, (X, 0.0))])
def test_pythons_numbers_raise(f, given, mode):
    with pytest.raises(ZeroDivisionError):
        mode(f)(*given)
    with pytest.raises(ZeroDivisionError):
        mode(tp.grad(f))(*given)


@pytest.mark.parametrize('f', [np.mean, np.var, lambda x: np.sum(x) / len(x), lambda x: np.mean(x * x)])
def test_of_no_items(f):
    with np.errstate(all='ignore'):
        assert tp.grad(lambda x: f(x))(X[:0]).shape == (0,)


def test_halves_are_single(mode):
    slope = mode(tp.grad(total))(X.astype(np.float32), 3)
    assert slope.dtype == np.float32
    np.testing.assert_array_equal(slope, np.full(3, np.float32(1) / 3))


def test_ordinary_texts_say_nothing_of_it():
    def f(x: 'float64[n]', n: int):
        return np.sum(x * x) / n
    assert 'x_bar = 2 * x / n' in tp.grad(f).source
