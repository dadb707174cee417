"""Whatever is done with a number that may be Python's or NumPy's is what Python does: stored, cast, filled in, and returned."""
import numpy as np
import pytest

import transpiler as tp

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')
FEW, SOME, BELOW = (np.array([v, 2], np.int8) for v in (1, 120, -120))


def taken(k):
    n = 0
    for v in k:
        if v > 100 or v < -100:
            n = n + v
    return n


def written(k, way):
    n, b = taken(k), np.zeros(2, np.uint8)
    if way == 0:
        b[0] = n - 5
    elif way == 1:
        b[:] = n - 5
    elif way == 2:
        b.fill(n - 5)
    elif way == 3:
        b[np.array([0])] = n - 5
    elif way == 4:
        b[b >= 0] = n - 5
    elif way == 5:
        b = np.full(2, n - 5, np.uint8)
    elif way == 6:
        b = np.array([n - 5, 1], np.uint8)
    elif way == 7:
        b[1] = np.uint8(n - 5)
    elif way == 8:
        b[1] += n - 5
    elif way == 9:
        b[0] = sum([v for v in k if v > 100]) - 1
    elif way == 10:
        b[0] = (n + 1) * 77 if n < 1 else n
    return b


def outcome(function, *args):
    """What a call gives, or the error that it raises: numbers as they are, Python's or NumPy's."""
    try:
        return repr(function(*args))
    except OverflowError as error:
        assert 'out of bounds for' in str(error)
        return 'OverflowError'


@pytest.mark.compiles
def test_stored_in_another_dtype():
    compiled, batched = tp.jit(written), tp.vmap(written, in_axes=(0, None))
    for way in range(11):
        for k in (FEW, SOME, BELOW):
            wanted = outcome(written, k, way)
            assert outcome(compiled, k, way) == wanted, (way, k)
            assert outcome(lambda k, way: batched(k[None], way)[0], k, way) == wanted, (way, k)


def products(x, k):
    h = 1
    for v in x:
        h = h * k[0] if v > 0 else h
    return h * 200, h - 1, h


def counted(k):
    n = 0
    for v in k:
        if v > 0:
            n = n + v
    return n, sum([v for v in k if v > 0]), [n - 1], {'n': (n, 3 if k[0] > 5 else k[1])}


def singles(x):
    s, p = 0.1, 0.1
    for v in x:
        if v > 0:
            s, p = s + v, p * v
    return s, p / 3, sum([v for v in x if v > 0], 0.0)


@pytest.mark.compiles
@pytest.mark.parametrize(('function', 'calls'), [
    (products, [(np.array([x]), np.array([3], np.uint8)) for x in (1.0, -1.0)]),
    (counted, [(np.array(k),) for k in ([1, 7], [-1, -2], [9, 2])]),
    (counted, [(np.array(k, np.int8),) for k in ([1, 100], [-1, -2])]),
    (singles, [(np.array(x, np.float32),) for x in ([0.1, 0.7], [-0.1, -0.7])]),
    (lambda k: sum(k), [(np.zeros(0, int),)]),
])
def test_results_are_of_their_kind(function, calls):
    compiled = tp.jit(function)
    for args in calls:
        assert outcome(compiled, *args) == outcome(function, *args)


def test_results_of_all_examples_are_of_a_dtype_that_holds_them():
    """One that kept none of NumPy's numbers has Python's, which does not wrap around."""
    batch = tp.vmap(lambda x, k: products(x, k)[0], in_axes=(0, None))(np.array([[-1.0], [1.0]]), np.array([3], np.uint8))
    assert batch.dtype == np.int64 and list(batch) == [200, 88]


def questions(k, x):
    n, m = taken(k), 3 if k[0] > 5 else k[1]
    first = 1 if isinstance(n, int) else 2
    second = 10 if isinstance(m - 1, np.integer) else 20
    third = 100 if np.asarray(n).dtype == np.int8 else 200
    fourth = 1000 if type(m) is int else 2000
    return x * (first + second + third + fourth) + np.sum(np.clip(np.array([1, 200], np.uint8), 0, n + 300 if n == 0 else 100))


def of_all_items(k):
    p = 0
    for v in k:
        p = p - v
    return isinstance(p, int), isinstance(p, np.integer)


@pytest.mark.compiles
def test_classes_after_a_loop():
    for k in (np.array([1, 2]), np.array([1, 2], np.int8), np.zeros(0, int)):
        assert tp.jit(of_all_items)(k) == of_all_items(k)


def test_classes_are_those_of_the_number_at_hand(mode):
    value, slope = mode(questions), mode(tp.value_and_grad(questions, argnums=1))
    for k in (FEW, SOME, BELOW):
        wanted = questions(k, 1.0)
        assert value(k, 1.0) == wanted and slope(k, 1.0) == (wanted, questions(k, 2.0) - wanted)
        assert tp.vmap(questions, in_axes=(0, None))(k[None], 1.0) == wanted


def product(z, least):
    n = 1j
    for v in z:
        if v.real > least:
            n = n * v
    return n


@pytest.mark.filterwarnings('ignore::numpy.exceptions.ComplexWarning')
def test_complex_numbers(mode):
    """NumPy's have a real part where a float is asked for, Python's have none; magnitudes and parts are those of both."""
    z = np.array([1 + 2j, 3.0])
    f = mode(lambda z, least: float(product(z, least)))
    assert f(z, 0) == -6.0
    with pytest.raises(TypeError, match='not .complex.'):
        f(z, 9)
    g = lambda z, least: (abs(product(z, least)), product(z, least).real)
    for least in (0, 9):
        assert mode(g)(z, least) == g(z, least)
