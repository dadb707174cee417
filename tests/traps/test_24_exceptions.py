"""Trap 24: what the primal raises reaches the caller as raised, and the traceback shows the user's line."""
import traceback

import numpy as np
import pytest

import transpiler as tp
from tests.support import same


def guarded(x):
    if x < 0:
        raise ValueError('negative')            # the line of `guarded`
    return np.sqrt(x)


def in_a_loop(x):
    total = 0.0
    for i in range(x.size):
        if x[i] > 10.0:
            raise OverflowError('too large')    # the line of `in_a_loop`
        total += x[i] * x[i]
    return total


def in_a_helper(x):
    return guarded(x - 1.0) * x


def asserted(x):
    assert x > 0, 'must be positive'            # the line of `asserted`
    return np.log(x)


def with_a_value(x):
    if x < 0:
        raise ValueError(f'negative: {x}')
    return np.sqrt(x)


class Refused(Exception):
    pass


def of_a_users_class(x):
    if x > 1:
        raise Refused('too much')
    return x * x


CASES = [(guarded, -1.0, ValueError, 'negative', 'guarded'),
         (in_a_loop, np.array([1.0, 11.0]), OverflowError, 'too large', 'in_a_loop'),
         (in_a_helper, 0.5, ValueError, 'negative', 'guarded'), (asserted, -1.0, AssertionError, 'must be positive', 'asserted')]


def line_of(mark):
    with open(__file__) as file:
        for number, line in enumerate(file, 1):
            if line.rstrip().endswith(f'# the line of `{mark}`'):
                return number
    raise AssertionError(mark)


@pytest.mark.parametrize('f, bad, kind, message, mark', CASES, ids=[case[0].__name__ for case in CASES])
def test_as_raised(mode, f, bad, kind, message, mark):
    with pytest.raises(kind, match=message) as caught:
        mode(tp.grad(f))(bad)
    assert type(caught.value) is kind
    shown = ''.join(traceback.format_exception(caught.type, caught.value, caught.tb))
    assert f'test_24_exceptions.py:{line_of(mark)}' in shown or f'test_24_exceptions.py", line {line_of(mark)}' in shown


@pytest.mark.parametrize('f, good, expected', [
    (guarded, 4.0, 0.25), (in_a_loop, np.array([1.0, 3.0]), np.array([2.0, 6.0])), (asserted, 2.0, 0.5)])
def test_nothing_raised(mode, f, good, expected):
    same(mode(tp.grad(f))(good), expected)


def test_second_order(mode):
    second = mode(tp.grad(tp.grad(guarded)))
    same(second(4.0), -0.25 * 4.0 ** -1.5)
    with pytest.raises(ValueError, match='negative'):
        second(-1.0)


def test_still_usable_afterwards(mode):
    gradient = mode(tp.grad(guarded))
    for _ in range(3):
        with pytest.raises(ValueError):
            gradient(-1.0)
        same(gradient(4.0), 0.25)


def test_a_users_exception_is_refused(mode):
    """Generated code imports nothing of the user's; it says so before anything runs."""
    with pytest.raises(tp.TranspileError, match='built-in'):
        mode(tp.grad(of_a_users_class))(0.5)


def test_message_with_a_value():
    with pytest.raises(ValueError, match='negative: -1.5'):
        tp.grad(with_a_value)(-1.5)


def test_index_out_of_range(mode):
    def beyond(x, n):
        return x[n] * x[0]
    with pytest.raises(IndexError):
        mode(tp.grad(beyond))(np.ones(3), 3)
    with pytest.raises(IndexError):
        mode(tp.grad(beyond))(np.ones(3), -4)
    same(mode(tp.grad(beyond))(np.array([2.0, 3.0, 5.0]), -1), np.array([5.0, 0.0, 2.0]))


def test_shapes_that_do_not_match(mode):
    def product(x, y):
        return np.sum(x * y)
    with pytest.raises((ValueError, tp.TranspileError)):
        mode(tp.grad(product))(np.ones(3), np.ones(4))
