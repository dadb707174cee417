"""Names that some paths or turns define, assignments in expressions, `del`, and `match`."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, -0.4, 1.3, 0.9, -1.1, 0.6])


def in_some_turn(x, n):
    for i in range(n):
        if i == 1:
            y = x * (i + 2) * x
    return y


def of_the_turn_before(x, n):
    s = 0.0
    for i in range(n):
        if i > 0:
            s += before * x[i]
        before = x[i] * x[i]
    return s


def until_it_changes_little(x, n):
    s, i = x, 0
    while True:
        s = 0.5 * s + 0.1 * s * s
        if i > 0 and abs(s - last) < 1e-3:
            break
        last = s
        i += 1
    return s * i * n


def of_an_earlier_outer_turn(x, n):
    s = 0.0
    for i in range(n):
        for j in range(2 - i):
            t = x[j] * x[j] * (i + 1)
        s += t
    return s


def an_array_of_an_earlier_turn(x, n):
    s = 0.0
    for i in range(n):
        if i > 1:
            s += np.sum(row * x[:3] * x[i])
        if i != 2:
            row = x[:3] * x[i]
    return s + row[0]


def in_one_of_two_branches(x, n):
    if n > 1:
        y = x * x
    if n > 2:
        y = 3 * x
    return y * x


def under_a_flag(x, n):
    found = False
    for i in range(n):
        if x[i] > 0.8:
            found = True
            best = x[i] ** 2
    if found:
        return best * x[0]
    return x[1]


def found_in_nested_loops(x, n):
    for i in range(n):
        for j in range(i):
            if x[i] + x[j] > 1.5:
                pair = x[i] * x[j] * x[j]
                break
        else:
            continue
        break
    else:
        pair = np.sum(x)
    return pair * x[0]


def deleted(x, n):
    y = x * x
    z = y * n
    del y
    y = z * x
    return y


def in_a_test(x, n):
    s = 0.0
    while (t := x * s + 1.0) < n:
        s = s + t * x
    return s * t


def in_an_arm(x, n):
    if (y := x * n) > 1 and (z := y * x) > 2:
        return y * z
    return y


def in_the_test_of_a_loop_with_else(x, n):
    k = 0
    while (k := k + 1) < n:
        x = x * 1.1
        if x > 3.0:
            break
    else:
        x = x * x
    return x * k


CASES = [(in_some_turn, 1.3, 3), (of_the_turn_before, X, 4), (until_it_changes_little, 1.3, 3), (of_an_earlier_outer_turn, X, 3),
         (an_array_of_an_earlier_turn, X, 4), (in_one_of_two_branches, 1.3, 2), (in_one_of_two_branches, 1.3, 3),
         (under_a_flag, X, 2), (under_a_flag, X, 5), (found_in_nested_loops, X, 5), (found_in_nested_loops, X, 2),
         (deleted, 1.3, 2), (in_a_test, 1.3, 5.0), (in_an_arm, 1.3, 5.0), (in_an_arm, 1.3, 0.3),
         (in_the_test_of_a_loop_with_else, 1.3, 5), (in_the_test_of_a_loop_with_else, 1.3, 50)]


@pytest.mark.parametrize('f, x, n', CASES, ids=lambda v: getattr(v, '__name__', None))
def test_twice(f, x, n):
    check(lambda transformed: transformed, f, x, n, order=2)


@pytest.mark.compiles
@pytest.mark.parametrize('f, x, n', CASES, ids=lambda v: getattr(v, '__name__', None))
def test_compiled(f, x, n):
    check(tp.jit, f, x, n)


def read_after_del(x, n):
    y = x * x
    if n > 2:
        del y
    return y * x


UNBOUND = [(in_some_turn, 1.3, 1), (an_array_of_an_earlier_turn, X, 0), (in_one_of_two_branches, 1.3, 0),
           (read_after_del, 1.3, 3)]


@pytest.mark.parametrize('f, x, n', UNBOUND, ids=lambda v: getattr(v, '__name__', None))
@pytest.mark.parametrize('transform', [lambda f: f, tp.grad])
def test_unbound(mode, f, x, n, transform):
    with pytest.raises(UnboundLocalError):
        f(x, n)
    with pytest.raises(UnboundLocalError):
        mode(transform(f))(x, n)


def by_kind(x, kind):
    match kind:
        case 'square' | 'sq':
            return x * x
        case None:
            return x
        case 3:
            return x ** 3
        case (p, q):
            return x * p + q * x * x
        case [p, *rest]:
            return x * p * len(rest)
        case np.inf:
            return x
        case _:
            return x * kind


@pytest.mark.parametrize('kind', ['sq', 'square', None, 3, (2.0, 3.0), [2.0, 3.0, 4.0], 5, np.inf], ids=str)
def test_match(mode, kind):
    np.testing.assert_allclose(mode(tp.grad(by_kind))(1.3, kind), (by_kind(1.3 + 1e-6, kind) - by_kind(1.3 - 1e-6, kind)) / 2e-6)


def by_number(x, n):
    s = 0.0
    for i in range(n):
        match i % 3:
            case 0:
                continue
            case 1 if i > 5:
                break
            case k:
                s = s + x * k * s + x
    match s > 1.0:
        case True:
            return s * x
        case _:
            return s


@pytest.mark.parametrize('n', [1, 4, 10])
def test_match_at_run_time(mode, n):
    check(mode, by_number, 1.3, n, order=1 if mode.compiled else 2)


def never_returns(value):
    raise ValueError(f'no use for {value}')


def in_a_branch(x, n):
    if n > 2:
        x = never_returns(n)
    return x * x


def in_an_expression(x, n):
    return x * (never_returns(n) if n > 2 else 2.0)


def in_a_test(x, n):
    while n > 2 and never_returns(n) > 0.0:
        x = x * 2.0
    return x * x


@pytest.mark.parametrize('f', [in_a_branch, in_an_expression, in_a_test])
def test_a_function_that_never_returns_raises_where_it_is_called(mode, f):
    with pytest.raises(ValueError, match='no use for'):
        mode(tp.grad(f))(1.5, 3)
    assert mode(tp.grad(f))(1.5, 2) == (2.0 if f is in_an_expression else 3.0)


def test_a_function_that_never_returns_has_no_gradient():
    def doomed(x):
        raise KeyError('nothing')

    with pytest.raises(KeyError, match='nothing'):
        tp.grad(lambda x: x * doomed(x))(1.0)
