"""Trap 17: loops left early. The pullback runs exactly the turns, and the part of the last one, that ran."""
import functools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, -0.4, 1.3, 0.9, -1.1, 0.6])


def newton(x, a):
    for i in range(100):
        dx = (x * x - a) / (2 * x)
        x = x - dx
        if abs(dx) < 1e-12:
            break
    return x


def mandelbrot(c, k):
    z = c
    for i in range(50):
        if z * z > 4.0:
            break
        z = z * z + c * k
    return z * i


def bisection(a, b):
    low, high = 0.0, b
    while high - low > 0.4:
        middle = 0.5 * (low + high)
        if middle * middle == a:
            return middle
        if middle * middle < a:
            low = middle
        else:
            high = middle
    return low * a + high * a


def line_search(x, step):
    for k in range(20):
        y = x - step * 2 * x
        if y * y < 0.9 * x * x:
            return y
        step = step * 0.5
    return x * step


def inner_break_after_write(x, y):
    for i in range(4):
        for j in range(6):
            y[j] = y[j] * x[i]
            if y[j] < 0.3 * i:
                break
            y[j] = y[j] + x[j] * x[j]
    return np.sum(y * y)


def nested_return(x, limit):
    s = 0.0
    for i in range(x.size):
        for j in range(x.size):
            s = s + x[i] * x[j] * x[j]
            if s > limit:
                return s * x[i]
        s = s * x[i]
    return s + x[0]


def return_of_an_array(x, limit):
    def running(x, limit):
        total = np.zeros(3)
        for i in range(4):
            total = total + x[i:i + 3] * x[i]
            if np.sum(total) > limit:
                return total * x[i]
        return total - x[:3]
    return np.sum(running(x, limit) ** 2)


def return_of_a_pair(x, limit):
    def first(x, limit):
        for i in range(x.size):
            if x[i] * x[i] > limit:
                return x[i] * x[i], i
        return x[0], -1
    value, place = first(x, limit)
    return value * (place + 2)


def continues(x, limit):
    s = 0.0
    for i in range(x.size):
        if x[i] < limit:
            continue
        s = s + x[i] * s + x[i] ** 3
        if s > 2.0:
            s = s * 0.5
            continue
        s = s + x[i]
    return s


def deep_continue(x, limit):
    s = 1.0
    for i in range(x.size):
        if x[i] > 0:
            if x[i] > limit:
                continue
            s = s * x[i]
        s = s + x[i] * x[i]
    return s


def for_else(x, limit):
    for i in range(x.size):
        if x[i] > limit:
            s = x[i] * x[i]
            break
    else:
        s = np.sum(x * x * x)
    return s * x[0]


def while_else(x, limit):
    k, s = 0, 1.0
    while k < x.size:
        s = s * x[k]
        if s > limit:
            break
        k += 1
    else:
        s = s * s * x[1]
    return s + k * x[0]


def while_true(x, limit):
    k = 0
    while True:
        x = x * 1.5 + 0.1 * x * x
        k += 1
        if x > limit:
            break
    return x * k


def while_true_return(x, limit):
    while True:
        x = x * 1.5 + 0.1 * x * x
        if x > limit:
            return x * x


def bound_not_looked_at_after_break(x, limit):
    k = 0
    while x[k] < 10.0 * limit:
        k += 1
        if k == x.size:
            break
    return np.sum(x[:k] ** 2)


def break_and_return(x, limit):
    s = 0.0
    for i in range(x.size):
        if x[i] < -1.0 - limit:
            break
        s = s + x[i] * x[i]
        if s > 3 * limit:
            return s * s
        s = s * 1.1
    return s * x[0]


def in_both_loops(x, limit):
    s = x[0]
    for i in range(x.size):
        if i == 1:
            continue
        for j in range(i, x.size):
            if x[j] < -1.0:
                break
            if j == 2:
                continue
            s = s + x[i] * x[j] ** 2
            if s > 5 * limit:
                return s * x[j]
        else:
            s = s * x[i]
        if s < -limit:
            break
        s = s + 0.1 * x[i] * s
    else:
        return s * s
    return s


def loop_variable_after(x, limit):
    i = 7
    for i in range(x.size):
        if x[i] > limit:
            break
    return x[i] * i + x[0]


def rows(x, limit):
    s = 0.0
    for v in x:
        if v < -1.0:
            continue
        s = s + v * v
        if s > limit:
            break
    return s * v


def over_a_tuple(x, limit):
    s = x[0]
    for factor in (1.0, 2.0, 3.0):
        s = s * factor * x[1]
        if s > limit:
            break
        s = s + x[2]
    else:
        s = s * x[3]
    return s


def always_left(x, limit):
    for i in range(x.size):
        s = x[i] * x[i] * limit
        break
    return s


def loop_in_a_branch(x, limit):
    if limit > 0.5:
        for i in range(x.size):
            if x[i] > limit:
                return x[i] ** 3
    return np.sum(x) * x[0]


def two_loops(x, limit):
    for i in range(x.size):
        if x[i] > limit:
            break
    for j in range(x.size):
        if x[j] < -limit:
            return x[i] * x[j] ** 2
    return x[i]


def after_the_last_turn(x, limit):
    s = 0.0
    for i in range(x.size):
        if x[i] > 5.0:
            return s
        s = s + x[i] * x[i]
    return s * limit


ALL = [inner_break_after_write, nested_return, return_of_an_array, return_of_a_pair, continues, deep_continue, for_else,
       while_else, bound_not_looked_at_after_break, break_and_return, in_both_loops, loop_variable_after, rows, over_a_tuple,
       always_left, loop_in_a_branch, two_loops, after_the_last_turn]


@pytest.mark.parametrize('f', ALL, ids=lambda f: f.__name__)
@pytest.mark.parametrize('limit', [-2.0, 0.45, 0.8, 100.0])
def test_arrays(f, limit):
    check(lambda g: g, f, X, X + 1.0 if f is inner_break_after_write else limit, order=2)


SCALARS = [(newton, (1.5, 2.0)), (mandelbrot, (0.3, 1.7)), (bisection, (2.0, 2.0)), (bisection, (1.0, 2.5)),
           (line_search, (1.2, 3.0)), (line_search, (1.2, 0.01)), (while_true, (0.5, 4.0)), (while_true_return, (0.5, 4.0))]


@pytest.mark.parametrize('f, args', SCALARS, ids=lambda v: getattr(v, '__name__', ''))
def test_numbers(f, args):
    check(lambda g: g, f, *args, argnums=(0, 1), order=2)


@pytest.mark.compiles
@pytest.mark.parametrize('f', ALL, ids=lambda f: f.__name__)
def test_compiled(f):
    compiled = tp.jit(tp.value_and_grad(f))
    for limit in (-2.0, 0.45, 0.8, 100.0):
        args = X, X + 1.0 if f is inner_break_after_write else limit
        value, gradient = compiled(*args)
        plain_value, plain = tp.value_and_grad(f)(*args)
        np.testing.assert_allclose(value, plain_value, rtol=1e-12)
        np.testing.assert_allclose(gradient, plain, rtol=1e-10, atol=1e-12)


class Turns:
    """`range` for generated code: how many turns each loop took."""

    def __init__(self):
        self.taken = []

    def __call__(self, *bounds):
        number = len(self.taken)
        self.taken.append(0)
        for value in range(*bounds):
            self.taken[number] += 1
            yield value


def left_in_turn(x, last):
    s = 0.0
    for i in range(5):
        s = s * x + x
        if i == last:
            break
    return s


@pytest.mark.parametrize('last, turns', [(0, 1), (2, 3), (4, 5), (9, 5)])
def test_the_pullback_runs_as_many_turns(last, turns):
    counted = Turns()
    module = {'range': counted}
    exec(tp.grad(left_in_turn).lower(0.5, last).source, module)
    assert module['left_in_turn_grad'](0.5, last) == sum((k + 1) * 0.5 ** k for k in range(turns))
    assert counted.taken == [turns, turns]


def bounds_in_sight(x):
    for i in range(x.size):
        if abs(x[i]) < 1e-12:
            return np.sum(x[:i] ** 2)
    raise ValueError('no zero')


def test_raise_after_the_loop(mode):
    x = np.array([1.0, 2.0, 0.0, 3.0])
    assert np.array_equal(mode(tp.grad(bounds_in_sight))(x), [2.0, 4.0, 0.0, 0.0])
    with pytest.raises(ValueError, match='no zero'):
        mode(tp.grad(bounds_in_sight))(x + 1.0)


def stop_when_large(a, n):
    k = 0
    while k < n:
        a[k] = a[k] * a[k]
        if a[k] > 10.0:
            return
        k += 1


def test_a_procedure_that_returns_from_a_loop(mode):
    def f(x):
        y = x.copy()
        stop_when_large(y, len(y))
        return np.sum(y)
    check(mode, f, np.array([1.0, 2.0, 4.0, 3.0]), order=2)
    check(mode, f, np.array([1.0, 2.0, 0.5, 3.0]))


def a_dict_and_a_function_that_reads_it(x, k):
    if x[0] > 0.3:
        if k < 1:
            return x[1]
    tables = {'a': x, 'b': 2.0 * x}

    def first():
        return tables['a'][0]
    tables['b'][0] = x[1] * 3.0
    return np.sum(x) + first() * tables['b'][0]


@pytest.mark.parametrize('k', [0, 3])
@pytest.mark.parametrize('start', [0.5, 0.2])
def test_containers_made_after_a_return(mode, start, k):
    check(mode, a_dict_and_a_function_that_reads_it, np.array([start, 1.5, -0.4]), k)


def summed_from_the_end(x):
    s = 0.0
    for i in range(x.size - 1, -1, -1):
        if x[i] < -1.0:
            break
        s += x[i] * x[i]
    return s


def rows_from_the_end(x):
    y = np.zeros(x.size)
    for i in range(x.size - 1, -1, -1):
        y[i] = np.sin(x[i])
        if x[i] > 1.0:
            break
    return np.sum(y * x)


@pytest.mark.parametrize('f', [summed_from_the_end, rows_from_the_end])
def test_a_loop_that_counts_down_and_is_left(mode, f):
    check(mode, f, X, order=2)


@functools.cache
def guards(number):
    """A function that may return from inside of so many branches, one behind the other."""
    lines = ['def f(x, a):', '    s = np.sum(x)']
    for k in range(number):
        lines += [
            f'    if a[{k}] > 0:',
            f'        if s > {k + 2}:',
            f'            return s * {k + 2}.0 + x[0] ** 2',
            f'        s = s * x[{k % 3}]',
        ]
    return tp.from_source('\n'.join(['import numpy as np', '', *lines, '    return s + np.sum(x * x)', '']))


@pytest.mark.parametrize('signs', ['----', '+---', '-+-+', '++-+', '++++', '---+'])
@pytest.mark.parametrize('scale', [0.8, 1.6])
def test_returns_inside_of_branches(mode, signs, scale):
    a = np.array([1.0 if sign == '+' else -1.0 for sign in signs])
    check(mode, guards(4), np.array([0.7, 1.3, 0.9]) * scale, a)


def test_what_follows_returns_inside_of_branches_is_written_once():
    lengths = []
    for number in (4, 8, 12):
        g = tp.grad(guards(number))
        g(np.array([0.7, 1.3, 0.9]), np.ones(number))
        lengths.append(len(g.source.splitlines()))
    assert lengths[2] - lengths[1] < 1.2 * (lengths[1] - lengths[0])


def unequal_ends(x, a):
    y = x * 2
    if a[0] > 0:
        w = np.sin(y)
        if a[1] > 0:
            return np.sum(w)
        for v in w:
            if v < a[2]:
                return v * y[0]
        y[0] *= w[1]
    else:
        y[1:] = y[:-1] * x[0]
        while y[0] < a[2]:
            y *= 1.5
            if y[1] > 4.0:
                return y[2] * x[1]
    y[2] += y[0]
    y *= x
    s = np.sum(y)
    for k in range(2):
        s = s * y[k]
    if a[1] > 0.5:
        s = np.sin(s)
    y[0] = s
    return np.sum(y) + s


@pytest.mark.parametrize('a', [(1, 1, 0), (1, -1, 0.99), (1, -1, -2), (-1, 0, 0), (-1, 1, 20), (-1, 0.6, 3)])
def test_long_ends_after_loops_and_returns_in_branches(mode, a):
    check(mode, unequal_ends, np.array([0.7, 1.3, 0.9]), np.array(a, float))


def bound_where_it_did_not_return(x, a):
    if a[0] > 0:
        w = x[0] * x[1]
        if a[1] > 0:
            return w
    y = x * x
    y[1:] += y[:-1]
    y *= 0.5
    s = np.sum(y)
    t = np.prod(y)
    if t > a[2]:
        s = s * t
    if a[0] > 0:
        s = s * w
    return s


@pytest.mark.parametrize('a', [(1, 1, 0), (1, -1, 0), (-1, 1, 0), (-1, -1, 5)])
def test_names_bound_before_a_return_in_a_branch(mode, a):
    check(mode, bound_where_it_did_not_return, np.array([0.7, 1.3, 0.9]), np.array(a, float))
