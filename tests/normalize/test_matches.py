"""Names in patterns get their values once the whole pattern holds, and before the guard is asked."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def as_name(x, n):
    k, v = -1, x
    match n:
        case 3 as k:
            pass
        case 4 | 5 as k if x > 100.0:
            pass
        case _:
            v = x * x
    return v * k


def returned(x, n):
    match n:
        case 2 | 3 as k:
            return x * k
        case _:
            return x


def beside_a_test(x, n):
    v = 0.0
    match n, x:
        case (0, v):
            pass
        case (1, w):
            v = w * w
        case (2 | 3 as k, v):
            v = v * k
        case _:
            v = -x
    return v


def kept(x, n):
    a = 0.5
    match x, n:
        case (a, 0):
            pass
    return a * x


def nested(x, n):
    match (n, x), x:
        case ((0, a), b):
            return a + b
        case ((a, 1.5), b) if a > 4:
            return a * b
        case ((2, _) | (_, 2.5), c):
            return c * c
        case (p, q):
            return p[0] * q


def with_a_star(x, n):
    match [n, x, 2.0 * x, n]:
        case [0, *r]:
            return sum(r)
        case [a, *r] if a < 0:
            return a * x + len(r)
        case [*r, 5]:
            return sum(r) * x
        case [a, *_, (1 | 2) as b]:
            return a * b * x
    return x


def one_form_of_two(x, n):
    match n, x, 3:
        case (0, v, u) | (u, 2.5, v) | (2, u, v):
            return x * v - u
        case (u, v, _) if u > v:
            return x * u
    return x * u + v


def in_a_loop(x, n):
    s, k = 0.0, 0
    for i in range(5):
        match i, s:
            case (0 | 2, v):
                s = v + x * i
                continue
            case (k, v) if v > n:
                break
            case (3 as k, w) | (w, k):
                s += w * k + x
    return s * k


PROGRAMS = [as_name, returned, beside_a_test, kept, nested, with_a_star, one_form_of_two, in_a_loop]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_names_of_arms(mode, f):
    value, slope = mode(f), mode(tp.value_and_grad(f))
    for x in (1.5, 1.75, 2.5):
        for n in (-1, 0, 1, 2, 3, 4, 5, 9):
            found, gradient = slope(x, n)
            assert value(x, n) == found == f(x, n)
            if f not in (nested, one_form_of_two) or x == 1.75:  # those have arms for 1.5 and 2.5 alone
                assert np.isclose(gradient, (f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6, rtol=1e-4)


def test_a_batch_takes_an_arm_each(mode):
    x, n = np.full(4, 1.5), np.array([0, 1, 3, 9])
    np.testing.assert_array_equal(mode(tp.vmap(beside_a_test))(x, n), [beside_a_test(1.5, k) for k in (0, 1, 3, 9)])


def first_of(pair):
    match pair:
        case (0, y):
            return y
        case (a, b):
            return a * b


def test_a_name_of_an_arm_before_is_not_asked_for(mode):
    assert mode(first_of)((3.0, 2.0)) == 6.0
    assert mode(first_of)((0.0, 2.0)) == 2.0


scale = 7.0


def a_name_of_its_own(x, n):
    match n:
        case 1 | 2 as scale:
            return scale * x
    return scale * x


def test_names_in_patterns_are_of_the_function(mode):
    assert mode(a_name_of_its_own)(1.5, 2) == 3.0
    with pytest.raises(UnboundLocalError, match='scale'):
        mode(a_name_of_its_own)(1.5, 3)


def of_the_function_around(x, n):
    k = 0.5

    def ask(m):
        nonlocal k
        match m:
            case (0, k) | (k, 0) if k > 1:
                pass
            case (1, _):
                k = x * k
            case (_, k):
                k *= k

    ask((n, x))
    ask((n, 3.0 * x))
    return x * k


@pytest.mark.parametrize('n', [0, 1, 2])
def test_names_of_the_function_around(mode, n):
    for x in (1.25, 0.25):
        check(mode, of_the_function_around, x, n)
