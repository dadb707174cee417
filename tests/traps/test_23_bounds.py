"""Trap 23: an index out of range raises IndexError with the user's line, compiled or not; nothing outside an array is touched."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same
from transpiler.api.calls import failures


def element(x, n):
    return x[n] * x[0]                                  # the line of `element`


def in_a_loop(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * x[i + 1]                        # the line of `in_a_loop`
    return total


def write(x, n):
    y = np.zeros(3)
    y[n] = x[0] * 2.0                                   # the line of `write`
    return np.sum(y * y)


def write_into_argument(x, n):
    x[n] = x[0] * 2.0                                   # the line of `write_into_argument`
    return np.sum(x * x)


def of_a_matrix(x, n):
    return x[1, n] * x[n - 2, 0]                        # the line of `of_a_matrix`


def row(x, n):
    return np.sum(x[n] ** 2)                            # the line of `row`


def gather(x, indices):
    return np.sum(x[indices] ** 2)                      # the line of `gather`


def slices_that_differ(x, n):
    y = np.zeros(4)
    y[1:] = x[:n]                                       # the line of `slices_that_differ`
    return np.sum(y * y)


def in_a_while(x, limit):
    i = 0
    while x[i] < limit:                                 # the line of `in_a_while`
        i += 1
    return x[i] * x[0]


X, M = np.array([1.0, 2.0, 3.0]), np.arange(6.0).reshape(3, 2) + 1.0
CASES = [(element, X, 3), (element, X, -4), (in_a_loop, X, 3), (write, X, 3), (write, X, -4), (write_into_argument, X, 3),
         (of_a_matrix, M, 2), (row, M, 3), (row, M, -4), (gather, X, np.array([0, 3])), (gather, X, np.array([-4, 0])),
         (in_a_while, X, 9.0)]
NAMES = [f'{f.__name__}-{k}' for k, (f, *_) in enumerate(CASES)]


def line_of(name):
    with open(__file__) as file:
        return next(k for k, line in enumerate(file, 1) if line.rstrip().endswith(f'# the line of `{name}`'))


def notes(error):
    return '\n'.join(getattr(error, '__notes__', ()))


def raises_at_its_line(transformed, f, x, n):
    before = x.copy()
    with pytest.raises(IndexError) as caught:
        transformed(x, n)
    assert f'line {line_of(f.__name__)}:' in notes(caught.value)
    same(x, before)


@pytest.mark.parametrize('f, x, n', CASES, ids=NAMES)
def test_out_of_range(mode, f, x, n):
    raises_at_its_line(mode(tp.grad(f)), f, x, n)


@pytest.mark.parametrize('f, x, n', [(element, X, -4), (write_into_argument, X, 3), (in_a_while, X, 9.0)],
                         ids=['element', 'write', 'while'])
def test_out_of_range_in_the_primal(f, x, n):
    raises_at_its_line(tp.jit(f), f, x, n)


def test_second_order(mode):
    raises_at_its_line(mode(tp.grad(lambda x, n: np.sum(tp.grad(write)(x, n)))), write, X, -4)


def test_as_python_says_it():
    with pytest.raises(IndexError, match='index 3 is out of bounds for axis 0 with size 3'):
        tp.jit(tp.grad(element))(X, 3)


def test_sizes_that_differ(mode):
    with pytest.raises(ValueError) as caught:
        mode(tp.grad(slices_that_differ))(X, 2)
    assert f'line {line_of("slices_that_differ")}:' in notes(caught.value)


@pytest.mark.parametrize('f', [element, in_a_loop, write_into_argument], ids=lambda f: f.__name__)
def test_long_runs_are_not_repeated_in_python(monkeypatch, f):
    """Compiled once more with a record of its lines, it is no slower than it was."""
    monkeypatch.setattr(failures, 'SOON', 0.0)
    with pytest.raises(IndexError, match='out of bounds') as caught:
        tp.jit(f)(X.copy(), 3)
    assert f'line {line_of(f.__name__)}:' in notes(caught.value)


def test_what_was_printed_is_not_printed_again(capfd):
    def loud(x, n):
        print(x[0])
        return x[n]
    with pytest.raises(IndexError):
        tp.jit(loud)(X, 3)
    assert capfd.readouterr().out == '1.0\n'


def negative(x, n):
    x[-1] *= x[n]
    return x[-2] ** 2 * x[-1]


def clipped(x, n):
    y = np.zeros_like(x)
    y[-9:n] += 3.0 * x[-9:n] ** 2
    return np.sum(y) + np.sum(x[n:99] ** 3) + np.sum(x[5:n])


def backwards(x, n):
    return np.sum(x[n::-2] * x[9:0:-1][:2]) + np.sum(x[-9::-1])


def of_rows(x, n):
    x[n] *= 2.0
    return np.sum(x[-1] * x[n] ** 2) + np.sum(x[-5:1] * x[:9][-1:])


@pytest.mark.parametrize('f, x, n', [(negative, X, -3), (negative, X, 2), (clipped, X, 2), (clipped, X, 99), (clipped, X, -99),
                                     (backwards, X, 2), (of_rows, M, -2), (of_rows, M, 1)])
def test_negative_indices_wrap_and_slices_clip(mode, f, x, n):
    check(mode, f, x, n, order=2)


def test_the_test_of_a_while_stops_where_python_stops(mode):
    def until(x, n):
        i, total = 0, 0.0
        while i < n and (x[i] ** 2 < 8.0 or x[i + 1] ** 2 > 8.0):
            total += x[i] ** 3
            i += 1
        return total
    for x in (np.array([1.0, 2.0]), np.array([1.0, 3.0, 2.0]), np.array([1.0, 3.0, 4.0, 2.0])):
        check(mode, until, x, len(x), order=2)


def quotient(x, n):
    return x * (7 // n) + x * x / n


def remainder(x, n):
    return x * (7 % n)


@pytest.mark.parametrize('f', [quotient, remainder])
def test_python_numbers_divided_by_zero(mode, f):
    with pytest.raises(ZeroDivisionError) as caught:
        mode(tp.grad(f))(2.0, 0)
    assert 'return x * (7' in notes(caught.value)
    with pytest.raises(ZeroDivisionError):
        mode(lambda x, n: f(x, n))(2.0, 0)
    check(mode, f, 2.0, 3, order=1)


def test_arrays_divided_by_zero_are_infinite(mode):
    with np.errstate(divide='ignore'):
        same(mode(tp.grad(lambda x, y: np.sum(x / y)))(X, np.array([1.0, 0.0, 2.0])), np.array([1.0, np.inf, 0.5]))


def backwards_from_the_size(x):
    total = 0.0
    for i in range(x.size, -1, -1):
        total += (i + 1) * x[i]
    return total


def backwards_by_two(x):
    total = 0.0
    for i in range(x.size, 0, -2):
        total += (i + 1) * x[i]
    return total


def backwards_beyond_a_shift(x):
    total = np.zeros(x.size)
    for i in range(x.size + 1, 3, -1):
        total[i - 2] = x[i - 1] * 2.0
    return total


@pytest.mark.parametrize('f', [backwards_from_the_size, backwards_by_two, backwards_beyond_a_shift])
def test_loops_that_go_backwards_from_beyond_the_end(f):
    x = np.arange(1.0, 8.0)
    for function in (f, tp.jit(f), tp.jit(tp.value_and_grad(lambda x: np.sum(f(x))))):
        with pytest.raises(IndexError):
            function(x)


def scattered(x, k):
    x[k] = 1.0


def test_places_before_one_out_of_range_are_written_by_then():
    """As the page on the language says; NumPy looks at all indices first. Nothing behind it is written."""
    x, k = np.zeros(6), np.array([0, 3, 6, 1])
    with pytest.raises(IndexError):
        tp.jit(scattered)(x, k)
    assert x.tolist() in ([1.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0] * 6)
