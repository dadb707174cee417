"""Flags that share a name, a list or a result with numbers: they are what Python says they are, whoever looks."""
import contextlib
import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, 0.3, -2.0])


def flag(x, n):
    mode = True
    if n > 5:
        mode = 2
    return x[0] * 3 if mode is True else x[0]


def in_a_loop(x, n):
    mode = n < 3
    for i in range(n):
        mode = i
    return x[0] * 3 if mode is not False else x[0]


def in_a_dict(x, n):
    d = {'flag': False}
    for i in range(n):
        if x[i % 3] > 0:
            d['flag'] = i
    return (x[0] * 3 if d['flag'] is False else x[0]) + isinstance(d['flag'], bool)


def beside_a_float(x, n):
    found = False
    if n > 1:
        found = x[0]
    return x[1] if found is False else found * 2


def found_at(x, limit):
    for i in range(len(x)):
        if x[i] < limit:
            return i
    return False


def of_a_function(x, n):
    j = found_at(x, n - 6)
    return x[0] * 5 if j is False else x[j]


def beside_none(x, n):
    mode = None
    if n > 1:
        mode = n > 2
    return (x[0] * 3 if mode is True else x[0]) + (5.0 if mode is not False else 7.0)


def beside_none_and_numbers(x, n):
    mode = None
    for i in range(n):
        mode = i if i > 3 else i > 1
    return x[0] * 3 if mode is True else x[0]


def as_a_mask(x, n):
    b = n < 3 or 1
    return np.sum(x[np.array([b, b, b])])


def by_value(x, n):
    mode = True
    if n > 5:
        mode = 2
    return x[0] * 3 if mode == 1 else x[0]


def small(x, n):
    c = n
    if n > 2:
        c = np.float32(0.5) if n > 4 else np.float32(0)
    return (x[0] if c else x[1]) * (3 if c else 2)


WAYS = {
    'value_and_grad': lambda f, n: tp.value_and_grad(f)(X, n)[0],
    'jit': lambda f, n: tp.jit(f)(X, n),
    'jvp': lambda f, n: tp.jvp(lambda x: f(x, n), (X,), (X,))[0],
    'vmap': lambda f, n: tp.vmap(f, in_axes=(0, None))(X[None], n)[0],
    'compiled gradient': lambda f, n: tp.jit(tp.value_and_grad(f))(X, n)[0],
}


@pytest.mark.parametrize('f', [flag, in_a_loop, in_a_dict, beside_a_float, of_a_function, beside_none, beside_none_and_numbers,
                               as_a_mask, by_value, small])
@pytest.mark.parametrize('way', WAYS)
def test_branches_are_those_of_the_program(f, way):
    for n in (0, 1, 3, 6):
        assert WAYS[way](f, n) == f(X, n)


def shown(x, n):
    b = n < 3 or 1
    d = {'flag': False, 'k': [1, b]}
    if n > 2:
        d['flag'] = n
    print(b, f'{b} {b!r} {b:>6}', str(b), [b, d], '%s' % b, '{}'.format(b))
    return x[0]


def returned(x, n):
    b, c = n < 3, False
    if n > 2:
        b, c = 1, x[0]
    found = False
    for i in range(len(x)):
        if x[i] < n - 3:
            found = i
            break
    return b, c, found, min(True, n), max(n > 1, n), n and True, (n > 2) or n, {'flag': b}


def made_of(x, n):
    b, c = n < 3 or 1, n < 1 or 2
    return (np.array([b, b]), np.full(2, b), np.asarray(b), ~b, -b, b + b, b & c, b | True, b ^ 1, abs(b), max(b, c),
            np.invert(b), isinstance(b, bool), type(c) is int, round(b), [c, 0])


def numbers(x, n):
    """What arithmetic makes of a flag is a number, though it is the same one."""
    b, c, d, e = False, n > 2, n > 2, n > 2
    for i in range(n):
        b, c, d, e = i, c * 1, d + 0, e ** 1
    return int(b), b * 1, c, d, e, abs(n > 1), +(n > 1), ~~(n > 1), (b if b else 0), (1 if b else 0), (n > 1) & 1, (n > 1) & True


def swapped(x, n):
    b, c = True, 2
    for i in range(n):
        b, c = c, b
    return b, c


def signs(x, n):
    """What is refused for a flag of NumPy's is none for one of Python's."""
    b = x[0] > n if n < 3 else n > 3
    return b + b, -b if n > 2 else 0


def on_a_list(x, n):
    t = [i > 1 if i < 3 else i for i in range(n)]
    s = 0
    for v in t:
        s += v
    return sum(t), s, len(t), any(t), all(t)


def counted(x, n):
    s, k, c, w = 0.0, 0, 0j, n > 1
    for i in range(n):
        s += w
        k += True
        c += False
    return s, k, c


@dataclass
class Spoken:
    given: Any
    said: str


def run(function, *args) -> Spoken:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        given = function(*args)
    return Spoken(given, said.getvalue())


def classes(value):
    if isinstance(value, (tuple, list, dict)):
        return type(value), [classes(part) for part in (value.values() if isinstance(value, dict) else value)]
    return type(value), getattr(value, 'dtype', None), np.asarray(value).tolist()


@pytest.mark.parametrize('f', [shown, returned, made_of, numbers, swapped, signs, on_a_list, counted])
@pytest.mark.parametrize('n', [0, 1, 3, 6])
def test_results_and_texts_are_those_of_the_program(f, n):
    wanted = run(f, X, n)
    ways = [tp.jit(f), lambda x, n: tp.jvp(lambda x: (f(x, n), x[0]), (x,), (x,))[0][0]]
    for way in ways:
        found = run(way, X, n)
        assert classes(found.given) == classes(wanted.given) and found.said == wanted.said
    assert run(tp.vmap(f, in_axes=(0, None)), X[None], n).said == wanted.said


@pytest.mark.parametrize('take', [
    lambda t: t, lambda t: np.array(t), lambda t: sorted(t), lambda t: print(t), lambda t: t[0] is True, lambda t: print(t[0])])
def test_a_list_of_run_time_length_does_not_tell(take):
    def f(x, n):
        t = [i > 1 if i < 3 else i for i in range(n)]
        return take(t)

    with pytest.raises(tp.TranspileError, match="a number is Python's bool or Python's int here"):
        tp.jit(f)(X, 3)


def test_ordinary_flags_have_one_variable():
    def f(x, n):
        found, count = 0, False
        for i in range(n):
            found = found or x[i] > 1
            count += x[i] > 0
        b = n < 3 or 1
        return x[0] * b + (b + 1) * x[1] + count * 2 if found else x[2] * (b < 2)

    assert 'kind' not in tp.jit(f).lower(X, 3).loops
    assert tp.jit(f)(X, 3) == f(X, 3)


def sized(x, n):
    b = n < 3 or 2
    return (np.arange(b), [0.5] * b, x[:b], range(b)[0], len(range(b)), np.eye(2, k=b), np.repeat(x, b), np.tile(x, b),
            np.roll(x, b), np.tile(x, n > 1))


@pytest.mark.parametrize('n', [1, 3])
def test_flags_are_counts_and_no_sizes(n):
    assert classes(tp.jit(sized)(X, n)) == classes(sized(X, n))
    for f in (lambda x, n: np.zeros(n < 3 or 2), lambda x, n: np.reshape(x, (n < 3 or 1, -1))):
        if n == 3:
            np.testing.assert_array_equal(tp.jit(f)(X, n), f(X, n), strict=True)
        else:
            with pytest.raises(TypeError):
                tp.jit(f)(X, n)


def test_numbers_and_arrays_that_all_examples_share_are_no_batch():
    def f(x, n):
        k = np.arange(3)
        return k if n < 3 else k[0]

    with pytest.raises(tp.TranspileError, match='a number on one path, an array'):
        tp.vmap(f, in_axes=(0, None))(X[None], 3)
