"""Trap 24: what the primal raises reaches the caller as raised, and the traceback shows the user's line."""
import functools
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


class Stuck(Refused):
    def __init__(self, turns, residual):
        super().__init__(f'{turns} turns leave {residual}')
        self.turns, self.residual = turns, residual

    class Badly(ArithmeticError):
        pass


def of_a_users_class(x):
    if x > 1:
        raise Refused('too much')               # the line of `of_a_users_class`
    return x * x


def of_a_class_alone(x):
    if x > 1:
        raise Refused                           # the line of `of_a_class_alone`
    return x * x


def with_values(x):
    turns = 0
    while x > 1.0:
        turns += 1
        if turns > 5:
            raise Stuck(turns, x)               # the line of `with_values`
        x = x * 1.5
    return x * x


def of_a_class_in_a_class(x):
    if x > 1:
        raise Stuck.Badly('inner') from None    # the line of `of_a_class_in_a_class`
    return x * x


def of_a_library(x):
    if x > 1:
        raise np.linalg.LinAlgError('singular')     # the line of `of_a_library`
    return x * x


def with_numbers_in_the_message(x):
    scale = 'metres'
    if x > 1:
        raise ValueError(f'{{x}} is {x:.2f} {scale}, not {0.5!r}')     # the line of `with_numbers_in_the_message`
    return x * x


def asserted_with_a_number(x):
    assert x < 1, f'{x} is too much'            # the line of `asserted_with_a_number`
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


OWN = [(of_a_users_class, Refused, 'too much'), (of_a_class_alone, Refused, ''), (with_values, Stuck, '6 turns leave 15.1875'),
       (of_a_class_in_a_class, Stuck.Badly, 'inner'), (of_a_library, np.linalg.LinAlgError, 'singular'),
       (with_numbers_in_the_message, ValueError, '{x} is 2.00 metres, not 0.5'),
       (asserted_with_a_number, AssertionError, '2.0 is too much')]


@pytest.mark.parametrize('f, kind, message', OWN, ids=[case[0].__name__ for case in OWN])
def test_classes_of_the_user(mode, f, kind, message):
    for gradient, value in ((mode(tp.grad(f)), 1.0), (mode(tp.grad(tp.grad(f))), 2.0)):
        same(gradient(0.5), value)
        with pytest.raises(kind) as caught:
            gradient(2.0)
        assert (type(caught.value), str(caught.value)) == (kind, message)
        assert f'line {line_of(f.__name__)}:' in '\n'.join(caught.value.__notes__)
    if kind is Stuck:
        assert (caught.value.turns, caught.value.residual) == (6, 15.1875)


def test_a_class_is_named_by_its_module():
    assert f'raise {__name__.rpartition(".")[2]}.Refused(' in tp.grad(of_a_users_class).lower(0.5).source


def test_a_class_defined_anew_is_the_one_raised(mode, monkeypatch):
    gradient = mode(tp.grad(of_a_users_class))
    same(gradient(0.5), 1.0)
    newer = type('Refused', (Exception,), {'__module__': __name__, '__qualname__': 'Refused'})
    monkeypatch.setitem(globals(), 'Refused', newer)
    with pytest.raises(newer):
        gradient(2.0)


def test_a_class_that_generated_code_cannot_find_is_refused(mode):
    class Local(Exception):
        pass

    def raising(x):
        if x > 1:
            raise Local('here')
        return x * x
    with pytest.raises(tp.TranspileError, match='`Local` cannot be raised by generated code'):
        mode(tp.grad(raising))(0.5)


def test_keywords_of_an_exception():
    def raising(x):
        if x > 1:
            raise Stuck(residual=x, turns=2)
        return x * x
    with pytest.raises(Stuck, match='2 turns leave 3.0'):
        tp.grad(raising)(3.0)
    with pytest.raises(tp.TranspileError, match='keywords'):
        tp.jit(raising)(3.0)


def test_message_with_a_value(mode):
    with pytest.raises(ValueError, match='negative: -1.5'):
        mode(tp.grad(with_a_value))(-1.5)


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


def by_shape(x, y):
    if x.shape != y.shape:
        raise KeyError('the shapes differ')
    return np.sum(x * y)


def by_assertion(x, y):
    assert x.size == y.size, 'the sizes differ'
    return np.sum(x * y)


def after_a_write(x, y):
    x[0] = 7.0
    if len(x) != len(y):
        raise KeyError('the lengths differ')
    return np.sum(x * y)


@pytest.mark.parametrize('f, error, message', [
    (by_shape, KeyError, 'the shapes differ'), (by_assertion, AssertionError, 'the sizes differ'),
    (after_a_write, KeyError, 'the lengths differ')], ids=lambda value: getattr(value, '__name__', ''))
@pytest.mark.parametrize('transformed', [lambda f: f, tp.grad, lambda f: tp.grad(lambda x, y: np.sum(tp.grad(f)(x, y)))],
                         ids=['primal', 'grad', 'second'])
def test_checks_of_shapes_are_the_users(mode, f, error, message, transformed):
    """That the sizes are equal follows from what comes after the check, but the check comes first."""
    x, y = np.ones(4), np.ones(3)
    with pytest.raises(error, match=message):
        mode(transformed(f))(x, y)
    changed = f is after_a_write and transformed(f) is f
    assert x[0] == (7.0 if changed else 1.0)
    mode(transformed(f))(np.ones(3), y)


@functools.wraps(by_shape)
def with_less(x):
    return by_shape(x, np.ones(3) * x[0])


def test_checks_behind_a_decorator_are_the_users(mode):
    """What a wrapper shows of the wrapped function are not its own parameters."""
    with pytest.raises(KeyError, match='the shapes differ'):
        mode(tp.grad(with_less))(np.ones(4))
