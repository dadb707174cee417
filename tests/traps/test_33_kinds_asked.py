"""What a program asks of a dtype or a class that differs between paths, or between iterations: the joint type has no answer."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.0, 2.0, 3.0])


def dtype_of_a_choice(x, c):
    y = np.array([1, 2, 3]) if c else x
    return np.sum(x) if y.dtype == np.float64 else 2.0 * np.sum(x)


def dtype_of_the_first(x, c):
    h, total = np.zeros(3, int), 0.0
    for v in x:
        if h.dtype == np.float64:
            total = total + v
        h = h + v
    return total


def class_of_a_choice(x, c):
    y = 1 if c else x[0]
    return x[1] if isinstance(y, int) else x[2]


def class_of_an_item(x, c):
    y = np.array([1, 2, 3]) if c else x
    return x[1] if isinstance(y[0], np.floating) else x[2]


def dtype_of_a_product(x, c):
    y = np.array([1, 2, 3]) if c else x
    return x[1] if np.concatenate([y * 2, y[1:]]).dtype == np.float64 else x[2]


@pytest.mark.parametrize('f', [dtype_of_a_choice, dtype_of_the_first, class_of_an_item, dtype_of_a_product])
def test_refused(f):
    for c in (True, False):
        for call in (lambda: tp.grad(f)(X, c), lambda: tp.vmap(f, in_axes=(0, None))(X[None], c), lambda: tp.jit(f)(X, c)):
            with pytest.raises(tp.TranspileError, match='what is asked of the type shows only at run time'):
                call()


@pytest.mark.parametrize('c', [True, False])
def test_answered_for_the_number_at_hand(c):
    picked = np.eye(3)[1 if c else 2]
    assert np.array_equal(tp.grad(class_of_a_choice)(X, c), picked)
    assert np.array_equal(tp.vmap(class_of_a_choice, in_axes=(0, None))(X[None], c), [class_of_a_choice(X, c)])
    assert tp.jit(class_of_a_choice)(X, c) == class_of_a_choice(X, c)


def alike(x, c):
    total = 0.0
    for v in x:
        total += v * 2
    y = 1.5 if c else total
    z = np.array([1, 2, 3]) if c else x
    if (z * x).dtype != np.float64 or not isinstance(z[0] / 2, np.floating) or not isinstance(z.shape[0], int):
        return x[2]
    return y * x[0] if isinstance(y, float) and total.dtype == np.float64 else x[1]


def test_the_same_on_all_paths(mode):
    for c in (True, False):
        assert np.isclose(mode(tp.value_and_grad(alike))(X, c)[0], alike(X, c))
