"""An index, a bound, a size, a count: a float raises there as in Python, an int that is a float on another path does not."""
import operator

import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, 0.3, -2.0])


def of_a_slice(x, c):
    return np.sum(x[:x[0]])


def of_a_constant(x, c):
    a = 2.0
    return np.sum(x[:a])


def of_a_step(x, c):
    return np.sum(x[::c / 1])


def of_a_split(x, c):
    return np.sum(np.split(x, [x[0]])[0])


def of_counts(x, c):
    return np.sum(np.repeat(x, np.array([1.0, 2.0, 0.0])))


def of_an_enumeration(x, c):
    s = 0.0
    for i, v in enumerate(x, x[0]):
        s += i * v
    return s


def of_a_list(x, c):
    items = []
    for v in x:
        items.append(v * v)
    return items[x[0]]


def sliced(x, c):
    a = len(x) - 1
    if c:
        a = x[0]
    return np.sum(x[:a] ** 2)


def picked(x, c):
    a = len(x) - 1
    if c:
        a = x[0]
    return x[a] ** 2


def sized(x, c):
    a = len(x)
    if c:
        a = x[0]
    return np.sum(np.ones(a) * x)


def sized_elsewhere(x, c):
    a = len(x) - 1
    if c:
        a = x[0]
    if c:
        return x[0]
    return np.sum(np.zeros(a + 1) + x)


def counted(x, c):
    a = len(x) - 1
    if c:
        a = x[0]
    s = 0.0
    for i in range(a):
        s += x[i] ** 2
    return s


def repeated(x, c):
    a = len(x)
    if c:
        a = x[0]
    items = [1.0] * a
    for i in range(len(x)):
        items[i] = items[i] * x[i]
    return items[-1] * items[0]


def picked_from_a_list(x, c):
    a = len(x) - 1
    if c:
        a = x[0]
    items = [x[0], x[1], x[2] ** 2]
    return items[a]


def in_place(x, c):
    whole, a = np.arange(3), 1
    if c:
        a = 2.5
    whole[1:] -= a
    return np.sum(whole * x)


def from_iteration_to_iteration(x, c):
    s, a = 0.0, 0
    for _ in range(3):
        s += x[a] ** 2
        if c:
            a = a + 1.0
        else:
            a = a + 1
    return s


def times_or_axes(x, c):
    a = len(x) - 1
    if c == 1:
        a = x[0] - 0.25
    return np.sum(np.repeat(x, a) ** 2) + np.roll(x, a)[0] * np.take(x, a)


RAISING = of_a_slice, of_a_constant, of_a_step, of_a_split, of_counts, of_an_enumeration, of_a_list
EITHER = (sliced, picked, sized, sized_elsewhere, counted, repeated, picked_from_a_list, in_place, from_iteration_to_iteration,
          times_or_axes)
WAYS = {
    'grad': lambda f: lambda x, c: tp.grad(f)(x, c),
    'jacfwd': lambda f: lambda x, c: tp.jacfwd(f)(x, c),
    'vmap': lambda f: lambda x, c: tp.vmap(f, in_axes=(0, None))(x[None], c)[0],
    'jit': tp.jit,
}


def outcome(f, *args):
    try:
        return f(*args)
    except Exception as error:
        return error


def agree(found, expected):
    if isinstance(expected, Exception):
        return isinstance(expected, type(found)) and not isinstance(found, tp.TranspileError)
    return not isinstance(found, Exception) and np.allclose(found, expected, atol=1e-6)


def expected_of(way, f, c):
    """What the program gives, or its derivative by differences; what it raises."""
    value = outcome(f, X, c)
    if isinstance(value, Exception) or way not in ('grad', 'jacfwd'):
        return value
    return np.array([(f(X + step, c) - f(X - step, c)) / 2e-6 for step in np.eye(3) * 1e-6])


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('f', RAISING, ids=lambda f: f.__name__)
def test_floats_raise_what_python_raises(f, way):
    assert agree(outcome(WAYS[way](f), X, 1), outcome(f, X, 1))


@pytest.mark.parametrize('way', ['grad', 'jacfwd', 'vmap'])
@pytest.mark.parametrize('f', EITHER, ids=lambda f: f.__name__)
def test_ints_beside_floats(f, way):
    for c in (0, 1):
        assert agree(outcome(WAYS[way](f), X, c), expected_of(way, f, c))


@pytest.mark.compiles
@pytest.mark.parametrize('f', EITHER, ids=lambda f: f.__name__)
def test_ints_beside_floats_in_compiled_code(f):
    for c in (0, 1):
        assert agree(outcome(tp.jit(f), X, c), outcome(f, X, c))


def with_floats_later(x, c):
    sizes = [2]
    for _ in range(c):
        sizes.append(0.5)
    return np.sum(np.ones(sizes[0]) * x[0] ** 2)


def test_an_item_of_a_list_that_holds_floats_too():
    np.testing.assert_allclose(tp.grad(with_floats_later)(X, 1), [4 * X[0], 0.0, 0.0])
    with pytest.raises(tp.TranspileError, match="a number is Python's float or Python's int here"):
        tp.jit(with_floats_later)(X, 1)


def too_long(x, c):
    a = 10**18 + 1
    if c:
        a = x[0]
    b = a * 100
    return b * 2 if x[1] > 0 else b


def test_an_integer_too_long_for_compiled_code_raises_on_its_path():
    assert tp.jit(too_long)(X, 1) == too_long(X, 1)
    with pytest.raises(OverflowError, match='make it a float'):
        tp.jit(too_long)(X, 0)
    with pytest.raises(tp.TranspileError, match='100000000000000000000 does not fit into int64'):
        tp.jit(lambda x: 10**20)(X)


def test_the_text_asks():
    text = tp.grad(sized).lower(X, 0).source
    assert 'operator.index(' in text


def test_a_triangle_whose_end_is_rounded_is_refused():
    with pytest.raises(tp.TranspileError, match='where the triangle ends is rounded'):
        tp.jit(lambda x, c: np.tri(3, k=c / 2) @ x)(X, 1)


def grown_from_an_int(x, n):
    items = [n]
    for v in x:
        items.append(items[-1] + v)
    return items[-1] - items[0]


def grown_from_a_size(x, n):
    items = []
    items.append(len(x))
    for i in range(n + 1):
        items.append(items[-1] * x[i])
    return items[0] * items[-1]


def halved(x, n):
    items = [n]
    while len(items) < 3:
        items.append(items[-1] / 2)
    return items[-1] * x[0]


@pytest.mark.parametrize('f', [grown_from_an_int, grown_from_a_size, halved], ids=lambda f: f.__name__)
def test_integers_of_any_length_on_lists_of_floats(f):
    for n in (1, -3) if f is not grown_from_a_size else (1, 2):
        assert agree(outcome(tp.jit(f), X, n), f(X, n))
        assert agree(outcome(WAYS['vmap'](f), X, n), f(X, n))
        np.testing.assert_allclose(tp.grad(f)(X, n), expected_of('grad', f, n), rtol=1e-5)


def test_an_integer_too_long_for_a_list_of_floats_raises():
    with pytest.raises(OverflowError, match='more than 26 bits is put on a list that has floats'):
        tp.jit(halved)(X, 2**40)


@pytest.mark.parametrize('given', [3, np.int8(3), True])
def test_what_operator_index_gives_is_pythons(given, mode):
    result = mode(lambda n: operator.index(n))(given)
    assert type(result) is int and result == operator.index(given)
