"""Integers under `jit`: Python's are exact or raise, NumPy's wrap around as they do without it, at the ends of all dtypes."""
import numpy as np
import pytest

import transpiler as tp

MOST, LEAST = 2**63 - 1, -2**63

INTEGERS = ('n + m', 'n - m', 'n * m', 'n // m', 'n % m', 'n << m', 'n >> m', 'n & m', 'n | m', 'n ^ m', '-n', '~n', 'abs(n)',
            'n ** m', 'n ** 2', 'n ** 3', 'sum([n, m, m])', 'max(n, m) + min(n, m)', 'n * m % 1000', '(n + m) // 2', 'True + n',
            '(n > 0) * n + n', 'n * n * n - m', 'divmod(n, m)[0]')
FLOATS = 'n / m', '1.0 * (n == float(m))', '1.0 * (float(n) < m)', 'max(n, float(m)) + 0.0', '(n * m) / (n + m)'
STEPS = 'n * m % 1000', '(n + m) // 2', 'n * n * n - m', '(n > 0) * n + n', 'sum([n, m, m])', '(n * m) / (n + m)'
PAIRS = ((LEAST, -1), (LEAST, 1), (MOST, 1), (MOST, -1), (2**40, 2**40), (-2, 63), (2, 63), (2, 62), (1, 64), (-1, 63), (0, 100),
         (-5, 70), (5, -1), (-7, 3), (7, -3), (7, 0), (2**53 + 1, 3), (2**53 + 1, 2**53), (3037000499, 5), (3037000500, 5),
         (-2097152, 2), (3, 39), (2**31, 2**32), (2**62 + 1, 2**62 - 1))


def outcome(function, *args):
    try:
        return function(*args)
    except (OverflowError, ZeroDivisionError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize('texts', [INTEGERS, FLOATS])
def test_pythons_integers_are_exact_or_raise(texts):
    """One compiled function for all of them."""
    choices = ''.join(f'    if which == {k}:\n        return {text}\n' for k, text in enumerate(texts))
    plain = tp.from_source(f'def f(which, n, m):\n{choices}    return {texts[0]}\n')
    compiled = tp.jit(plain)
    for which, text in enumerate(texts):
        for n, m in PAIRS:
            if text in ('n ** m', 'n << m') and not -1 < m < 200:
                continue
            found, expected = outcome(compiled, which, n, m), outcome(plain, which, n, m)
            held = not isinstance(expected, int) or LEAST <= expected <= MOST
            through = text in STEPS and found is OverflowError   # what is between may be longer than the result
            assert through or found == (expected if held else OverflowError), (text, n, m)


def tower(x, n):
    return x * (n * n * n * n * n)


def falling(x, n):
    return x / (n * (n - 1) * (n - 2) * (n - 3) * (n - 4))


def inverse_powers(x, n):
    total = 0.0
    for i in range(1, n):
        total += x / (i * i * i * i * i)
    return total


def triangle(x, n):
    total = 0
    for i in range(n):
        total += i * 10**6
    return x * total


def cubes(x, n):
    return x * sum(i * i * i for i in range(n * 1000))


def listed(x, n):
    found = []
    for i in range(n):
        found.append(2**59 + i)
    return x * sum(found)


def steps(x, n):
    k = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        k += 1
    return x * k


def positions(x, n):
    total = 0.0
    for i in range(4):
        for j in range(4):
            total += x * ((i * n + j) * n)
    return total


FINE = 7
BEYOND = {tower: 10**5, falling: 20000, inverse_powers: 20000, triangle: 10**8, cubes: 100, listed: 40, steps: 2**62 + 1,
          positions: 2**32}


@pytest.mark.parametrize('function', BEYOND)
def test_what_grows_is_missed_in_loops_too(function):
    """Under a derivative, in forward mode, for a batch: in plain Python they have no end."""
    n = FINE
    expected = function(1.0, n)
    for transformed in (function, tp.grad(function), tp.jit(tp.grad(function))):
        np.testing.assert_allclose(transformed(1.0, n), expected, rtol=1e-14)
    compiled = tp.jit(tp.value_and_grad(function))
    assert compiled(1.0, n) == (expected, expected)
    for each in (compiled, tp.jit(tp.vmap(function, in_axes=(0, None)))):
        with pytest.raises(OverflowError):
            each(1.0 if each is compiled else np.ones(3), BEYOND[function])


def test_a_plain_sum_of_a_list_has_no_end():
    assert tp.grad(listed)(1.0, 40) == listed(1.0, 40)


def test_what_has_found_an_item_is_no_integer_at_the_end_of_the_range():
    def shared(x, w):
        out = np.zeros(5)
        for k in range(x.size):
            cell = int(x[k])
            out[cell] += w[k]
            out[cell + 1] += 1.0 - w[k]
        return out

    x, w = np.array([0.5, 3.9, -2.0]), np.array([0.25, 0.5, 0.75])
    assert 'is_too_long' not in tp.jit(shared).lower(x, w).loops
    np.testing.assert_array_equal(tp.jit(shared)(x, w), shared(x, w))
    for far in 2.0**62, -(2.0**63), 1e30:
        with pytest.raises((IndexError, OverflowError)):
            tp.jit(shared)(np.array([far]), w)


def test_loops_stay_as_they_are_behind_one_question():
    def f(x, n):
        out = np.zeros(x.size)
        for i in range(x.size):
            out[i] = x[i] * (i * n + 1)
        return out

    lowered = tp.jit(f).lower(np.ones(3), 2).loops
    assert 'if (x.shape[0] > ' in lowered
    assert 'is_too_long' not in lowered
    assert 'in_parts(' in lowered
    for n in (2, 2**40, 2**63 - 1):
        found = outcome(tp.jit(f), np.ones(3), n)
        assert found is OverflowError if 2 * n + 1 > MOST else np.array_equal(found, f(np.ones(3), n))


def test_sizes_need_no_question():
    def f(x):
        n, m = x.shape
        flat = x.reshape(n * m)
        total = 0.0
        for i in range(n):
            for j in range(i, m - 1):
                total += flat[i * m + j + 1] * (m - j)
        return total

    lowered = tp.jit(tp.grad(f)).lower(np.ones((3, 4))).loops
    assert 'is_too_long' not in lowered


def summed(x):
    total = 0
    for i in range(x.shape[0]):
        total += int(x[i])
    return total


def test_sums_of_parts_are_no_longer_than_their_terms():
    assert tp.jit(summed)(np.full(1000, 1e15)) == 10**18
    with pytest.raises(OverflowError):
        tp.jit(summed)(np.full(400_000, 1e14))


KINDS = 'int8', 'uint8', 'int16', 'int32', 'uint32', 'int64', 'uint64', 'bool'
CHAINS = (
    '(x - 5) * 3 // 3', 'x * 4 // 2', '(x + y) / 2', '(x + 1 > x) * 1.0', '-x // 2', '~x // 2', 'abs(x) // 2', '(x << 1) >> 1',
    'x ** 2 // 3', 'np.square(x) / 2.0', 'x * y - y * x', '(x - y) % 7', 'x << y', 'x >> y', 'x << k', 'x >> k', 'x // y',
    'x % y', 'np.fmod(x, y)', 'x // -1', 'x & y | x ^ y', 'np.sign(x - y)', 'np.maximum(x + y, x)', 'x.sum() + y.sum()',
    'np.cumsum(x)', 'np.prod(x)', 'np.dot(x, y)', 'np.power(x, 70)')


def ends(kind):
    if kind == 'bool':
        return np.array([True, False, True, True, False])
    limits = np.iinfo(kind)
    return np.array([limits.max, limits.min, 3, limits.max - 4, 77], kind)


def of_items(x, y):
    """The same, number by number, in loops of the program."""
    out = np.zeros((8, x.size))
    for i in range(x.size):
        a, b = x[i], y[i]
        out[0, i], out[1, i], out[2, i] = (a - 1) * 3 // 3, (a + b) / 2, a + 1 > a
        out[3, i], out[4, i], out[5, i] = a << b, a >> b, a // b
        out[6, i], out[7, i] = a % b, abs(a * b) // 2
    return out


@pytest.mark.compiles
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('kind', KINDS)
def test_numpys_integers_wrap_around(kind):
    x = ends(kind)
    y = np.roll(x, 2)
    texts = []
    for text in CHAINS:
        try:
            eval(text, {'np': np, 'x': x, 'y': y, 'k': 70})
        except (TypeError, OverflowError):
            continue
        texts.append(text)
    function = tp.from_source(f'import numpy as np\ndef f(x, y, k):\n    return ({", ".join(texts)},)\n')
    compiled = tp.jit(function)
    for k in (0, 3, 70):
        for text, found, expected in zip(texts, compiled(x, y, k), function(x, y, k), strict=True):
            assert (text, found.dtype) == (text, expected.dtype)
            np.testing.assert_array_equal(found, expected, err_msg=f'{text}, {k}')
    if kind != 'bool':
        np.testing.assert_array_equal(tp.jit(of_items)(x, y), of_items(x, y))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('kind', ['int8', 'int64'])
def test_in_place(mode, kind):
    def f(w, x, y):
        a, b, c, d, e = x.copy(), x.copy(), x.copy(), x.copy(), x.copy()
        a <<= y
        b[1:] >>= y[1:]
        c //= y
        d[:2] %= y[:2]
        e *= e
        return w, (a, b, c, d, e)

    x, y = ends(kind), np.array([-1, -1, 70, 7, 2], kind)
    for found, expected in zip(mode(tp.value_and_grad(f, has_aux=True))(1.0, x, y)[0][1], f(1.0, x, y)[1], strict=True):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize('text', ['x + -5', 'x - -5', '-5 + x', 'x - 300'])
def test_constants_that_an_unsigned_dtype_does_not_hold(text):
    """They are not turned into ones that it does."""
    function = tp.from_source(f'import numpy as np\ndef f(w, x):\n    return w, {text}\n')
    for transformed in (tp.value_and_grad(function, has_aux=True), tp.jit(function)):
        with pytest.raises((OverflowError, tp.TranspileError)):
            transformed(1.0, np.array([3, 9], 'uint8'))


def test_comparisons_with_a_number_that_may_be_negative():
    def f(x, n):
        return x < n, x <= n, x > n, x >= n, x == n, x != n, n < x, n >= x, n == x, x[0] < n, x[1] > n, n != x[2]

    compiled, x = tp.jit(f), np.array([0, 3, 2**64 - 1, 2**63], 'uint64')
    for n in (-1, 0, 3, MOST, LEAST):
        for found, expected in zip(compiled(x, n), f(x, n), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(('kind', 'source'), [
    ('int64', np.ones(2)), ('uint8', np.ones(2, int)), ('int8', 1.5), ('uint64', np.ones(2, int))])
def test_copies_that_lose_something(kind, source):
    def f(w, x, source):
        np.copyto(x, source)
        return w * x[0]

    with pytest.raises(TypeError):
        f(1.0, np.zeros(2, kind), source)
    for transformed in (tp.grad(f), tp.jit(f)):
        with pytest.raises((TypeError, tp.TranspileError)):
            transformed(1.0, np.zeros(2, kind), source)
        assert transformed(2.0, np.zeros(2, kind), np.ones(2, kind)) in (1.0, 2.0)


@pytest.mark.compiles
@pytest.mark.parametrize('kind', [float, np.float32])
def test_the_longest_of_floats_are_integers(kind):
    whole = tp.jit(lambda x: int(x))
    assert whole(kind(-2.0**63)) == -2**63
    assert whole(kind(2.0**62)) == 2**62
    for value in (2.0**63, -1.5 * 2.0**63, np.inf):
        with pytest.raises(OverflowError):
            whole(kind(value))
    with pytest.raises(ValueError):
        whole(kind(np.nan))
