"""Trap 7: a name that only some paths define raises where Python raises, also where the derivative would not need it."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check


def in_one_branch(x, c):
    if c > 0:
        p = x * x
    return p * x if c > 0 else x


def in_one_branch_only(x, c):
    if c > 0:
        p = x * x
    return p + x


def in_the_other_branch(x, c):
    if c <= 0:
        q = 1
    else:
        p = x * x
    return p * x


def in_a_loop(x, n):
    for i in range(n):
        p = x * i
    return p


def in_a_while(x, n):
    k = n
    while k > 0:
        p = x * k
        k -= 1
    return p * p


def over_rows(x, n):
    for row in x[:n]:
        last = row
    return np.sum(last * last)


ALL = [in_one_branch_only, in_the_other_branch, in_a_loop, in_a_while]


@pytest.mark.parametrize('f', [*ALL, in_one_branch])
def test_defined(mode, f):
    check(mode, f, 1.3, 2)


@pytest.mark.parametrize('f', ALL)
@pytest.mark.parametrize('transform', [lambda f: f, tp.grad, tp.value_and_grad])
def test_undefined(mode, f, transform):
    with pytest.raises(UnboundLocalError):
        f(1.3, 0)
    with pytest.raises(UnboundLocalError):
        mode(transform(f))(1.3, 0)


def test_used_under_the_same_condition(mode):
    assert mode(tp.grad(in_one_branch))(1.3, 0) == 1.0


def test_rows(mode):
    check(mode, over_rows, np.arange(6.0).reshape(3, 2), 2)
    with pytest.raises(UnboundLocalError):
        mode(tp.grad(over_rows))(np.arange(6.0).reshape(3, 2), 0)


def of_one_column(r, n):
    k = 0.0
    while k < n:
        scale = r.T @ r
        x = scale * r
        if k > 0:
            y = r.T @ x
            r = r - y * r
        r = r - scale * r
        k += 1
    return np.sum(x) * np.sum(y)


def test_axes_of_size_1_in_a_loop_alone(mode):
    """What stands in for a value before the loop has no other sizes than it, where these are known."""
    check(mode, of_one_column, np.array([[0.5], [-0.3], [0.7]]), 3, order=2)


def a_slice_of_one_column(x, i, j):
    return np.sum((x[:, i:j] @ x[:1]) ** 2)


def test_a_slice_may_have_to_be_one_column(mode):
    x = np.arange(1.0, 13.0).reshape(3, 4) / 5
    check(mode, a_slice_of_one_column, x, 1, 2)
    for wrong in ((1, 3), (1, 1)):
        with pytest.raises(ValueError):
            mode(tp.grad(a_slice_of_one_column))(x, *wrong)
