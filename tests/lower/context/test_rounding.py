"""Compiled arithmetic rounds as in Python and NumPy, operation by operation: to the bit, where no library is called."""
import math

import numpy as np
import pytest

import transpiler as tp
from tests.support import copied

RNG = np.random.default_rng(0)
WIDTH = {np.float64: 200, np.float32: 25}  # powers of ten


def numbers(count, dtype, wide):
    """Of all magnitudes, or of one."""
    drawn = RNG.normal(size=count) * (10.0 ** RNG.uniform(-WIDTH[dtype], WIDTH[dtype], count) if wide else 1.0)
    return drawn.astype(dtype)


def same_bits(actual, expected):
    """All numbers are equal, zeros have one sign, and nan is nan; dtypes agree."""
    if isinstance(expected, tuple):
        for one, other in zip(actual, expected, strict=True):
            same_bits(one, other)
        return
    actual, expected = np.asarray(actual), np.asarray(expected)
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    for part in (np.real, np.imag):
        one, other = part(actual), part(expected)
        np.testing.assert_array_equal(one, other)
        known = one == one
        np.testing.assert_array_equal(np.signbit(one[known]), np.signbit(other[known]))


def compare(f, *args):
    with np.errstate(all='ignore'):
        same_bits(tp.jit(f)(*copied(args)), f(*copied(args)))


def products_and_sums(a, b, c, d):
    return (a * b + c, a * b - c, c - a * b, a * b + c * d, a * a - b * b, b * b - 4 * a * c, a * d - b * c, -a * b + c,
            a * -b + c, a * b + a * c, a * (b + c), a * b * b * b, ((a * b + c) * b + d) * b + a,
            a + b * c + d * c * c, np.sqrt(a * a + b * b))


def in_another_order(a, b, c, d):
    return (a + b - b, (a - b) + (b - a), a * b * c, a * (b * c), a + b + c + d, (a + b) + (c + d), a - b - c - d, a * 0.1 * 10.0,
            a * 1e20 * 1e-20, a + 1e6 - 1e6, a + a + a, 2 * a + 3 * b, a * b / c, a / b * c, (a + b) - (a + b), -(a - b))


def quotients(a, b, c, d):
    return (a / 3.0, a / 7, a / b / c, 1.0 / a * b, 1 / (1 / a), (a - b) / (c - d), a % b, a // b, a - b * (a // b), -a / -b,
            np.fmod(a, b), np.deg2rad(a), np.rad2deg(a), a ** -1, a ** 2)


def chosen(a, b, c, d):
    return (np.where(a * b - c > 0, a * b - c, a * b + c), np.maximum(a * b, c) - c, np.abs(a * b - c), np.sign(a * b - c),
            np.floor(a * b + c), np.clip(a * b - c, -1.0, 1.0), a * b + c > a * b, a * b - c == a * b - c, 0.0 - a, a + 0.0)


@pytest.mark.parametrize(('f', 'dtype'), [
    (products_and_sums, np.float64), (in_another_order, np.float64), (quotients, np.float64), (chosen, np.float64),
    (in_another_order, np.float32), (quotients, np.float32)])
def test_expressions_of_arrays(f, dtype):
    for wide in (True, False):
        compare(f, *(numbers(203, dtype, wide) for _ in range(4)))


def test_expressions_of_numbers():
    compiled = tp.jit(products_and_sums)
    for wide in [False, True] * 20:
        args = numbers(4, np.float64, wide).tolist()
        same_bits(compiled(*args), products_and_sums(*args))


def halves(x):
    """Veltkamp's: what a float is made of."""
    c = 134217729.0 * x
    high = c - (c - x)
    return high, x - high


def without_error(x, y):
    """Dekker's product and Knuth's sum, each with its error."""
    out = np.empty((4, x.size))
    for i in range(x.size):
        a, b = x[i], y[i]
        product, total = a * b, a + b
        high, low = halves(a)
        top, rest = halves(b)
        z = total - a
        out[0, i], out[1, i] = product, ((high * top - product) + high * rest + low * top) + low * rest
        out[2, i], out[3, i] = total, (a - (total - z)) + (b - z)
    return out


def compensated(x, y):
    """The sums of Kahan and Neumaier."""
    s = c = t = e = 0.0
    for v in x:
        w = v - c
        new = s + w
        c = (new - s) - w
        s = new
    for v in y:
        new = t + v
        e += (t - new) + v if abs(t) >= abs(v) else (v - new) + t
        t = new
    return s, t + e


def recurrences(x, y):
    r, h, p, q, mean, spread = 1.0, 0.0, 1.0, 0.4, 0.0, 0.0
    for i in range(x.size):
        r = r * x[i]
        h = h * x[i] + y[i]
        q = 3.9 * q * (1.0 - q)
        delta = y[i] - mean
        mean += delta / (i + 1)
        spread += delta * (y[i] - mean)
    for v in y:
        p *= v
    return r, h, p, q, mean, spread


def sums_beside_writes(x, y):
    """Sums that the loop does something else beside."""
    out, s, largest, t = np.empty_like(x), 0.0, x[0], 0.0
    for i in range(x.size):
        s += x[i]
        out[i] = s * y[i]
    for i in range(x.size - 1, -1, -1):
        t = t + out[i]
        x[i] = x[i] * 0.5
    for v in y:
        t += v
        largest = max(largest, v)
    place = np.ones(3, x.dtype)
    for i in range(x.size):
        place[1] += x[i]
        place[1] += y[i] * x[i]
        out[i] = out[i] - y[i] * y[i]
    return out, s, t, largest, place


def steps(x, y):
    """Stencils, in place and not; Newton's method; powers in a loop."""
    for _ in range(2):
        for i in range(1, x.size - 1):
            y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1]
        x, y = y, x
    for i in range(1, x.size - 1):
        x[i] = 0.5 * (x[i - 1] + x[i + 1]) - x[i] * 0.1
    roots, powers = np.empty_like(x), np.empty_like(x)
    for i in range(x.size):
        g, r = 0.5 * (abs(x[i]) + 1.0), 1.0
        for _ in range(6):
            g = 0.5 * (g + abs(x[i]) / g)
            r *= x[i]
        roots[i], powers[i] = g, r
    return x, y, roots, powers


def small_matrices(x, y):
    a, b, c = x[:4].reshape(2, 2), y[:4].reshape(2, 2), np.zeros((2, 2), x.dtype)
    for i in range(2):
        for j in range(2):
            for k in range(2):
                c[i, j] += a[i, k] * b[k, j]
    few = x[:5]
    return c, a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0], np.cross(x[:3], y[:3]), np.sum(few), np.mean(few), np.sum(few[:3] * few[:3])


def arrays(x, y):
    z = x * y
    z += x * x
    z -= y * y
    z[1:] += z[:-1] * z[:-1]
    z /= x
    return (z, np.cumsum(x), np.cumprod(x), np.prod(x), np.diff(x), np.polyval(y[:5], x), np.gradient(x),
            np.linspace(x[0], y[0], 9), np.outer(x[:3], y[:3]))


@pytest.mark.parametrize('f', [without_error, compensated, recurrences, sums_beside_writes, steps, small_matrices, arrays])
def test_loops(f):
    for wide in (True, False):
        compare(f, *(numbers(203, np.float64, wide) for _ in range(2)))


@pytest.mark.parametrize('f', [sums_beside_writes, arrays])
def test_single_precision(f):
    compare(f, *(numbers(203, np.float32, wide=False) for _ in range(2)))


def complex_steps(z, w):
    r = z
    for _ in range(3):
        r = r * r + z / w
    return r, z * w - w * z, r / (w + 1.0), 1.0 / z, z / 3.0


@pytest.mark.parametrize('kind', [complex, np.complex128])
def test_complex_numbers(kind):
    for _ in range(20):
        z, w = (kind(complex(*numbers(2, np.float64, wide=False))) for _ in range(2))
        compare(complex_steps, z, w)


def root(a, b, c):
    return (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a)


def test_values_beside_gradients():
    """What a derivative computes on its way rounds as the function does."""
    assert tp.jit(tp.value_and_grad(root))(0.1, 0.2, 0.1)[0] == root(0.1, 0.2, 0.1)

    def scaled(x, y):
        r, s = 1.0, 0.0
        for i in range(x.size):
            r = r * x[i] + y[i]
            s += r * r - x[i] * y[i]
        return s

    x, y = (numbers(50, np.float64, wide=False) for _ in range(2))
    same_bits(tp.jit(tp.value_and_grad(scaled))(x, y)[0], scaled(x, y))
    same_bits(tp.jit(tp.vmap(scaled))(np.stack([x, y]), np.stack([y, x])), np.array([scaled(x, y), scaled(y, x)]))


def total(x):
    s = 0.0
    for v in x:
        s = s + v
    return s


def products(x, y):
    s = 0.0
    for i in range(x.size):
        s += x[i] * y[i]
    return s


def rows(a, x):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j] * x[j]
    return out


@pytest.mark.parametrize('count', [7, 64, 129, 1000])
def test_sums_in_lanes(count):
    """Loops that only add up: within the bound of a sum in any order, and as finite as in order."""
    x, y = (numbers(count, np.float64, wide=False) for _ in range(2))
    bound = count * np.finfo(float).eps
    assert '= plus(' in tp.jit(total).lower(x).loops and '= plus(' in tp.jit(rows).lower(x[None], y).loops
    assert abs(tp.jit(total)(x) - math.fsum(x)) <= bound * np.sum(np.abs(x))
    assert abs(tp.jit(products)(x, y) - math.fsum(x * y)) <= bound * np.sum(np.abs(x * y))
    with np.errstate(all='ignore'):
        huge = np.resize([1.5e308, -1.5e308], 2 * count)
        turned = np.resize([1.0, 1.0, -1.0, -1.0], 2 * count) * 1e308
        assert tp.jit(total)(huge) == 0.0
        assert tp.jit(products)(huge, np.ones(2 * count)) == 0.0
        same_bits(tp.jit(rows)(np.stack([huge, turned]), np.ones(2 * count)), rows(np.stack([huge, turned]), np.ones(2 * count)))
        same_bits(tp.jit(tp.value_and_grad(total))(huge), (0.0, np.ones(2 * count)))
        for whole in (lambda x: sum(x), lambda x: sum(1.0 * v for v in x), lambda x: np.sum(x * 0.5), lambda x: np.dot(x, x / x)):
            assert tp.jit(whole)(huge) == 0.0
    x[count // 2] = np.nan
    assert np.isnan(tp.jit(total)(x))


def test_free_arithmetic_on_request():
    """It is visible in the instructions, and stays in the function that asked for it."""
    x, y = (numbers(100, np.float64, wide=False) for _ in range(2))

    def instructions(jitted):
        compiled = jitted.lower(x, y).compile()
        compiled(x, y)
        return '\n'.join(compiled.dispatcher.inspect_llvm().values())

    def difference(x, y):
        s = 0.0
        for i in range(x.size):
            s += x[i] * y[i] - y[i] * x[i] * 3.0
        return s

    strict, free = tp.jit(difference, cache=False), tp.jit(difference, fastmath=True, cache=False)
    assert 'contract' in instructions(free) and 'contract' not in instructions(strict)
    assert 'plus' in strict.lower(x, y).loops and 'plus' not in free.lower(x, y).loops
    both = tp.jit(tp.jit(difference, fastmath=True), parallel=False, cache=False)
    assert 'contract' in instructions(both) and 'in_parts' not in both.lower(x, y).loops
    assert math.isclose(free(x, y), strict(x, y), rel_tol=1e-12)
    compare(products_and_sums, x, y, y + 1.0, x - 1.0)


def counted_sum(x):
    s = -0.0
    for v in x:
        s += v
    return s


def test_a_sum_of_negative_zeros_is_one():
    """In several lanes, and in parts for threads: each begins with -0.0, to which any number may be added."""
    for n in (1, 2, 200):
        compare(counted_sum, np.full(n, -0.0))
        compare(counted_sum, np.zeros(n))
