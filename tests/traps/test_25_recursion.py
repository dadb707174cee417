"""Trap 25: recursion and mutual recursion on run-time values, to any depth that Python itself allows."""
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check, same, summed_gradient
from transpiler.errors import TranspileError, UnsafeMutation


def tree_sum(x, lo, hi):
    if hi - lo == 1:
        return x[lo] * x[lo]
    m = (lo + hi) // 2
    return tree_sum(x, lo, m) + np.sin(tree_sum(x, m, hi))


def by_index_halves(x):
    return 2.0 * tree_sum(x, 0, x.size)


def even(x, n):
    return 1.0 if n == 0 else x * odd(x, n - 1)


def odd(x, n):
    return 0.5 if n == 0 else (x + 1.0) * even(x, n - 1)


def halves(x):
    if x.size == 1:
        return x
    m = x.size // 2
    first, second = halves(x[:m]), halves(x[m:])
    return np.concatenate((first, second * 2.0 + 1.0))


def by_slices(x):
    return np.sum(halves(x) ** 3)


def fft(re, im):
    n = re.size
    if n == 1:
        return re, im
    even_re, even_im = fft(re[::2], im[::2])
    odd_re, odd_im = fft(re[1::2], im[1::2])
    angle = -2 * np.pi * np.arange(n // 2) / n
    c, s = np.cos(angle), np.sin(angle)
    a, b = c * odd_re - s * odd_im, c * odd_im + s * odd_re
    return np.concatenate((even_re + a, even_re - a)), np.concatenate((even_im + b, even_im - b))


def spectrum(x):
    re, im = fft(x, np.zeros(x.size))
    return np.sum((re ** 2 + im ** 2) ** 2)


def simpson(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def adaptive(f, a, b, tol, whole):
    m = (a + b) / 2
    left, right = simpson(f, a, m), simpson(f, m, b)
    if abs(left + right - whole) < 15 * tol:
        return left + right
    return adaptive(f, a, m, tol / 2, left) + adaptive(f, m, b, tol / 2, right)


def quadrature(w):
    def integrand(t):
        return np.exp(-w * t * t)
    return adaptive(integrand, 0.0, w, 1e-6, simpson(integrand, 0.0, w))


def evaluate(x, left, right, k):
    if left[k] < 0:
        return x[k]
    return np.tanh(evaluate(x, left, right, left[k]) * x[k]) + evaluate(x, left, right, right[k])


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def ackermann_power(x, m, n):
    return x ** ackermann(m, n)


def haar(x, n):
    if n > 1:
        m = n // 2
        mean = (x[:n:2] + x[1:n:2]) / 2
        difference = (x[:n:2] - x[1:n:2]) / 2
        x[:m] = mean
        x[m:n] = difference
        haar(x, m)


def wavelet(x):
    y = x * x
    haar(y, y.size)
    return np.sum(y ** 3)


def children(x, first, k):
    total = x[k] ** 2
    for child in range(first[k], first[k + 1]):
        total = total + 0.5 * np.sin(children(x, first, child)) * x[k]
    return total


X = np.linspace(0.5, 1.2, 8)
LEFT, RIGHT = np.array([1, 3, -1, -1, -1]), np.array([2, 4, -1, -1, -1])
FIRST = np.array([1, 3, 5, 6, 6, 6, 6])
PROGRAMS = [
    (by_index_halves, (X,)),
    (tree_sum, (X, 0, 8)),
    (even, (1.3, 5)),
    (by_slices, (X,)),
    (spectrum, (X,)),
    (quadrature, (1.1,)),
    (evaluate, (X[:5], LEFT, RIGHT, 0)),
    (ackermann_power, (1.1, 2, 2)),
    (wavelet, (X,)),
    (children, (X[:6], FIRST, 0)),
]


@pytest.mark.compiles
@pytest.mark.parametrize('f, args', PROGRAMS, ids=lambda value: getattr(value, '__name__', ''))
def test_compiled_values_are_those_of_the_primal(f, args):
    assert tp.jit(f)(*args) == pytest.approx(f(*args), rel=1e-14)


GOLDEN = Path(__file__).parents[1] / 'golden' / 'recursion'


@pytest.mark.parametrize('f, args', [p for p in PROGRAMS if len(p[1]) < 4], ids=lambda value: getattr(value, '__name__', ''))
def test_derivatives_of_both_orders(f, args):
    check(PLAIN, f, *args, order=2)


@pytest.mark.compiles
@pytest.mark.parametrize('f, args', PROGRAMS, ids=lambda value: getattr(value, '__name__', ''))
def test_compiled_derivatives(f, args):
    same(tp.jit(tp.grad(f))(*args), tp.grad(f)(*args), rtol=1e-12)


@pytest.mark.parametrize('f, args', [PROGRAMS[0], PROGRAMS[8]], ids=lambda value: getattr(value, '__name__', ''))
def test_compiled_second_derivatives(f, args):
    second = tp.grad(summed_gradient(f, 0, len(args)))
    same(tp.jit(second)(*args), second(*args), rtol=1e-12)


def countdown(x, depth):
    return x if depth == 0 else np.sin(countdown(x * x, depth - 1))


def test_a_count_known_when_the_code_is_generated_is_unrolled():
    def f(x):
        return countdown(x, 3)

    assert 'def countdown' not in tp.jit(f).lower(1.1).source
    assert tp.jit(f)(1.1) == f(1.1)


def test_a_long_one_is_not():
    def f(x):
        return countdown(x, 400)

    assert 'def countdown' in tp.jit(f).lower(0.9).source
    assert tp.jit(f)(0.9) == f(0.9)


def forever(x, n):
    return forever(x, n + 1) * x


def test_a_function_that_never_comes_to_an_end_is_refused():
    with pytest.raises(TranspileError, match='every path through `forever` calls it again'):
        tp.jit(forever)(1.0, 0)


def repeated(x, n):
    return 1.0 if n == 0 else x + repeated(x, n - 1)


def test_a_result_that_is_a_number_or_an_array_is_refused():
    with pytest.raises(TranspileError, match='no single kind'):
        tp.jit(repeated)(X, 3)
    assert tp.jit(repeated)(2.0, 3) == repeated(2.0, 3)


def scaled(f, x, n):
    return f(x) if n <= 0 else scaled(lambda t: f(t) + 1.0, x, n - 1)


def test_a_new_function_at_each_level_is_refused():
    def f(x, n):
        return scaled(np.sin, x, n)

    with pytest.raises(TranspileError, match='calls itself with other functions'):
        tp.jit(f)(1.0, 3)


def test_a_captured_array_is_read_at_each_call():
    table = np.array([1.0, 2.0, 3.0])

    def walk(x, k):
        return x if k < 0 else table[k] * walk(x, k - 1)

    def f(x):
        return walk(x, 2)

    compiled = tp.jit(f)
    assert compiled(1.5) == f(1.5)
    table[1] = 7.0
    assert compiled(1.5) == f(1.5)


def test_a_closure_reads_what_its_variables_are_when_it_is_called():
    def f(x, n):
        def walk(k):
            return 1.0 if k == 0 else scale * walk(k - 1)
        scale = x
        first = walk(n)
        scale = 2.0 * x
        return first + walk(n)

    assert tp.jit(f)(1.5, 3) == f(1.5, 3)


def smallest_first(x):
    if x.size > 1:
        m = x.size // 2
        for k in range(m):
            if x[k] > x[k + m]:
                x[k], x[k + m] = x[k + m], x[k]
        smallest_first(x[:m])
        smallest_first(x[m:])


def weighted(x):
    y = np.sin(3.0 * x)
    smallest_first(y)
    return np.sum(y * y * np.arange(1.0, 9.0))


def changed_afterwards(x):
    y = 2.0 * x
    kept = halves(y)
    total = np.sum(kept * kept)
    y[0] = 5.0
    return total * y[1] + tree_sum(y, 0, y.size)


def in_a_loop(x):
    total, y = 0.0, x.copy()
    for _ in range(3):
        total = total + tree_sum(y, 0, y.size) * (0.1 + 0.1 * total)
        y = y * 0.9 + 0.1 * total
        total = total + np.sum(halves(y)) * 0.01
    return total


def whichever(x):
    y = x * x
    if y[0] > 0.1:
        haar(y, y.size)
        out = tree_sum(y, 0, y.size)
    else:
        out = np.sum(halves(y))
    return out * y[1]


def merge_sort(x):
    if x.size < 2:
        return x
    m = x.size // 2
    a, b = merge_sort(x[:m]), merge_sort(x[m:])
    out, i, j = np.zeros(x.size), 0, 0
    for k in range(x.size):
        if j >= b.size or (i < a.size and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


def merged(x):
    return np.sum(merge_sort(np.sin(5.0 * x)) * np.arange(8.0) ** 2)


def exponentials(x):
    if x.size == 1:
        return np.exp(x)
    m = x.size // 2
    return np.exp(0.1 * np.concatenate((exponentials(x[:m]), exponentials(x[m:]))))


def result_changed_afterwards(x):
    y = exponentials(x)
    kept = y[0] * y[3]
    y[0] = y[1] * 2.0
    y[3] *= y[2]
    return np.sum(y ** 2) * kept


def ping(x, n):
    return x if n <= 0 else np.sin(ping(x, n - 1)) + pong(x * 0.5, n - 2)


def pong(x, n):
    return x * x if n <= 0 else ping(x, n - 1) * pong(x, n - 1) + pong(x, n - 2)


def real_part(x):
    re, _ = fft(x * x, x)
    return np.sum(re * x)


def both_call_both(x):
    return np.sum(ping(x, 4))


def layers(params, x, n):
    return x if n == 0 else layers(params, np.tanh(x * params['w'] + params['b']), n - 1)


def network(x):
    return np.sum(layers({'w': x, 'b': x[::-1]}, np.ones(8), x.size))


def nested_pair(x, n):
    if n == 0:
        return x, {'a': x * 2.0}
    y, more = nested_pair(np.sin(x), n - 1)
    return y * x, {'a': more['a'] + y}


def structures(x):
    y, more = nested_pair(x, x.size)
    return np.sum(y * more['a'])


def power(a, n):
    if n == 0:
        return np.eye(a.shape[0])
    if n % 2 == 0:
        half = power(a, n // 2)
        return half @ half
    return a @ power(a, n - 1)


def matrix_power(x):
    return np.sum(power(np.outer(x[:2], x[2:4]), x.size))


OF_ALL_KINDS = [merged, result_changed_afterwards, real_part, both_call_both, network, structures, matrix_power]
IN_PLACE = [weighted, changed_afterwards, in_a_loop, whichever]


@pytest.mark.parametrize('f', [*OF_ALL_KINDS, *IN_PLACE])
def test_results_and_arguments_of_all_kinds(f):
    check(PLAIN, f, X, order=2)


@pytest.mark.compiles
@pytest.mark.parametrize('f, rtol', [*((f, 1e-10) for f in OF_ALL_KINDS), *((f, 1e-12) for f in IN_PLACE)])
def test_compiled_results_and_arguments(f, rtol):
    same(tp.jit(tp.grad(f))(X), tp.grad(f)(X), rtol=rtol)


def added_from(x, y, n):
    if n > 0:
        x[:n] += np.sin(y[:n])
        added_from(x, y, n - 1)


def test_an_array_written_under_two_names_is_refused():
    def f(x):
        y = x * 1.0
        added_from(y, y, y.size)
        return np.sum(y)

    with pytest.raises(UnsafeMutation, match='may share its memory'):
        tp.grad(f)(X)


def deep(x, n):
    return x if n == 0 else np.sin(deep(x, n - 1)) + 0.01 * x


def test_as_deep_as_python_goes_and_no_deeper():
    assert tp.grad(deep)(0.5, 300) == pytest.approx(
        (deep(0.5 + 1e-6, 300) - deep(0.5 - 1e-6, 300)) / 2e-6, rel=1e-5)
    for function in (tp.grad(deep), tp.jit(deep)):
        with pytest.raises(RecursionError):
            function(0.5, 100_000)
    assert tp.jit(deep)(0.5, 900) == pytest.approx(deep(0.5, 900), rel=1e-12)


def test_the_derivative_reads_as_one_would_write_it(golden):
    golden(GOLDEN / 'tree_sum.py', tp.grad(by_index_halves).lower(X).source)


def part(a, lo, hi):
    pivot, i = a[hi], lo
    for j in range(lo, hi):
        if a[j] < pivot:
            a[i], a[j] = a[j], a[i]
            i += 1
    a[i], a[hi] = a[hi], a[i]
    return i


def quicksort(a, lo, hi):
    if lo < hi:
        m = part(a, lo, hi)
        quicksort(a, lo, m - 1)
        quicksort(a, m + 1, hi)


def sorted_in_place(x, w):
    a = x.copy()
    quicksort(a, 0, len(a) - 1)
    return np.sum(a * w)


def test_what_functions_keep_is_what_their_pullbacks_read(golden):
    """Places alone: neither the array nor the pivot is on a tape."""
    x, w = np.cos(7.0 * X), np.arange(1.0, X.size + 1)
    check(PLAIN, sorted_in_place, x, w, argnums=(0, 1))
    golden(GOLDEN / 'quicksort.py', tp.grad(sorted_in_place, argnums=(0, 1)).lower(x, w).source)


def ladder(x, n):
    if n == 0:
        return np.sum(x ** 3)
    return ladder(x * 1.5, n - 1) + x[0] ** 2


def ladder_in_place(x, n):
    if n == 0:
        return np.sum(x ** 3)
    x[0] *= 1.5
    return ladder_in_place(x, n - 1)


def test_one_array_as_point_and_as_vector():
    """A recursive function that writes nothing may be differentiated inside of one that is given an array twice."""
    x = np.array([1.0, 2.0, 3.0])
    product = lambda x, n, v: tp.hvp(lambda y: ladder(y, n), (x,), (v,))
    expected = tp.hvp(lambda y: ladder(y, 3), (x,), (x,))
    assert np.allclose(tp.jit(product)(x, 3, x), expected)
    assert np.allclose(tp.vmap(product, in_axes=(0, None, 0))(x[None], 3, x[None]), expected)
    with pytest.raises(tp.TranspileError):
        tp.jit(lambda x, n, v: tp.grad(ladder_in_place)(x, n) * v)(x, 3, x)


def binomial(n, k):
    return 1 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)


def bernstein(x, n):
    return sum(binomial(3, k) * x**k * (1 - x) ** (3 - k) * k for k in range(n))


def test_numbers_of_run_time_among_others(mode):
    """Whether they are was asked of constants alone, so that there was a function for each of endlessly many."""
    check(mode, bernstein, 0.3, 4)


def test_a_function_for_each_of_endlessly_many_constants_is_refused():
    def texts(n, k):
        return 1 if k == 0 else texts(n - 1, k - 1) + len(str(n))

    with pytest.raises(TranspileError, match='other constants each time'):
        tp.grad(lambda x, k: x * texts(3, k))(1.5, 2)
