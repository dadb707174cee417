"""Trap 1: a view shows the memory of its base: the cotangent of a view is the view of the cotangent."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import PLAIN, check, copied, same
from transpiler.errors import UnsafeMutation


def written_through_a_slice(x):
    y = x[1:]
    y[0] = x[0] ** 2
    return np.sum(x * x)


def slices_of_slices(x):
    y = x[1:]
    z = y[::2]
    x[1] = x[0] * x[2]
    z[1] *= y[0]
    return np.sum(x * x) + np.sum(z * y[::2])


def transposed(a):
    b = a.T
    b[0, 1] = a[0, 0] * a[1, 1]
    a[1] *= b[:, 0]
    return np.sum(b * b * b)


def ravelled(x):
    table = np.zeros((2, 3))
    flat = table.ravel()
    flat[:] = x * x
    table[0] *= table[1]
    return np.sum(flat * x)


def reshaped(x):
    table = x.copy().reshape(3, 2)
    column = table[:, 1]
    table[1] *= table[0]
    column += 1.0
    return np.sum(table**3) + np.sum(column * column)


def reshaped_argument(x):
    x.reshape(2, 3)[0, 1:] *= x[0]
    x.reshape(-1)[2:] += x[0]
    return np.sum(x * x)


def rows_in_a_loop(a):
    for row in a:
        row *= row[0]
    return np.sum(a * a)


def two_rows_at_a_time(a):
    for i in range(1, a.shape[0]):
        row = a[i]
        above = a[i - 1]
        row += above * above
        row[0] = above[1] * row[2]
    return np.sum(a * a)


def backwards(x):
    y = x[::-1]
    for i in range(x.size):
        y[i] = y[i] * x[i]
    return np.sum(y * x * x)


def two_names(x):
    y = x
    y[1] = x[0] * x[2]
    x[0] = y[1] * y[3]
    return np.sum(x * y * y)


def under_a_test(x):
    y = x[1:]
    if x[0] > 0:
        y *= x[:-1]
    return np.sum(y * y) + x[1] * x[0]


def by_a_helper(x):
    square_in_place(x[1:])
    square_in_place(x[:2])
    return np.sum(x * x)


def square_in_place(part):
    part *= part


X = np.array([0.5, 1.2, -0.7, 0.9, 1.1, 0.3])
def read_through_a_diagonal(a):
    items = a.diagonal()
    t = items[0] * np.sum(items * items)
    a[0, 0] = t * items[1]
    return np.sum(a * a) + np.sum(np.diagonal(a, 1) * items[1:]) + tree_sum(items, 0, items.size)


def tree_sum(x, lo, hi):
    m = (lo + hi) // 2
    return x[lo] ** 2 if hi - lo == 1 else tree_sum(x, lo, m) * tree_sum(x, m, hi)


A = np.array([[1.5, 0.2, 0.3], [0.4, 1.7, -0.3], [0.25, 0.6, 1.3]])
VECTORS = (
    written_through_a_slice,
    slices_of_slices,
    ravelled,
    reshaped,
    reshaped_argument,
    backwards,
    two_names,
    under_a_test,
    by_a_helper,
)
MATRICES = (transposed, rows_in_a_loop, two_rows_at_a_time)


@pytest.mark.parametrize('f', VECTORS, ids=lambda f: f.__name__)
def test_vectors(mode, f):
    check(mode, f, X, order=2)


@pytest.mark.parametrize('f', MATRICES, ids=lambda f: f.__name__)
def test_matrices(mode, f):
    check(mode, f, A, order=2)


def test_a_diagonal():
    check(PLAIN, read_through_a_diagonal, A, order=2)


def chosen_at_run_time(x, z):
    y = x if z[0] > 0 else z
    y[1] = x[0] * x[1]
    return np.sum(x * y * z)


def test_a_view_that_only_the_values_decide_is_refused():
    with pytest.raises(UnsafeMutation, match='may share its memory'):
        tp.grad(chosen_at_run_time)(X, X.copy())


def maybe_a_copy(a):
    y = a.T.reshape(-1)
    y[0] = 0.0
    return np.sum(a * a)


def test_a_view_that_the_order_of_memory_decides_is_refused():
    with pytest.raises(UnsafeMutation, match='may share its memory'):
        tp.grad(maybe_a_copy)(A)


def test_a_compiled_primal_keeps_its_effects(mode):
    ours, theirs = copied(X), copied(X)
    same(mode(tp.jit(by_a_helper))(ours), by_a_helper(theirs), rtol=1e-12)
    same(ours, theirs, rtol=1e-12)


def shifted_view_of_a_view(m):
    left = m[:, :2]
    below = left[1:]
    below[...] = left[:-1]
    return np.sum(m * m * np.arange(4))


def test_sizes_that_are_not_known_do_not_count_a_view_twice(mode):
    m = np.arange(12.0).reshape(3, 4) * 0.3 - 1.0
    right = tp.grad(shifted_view_of_a_view)
    same(mode(tp.jit(lambda x: right(x)))(m), right(m))
    check(mode, lambda x: np.sum(right(x) ** 2), m)


def writes_through_a_diagonal(a):
    items = a.diagonal()[1:]
    items *= 2.0
    return 3.0 * a[0, 0]


def writes_through_what_is_spread(a):
    many = np.broadcast_to(a[0], (2, 3))
    if a[0, 0] > 0.0:
        many = a[:2]
    many[0] = 1.0
    return np.sum(a)


def writes_into_a_copy_of_a_diagonal(a):
    items = a.diagonal()
    items = items.copy()
    items[0] *= a[1, 1]
    return np.sum(items ** 2)


@pytest.mark.parametrize('function', [writes_through_a_diagonal, writes_through_what_is_spread])
@pytest.mark.parametrize('transform', [tp.grad, tp.jit, tp.hessian])
def test_what_numpy_lets_nobody_write_into(function, transform):
    with pytest.raises(ValueError, match='read-only'):
        function(-np.abs(A))
    with pytest.raises(UnsafeMutation, match='read-only'):
        transform(function)(A)


def test_a_copy_of_it():
    check(PLAIN, writes_into_a_copy_of_a_diagonal, A, order=2)


def taken_in_a_loop(x, a):
    for _ in range(2):
        last = x[2:]
    last[0] = a
    return np.sum(x + last)


def taken_and_written_in_a_loop(x):
    total = 0.0
    for k in range(2):
        part = x[k:]
        part[0] *= 0.5
        total += np.sum(part * x[k])
    return total


def test_a_view_that_is_taken_in_a_loop_and_written_after_it():
    with pytest.raises(UnsafeMutation, match='cannot be taken anew where it is used'):
        tp.grad(taken_in_a_loop, argnums=(0, 1))(X[:3], 0.5)
    check(PLAIN, taken_and_written_in_a_loop, X, order=2)


def spread_over_itself(x):
    x[::2] = 1.0 * x[:3]
    return np.sum(x * x)


def masked_over_itself(x):
    x[np.array([True, False, True, False, True])] = 1.0 * x[:3]
    return np.sum(x * x)


def along_a_row(x):
    table = np.stack((x, 2.0 * x))
    table[0, ::2] = 1.0 * table[0, :3]
    return np.sum(table * table)


def a_row_from_a_column(x):
    table = np.stack((x, 2.0 * x, 3.0 * x))
    table[1, :3] = 1.0 * table[:, 2]
    return np.sum(table * table)


@pytest.mark.parametrize('f', [spread_over_itself, masked_over_itself, along_a_row, a_row_from_a_column])
def test_what_is_stored_is_read_before(f, mode):
    """The tangent of `1.0 * x[:3]` is a view; NumPy itself stores along one axis without looking whether both overlap."""
    check(mode, f, np.array([1.0, -2.0, 0.5, 4.0, -0.25]))


def diagonal_shows(x):
    table = np.outer(x, x)
    d, wide = np.diag(table), np.diag(x)
    table[0, 0] = 3.0 * x[1]
    wide[1, 1] = x[0]
    return np.sum(d * d) + np.sum(wide * table)


def test_diag_of_a_matrix_is_a_view_of_it(mode):
    check(mode, diagonal_shows, X[:3], order=2)
    with pytest.raises(UnsafeMutation, match='read-only'):
        tp.grad(written_diagonal)(X[:3])


def written_diagonal(x):
    d = np.diag(np.outer(x, x))
    d[0] = 1.0
    return np.sum(d)


def a_view_outlives_its_base(x):
    row = x[None]
    row[0] -= np.max(x[:2] * x[1:3])
    column = row[:, 2]
    return column[-1] * column[0]


def a_view_of_a_view_in_a_loop(x):
    total = 0.0
    for k in range(3):
        y = x * (k + 1.0)
        part = y[1:]
        part[::2] -= np.sum(x)
        last = part[-2:]
        total += last[0] * last[1]
    return total


def an_element_of_what_was_written_twice(x):
    table = (x * x).reshape((1, 5))
    table[0, 1] = x[0] * x[2]
    table[:, 2:] *= x[3]
    row = table[0]
    return row[1] * row[2] + row[4]


@pytest.mark.parametrize('f', [a_view_outlives_its_base, a_view_of_a_view_in_a_loop, an_element_of_what_was_written_twice])
def test_a_view_is_all_that_is_left(mode, f):
    """Its base is not read any more when it is written: the cotangents of parts of it belong to the view."""
    check(mode, f, np.array([1.0, -2.0, 0.5, 4.0, -0.25]), order=2)


def made_anew_in_every_turn(x):
    y = 2 * x
    z = y
    for _ in range(2):
        z = np.hstack((z, y[1:]))
    z[0] = z[1] * x[2]
    return np.sum(z**2) + np.sum(y)


def left_after_a_turn(x):
    y = 2 * x
    z = y
    for k in range(3):
        z = z * y[1]
        if x[k] < 0:
            break
    z[0] = z[1] * x[2]
    return np.sum(z**2) + np.sum(y)


def of_a_loop_without_a_test(x):
    y = 2 * x
    z = y
    k = 0
    while True:
        z = z * y[1]
        k += 1
        if x[k] < 0:
            break
    z[0] = z[1] * x[2]
    return np.sum(z**2) + np.sum(y)


@pytest.mark.parametrize('f', [made_anew_in_every_turn, left_after_a_turn, of_a_loop_without_a_test], ids=lambda f: f.__name__)
def test_after_a_turn_it_is_another_array(mode, f):
    check(mode, f, np.array([1.0, -2.0, 0.5, 4.0, -0.25]), order=1 if mode.compiled else 2)


def perhaps_made_anew(x):
    y = 2 * x
    z = y
    for k in range(3):
        if x[k] > 1:
            z = z * y[1]
    z[0] = x[2]
    return np.sum(z**2) + np.sum(y)


def left_before_it_is_made(x):
    y = 2 * x
    z = y
    for k in range(3):
        if x[k] > 0:
            break
        z = z * y[1]
    z[0] = x[2]
    return np.sum(z**2) + np.sum(y)


def a_turn_behind(x):
    y = 2 * x
    z = last = y
    for _ in range(2):
        last = z
        z = z * y[1]
    last[0] = x[2]
    return np.sum(z**2) + np.sum(y) + np.sum(last)


@pytest.mark.parametrize('f', [perhaps_made_anew, left_before_it_is_made, a_turn_behind], ids=lambda f: f.__name__)
def test_after_a_turn_it_may_be_the_same_array(f):
    with pytest.raises(UnsafeMutation, match='may share its memory'):
        tp.grad(f)(np.array([1.0, -2.0, 0.5, 4.0, -0.25]))
