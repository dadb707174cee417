"""Trap 31: what Python certainly raises is raised, also where nothing reads what would have come of it."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT


def item_of_a_list(x, w, n):
    p = [x[c] for c in range(3)]
    return 0.0


def item_of_a_branch(x, w, n):
    y = x[9] if n > 5 else x[8]
    return x[0]


def item_alone(x, w, n):
    x[7]
    return x[0]


def item_of_a_test(x, w, n):
    if x[9] > 0:
        pass
    return x[0]


def stored_in_a_list(x, w, n):
    t = [v for v in x]
    t[5] = 1.0
    return x[0]


def sizes_in_a_branch(x, w, n):
    if n < 5:
        y = np.exp(x) * w
    return x[0]


def only_the_rank(x, w, n):
    return (x + np.ones(n + 3)).ndim


def only_a_size_of_a_product(x, w, n):
    return (x @ np.ones((n + 3, 2))).size


def spread(x, w, n):
    y = np.broadcast_to(x, (3, n + 7))
    return x[0]


def of_a_negative_size(x, w, n):
    y = np.zeros((2, n - 1))
    return x[0]


def filled(x, w, n):
    y = np.full(n - 1, 1.0)
    return x[0]


def steps_of_zero(x, w, n):
    for _ in range(0, 5, n):
        pass
    return x[0]


def truth_of_an_array(x, w, n):
    if x > 0:
        pass
    return x[0]


def negated(x, w, n):
    return not x


def either(x, w, n):
    y = x and 3.0
    return x[0]


def sign_of_a_flag_among_numbers(x, w, n):
    b, c = x[0] > 1, 0
    for _ in range(n + 1):
        b, c = c, b
    d = -c
    return 2.0 * x[0]


def difference_of_flags_among_numbers(x, w, n):
    b = x[0] > 1
    if n > 1:
        b = 1
    d = b - b
    return 2.0 * x[0]


def quotient_of_an_integer_among_floats(x, w, n):
    q = 0
    for v in x:
        if v == 0.5:
            q = v
    s = 1 / q
    return x[0]


def remainder_of_an_integer_among_floats(x, w, n):
    q = n
    if n > 5:
        q = x[1]
    s = 7 % q
    return x[0]


PROGRAMS = [quotient_of_an_integer_among_floats, remainder_of_an_integer_among_floats, sign_of_a_flag_among_numbers,
            difference_of_flags_among_numbers, item_of_a_list, item_of_a_branch, item_alone, item_of_a_test, stored_in_a_list,
            sizes_in_a_branch, only_the_rank, only_a_size_of_a_product, spread, of_a_negative_size, filled, steps_of_zero,
            truth_of_an_array, negated, either]


@pytest.mark.parametrize('f', PROGRAMS)
def test_raised(mode, f):
    """In a batch, too, where what always raises is refused."""
    x, w = np.array([1.0, 2.0]), np.ones(3)
    with pytest.raises(Exception) as python:
        f(x, w, 0)
    if mode is JIT:
        with pytest.raises(python.type):
            tp.jit(f)(x, w, 0)
    else:
        with pytest.raises((python.type, tp.TranspileError)):
            tp.vmap(f, in_axes=(0, None, None))(np.stack([x, x]), w, 0)


@pytest.mark.parametrize('convert', [lambda x: int(x), lambda x: int(round(x)), lambda x: np.arange(3.0)[int(x)]])
def test_batches_of_floats_that_are_no_integers(convert):
    assert np.array_equal(tp.vmap(convert)(np.array([1.5, 2.5])), [convert(1.5), convert(2.5)])
    for bad in (np.nan, np.inf):
        with pytest.raises((ValueError, OverflowError)):
            tp.vmap(convert)(np.array([1.0, bad]))


def test_batches_of_pythons_numbers_divide_as_those(mode):
    with pytest.raises(ZeroDivisionError):
        mode(tp.vmap(lambda x: float(x) / float(x)))(np.array([1.0, 0.0]))
    with pytest.raises(ZeroDivisionError):
        mode(tp.vmap(lambda x: float(x) % 0.0))(np.array([1.0, 0.0]))
    single = mode(tp.vmap(lambda x, s: s + 1.0 / float(x)))(np.array([1.0, 4.0]), np.float32([1.0, 2.0]))
    assert single.dtype == np.float32 and np.array_equal(single, [2.0, 2.25])


def test_truth_of_one_item(mode):
    assert np.array_equal(mode(tp.vmap(lambda x: not x[:1]))(np.array([[0.0, 1.0], [1.0, 0.0]])), [True, False])
