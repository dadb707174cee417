"""Copies that are needed, and copies that are not: of what something else still shows, and of what nothing does."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check

X = np.array([0.7, -0.4, 1.3])


def a_view_is_read_later(x):
    y = x * 2
    view = y[1:]
    z = y.copy()
    z[:2] *= x[1:]
    return np.sum(z) * np.sum(view)


def the_array_is_on_a_list(x):
    kept = []
    y = x
    for k in range(3):
        y = y * x
        kept.append(y)
        z = y.copy()
        z[k] = 3.0 * x[0]
        y = z
    return np.sum(kept[0] * kept[1]) + np.sum(y)


def the_next_turn_copies_it_again(x):
    y, s = x * 2, 0.0
    for k in range(3):
        z = y.copy()
        z[k] = x[k] ** 2
        s += np.sum(z * z)
    return s


def every_turn_copies_another(x):
    y = x * 2
    for k in range(3):
        z = y.copy()
        z[k] = z[k - 1] * x[k]
        y = z * 0.5
    return np.sum(y * y)


def one_arm_has_the_argument(x):
    y = x * 2 if x[0] > 0.5 else x
    z = y.copy()
    z[0] = 3.0 * z[1]
    return np.sum(z * x)


PROGRAMS = (a_view_is_read_later, the_array_is_on_a_list, the_next_turn_copies_it_again, every_turn_copies_another,
            one_arm_has_the_argument)


@pytest.mark.parametrize('f', PROGRAMS)
@pytest.mark.parametrize('scale', [1.0, 0.5])
def test_copies_that_are_written(mode, f, scale):
    check(mode, f, X * scale)


def items_in_another_order(x):
    y = x.T * 2
    z = y.copy()
    flat = z.reshape(-1)
    flat[1] = 5.0 * x[0, 0]
    return np.sum(z * y[::-1])


def items_in_order_of_the_last_use(x):
    y = np.sin(x.T)
    z = y.copy()
    flat = z.ravel()
    flat[1] = 5.0 * x[0, 0]
    return np.sum(z * z)


@pytest.mark.parametrize('f', [items_in_another_order, items_in_order_of_the_last_use])
@pytest.mark.parametrize('transform', [tp.jit, tp.vmap, lambda f: tp.jit(tp.vmap(f))])
def test_a_copy_lies_in_order(transform, f):
    x = np.array([[0.7, 1.3, 0.2], [-0.4, 0.9, 0.5]])
    batch = np.stack([x, 2 * x])
    if transform is tp.jit:
        np.testing.assert_allclose(transform(f)(x), f(x))
    else:
        np.testing.assert_allclose(transform(f)(batch), [f(one) for one in batch])


def items_and_all(x, a):
    y = x[0] * 2
    if a > 0:
        z = np.sum(x * x)
    else:
        z = np.sum(x**3)
    return z * y


def turns_and_items(x):
    s = x[0]
    y = x * s
    for k in range(3):
        y = y * x
    return np.sum(y) * x[1]


@pytest.mark.parametrize(('f', 'args'), [(items_and_all, (X, 1.0)), (items_and_all, (X, -1.0)), (turns_and_items, (X,))])
def test_cotangents_that_branches_and_loops_leave_are_not_copied(f, args):
    check(PLAIN, f, *args)
    assert '.copy()' not in tp.grad(f).lower(*args).source


def test_results_that_share_nothing():
    """The caller may write into one gradient without changing another."""
    def f(x, y):
        z = x + y
        for k in range(2):
            z = z * 1.5
        return np.sum(z * z)

    first, second = tp.grad(f, argnums=(0, 1))(X, X)
    assert not np.shares_memory(first, second)
