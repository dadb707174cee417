"""Loops of compiled code: reversed ones run forward where that gives the same, sums into one place are kept in numbers."""

import numpy as np
import pytest
import scipy.special

import transpiler as tp
from tests.support import JIT, check, copied
from transpiler.passes import checking


def product(a, b, c):
    for i in range(c.shape[0]):
        for k in range(a.shape[1]):
            for j in range(c.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(c * c)


def beyond_the_end(x):
    total = np.zeros(x.size)
    for i in range(x.size):
        for j in range(i + 1, min(i + 3, x.size)):
            total[i] += x[i + 1] * x[j] * x[j]
    return np.sum(total)


def prefix(x):
    for i in range(1, x.size):
        x[i] += np.sin(x[i - 1])
    return np.sum(x * x)


def scattered(x, where):
    y = np.zeros(3)
    for i in range(x.size):
        y[where[i]] += x[i] * x[i]
    for i in range(x.size):
        y[where[i]] *= x[i]
    return np.sum(y ** 3)


def chained(x):
    where = np.array([0, 1, 1, 0, 2, 1])
    for i in range(where.size - 1, -1, -1):
        where[where[i] % 6] += 1
    return np.sum(x[where % 6] * x)


def last_one(x):
    last = 0.0
    for i in range(x.size):
        if x[i] > 0:
            last = x[i] * x[i]
    return last * x[0]


X = np.array([0.5, 1.2, -0.7, 0.9, 1.1, 0.3])
A, B, C = (np.random.default_rng(0).normal(size=shape) for shape in ((3, 4), (4, 2), (3, 2)))


@pytest.mark.compiles
@pytest.mark.parametrize('f', (beyond_the_end, prefix, chained, last_one), ids=lambda f: f.__name__)
def test_vectors(f):
    check(JIT, f, X, order=2)


def test_a_product():
    check(JIT, product, A, B, C, argnums=(0, 1, 2))
    loops = tp.jit(tp.grad(product, argnums=(0, 1, 2))).lower(*copied((A, B, C))).loops
    inner = [line for line in loops.splitlines() if 'for j' in line]
    assert inner and not any('-1' in line for line in inner)
    assert 'sum_ +=' in loops


def test_scattered():
    check(JIT, scattered, X, np.array([0, 1, 0, 2, 1, 0]))


def test_what_depends_on_the_turn_before_stays_reversed():
    def products(x):
        for i in range(1, x.size):
            x[i] *= x[i - 1]
        return np.sum(x)
    assert ', -1)' in tp.jit(tp.grad(products)).lower(X).loops


def solved_by_rows(a, b):
    x = np.zeros(b.size)
    for i in range(b.size):
        x[i] = b[i]
        for j in range(i):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
    return np.sum(x * x)


def counted_from_the_end(x):
    y = np.zeros(x.size)
    for i in range(x.size):
        y[-1] = x[i]
        for j in range(x.size):
            y[j] += y[-1] * x[j]
    return np.sum(y)


def read_and_written(x, i):
    for j in range(x.size):
        x[j] += x[i] * x[i]
    return np.sum(x)


def read_if_there_is_a_turn(x, i, n):
    total = np.zeros(x.size)
    for j in range(n):
        total[j] += x[i] * x[i]
        x[j + 3] = 1.0
    return np.sum(total)


def test_what_a_loop_does_not_write_is_read_before_it():
    a, b = np.tril(A[:, :3] + 3.0 * np.eye(3)), C[:, 0].copy()
    check(JIT, solved_by_rows, a, b, argnums=(0, 1))
    assert ', -1)' not in str(tp.jit(tp.grad(solved_by_rows)).lower(a, b).loops).split('for i')[-1]


@pytest.mark.parametrize('f, args', [
    (counted_from_the_end, (X,)), (read_and_written, (X, 2)), (read_if_there_is_a_turn, (X, 2, 2))])
def test_what_a_loop_may_write_is_read_in_it(f, args):
    check(JIT, f, *args)


def test_nothing_is_read_for_a_loop_without_turns():
    assert tp.jit(read_if_there_is_a_turn)(X.copy(), 100, 0) == 0.0
    with pytest.raises(IndexError):
        tp.jit(read_if_there_is_a_turn)(X.copy(), 100, 1)


def rates(x, r, k, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = np.tanh(np.exp(r[k - 1])) * x[0] ** 0.3
    return y


def test_what_functions_of_loops_are_about_is_read_before_them():
    x, r = np.array([0.5, 2.0]), np.array([0.2, 0.3, 0.4])
    f = tp.jit(rates)
    np.testing.assert_allclose(f(x, r, 3, 4), rates(x, r, 3, 4), rtol=1e-14)
    assert f(x, r, 30, 0).size == 0
    with pytest.raises(IndexError):
        f(x, r, 4, 4)
    loop = str(f.lower(x, r, 3, 4).loops).split('for ')[1].split('\n\n')[0]
    assert 'x[' not in loop and 'r[' not in loop   # LLVM took 90 seconds to look at such a loop


def in_two_ways(x, table):
    for j in range(3):
        v = table[0, 2]
        table[..., j] += v * x[j]
    return np.sum(table)


def test_places_are_compared_axis_by_axis():
    check(JIT, in_two_ways, X[:3], A[:, :3].copy(), argnums=(0, 1))


def swung(theta, omega, length, dt, steps):
    for _ in range(steps):
        omega -= dt * 9.81 / length * np.sin(theta)
        theta += dt * omega
    return theta


def sines(x):
    y = np.empty(x.size)
    for i in range(x.size):
        y[i] = np.sin(x[i])
    return y


def followed(x):
    y = np.zeros(x.size)
    for i in range(1, x.size):
        y[i] = np.sin(y[i - 1]) + x[i]
    return y


def summed_sines(x):
    total = 0.0
    for i in range(x.size):
        total += np.sin(x[i])
    return total


@pytest.mark.parametrize('f, args, alone', [
    (swung, (0.5, 0.1, 1.2, 0.01, 10), True), (sines, (X,), False), (followed, (X,), True), (summed_sines, (X,), False),
], ids=lambda part: getattr(part, '__name__', ''))
def test_numbers_alone_take_functions_of_the_library(f, args, alone):
    """A loop whose turns wait for each other is not vectorised."""
    loops = tp.jit(f).lower(*args).loops
    assert ('np.sin(' in loops) is alone and ('kernels.vector_math' in loops) is not alone
    assert np.allclose(tp.jit(f)(*args), f(*args), rtol=1e-13)


def test_quotients_are_divided_before_loops():
    def f(x, y, dt, steps):
        for t in range(steps):
            for i in range(x.size):
                x[i] += dt / 6.0 * (x[i] + y[i])
                x[i] *= dt / (t + 1.0)
        return x
    jitted = tp.jit(f, fastmath=True)  # without that, the compiler does it, and leaves products with quotients alone
    before, body = jitted.lower(X.copy(), X, 0.1, 3).loops.split('for i in range')
    assert ' once(dt / 6.0)' in before and ' once(dt / (t + 1.0))' in before and ' / ' not in body
    assert np.allclose(jitted(X.copy(), X, 0.1, 3), f(X.copy(), X, 0.1, 3), rtol=1e-13)


def test_a_quotient_by_zero_raises_in_its_turn_only():
    def f(x, length, steps):
        for _ in range(steps):
            x += x / length * (1.0 / length)
        return x
    assert tp.jit(f)(2.0, 0.0, 0) == 2.0
    with pytest.raises(ZeroDivisionError):
        tp.jit(f)(2.0, 0.0, 1)


def pairs(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            d = x[i] - x[j]
            total += 1.0 / np.sqrt(d @ d + 1.0)
    return total


def test_products_of_vectors_are_added_up_where_they_are_made():
    x = np.random.default_rng(0).normal(size=(6, 3))
    loops = tp.jit(pairs).lower(x).loops
    assert 'matrix_product' not in loops and loops.count('= empty(') == loops.count('= empty(parts, ')
    assert np.allclose(tp.jit(pairs)(x), pairs(x), rtol=1e-12)
    gradient = tp.jit(tp.grad(pairs)).lower(x).loops
    assert gradient.index(' = empty(') < gradient.index('    for i in range')      # what every pair needs is made once
    assert np.allclose(tp.jit(tp.grad(pairs))(x), tp.grad(pairs)(x), rtol=1e-12)


def test_vectors_that_do_not_fit_are_no_product():
    def f(x, y):
        d = x * 2.0
        return d @ y
    for sizes in ((3, 1), (1, 3), (3, 2)):
        with pytest.raises((ValueError, tp.TranspileError)):
            tp.jit(f)(np.ones(sizes[0]), np.ones(sizes[1]))
    assert tp.jit(f)(np.ones(3), np.ones(3)) == 6.0 and tp.jit(f)(np.ones(1), np.ones(1)) == 2.0
    assert tp.jit(f)(np.ones(0), np.ones(0)) == 0.0


def test_an_array_made_once_is_as_long_as_it_was():
    """The array that gave the size has another one when the loop begins."""
    def f(x, steps):
        total = 0.0
        while True:
            n = x.shape[0]
            x = x[:-9] * 1.5
            steps -= 1
            if steps <= 0:
                break
        for i in range(3):
            b = np.empty(n)
            for k in range(n):
                b[k] = i + total
            for k in range(n):
                total = 0.1 * total + b[k] * x[0]
        return total
    x = np.arange(1.0, 50.0) / 50
    assert 'b = empty((n,)' in tp.jit(f).lower(x, 4).loops
    assert np.allclose(tp.jit(f)(x, 4), f(x, 4), rtol=1e-12)


def test_sums_into_an_element_while_others_are_read():
    """Kept in a number only where the elements that are read are certainly not the one that is added to."""
    def factors(A):
        for i in range(A.shape[0]):
            for j in range(i):
                for k in range(j):
                    A[i, j] -= A[i, k] * A[j, k]
                A[i, j] /= A[j, j]
        return A

    def its_own(A, n):
        for i in range(A.shape[0]):
            for k in range(n):
                A[i, 1] += 0.1 * A[i, k]
        return A

    def from_the_end(A, n):
        for i in range(A.shape[0]):
            for k in range(-2, n):
                A[i, 2] += 0.1 * A[i, k]
        return A

    def written_too(A, n):
        for k in range(n):
            A[0, 1] += 0.1 * A[2, k]
            A[0, k] = A[1, k]
        return A

    def none_at_all(A, n):
        for k in range(n):
            A[7, 7] += A[0, k]
        return A

    def a_constant_too(A, n):
        for k in range(n):
            A[1, 1] += A[0, k]
            A[1, 1] += 0.5
        return A

    A = np.arange(1.0, 10.0).reshape(3, 3)
    assert np.array_equal(tp.jit(a_constant_too)(A.copy(), 3), a_constant_too(A.copy(), 3))
    for f, rest, moved in (factors, (), True), (its_own, (3,), False), (from_the_end, (2,), False), (written_too, (3,), False):
        assert ('sum_ = 0.0' in tp.jit(f).lower(A, *rest).loops) == moved
        assert np.allclose(tp.jit(f)(A.copy(), *rest), f(A.copy(), *rest), rtol=1e-12)
    assert np.allclose(tp.jit(none_at_all)(A.copy(), 0), A)
    with pytest.raises(IndexError):
        tp.jit(none_at_all)(A.copy(), 1)


def test_a_read_before_a_loop_leaves_the_grammar_whole():
    def f(y, k):
        for j in range(k):
            v = y[k]
            y[j] = v * y[j]
        return y
    with checking():
        assert 'if k > 0:' in tp.jit(f).lower(np.ones(5), 3).loops
    assert np.allclose(tp.jit(f)(np.full(5, 2.0), 3), f(np.full(5, 2.0), 3))


def wound(x, part):
    for _ in range(3):
        x = np.sin(x)
    x[1, 1:3] -= part
    return np.sum(x[1])


def test_loops_over_places_and_sizes():
    """The size of an array is a part of something without a name of its own, and nothing that a loop writes."""
    check(JIT, wound, B[:2] @ C.T, np.array([0.3, 0.5]))


def near(x, k):
    while k < 4 and np.dot(np.full((x.size,), 0.5), x[:, None] + np.ones((1, k))).sum() < 9.0 * float(k):
        x = x * 1.5
        k += 1
    while scipy.special.beta(np.max(x) + 1.0, k) > 0.01 and bool(np.take(x * x, [[0, k]])[0, 1] < 50.0):
        x *= 1.25
    return np.sum(x)


def test_arrays_in_the_test_of_a_loop():
    """They have no names, and so no types but those that follow from what they are made of."""
    check(JIT, near, X, 1)


def down_a_column(x, m):
    total = 0.0
    for k in range(x.size):
        total += x[k] * m[k, 1]
    return total


def along_a_row(x, m):
    total = 0.0
    for k in range(x.size):
        total += x[k] * m[1, k]
    return total


def of_functions(x, m):
    total = 0.0
    for k in range(x.size):
        total += x[k] * np.exp(m[k, 1])
    return total


@pytest.mark.parametrize('f, ordered, apart', [
    (down_a_column, True, True), (down_a_column, False, False), (along_a_row, True, False), (of_functions, True, False)])
def test_products_of_what_stands_in_columns_are_added_one_by_one(f, ordered, apart):
    x, m = np.linspace(0.1, 1.0, 7), np.linspace(-1.0, 1.0, 49).reshape(7, 7)
    m = m if ordered else np.asfortranarray(m)
    free = tp.jit(f, fastmath=True)
    assert (' += once(x[k] * m[k, 1])' in free.lower(x, m).loops) == apart
    assert (' plus(' not in tp.jit(f).lower(x, m).loops) == apart
    assert np.isclose(tp.jit(f)(x, m), f(x, m), rtol=1e-14) and np.isclose(free(x, m), f(x, m), rtol=1e-14)


def of_two_orders(x, m, n):
    down, across = np.zeros(7), np.zeros(7)
    for i in range(7):
        for k in range(x.size):
            down[i] += x[k] * m[k, i]
    for i in range(7):
        for k in range(x.size):
            across[i] += x[k] * n[k, i]
    return down, across


def test_loops_are_one_function_only_if_their_arrays_lie_in_one_order():
    x, m = np.linspace(0.1, 1.0, 7), np.linspace(-1.0, 1.0, 49).reshape(7, 7)
    for n, functions in (m + 1.0, 1), (np.asfortranarray(m + 1.0), 2):
        loops = tp.jit(of_two_orders).lower(x, m, n).loops
        assert loops.count('def of_two_orders_part') == functions and loops.count(' plus(') == functions - 1
        for found, expected in zip(tp.jit(of_two_orders)(x, m, n), of_two_orders(x, m, n), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-15)
