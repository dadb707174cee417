"""Python's integers that share a name, or a list, with floats keep all their digits, and divide as integers do."""
import numpy as np
import pytest

import transpiler as tp

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')
LONG, X, ZEROS = 2**53, np.array([3.0, 1.0, 2.0]), np.zeros(3)


def on_a_path(x, n):
    a = 2**53 + 1
    for i in range(n):
        if x[i] > 20:
            a = x[i]
    return x[0] * (a - 2**53)


def added_to(x, n):
    a = 1
    for i in range(n):
        if x[i] > 20:
            a = x[i]
    return x[0] * (a + 2**53 - 2**53)


def counted(x, n):
    c = 0
    for i in range(n):
        if x[i] > 2:
            c += 1
        else:
            c += x[i]
    return c * x[0] + (n * c + 2**53 - 2**53) * x[1]


def unknown(x, n):
    a = n if x[0] > 1 else x[0]
    b = max(n * 2**52 + 1, x[0])
    return x[0] * (a + 2**53 - 2**53) + (b - 2**53) * x[1]


def kept_elsewhere(x, n):
    d, k = {'a': 2**53 + 1, 'f': True}, float(x[0])
    for i in range(n):
        if x[i] > 20:
            d['a'], d['f'] = x[i], k
    c = 2**53 + 1 if k < 20 else k
    return (d['a'] - 2**53) * x[0] + (d['f'] + 2**53 - 2**53) * x[1] + c % 2


def early(x):
    if x[0] > 20:
        return x[0]
    return 2**53 + 1


def returned(x, n):
    return (early(x) - 2**53) * x[0] * x[n % 3]


def rotated(x, n):
    a, b, i = 2**53 + 1, x[0], 0
    while i < n:
        a, b, i = b, a, i + 1
    return x[0] * (a - 2**53) + abs(b)


def exact(x, n):
    a = 7
    for i in range(n):
        if x[i] > 20:
            a = x[i] * 1j
        else:
            a = a * n + 2**53
    return x[0] * abs(a - 2**54) + abs(a - 2**54 - 2**53) * x[1]


def compared(x, n):
    a = 2**53 + 1
    for i in range(n):
        if x[i] > 20:
            a = x[i]
    return x[0] if a == 2**53 else x[1] * x[2]


SLOPES = {counted: [2, 9, 0], exact: [2**53 + 28, 28, 0]}     # differences round
FUNCTIONS = (on_a_path, added_to, counted, unknown, kept_elsewhere, returned, rotated, exact, compared)


def slope(function, x):
    """Differences at a place where it is a polynomial of a low degree, from numbers that floats hold."""
    return np.array([(function(x + e) - function(x - e)) / 0.5 for e in np.eye(x.size) / 4])


@pytest.mark.parametrize('function', FUNCTIONS, ids=lambda f: f.__name__)
def test_all_digits(mode, function):
    value, gradient = mode(tp.value_and_grad(function))(X, 2)
    assert value == function(X, 2)
    np.testing.assert_allclose(gradient, SLOPES.get(function) or slope(lambda x: function(x, 2), X), rtol=1e-12)
    if not mode.compiled:
        primal, tangent = tp.jvp(lambda x: function(x, 2), (X,), (np.ones(3),))
        assert primal == value and np.isclose(tangent, gradient.sum(), rtol=1e-12)
        batch = np.stack([X, X + 0.25])
        assert np.array_equal(tp.vmap(function, in_axes=(0, None))(batch, 2), [function(x, 2) for x in batch])


@pytest.mark.parametrize('dtype', [np.float32, np.float64])
def test_single_precision_holds_fewer(dtype):
    def on_a_path(x, n):
        a = 2**24 + 1
        for i in range(n):
            if x[i] > 20:
                a = x[i]
        return x[0] * (a - 2**24)

    x = X.astype(dtype)
    value, gradient = tp.value_and_grad(on_a_path)(x, 2)
    assert value == 3 and value.dtype == dtype and list(gradient) == [1, 0, 0] and gradient.dtype == dtype
    assert tp.vmap(on_a_path, in_axes=(0, None))(x[None], 2) == 3


def test_single_precision_stays_in_derivatives_inside(mode):
    def function(x, n):
        return tp.grad(lambda y: y * y * (2**53 + 1 if y > 0 else y))(x[1]) * n

    assert mode(function)(X.astype(np.float32), 2).dtype == np.float32


def test_second_derivatives(mode):
    def function(x, n):
        a = 2**53 + 1 if x[1] < 20 else x[1]
        return x[0]**2 * (a - 2**53) * n

    assert mode(tp.hessian(function))(X, 2)[0, 0] == 4


def divided(x, n):
    a = 0
    for i in range(n):
        if x[i] > 2:
            a = x[i]
    return x[0] / a


def test_numpys_number_is_divided_by_zero(mode):
    value, gradient = mode(tp.value_and_grad(divided))(ZEROS, 2)
    assert np.isnan(value) and gradient[0] == np.inf
    assert np.isnan(tp.jvp(lambda x: divided(x, 2), (ZEROS,), (np.ones(3),))[1])
    assert tp.grad(lambda x, n: np.sum(x / (0 if n else x[0])))(X, 2)[0] == np.inf


def test_pythons_number_is_not(mode):
    def inverse(x, n):
        a = 0
        for i in range(n):
            if x[i] > 20:
                a = x[i]
        return x[0] * (1 / a)

    for function in (mode(inverse), mode(tp.value_and_grad(inverse))):
        with pytest.raises(ZeroDivisionError):
            function(X, 2)
    with pytest.raises(ZeroDivisionError):
        tp.vmap(inverse, in_axes=(0, None))(X[None], 2)


def test_negative_zero_is_none_of_pythons_integers(mode):
    def negated(x, n):
        a = 0
        for i in range(n):
            if x[i] > 20:
                a = x[i]
        return x[0] / -a

    assert mode(negated)(X, 2) == np.inf


def grown(first, x, n):
    t = list(first)
    for i in range(n):
        t.append(x[i])
    return t


def test_ordinary_programs_have_one_variable_and_one_list():
    def summed(x, n):
        s, best, t = 0, 0, [0]
        for i in range(n):
            s += x[i] * x[i]
            t.append(x[i] * t[-1] + 1.0)
            if x[i] > best:
                best = x[i]
        return s * x[0] + best * x[1] + sum(t)

    def listed(x, n):
        u = grown([1], x, n)
        return max(u) + np.array(u)[-1] + u[0] * 3 * x[0] + sum(u) / 2

    for transform in (tp.jit, tp.value_and_grad):
        text = transform(summed).lower(X, 2).source
        assert 's = 0.0\n' in text and 'best = 0.0\n' in text
    for function in (summed, listed):
        assert 'kind' not in tp.jit(function).lower(X, 2).loops
        assert np.isclose(tp.vmap(function, in_axes=(0, None))(X[None], 2)[0], function(X, 2), rtol=1e-15)


def test_text_says_what_the_program_says():
    text = tp.grad(on_a_path).lower(X, 2).source
    assert 'a = 9007199254740993\n' in text and 'a - 9007199254740992' in text


@pytest.mark.parametrize('take', [
    lambda t, x: (t[0] - 2**53) * x[0], lambda t, x: (max(t) - 2**53) * x[0], lambda t, x: 1 / t[1] * x[0],
    lambda t, x: x[0] + 5 % t[1], lambda t, x: (t[2] ** 20 % 7) * x[0], lambda t, x: (sum(v * 2**52 for v in t[1:3]) + 1) * x[0],
    lambda t, x: (sum(t[:2]) - 2**53) * x[0], lambda t, x: (t[3] + 2**53 - 2**53) * x[0],
])
def test_items_of_lists_of_run_time_length(take):
    """Generated Python does what Python does; other code has one type for all items, and refuses where it matters."""
    def function(x, n, zero=1):
        return take(grown([2**53 + 1, zero, 10, n], x, n), x)

    assert tp.value_and_grad(function)(X, 2)[0] == function(X, 2)
    for transform in (tp.jit(function), lambda x, n: tp.vmap(function, in_axes=(0, None))(x[None], n)):
        with pytest.raises(tp.TranspileError, match="a number is Python's int or float64 here"):
            transform(X, 2)


def test_integers_are_rounded_to_themselves(mode):
    def function(x, n):
        a, k = 2**53 + 1, float(x[1])
        for i in range(n):
            if x[i] > 20:
                a = x[i]
        b = 2**53 + 1 if k < 20 else k
        return x[0] * (round(a) - 2**53) + x[1] * (int(a) - 2**53) + x[2] * (round(b) - 2**53)

    value, gradient = mode(tp.value_and_grad(function))(X, 2)
    assert value == function(X, 2) == 6 and list(gradient) == [1, 1, 1]


@pytest.mark.parametrize('n', [0, 2])
def test_what_a_loop_has_made_a_float_is_rounded(mode, n):
    def function(x, n):
        c = n + 2**53 + 1
        for i in range(n):
            c = c * 0.5
        return x[0] * (round(c) - 2**51)

    assert mode(tp.value_and_grad(function))(X, n)[0] == function(X, n)
    assert tp.vmap(function, in_axes=(0, None))(X[None], n) == function(X, n)


def test_small_integers_on_a_list_are_computed_with(mode):
    def function(x, n):
        t = [1, 2, 3]
        for i in range(n):
            t[i] = t[i] * x[i]
        return t[0] + t[1] * t[2] + (t[1] + t[2]) / 2

    assert mode(tp.value_and_grad(function))(X, 2)[0] == function(X, 2) == 11.5


def between(x, low, high, n):
    if n == 0:
        return low
    middle = (low + high) / 2
    return between(x, middle, high, n - 1) if middle * middle < x[0] else between(x, low, middle, n - 1)


def test_integers_become_floats_of_functions_that_call_themselves_if_these_hold_them(mode):
    def function(x, high, n):
        return between(x, 0, high, n) * x[0]

    f = mode(function)
    assert f(X, 5, 3) == function(X, 5, 3)
    if mode.compiled:
        with pytest.raises(OverflowError, match='more digits than a float holds'):
            f(X * 1e40, 2**53 + 1, 3)
    with pytest.raises(tp.TranspileError, match="a number is Python's int or float64"):
        tp.jit(lambda x, n: last(x, n) - 2**53)(X, 2)


def last(x, n):
    if n == 0:
        return 2**53 + 1
    return x[n] if x[n] > 20 else last(x, n - 1)
