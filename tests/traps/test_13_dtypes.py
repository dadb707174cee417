"""Trap 13: float32 in means float32 all the way, as NumPy 2 promotes, saved values too."""
import math

import numpy as np
import pytest

import transpiler as tp
from tests.support import check, numeric_grad, same
from transpiler.errors import UnsafeMutation


def doubled(x):
    return np.sum(x * 2.0)


def rectified(x):
    return np.sum(np.maximum(x, 0.0) * x)


def sigmoid(x):
    return np.sum(1.0 / (1.0 + np.exp(-x)))


def summed_in_a_loop(x):
    s = 0.0
    for i in range(x.size):
        s += x[i] * x[i]
    return s


def saved_in_a_loop(x):
    p = 1.0
    for i in range(x.size):
        p = p * x[i] + 0.5
    return p


def saved_on_a_tape(x):
    y = x[0]
    while y < 50.0:
        y = y * y + 1.0
    return y


def mean_and_deviation(x):
    return np.mean(x) / (1.0 + np.std(x)) + x.sum() / x.size + math.sqrt(2) * x[0]


def with_a_local_array(x):
    a = np.zeros_like(x)
    for i in range(x.size):
        a[i] = x[i] * 3 + 1.5
    return np.sum(a * a) / 7


def with_powers(x):
    return np.sum(x ** 2 + x ** 3 + abs(x) ** 1.5) - np.dot(x, x)


def with_a_branch(x):
    total = x[0] * 0
    for i in range(x.size):
        if x[i] > 0.5:
            total = total + np.sin(x[i])
        else:
            total = total - 2 * x[i]
    return total


FUNCTIONS = [doubled, rectified, sigmoid, summed_in_a_loop, saved_in_a_loop, saved_on_a_tape, mean_and_deviation,
             with_a_local_array, with_powers, with_a_branch]
X = np.array([0.7, 1.2, 0.3, 2.1])


@pytest.mark.parametrize('f', FUNCTIONS)
def test_single_precision(mode, f):
    x = X.astype(np.float32)
    value, gradient = mode(tp.value_and_grad(f))(x)
    assert gradient.dtype == np.float32
    assert np.asarray(value).dtype == np.float32 == f(x).dtype
    same(gradient, numeric_grad(f, (X,)), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize('f', [rectified, sigmoid, saved_in_a_loop])
def test_second_order_in_single_precision(mode, f):
    def slope(x):
        return np.sum(tp.grad(f)(x))
    gradient = mode(tp.grad(slope))(X.astype(np.float32))
    assert gradient.dtype == np.float32
    same(gradient, numeric_grad(slope, (X,)), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize('f', FUNCTIONS)
def test_compiled_values_have_numpys_dtype(f):
    x = X.astype(np.float32)
    value = tp.jit(f)(x)
    assert np.asarray(value).dtype == np.float32
    same(value, f(x), rtol=1e-5)


@pytest.mark.parametrize('dtype', [np.float32, np.float64])
def test_numpy_scalars_keep_their_dtype(mode, dtype):
    def cubic(x):
        return x * x * x * 2.0 + 1
    value, gradient = mode(tp.value_and_grad(cubic))(dtype(1.5))
    assert np.asarray(value).dtype == np.asarray(gradient).dtype == dtype
    same(gradient, 13.5)


def test_mixed_precision_promotes(mode):
    def mixed(x, y):
        return np.sum(x * y)
    value, (x_bar, y_bar) = mode(tp.value_and_grad(mixed, argnums=(0, 1)))(X.astype(np.float32), X)
    assert np.asarray(value).dtype == np.float64
    assert x_bar.dtype == np.float32 and y_bar.dtype == np.float64


def test_intermediate_values_are_single_too(mode):
    """1e20 ** 2 overflows in float32: a hidden float64 would give a finite result."""
    def scaled(x):
        return np.sum(x * x * 1e-30)
    with np.errstate(over='ignore'):
        value, _ = mode(tp.value_and_grad(scaled))(np.full(3, 1e20, dtype=np.float32))
    assert np.isinf(value)


def test_strong_scalars_promote(mode):
    def scaled(x, factor):
        return np.sum(x * factor)
    assert np.asarray(mode(tp.value_and_grad(scaled))(X.astype(np.float32), np.float64(2.0))[0]).dtype == np.float64
    assert np.asarray(mode(tp.value_and_grad(scaled))(X.astype(np.float32), 2.0)[0]).dtype == np.float32


def test_one_transformed_function_serves_both(mode):
    gradient = mode(tp.grad(sigmoid))
    assert gradient(X).dtype == np.float64
    assert gradient(X.astype(np.float32)).dtype == np.float32
    assert gradient(X).dtype == np.float64


def filled_with_a_sum(a, x):
    if x[0] > 100.0:
        a += x[0]
    return np.sum(x * np.full(4, a))


def sine_of_a_sum(x, n):
    s = 0.0
    for i in range(n):
        s = s + x[i]
    return np.sum(x * np.sin(s))


@pytest.mark.parametrize('f, args, number', [
    (filled_with_a_sum, (1.5, X), 1), (sine_of_a_sum, (X, 0), 0), (sine_of_a_sum, (X, 2), 0),
])
def test_a_number_of_python_that_met_no_array(f, args, number, mode):
    """`a` is a float of Python on one path, a float32 on the other: what NumPy makes of the former is float64."""
    single = tuple(a.astype(np.float32) if isinstance(a, np.ndarray) else a for a in args)
    gradient = mode(tp.grad(f, argnums=number))(*single)
    assert gradient.dtype == np.float32
    same(gradient, tp.grad(f, argnums=number)(*args).astype(np.float32), rtol=1e-5)


def chosen(x, flag):
    a = np.array([2 if flag else x[0]])
    a[0] += 0.5
    return a[0] * x[1]


def summed(x, n):
    s = 0
    for i in range(n):
        s += x[i]
    rows = np.full(3, s)
    part = rows[1:]
    part[0] = 1.5
    return np.sum(rows)


def of_a_list(x, low):
    a = np.array([sum([v for v in x if v > low]), 1])
    a[:] = 0.5 * x[0]
    return np.sum(a)


@pytest.mark.parametrize('f, args', [(chosen, (X, True)), (summed, (X, 0)), (of_a_list, (X, 100.0))])
def test_an_array_that_may_be_one_of_integers(f, args):
    """NumPy rounds what is stored there, on one of the paths."""
    with pytest.raises(UnsafeMutation, match='may be an array of integers'):
        tp.grad(f)(*args)


def surely_floats(x, n):
    s = 0
    for i in range(n):
        s += x[i]
    a, b, c = np.array([s, 1.0]), np.exp(np.full(3, s)), np.array([s, s], dtype=float)
    a[0] = b[0] = c[0] = x[0]
    counts = np.array([n, 2])
    counts[1] = n
    return np.sum(a) * np.sum(b) * np.sum(c) + counts[1] * s


def test_integers_that_have_met_floats(mode):
    check(mode, surely_floats, X, 2)
    check(mode, surely_floats, X, 0)


@pytest.mark.parametrize('made', ['t * 1.0', 't + 0.0', '1.0 * t', 't / 1.0', 'abs(t) * 1.0', 'float(t)'])
def test_a_float_for_sure_is_not_simplified_to_what_may_be_an_integer(made, mode):
    f = tp.from_source(f"""import numpy as np
def f(x, n):
    t = n
    s = 0.0
    for v in x:
        a = np.full(2, {made})
        a[0] = 0.5 * v
        s += a[0] * v
        t += 1.0
    return s
""")
    assert f(X, 3) == tp.value_and_grad(f)(X, 3)[0]
    check(mode, f, X, 3)
