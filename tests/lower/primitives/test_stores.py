"""Numbers that become integers: refused where NumPy refuses one, in its words, compiled and in batches; else cast as it does."""
import numpy as np
import pytest

import transpiler as tp

NUMBERS = {
    'Python ints': [5, 300, -1],
    'Python floats': [2.7, 300.5, -1.5, 1e30, np.nan, np.inf],
    'int64': [np.int64(k) for k in (5, 300, -1, 2**40)],
    'uint64': [np.uint64(k) for k in (5, 200, 2**63)],
    'float64': [np.float64(x) for x in (2.7, 300.5, -1.5, 1e12, np.nan, -np.inf)],
    'float32': [np.float32(x) for x in (2.7, 300.5, np.nan)],
}
SIGNED, UNSIGNED = np.int8, np.uint8


def element(b, v):
    b[0] = v
    return b


def part(b, v):
    b[1:] = v
    return b


def picked(b, v):
    b[np.array([0])] = v
    return b


def masked(b, v):
    b[b == 0] = v
    return b


def added(b, v):
    b[0] += v
    return b


def copied(b, v):
    np.putmask(b, b == 0, v)
    return b


def made(b, v):
    return np.array([v, 1], b.dtype), np.asarray(v, b.dtype), b.dtype.type(v)


def in_a_loop(b, v):
    for i in range(b.size):
        b[i] = v
    return b


def outcome(function, *args):
    """What a function gives, with dtypes, or the class of what it raises."""
    try:
        with np.errstate(all='ignore'):
            given = function(*args)
    except (OverflowError, ValueError) as error:
        return type(error)
    return [(np.asarray(part).dtype, np.asarray(part).tolist()) for part in (given if isinstance(given, tuple) else [given])]


def of_examples(function, b, numbers):
    rows = [function(b.copy(), number) for number in numbers]
    return tuple(map(np.stack, zip(*rows, strict=True))) if isinstance(rows[0], tuple) else np.stack(rows)


@pytest.mark.compiles
@pytest.mark.parametrize('kind', NUMBERS)
@pytest.mark.parametrize('dtype', [SIGNED, UNSIGNED])
@pytest.mark.parametrize('function', [element, masked, made])
def test_compiled(function, dtype, kind):
    compiled = tp.jit(function)
    for number in NUMBERS[kind]:
        assert outcome(compiled, np.zeros(3, dtype), number) == outcome(function, np.zeros(3, dtype), number), number


@pytest.mark.parametrize('kind', ['int64', 'uint64', 'float64', 'float32'])
@pytest.mark.parametrize('dtype', [SIGNED, UNSIGNED, np.uint64])
@pytest.mark.parametrize('function', [element, part, picked, masked, added, copied, made, in_a_loop])
def test_batched(function, dtype, kind):
    batched = tp.vmap(function)
    for number in NUMBERS[kind]:
        b, numbers = np.zeros(3, dtype), np.array([number, number])
        assert outcome(batched, np.stack([b, b]), numbers) == outcome(of_examples, function, b, numbers), number


def test_numbers_of_pythons_in_batches(mode):
    """They are arrays there, which NumPy casts without asking."""
    def f(x, k):
        b = np.zeros(2, np.uint8)
        b[0] = float(x)
        b[[1]] = int(x)
        return b, k + int(x), np.uint8(float(x)), np.full(2, int(x), np.int8)

    small = np.ones(2, np.int8)
    b, total, byte, filled = mode(tp.vmap(f, in_axes=(0, None)))(np.array([2.5, 100.0]), small)
    assert b.tolist() == [[2, 2], [100, 100]] and total.tolist() == [[3, 3], [101, 101]] and total.dtype == np.int8
    assert byte.tolist() == [2, 100] and filled.tolist() == [[2, 2], [100, 100]]
    for x in (-1.0, 200.0, 300.0, 1e10):
        with pytest.raises(OverflowError):
            mode(tp.vmap(f, in_axes=(0, None)))(np.array([2.5, x]), small)


@pytest.mark.parametrize(('number', 'words'), [
    (300, 'Python integer 300 out of bounds for int8'), (np.float64(300.5), 'Python integer 300 out of bounds for int8'),
    (np.float64(np.nan), 'cannot convert float NaN to integer'), (np.float64(np.inf), 'cannot convert float infinity to integer'),
])
def test_words(number, words):
    for function in (element, tp.jit(element)):
        with pytest.raises((OverflowError, ValueError), match=words):
            function(np.zeros(1, np.int8), number)


def test_derivatives_raise_too(mode):
    def loss(x, b):
        b[0] = x[0]
        return np.sum(b * x)

    x, b = np.array([3.7, 1.0]), np.array([1, 2], np.int8)
    assert mode(tp.grad(loss))(x, b).tolist() == [3.0, 2.0]
    with pytest.raises(OverflowError):
        mode(tp.value_and_grad(loss))(x * 100.0, b)


def test_casts_of_arrays():
    """What a processor makes of floats that no integer is large enough for."""
    def f(x):
        return [x.astype(d) for d in (np.int8, np.uint16, np.int32, np.int64, np.uint64)]

    for dtype in (np.float64, np.float32):
        x = np.array([1.5, -1.0, 300.5, 70000.0, 1e12, -1e12, 1e20, np.nan, np.inf, -np.inf], dtype)
        with np.errstate(invalid='ignore'):
            assert all(map(np.array_equal, tp.jit(f)(x), f(x)))


def test_long_unsigned_numbers_become_floats_beside_signed_ones():
    """`np.uint64` plus `np.int64` is a float, in NumPy: an element was added up as an integer."""
    def f(b, k):
        b[0] += k
        return b

    for dtype, k in ((np.uint64, np.int64(1)), (np.int64, np.uint64(1))):
        b = np.array([2**53 + 1, 0], dtype)
        assert np.array_equal(tp.jit(f)(b.copy(), k), f(b.copy(), k))


def test_in_place_of_mixed_signs(mode):
    def f(b, k):
        b[:] += k
        return b

    b = np.array([100, -3], np.int8)
    with np.errstate(all='ignore'):
        assert mode(tp.vmap(f))(np.array([b]), np.array([300])).tolist() == [f(b.copy(), np.int64(300)).tolist()]
    assert mode(tp.vmap(f, in_axes=(0, None)))(np.array([b]), np.uint8(200)).tolist() == [f(b.copy(), np.uint8(200)).tolist()]
    assert np.array_equal(tp.jit(f)(b.copy(), np.uint8(200)), f(b.copy(), np.uint8(200)))
    with pytest.raises(tp.TranspileError, match='casting error'):
        mode(tp.vmap(f))(np.array([b]), np.array([1], np.uint64))


def test_empty_parts_ask_too():
    def f(b, v):
        b[:] = v
        return b

    for function in (f, tp.jit(f)):
        with pytest.raises(OverflowError):
            function(np.zeros(0, np.int8), np.float64(300.0))


def test_the_first_that_fails_raises():
    """Also where threads share a loop."""
    def f(x, n):
        b = np.zeros(n, np.int32)
        for i in range(n):
            b[i] = x[i]
        return b

    x = np.arange(200_000.0)
    assert np.array_equal(tp.jit(f)(x, x.size), f(x, x.size))
    x[150_000], x[199_000] = np.nan, 1e12
    with pytest.raises(ValueError, match='NaN'):
        tp.jit(f)(x, x.size)


def test_lists(mode):
    """What is on a list is put into an array one by one, of whatever length it is."""
    def literal(x):
        b = np.zeros(2, np.int8)
        b[:] = [x[0], x[1]]
        return b

    def grown(x):
        t = []
        for v in x:
            if v > 0.0:
                t.append(v)
        b = np.zeros(2, np.int8)
        b[:] = t
        return b

    def made(x):
        return np.array([int(v) for v in x], dtype=np.uint8)

    for f in (literal, grown, made):
        assert mode(tp.vmap(f))(np.array([[2.5, 100.7]])).tolist() == [[2, 100]]
        with pytest.raises(OverflowError, match='Python integer 300 out of bounds'):
            mode(tp.vmap(f))(np.array([[2.5, 300.7]]))


def test_gradients_of_lists():
    """The source of a derivative is plain NumPy: it has to ask itself where it makes an array of the list."""
    def f(x):
        k = np.array([v for v in x], dtype=np.int8)
        return np.sum(x * k)

    assert tp.grad(f)(np.array([2.5, 3.7])).tolist() == [2.0, 3.0]
    with pytest.raises(OverflowError):
        tp.grad(f)(np.array([2.5, 300.7]))


def test_shared_numbers_among_those_of_examples(mode):
    def f(x, v):
        return np.array([x, v], np.int16), np.full(2, float(x), np.int8)

    batched = mode(tp.vmap(f, in_axes=(0, None)))
    made, filled = batched(np.array([1.5, 300.0]), -3.5)
    assert made.tolist() == [[1, -3], [300, -3]] and filled.tolist() == [[1, 1], [44, 44]]     # `np.full` casts floats
    with pytest.raises(OverflowError):
        batched(np.array([1.5, 300.0]), 1e6)


def test_unread_numbers_raise_too(mode):
    def f(x, k):
        small, filled = np.int8(k), np.full(2, k, np.int8)
        return x

    with pytest.raises(OverflowError):
        tp.jit(f)(np.ones(2), 300)
    with pytest.raises(OverflowError):
        mode(tp.vmap(f, in_axes=(0, None)))(np.ones((2, 2)), 300)


def test_copied_numbers_are_cast():
    """`np.copyto` and `np.put` take NumPy's numbers for arrays."""
    def f(b, k):
        np.copyto(b, k)
        np.put(b, [0], k + 1)
        return b

    b, k = np.zeros(2, np.int8), np.int64(300)
    assert np.array_equal(tp.jit(f)(b.copy(), k), f(b.copy(), k))


@pytest.mark.filterwarnings('ignore::numpy.exceptions.ComplexWarning')
def test_complex_numbers_lose_their_imaginary_parts_first():
    def f(z):
        b = np.zeros(2, np.int8)
        b[0] = z * 2.0
        return b

    assert tp.jit(f)(np.complex128(3 + 1j)).tolist() == [6, 0] and tp.vmap(f)(np.array([3 + 1j])).tolist() == [[6, 0]]
    for call in (lambda: tp.jit(f)(np.complex128(300 + 1j)), lambda: tp.vmap(f)(np.array([300 + 1j]))):
        with pytest.raises(OverflowError, match='Python integer 600'):
            call()


def test_spaced_numbers_are_rounded_down():
    """`np.linspace` into integers: NumPy takes the floor, and computes in floats; ends that are arrays were cast before."""
    def f(a, b, n):
        return np.linspace(a, b, n, dtype=np.int8), np.linspace(a, b, n), np.linspace(a, b, n, endpoint=False)

    two = np.array([0.3, 1.0])
    for a, b in ((0.0, -5.0), (two, -5.5), (two, np.array([200.0, -100.0]))):
        for made, expected in zip(tp.jit(f)(a, b, 4), f(a, b, 4), strict=True):
            assert made.dtype == expected.dtype and np.array_equal(made, expected)
    with pytest.raises(ValueError, match='non-negative'):
        tp.jit(f)(two, 1.0, -1)


@pytest.mark.parametrize('limits', [
    (0.0, 3.0, 0.5), (0.5, 6.0, 1.5), (0, 300, 150), (0, 300, 100), (1e10, 2e10, 3e9), (0.1, 1.7, 0.3), (-3, 3, 2)])
def test_counted_numbers(limits):
    """`np.arange` goes on by how far the first two are from each other, in the dtype of the result."""
    def f(a, b, c):
        return np.arange(a, b, c, dtype=np.int8)

    def g(a, b, c):
        return np.arange(a, b, c), np.arange(a, b, c, dtype=np.float32), np.arange(a, b, c, dtype=int)

    for function in (f, g):
        assert outcome(tp.jit(function), *limits) == outcome(function, *limits)
