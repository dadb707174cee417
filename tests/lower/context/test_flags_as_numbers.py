"""Flags and small integers, as numbers: what Python's and NumPy's operators, reductions and roundings make of one of them."""
import numpy as np
import pytest

import transpiler as tp

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')


def inverse(k):
    return k ** -1


def inverted(k):
    k **= -2
    return k


def power(k, n):
    return k ** n, pow(k, n)


def by_name(a, b):
    return np.invert(a), np.power(a, 3), np.divide(a, b), np.left_shift(a, 2)


def to_a_power(a, b):
    return np.power(a, b)


def divided(a, b):
    return np.floor_divide(a, b), np.true_divide(a, b)


def added(x):
    return sum([x[0] > 0, x[1] > 0]), sum((x > 0, x > 1)), sum([x[0], x[1]])


def reduced(x):
    return np.sum(x[0]), np.mean(x[0]), np.prod(x[0]), x[0].sum(), np.max(x[0]), np.nansum(x[0])


def sought(x):
    return np.count_nonzero(x[0]), np.argmax(x[0]), np.argmin(x[1])


def conjugate(n):
    return n.conjugate(), np.conj(n)


def rounded(x):
    return round(x[0], 1), round(x[1], 2), round(x[0])


def flagged(x):
    return round(x[0] > 0)


def steps(x):
    return np.diff(x), np.diff(x > 0, axis=0)


def picked(x, m):
    y = x.copy()
    y[m] = 7
    return x[m], y


TINY = np.array([3, -4], np.int8)
CALLS = [
    (inverse, True), (inverse, False), (inverse, 0), (inverse, 4), (inverted, True), (inverted, False),
    (power, True, 3), (power, False, 0), (by_name, True, True), (by_name, 3, 0), (to_a_power, 3, -2), (to_a_power, True, -1),
    (divided, 2.0, 0.0), (divided, 7, 0), (added, np.array([2.0, 1.0])), (added, np.array([True, True])),
    (reduced, np.array([-0.0])), (reduced, TINY), (reduced, np.array([True, False])), (sought, TINY),
    (sought, np.array([0.0, 5.0])),
    (conjugate, True), (conjugate, np.True_), (conjugate, 3), (rounded, np.array([0.35, 2.675])), (flagged, np.array([1.0])),
    (steps, np.array([True, False, False])), (steps, np.array([1, 0, 5])),
    (picked, np.ones(4), np.zeros(0, bool)), (picked, np.ones((4, 2)), np.zeros((4, 0), bool)),
    (picked, np.ones(4), np.ones(3, bool)),
]


def outcome(function, *args):
    """What a call gives, of which class and dtype, or the class of the error that it raises."""
    try:
        found = function(*args)
    except Exception as error:
        return type(error)
    return [repr(part) for part in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.compiles
@pytest.mark.parametrize(('f', 'args'), [(f, args) for f, *args in CALLS],
                         ids=[f'{f.__name__}-{place}' for place, (f, *_) in enumerate(CALLS)])
def test_compiled_code_gives_what_the_function_gives(f, args):
    assert outcome(tp.jit(f), *args) == outcome(f, *args)


@pytest.mark.parametrize('f', [added, reduced, steps], ids=lambda f: f.__name__)
def test_so_do_batches(f):
    for x in (np.array([[2.0, 1.0], [-0.0, -0.0]]), np.array([[True, False], [True, True]])):
        got, rows = tp.vmap(f)(x), [f(row) for row in x]
        for mine, *others in zip(got, *rows, strict=True):
            np.testing.assert_array_equal(mine, np.stack(others))
            assert mine.dtype == np.stack(others).dtype


def test_the_slope_of_the_sum_of_a_number_is_one():
    def total(x):
        return np.sum(x[0]) * np.mean(x[1])
    np.testing.assert_array_equal(tp.grad(total)(np.array([2.0, 3.0])), [3.0, 2.0])
