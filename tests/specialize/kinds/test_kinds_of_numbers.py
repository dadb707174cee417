"""A number that is Python's on one path and NumPy's on another stays what it is: compiled, and in a batch, as in Python."""
import numpy as np
import pytest

import transpiler as tp

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')


def bytes_of(*items):
    return np.array(items, np.uint8)


def signed(*items):
    return np.array(items, np.int8)


def single(*items):
    return np.array(items, np.float32)


def extremes(a):
    n, m = min(a[0], 3), max(a[0], 300)
    return n * 100, m, (n + 250) // 2, min(max(a[0], 10), 200) * 2


def conditional(a):
    n = 3 if a[0] > 5 else a[1]
    m = n
    return [n * 100, m * 2.5, -m, n << 7, abs(n), n > 2]


def branches(a, c):
    n = a[0]
    if c > 0:
        n = 1000
    elif c < 0:
        n = 2.5
    return n * 2, n / 2, n + 55


def two_dtypes(a, b):
    return max(a[0], b[0]) * 2


def taken(a):
    s = best = 0
    for v in a:
        if v > 100:
            s += v
        if v > best:
            best = v
    return s + 300 if s < 1 else s, best + 200 if best < 20 else best


def found(x):
    b = 0.1
    for v in x:
        if v > 100:
            b = v
            break
    return b * 3, x * b


def added_up(x, n):
    s, p = 0.0, 0.1
    for i in range(n):
        s += x[i]
        p = p * x[i]
    return s + 0.1, p * 3


def halved(a):
    n, k = 200 if a[0] > 5 else a[1], 0
    while n > 3:
        n = n // 2
        k += 1
    total = 0
    for i in range(n):
        total += i
    return k, n + 250, total


def stored(a):
    out, n = np.zeros(3), max(a[0], 2)
    out[n % 3] = n * 200
    return out


def arrays(x, y):
    z = x if x[0] > 0.5 else y
    return z * 0.1, np.sin(z[0])


def picked(a):
    numbers = (7, a[0])
    return numbers[1 if a[0] > 8 else 0] * 100


def real_or_complex(x, c):
    z = complex(x[0], x[1]) if x[0] > 0 else float(x[0])
    w = 1j if c else -2.0
    return np.sqrt(z), np.abs(np.log(w)), w * x


def turned(x, n):
    """What is added up, and multiplied, is alike for Python's float and a complex number; its root is not."""
    z, s, p = -1.0, 0, 1.0
    for i in range(n):
        z = z + x[i] * 1j
        s += x[i] * 1j
        p = p * 1j
    return np.sqrt(z), s + p * 1j, np.abs(s)


def sums(a, x, k):
    return (sum(a[:k]) + 100) * 3, sum(a[:k], 2) * 200, sum(x[:k], 0.1) / 3, sum((v * 2 for v in x[:k]), 0.1) / 3


def no_axes(a, c):
    n = a[0] if c else 100
    return np.array(n), np.array(n) * 2


CASES = [
    (sums, (bytes_of(1, 2), single(0.1, 0.2), 0), (bytes_of(1, 2), single(0.1, 0.2), 2)),
    (no_axes, (bytes_of(200), True), (bytes_of(200), False)),
    (real_or_complex, (np.array([-0.3, -0.7]), True), (np.array([-0.3, -0.7]), False), (np.array([0.3, 0.7]), True)),
    (turned, (np.array([-0.3, -0.7]), 0), (np.array([-0.3, -0.7]), 2)),
    (extremes, (bytes_of(1),), (bytes_of(5),)),
    (conditional, (bytes_of(9, 2),), (bytes_of(1, 200),)),
    (branches, (bytes_of(200), 0), (bytes_of(200), 1), (bytes_of(200), -1)),
    (two_dtypes, (signed(100), bytes_of(200)), (signed(100), bytes_of(2))),
    (taken, (bytes_of(1, 2),), (bytes_of(101, 150),), (bytes_of(0, 0),)),
    (found, (single(1, 2),), (single(1, 200.3),)),
    (added_up, (single(0.1, 0.2), 0), (single(0.1, 0.2), 2)),
    (halved, (bytes_of(9, 2),), (bytes_of(1, 200),), (bytes_of(1, 3),)),
    (stored, (bytes_of(150),), (bytes_of(1),)),
    (arrays, (single(0.6, 0.7), np.array([0.1, 0.2])), (single(0.3, 0.7), np.array([0.1, 0.2]))),
    (picked, (bytes_of(1),), (bytes_of(9),)),
]


def same(got, expected):
    """Equal to the last bit, but for functions of complex numbers, which Numba has others of."""
    close = np.allclose if np.iscomplexobj(expected) or np.iscomplexobj(got) else np.array_equal
    return close(got, expected, equal_nan=True)


def leaves(value):
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, (tuple, list)) else [value]


@pytest.mark.compiles
@pytest.mark.parametrize(('function', 'calls'), [pytest.param(f, calls, id=f.__name__) for f, *calls in CASES])
def test_compiled(function, calls):
    compiled = tp.jit(function)
    for args in calls:
        for got, expected in zip(leaves(compiled(*args)), leaves(function(*args)), strict=True):
            assert same(got, expected), (args, got, expected)
            small = np.asarray(expected).dtype.itemsize < 8
            assert not small or np.asarray(got).dtype == np.asarray(expected).dtype


@pytest.mark.parametrize(
    ('function', 'calls'), [pytest.param(f, calls, id=f.__name__) for f, *calls in CASES if f is not sums])
def test_batched(function, calls):
    calls = [[np.asarray(arg) for arg in args] for args in calls]
    batch = leaves(tp.vmap(function)(*(np.stack([*args, args[0]]) for args in zip(*calls, strict=True))))
    for k, args in enumerate(calls):
        for got, expected in zip(batch, leaves(function(*args)), strict=True):
            assert same(got[k], expected), (args, got[k], expected)


def test_source_stays_as_it_is_written():
    text = tp.jit(conditional).lower(bytes_of(9, 2)).source
    assert '    n = 3 if a[0] > 5 else a[1]\n    return [n * 100, n * 2.5, -n, n << 7, abs(n), n > 2]' in text


@pytest.mark.parametrize('compiled', [True, False])
def test_where_it_may_not_fit(compiled):
    """What raises on one path does not on the other."""
    wrap = tp.jit if compiled else lambda f: tp.vmap(f)
    one = wrap(lambda a: (a[0] if a[0] > 5 else 3) + 256)
    args = bytes_of(1) if compiled else bytes_of(1)[None]
    assert one(args) == 259
    with pytest.raises(OverflowError, match='out of bounds for uint8'):
        one(args + np.uint8(5))


def test_gradients_where_a_number_may_be_complex(mode):
    def root(x):
        z = complex(x[0], x[1]) if x[0] > 0 else float(x[0])
        return np.abs(np.sqrt(z))

    def root_of_complex(x):
        return np.abs(np.sqrt(complex(x[0], x[1])))

    slope = mode(tp.value_and_grad(root))
    value, found = slope(np.array([-0.3, -0.7]))
    assert np.isnan(value) and np.isnan(found[0])
    value, found = slope(np.array([0.3, 0.7]))
    expected, of_complex = tp.value_and_grad(root_of_complex)(np.array([0.3, 0.7]))
    assert np.isclose(value, expected) and np.allclose(found, of_complex)


def test_gradients_of_sums_of_nothing(mode):
    def third(x, k):
        return sum(x[:k], 0.1) / 3 + sum(v * v for v in x[:k]) * 0.1

    x = single(0.1, 0.2)
    for k in (0, 2):
        value, slope = mode(tp.value_and_grad(third))(x, k)
        assert np.isclose(value, third(x, k), rtol=1e-6 if k else 1e-15)
        assert np.allclose(slope, 1 / 3 + 0.2 * x if k else 0.0)


def test_lists_of_floats_and_complex_numbers():
    def listed(x, n):
        kept = [-1.0]
        for i in range(n):
            kept.append(x[i] * 1j)
        return kept

    x = np.array([1.0, 2.0])
    assert tp.jit(lambda x, n: sum(listed(x, n)))(x, 2) == -1 + 3j
    with pytest.raises(tp.TranspileError, match="a number is Python's float or complex"):
        tp.jit(lambda x, n: np.sqrt(listed(x, n)[0]))(x, 2)


def test_items_of_a_list_are_of_one_kind():
    def mixed(a):
        kept = []
        for v in a:
            kept.append(v if v > 5 else 7)
        return kept[0] * 100

    with pytest.raises(tp.TranspileError) as refused:
        tp.jit(mixed)(bytes_of(1, 9))
    message = str(refused.value)
    assert "a number is Python's int or uint8 here" in message and 'return kept[0] * 100' in message and 'int(v)' in message


def test_totals_and_extremes_of_mixed_lists():
    """Generated Python gives what Python gives; compiled code, whose lists have items of one kind, refuses."""
    def total(a, x):
        return sum(v if v > 5 else 7 for v in a) * x

    def most(a, x):
        return max([v if v > 5 else 7 for v in a]) * 100 * x

    for function in (total, most):
        for a in (bytes_of(1, 200), bytes_of(100, 200), bytes_of(1, 2)):
            assert tp.value_and_grad(function, argnums=1)(a, 2.0) == (function(a, 2.0), function(a, 1.0))
            with pytest.raises(tp.TranspileError, match="a number is Python's int or uint8"):
                tp.jit(function)(a, 2.0)


def first_above(a, i):
    if i >= a.shape[0]:
        return 300
    if a[i] > 5:
        return a[i]
    return first_above(a, i + 1)


def halves(x, low, high):
    if high <= low:
        return 0.0
    if high - low == 1:
        return x[low]
    middle = (low + high) // 2
    return halves(x, low, middle) + halves(x, middle, high)


def test_functions_that_call_themselves_give_one_kind():
    with pytest.raises(tp.TranspileError, match="a number is Python's int or uint8"):
        tp.jit(lambda a, i: first_above(a, i) * 2)(bytes_of(1, 2), 0)
    x = single(0.1, 0.2)
    assert tp.jit(lambda x, n: halves(x, 0, n) * 0.1)(x, 2) == halves(x, 0, 2) * 0.1


def added_by_calls(a, n):
    return 0 if n <= 0 else a[n % a.size] + added_by_calls(a, n - 1)


def turned_by_calls(x, n):
    return 0.0 if n <= 0 else x[n - 1] * 1j + turned_by_calls(x, n - 1)


def test_numbers_with_which_functions_that_call_themselves_end():
    a, x = bytes_of(1, 2), np.array([-0.3, -0.7])
    assert tp.jit(lambda a, n: added_by_calls(a, n) + 5)(a, 2) == added_by_calls(a, 2) + 5
    assert tp.jit(lambda x, n: np.abs(turned_by_calls(x, n)))(x, 2) == np.abs(turned_by_calls(x, 2))
    for refused, args in ((lambda a, n: (added_by_calls(a, n) + 100) * 3, (a, 0)),
                          (lambda x, n: np.sqrt(turned_by_calls(x, n) - 1.0), (x, 0))):
        with pytest.raises(tp.TranspileError, match="a number is Python's"):
            tp.jit(refused)(*args)


def test_integers_that_no_dtype_holds():
    def longest(a):
        return max(a[0], -1)

    a = np.array([2**63 + 5, 1], np.uint64)
    assert tp.jit(longest)(a) == 2**63 + 5
    with pytest.raises(tp.TranspileError, match='no dtype of integers holds all of them'):
        tp.vmap(longest)(a[None])


def test_lists_of_small_numbers_hold_them(mode):
    def doubled(x):
        return [v * 2 for v in x]

    assert [type(v) for v in mode(tp.jit(doubled) if mode.compiled else doubled)(single(0.1, 0.2))] == [np.float32] * 2


def test_where_of_numbers_gives_one_dtype(mode):
    """`np.where` is no conditional expression: Python's number takes the dtype of NumPy's."""
    def chosen(a, x):
        return np.where(a[0] > 5, 3, a[1]) * 100 + np.where(x[0] > 5, x[0], 0.1)

    value, slope = mode(tp.value_and_grad(chosen, argnums=1))(bytes_of(9, 2), single(1, 2))
    assert value == chosen(bytes_of(9, 2), single(1, 2)) and np.array_equal(slope, [0.0, 0.0])


def in_order(x, n):
    z = 1.0
    for _ in range(n):
        z = z * (x[0] + 1j)
    return x[0] if z > 0 else x[1]


def test_complex_numbers_are_not_put_in_order():
    with pytest.raises(tp.errors.UnsupportedFunction, match='complex numbers are put in order'):
        tp.jit(in_order)(np.ones(2), 2)
