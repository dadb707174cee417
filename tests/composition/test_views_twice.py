"""Second derivatives of programs that read and write arrays through views."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([0.7, 1.3, -0.4])


def turned(x):
    w = np.zeros((3, 2))
    m = w.T
    m[1] = 2 * x
    m[0] += x**2
    return np.sum(w[:, 0] * w[:, 1])


def rows_of_the_transpose(x):
    w = np.outer(x, x)
    a, b = w.T[0], np.moveaxis(w, 1, 0)[1]
    return np.sum(a * b**2)


def stacked(x):
    w = np.stack([x, x**2], axis=1)
    return np.sum(w[:, 0] * w[:, 1]**2)


def reshaped(x):
    w = np.outer(x, x)
    m = w.reshape(9)
    return np.sum(m[:3] * m[3:6]**2)


def filled_flat(x):
    w = np.zeros((3, 3))
    m = w.ravel()
    m[:3] = x**2
    m[3:6] += x
    return np.sum(w[0] * w[1]**2)


def flipped(x):
    w = np.outer(x, x)
    return np.sum(np.diagonal(w)**2 * w[::-1, ::-1][0]) + np.sum(np.flip(w)[0]**3) + np.sum(w[:, None][0, 0] * x)


def through_rows(x):
    w = np.zeros((3, 3))
    for i in range(3):
        w.T[i] += x * i
        w[i] *= x
    u, v, _ = w
    u *= v
    return np.sum(w**2)


def lists_of_rows(x):
    rows = [x * t for t in x]
    rows.append(np.exp(x))
    w = np.array(rows)
    return np.sum(w[0] * w[1]**2 * w[3]) + sum([t**3 for t in x])


def differences(f, x, step=1e-6):
    return np.array([(f(x + e) - f(x - e)) / (2 * step) for e in np.eye(x.size) * step])


TURNED = [turned, rows_of_the_transpose, stacked, flipped, through_rows, lists_of_rows]


@pytest.mark.parametrize('f', [*TURNED, reshaped, filled_flat])
def test_hessians(f):
    expected = differences(tp.grad(f), X)
    for hessian in (tp.hessian(f), tp.jacrev(tp.grad(f))):
        np.testing.assert_allclose(hessian(X), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize('f', TURNED)
def test_halves_of_gradients(f):
    gradient = tp.grad(f)
    expected = differences(gradient, X)
    pullback, pushforward = tp.vjp(gradient, X)[1], tp.linearize(gradient, X)[1]
    for _ in range(2):  # nothing that was handed over changes
        np.testing.assert_allclose(pullback(X)[0], X @ expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(pushforward(X), expected @ X, rtol=1e-5, atol=1e-6)


def popped(x):
    rows = [x * t for t in x]
    w = np.array(rows)
    return np.sum(w[0] * w[1]**2) * rows.pop()[1]


def test_memory_under_two_names_is_not_handed_over():
    expected = differences(tp.grad(popped), X)
    np.testing.assert_allclose(tp.jacfwd(tp.grad(popped))(X), expected, rtol=1e-5)
    np.testing.assert_allclose(tp.jacrev(tp.grad(popped))(X), expected, rtol=1e-5)
    with pytest.raises(tp.errors.UnsafeMutation, match='it changes memory that it reads as `rows_bar` and as `item`'):
        tp.vjp(tp.grad(popped), X)
