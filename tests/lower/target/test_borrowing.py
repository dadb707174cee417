"""Functions that programs call: lent arrays, whole powers, and sums that wait for additions only."""
import sys
import tracemalloc

import numpy as np
import pytest

import transpiler as tp

X = np.linspace(0.2, 1.4, 9)


def halves(x, low, high):
    if high - low == 1:
        return x[low]
    middle = (low + high) // 2
    return halves(x, low, middle) + 0.5 ** (middle - low) * halves(x, middle, high)


def by_halves(x, n):
    return halves(x, 0, n)


def without_first(x, n):
    return x if n == 0 else without_first(x[1:], n - 1)


def last_of_new(x, n):
    rest = without_first(2.0 * x, n)
    return rest * rest[0]


def smaller(x, n):
    if n == 0:
        return 0.0
    half = 0.5 * x
    return half[0] + smaller(half, n - 1) + half[-1]


def of_new(x, n):
    return smaller(np.sin(x), n)


def test_what_a_function_calls_itself_with_is_lent():
    for f in (by_halves, of_new):
        assert ' = lent(x)' in tp.jit(f).lower(X, 9).loops
        assert tp.jit(f)(X, 9) == pytest.approx(f(X, 9), rel=1e-14)
        np.testing.assert_allclose(tp.jit(tp.grad(f))(X, 9), tp.grad(f)(X, 9), rtol=1e-13)


def test_what_a_function_gives_back_is_not_lent():
    """Nobody else holds the array that the view is of, once the function is done."""
    f = tp.jit(last_of_new)
    assert 'lent' not in f.lower(X, 3).loops
    for _ in range(100):
        found, _ = f(X, 3), np.full(9, np.nan)
        np.testing.assert_array_equal(found, last_of_new(X, 3))


@pytest.mark.parametrize('f, n', [(by_halves, 1000), (of_new, 5)], ids=['by_halves', 'of_new'])
def test_lent_arrays_are_let_go_of_by_those_that_hold_them(f, n):
    """The argument once each call is over, and arrays that a function makes and calls itself with."""
    jitted, x = tp.jit(f), np.linspace(0.2, 1.4, 100_000)
    jitted(x, n)
    held = sys.getrefcount(x)
    tracemalloc.start()
    for _ in range(10):
        jitted(x, n)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sys.getrefcount(x) == held and kept < x.nbytes


def power(x, n):
    return x**n if n > -4 else 0.0


@pytest.mark.parametrize('x', [0.3, -1.7, 0.0, -0.0, np.inf, -np.inf, np.nan, 1e200, 5e-324])
@pytest.mark.parametrize('n', [1, 2, 3, 0, 17])
def test_whole_powers(x, n):
    f = tp.jit(power)
    assert 'kernels.arithmetic.powers import whole_power' in f.lower(x, n).loops
    with np.errstate(over='ignore'):
        wanted = np.power(x, float(n))
    np.testing.assert_allclose(f(x, n), wanted, rtol=3e-16)
    assert np.isnan(wanted) or np.signbit(f(x, n)) == np.signbit(wanted)


def near(x, order, cutoff):
    total = 0.0
    for i in range(order.size):
        for j in range(i):
            r = x[order[i]] - x[order[j]]
            if r < cutoff:
                total += r * r
    return total


def rows(x, order, cutoff):
    total = 0.0
    for i in range(order.size):
        row = cutoff
        for j in range(i):
            row += x[order[j]] * x[i]
        total += row
    return total


def in_order(x, order, cutoff):
    total = 0.0
    for i in range(order.size):
        for j in range(i):
            total += x[j] * x[i] * cutoff
    return total


@pytest.mark.parametrize('f, apart', [(near, True), (rows, True), (in_order, False)], ids=['near', 'rows', 'in_order'])
def test_products_are_computed_apart_where_a_sum_waits_for_them(f, apart):
    order = np.array([3, -1, 0, 0, 7, -9])
    jitted, free = tp.jit(f), tp.jit(f, fastmath=True)
    assert (' plus(' not in jitted.lower(X, order, 0.4).loops) == ('once(' in free.lower(X, order, 0.4).loops) == apart
    assert jitted(X, order, 0.4) == pytest.approx(f(X, order, 0.4), rel=1e-14)
    assert free(X, order, 0.4) == pytest.approx(f(X, order, 0.4), rel=1e-14)


@pytest.mark.parametrize('dtype', [np.int64, np.int32, np.int8, np.uint8, np.uint64])
def test_places_of_indices_of_any_type(dtype):
    def pick(x, order):
        total = 0.0
        for k in range(order.size):
            total += k * x[order[k]]
        return total

    jitted, order = tp.jit(pick), np.array([3, 8, 0, 3], dtype)
    assert 'position(' in jitted.lower(X, order).loops
    assert jitted(X, order) == pick(X, order)
    wrong = [9, 200] if np.dtype(dtype).kind == 'u' else [9, -10, 127]
    for index in wrong:
        with pytest.raises(IndexError):
            jitted(X, np.array([0, index], dtype))
    if np.dtype(dtype).kind == 'i':
        assert jitted(X, np.array([-9, -1], dtype)) == pick(X, np.array([-9, -1], dtype))
