"""Loops of products with rows of matrices become products of matrices, where these stay as they are and nothing is wasted."""
import re

import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad

RAISED = re.compile(r'(?m)^    \w+ = [\w.]+ @ [\w.]+$')     # a product outside of all loops
X, Y = np.random.default_rng(0).normal(size=(2, 6, 4))


def triangle_of_columns(x):
    out = np.zeros((x.shape[1], x.shape[1]))
    for i in range(x.shape[1]):
        out[i:, i] = out[i, i:] = x[:, i] @ x[:, i:]
    return np.sum(out ** 3)


def strict_triangle(x):
    m = x.shape[1]
    x -= np.mean(x, axis=0)
    out = np.eye(m)
    for i in range(m - 1):
        out[i + 1:m, i] = x[:, i] @ x[:, i + 1:m]
    return np.sum(out ** 2)


def below(x):
    out = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        out[i, :i + 1] = x[:i + 1] @ x[i]
    return np.sum(out ** 2)


def pairs(x):
    n = x.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            out[i, j] = np.dot(x[i], x[j])
            out[j, i] = out[i, j]
    return np.sum(out ** 3)


def rows(x, y=Y):
    out = np.empty((x.shape[0], y.shape[0]))
    for i in range(x.shape[0]):
        out[i] = y @ x[i]
    return np.sum(out ** 2)


def elements(x, y=Y):
    out = np.ones((x.shape[0], y.shape[0]))
    for t in range(2):
        for i in range(x.shape[0]):
            for j in range(y.shape[0]):
                out[i, j] += (t + 1) * (x[i, :] @ y.T[:, j])
    return np.sum(out ** 2)


@pytest.mark.parametrize('program', [triangle_of_columns, strict_triangle, below, pairs, rows, elements])
@pytest.mark.compiles
def test_one_product_has_the_same_values_and_gradients(mode, program):
    assert RAISED.search(tp.grad(program).lower(X.copy()).source)
    assert np.isclose(mode(tp.vmap(program))(X[None].copy())[0], program(X.copy()))
    assert np.allclose(mode(tp.grad(program))(X.copy()), numeric_grad(program, (X.copy(),)), rtol=1e-6, atol=1e-6)


def into_itself(x):
    for i in range(x.shape[0]):
        x[i, :] = x[i] @ x.T[:, i] * x[i]
        x[i, :i + 1] = x[:i + 1] @ x[i]
    return np.sum(x)


def without_room(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.max(x @ x[i])
    return total


def that_stops(x):
    out = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        out[i] = x @ x[i]
        if out[i, 0] > 1.0:
            break
    return np.sum(out ** 2)


def of_a_band(x):
    out = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0] - 1):
        out[i, i:i + 2] = x[i:i + 2] @ x[i]
    return np.sum(out ** 2)


def of_some_rows(x, n=2):
    out = np.zeros((x.shape[0], x.shape[0]))
    for i in range(n):
        out[i] = x @ x[i]
    return np.sum(out ** 2)


def of_the_diagonal(x, y=Y):
    out = np.zeros((x.shape[0], y.shape[0]))
    for i in range(x.shape[0]):
        out[i, i] = x[i] @ y[i]
    return np.sum(out ** 2)


def changed_later(x):
    out = np.zeros((x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        row = x @ x[i]
        row[0] = 0.0
        out[i] = row
    return np.sum(out ** 2)


def of_the_row_before(x):
    out, row = np.zeros((x.shape[0], x.shape[0])), x[0]
    for i in range(x.shape[0]):
        out[i] = x @ row
        row = x[i]
    return np.sum(out ** 2)


@pytest.mark.parametrize('program', [
    without_room, that_stops, of_a_band, of_some_rows, of_the_diagonal, changed_later, of_the_row_before])
def test_what_would_take_more_or_differ_stays_a_loop(program):
    gradient = tp.grad(program)
    assert np.allclose(gradient(X.copy()), numeric_grad(program, (X.copy(),)), rtol=1e-5, atol=1e-6)
    assert not RAISED.search(gradient.source)


def test_a_matrix_that_the_loop_writes_stays_a_loop():
    square = np.random.default_rng(1).normal(size=(4, 4))
    gradient = tp.grad(into_itself)
    assert np.allclose(gradient(square.copy()), numeric_grad(into_itself, (square.copy(),)), rtol=1e-4, atol=1e-5)
    assert not RAISED.search(gradient.source)
