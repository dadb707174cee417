"""Whole numbers of all sizes, alone and beside floats, have compiled the dtypes and values that NumPy gives them."""
import numpy as np
import pytest

import transpiler as tp

KINDS = ('bool', 'int8', 'uint8', 'int16', 'int32', 'uint32', 'int64', 'uint64', 'float32', 'float64')
BOTH = ('x + y', 'x * y', 'x / y', 'x // y', 'x % y', 'np.maximum(x, y)', 'x < y', 'np.where(x > y, x, y)', 'np.power(x, y % 3)',
        'np.sign(x)', 'np.sum(x) * y', 'x[0] + y[0]', 'x[0] * y[1]', 'x[1] // y[1]', 'x.dot(y)')


def numbers(kind):
    kind = np.dtype(kind)
    if kind.kind == 'b':
        return np.array([True, False, True, True])
    if kind.kind == 'i':
        return np.array([100, -3, np.iinfo(kind).min, 7], kind)
    return np.array([200, 3, 0, 7] if kind.kind == 'u' else [1.5, -2.5, 0.0, 3.0], kind)


def works(text, scope):
    """Whether NumPy does it, in a precision that there is compiled code for."""
    try:
        return np.asarray(eval(text, {'np': np}, scope)).dtype != np.float16
    except TypeError:
        return False


@pytest.mark.compiles
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('second', KINDS)
@pytest.mark.parametrize('first', KINDS)
def test_pairs(first, second):
    scope = {'x': numbers(first), 'y': numbers(second)[::-1].copy()}
    texts = [text for text in BOTH if works(text, scope)]
    function = tp.from_source(f'import numpy as np\ndef f(x, y):\n    return ({", ".join(texts)},)\n')
    for text, found, expected in zip(texts, tp.jit(function)(**scope), function(**scope), strict=True):
        assert (text, found.dtype) == (text, expected.dtype)
        np.testing.assert_allclose(found, expected, rtol=1e-6 if expected.dtype == np.float32 else 1e-13, err_msg=text)


def of_whole_numbers(w, x, y, m):
    return w, (np.median(x), np.median(m, axis=1), np.nanmedian(x), np.average(x, weights=y), np.average(m, axis=0, weights=x),
               np.linalg.norm(x), np.linalg.norm(m), np.linalg.norm(m, axis=1), np.linalg.norm(m, 1), np.linalg.norm(x, np.inf),
               np.interp(0.5, [0.0, 1.0], x[:2]), np.interp(1.5, np.arange(4), y), np.gradient(x), np.gradient(m, axis=0),
               np.gradient(x, np.sort(y)), np.imag(x), np.mean(m, axis=0), np.var(x), np.sum(m, axis=0), sum(x))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('kind', ['int8', 'uint8', 'int32', 'uint64'])
def test_functions_that_take_them_as_floats(mode, kind):
    x = np.array([200, 3, 1, 150] if kind[0] == 'u' else [100, -3, -128, 120], kind)
    y = np.roll(x, 1)
    arguments = (1.0, x, y, np.stack([x, y, np.roll(x, 2), x[::-1]]))
    (_, found), slope = mode(tp.value_and_grad(of_whole_numbers, has_aux=True))(*arguments)
    assert slope == 1.0
    for a, b in zip(found, of_whole_numbers(*arguments)[1], strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=1e-12)


def test_flags(mode):
    def f(w, x):
        return w, (np.median(x), np.average(x, weights=x), np.linalg.norm(x), np.interp(0.25, np.arange(3), x), sum(x))
    x = np.array([True, False, True])
    for a, b in zip(mode(tp.value_and_grad(f, has_aux=True))(1.0, x)[0][1], f(1.0, x)[1], strict=True):
        np.testing.assert_allclose(a, b)


def test_angles_of_real_numbers(mode):
    def f(w, x):
        return w, np.angle(x)
    x = np.array([-2.0, 0.0, np.inf, 3.0])
    np.testing.assert_array_equal(mode(tp.value_and_grad(f, has_aux=True))(1.0, x)[0][1], np.angle(x))


COMPARISONS = ('x > -1', 'x >= w', 'x < 300', 'x == 300', 'x[1] != w', '-1 < x[0]', 'np.where(x > w, 1.0, 2.0)',
               'max(x[0], 2)', 'x < 1e10')


@pytest.mark.parametrize('kind', ['uint8', 'int8', 'uint32', 'uint64', 'int64'])
def test_comparisons_with_integers_that_they_do_not_hold(kind):
    function = tp.from_source(f'import numpy as np\ndef f(x, w):\n    return ({", ".join(COMPARISONS)},)\n')
    x, compiled = np.array([3, 100, 7], kind), tp.jit(function)
    for w in (-1, 300, 100):
        for text, found, expected in zip(COMPARISONS, compiled(x, w), function(x, w), strict=True):
            np.testing.assert_array_equal(found, expected, err_msg=text)


def stored(x, w):
    x[0] = w
    return x


def added(x, w):
    return x + w


@pytest.mark.parametrize('function', [stored, added])
@pytest.mark.parametrize(('kind', 'number'), [('uint8', 300), ('uint8', -1), ('int8', 128), ('uint32', -5), ('uint64', -1),
                                               ('int64', 2 ** 63), ('int64', 2 ** 64 - 1)])
def test_integers_that_do_not_fit(function, kind, number):
    for transformed in (function, tp.jit(function)):
        with pytest.raises(OverflowError):
            transformed(np.array([1, 2], kind), number)
        assert transformed(np.array([1, 2], kind), 100)[0] in (100, 101)
    with pytest.raises(tp.TranspileError if kind == 'int64' else OverflowError, match='does not fit|out of bounds'):
        tp.jit(tp.from_source(f'import numpy as np\ndef f(x):\n    return np.maximum(x, {number})\n'))(np.array([1, 2], kind))


LONG = ('x < 2 ** 63', 'x > -2 ** 63 - 1', '2 ** 70 == x[0]', 'x[0] != 2 ** 63', 'x < -2 ** 63')


@pytest.mark.parametrize('kind', ['uint8', 'int64', 'uint64'])
def test_comparisons_with_integers_of_more_than_64_bits(kind):
    function = tp.from_source(f'import numpy as np\ndef f(x):\n    return ({", ".join(LONG)},)\n')
    for x in np.array([3, 100], kind), np.array([np.iinfo(kind).max, np.iinfo(kind).min], kind):
        for text, found, expected in zip(LONG, tp.jit(function)(x), function(x), strict=True):
            np.testing.assert_array_equal(found, expected, err_msg=text)


@pytest.mark.parametrize('value', ['x + 2 ** 63', 'x.sum() + 2 ** 63', 'n + 2 ** 63', '2 ** 64 // n'])
def test_written_integers_of_more_than_64_bits(value):
    """Numba would take them for unsigned ones, and wrap around."""
    function = tp.from_source(f'import numpy as np\ndef f(x, n):\n    return {value}\n')
    with pytest.raises(tp.TranspileError, match='does not fit into int64'):
        tp.jit(function)(np.array([1, 2]), 3)


def test_chosen_integers_of_more_than_64_bits():
    """NumPy wraps them around."""
    function = tp.from_source('import numpy as np\ndef f(x):\n    return np.where(x > 0, 2 ** 63, x)\n')
    with pytest.raises(OverflowError, match='out of bounds for int64'):
        tp.jit(function)(np.array([1, 2]))


@pytest.mark.parametrize('number', [2 ** 63, 2 ** 70, -2 ** 63 - 1])
def test_given_integers_of_more_than_64_bits(number):
    places = number.bit_length() + (number < 0)    # each a text of its own, which nobody has compiled yet
    compiled = tp.jit(tp.from_source(f'def of_{places}_bits(n):\n    return n + 1\n'))
    with pytest.raises(OverflowError, match='too long'):
        compiled(number)
    assert compiled(-2 ** 63) == 1 - 2 ** 63
    with pytest.raises(OverflowError):
        compiled(number)


def test_integers_of_unsigned_ones_of_64_bits():
    """Python's integers have no end, those of compiled code do."""
    def made(a):
        return int(a[0]) * 2, a[1].item() + 1

    def counted(a):
        return np.arange(a[0])

    assert tp.jit(made)(np.array([7, 2**63 - 2], np.uint64)) == (14, 2**63 - 1)
    for large in ([2**63, 1], [1, 2**64 - 1]):
        with pytest.raises(OverflowError):
            tp.jit(made)(np.array(large, np.uint64))
    assert np.array_equal(tp.jit(counted)(np.array([3], np.uint8)), [0, 1, 2])


def test_integers_of_a_batch_of_unsigned_ones(mode):
    def scaled(a, x):
        return np.sum(x) * int(a[0])

    batch, x = np.array([[3, 0], [2**62, 1]], np.uint64), np.ones((2, 2))
    assert mode(tp.vmap(scaled))(batch, x).tolist() == [6.0, 2.0**63]
    with pytest.raises(OverflowError):
        mode(tp.vmap(scaled))(batch + np.uint64(2**63), x)
