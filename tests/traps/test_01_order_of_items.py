"""Trap 1, where the order of the items in memory decides what is a view: right or refused, never a write that gets lost."""

import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, PLAIN, check
from transpiler.errors import CompileError, UnsafeMutation

A = np.array([[0.5, 1.2, 0.7], [1.1, 0.9, 0.6]])
X = np.array([0.5, 0.6, -0.35, 0.45, 0.55, 0.15])


def zeros_of_a_turned_array(a):
    u = np.zeros_like(a.T)
    flat = u.reshape(-1)
    flat[0] = a[0, 1] * a[1, 1]
    return np.sum(u**3) + np.sum(flat)


def copied_as_it_lies(a):
    u = np.copy(a.T)
    flat = u.reshape(-1)
    flat[0] = a[0, 1] * a[1, 1]
    return np.sum(u**3) + np.sum(flat)


def stacked(a):
    u = np.stack([a.T, a.T])
    flat = u.ravel()
    flat[0] = a[0, 1] * a[1, 1]
    return np.sum(u**3) + np.sum(flat)


def made_contiguous(a):
    u = np.ascontiguousarray(a.T)
    u[0, 0] = a[0, 1] * a[1, 1]
    return np.sum(u**3) + np.sum(a**3)


def of_another_dtype(a):
    u = np.asarray(a, dtype=np.complex128)
    u[0, 0] = a[0, 1] * a[1, 1]
    return np.sum(u.real**3) + np.sum(a**3)


def part_of_a_complex_array(a):
    z = a + 2j * a
    y = z.imag
    y[0, 0] = a[0, 1] * a[1, 1]
    return np.sum(z.imag**3) + np.sum(y)


@pytest.mark.parametrize(
    'f',
    [zeros_of_a_turned_array, copied_as_it_lies, stacked, made_contiguous, of_another_dtype, part_of_a_complex_array],
    ids=lambda f: f.__name__,
)
def test_what_may_be_a_copy_is_refused(f):
    with pytest.raises(UnsafeMutation, match='may share its memory'):
        tp.grad(f)(A)


@pytest.mark.parametrize('f', [zeros_of_a_turned_array, copied_as_it_lies, stacked], ids=lambda f: f.__name__)
def test_compiled_code_refuses_it_too(f):
    with pytest.raises(CompileError, match='may show memory that is written to'):
        tp.jit(f)(A)


def filled_from_a_turned_array(a):
    u = np.zeros((3, 2))
    u[:] = a.T * 2.0
    flat = u.ravel()
    flat[0] = a[0, 1] * flat[1]
    return np.sum(u**3) + np.sum(flat)


def read_turned(a):
    u = np.zeros((3, 2))
    flat = u.reshape(-1)
    flat[:] = a.ravel() ** 2
    flat[0] = a[0, 1] * a[1, 1]
    return np.sum((u.T * a) ** 2) + np.sum(u.T**2 * a)


def read_turned_in_a_loop(a):
    u, t = np.zeros((3, 2)), 0.0
    u[:] = a.T
    for k in range(3):
        flat = u.reshape(-1)
        flat[k] = a[0, 1] * flat[k + 1]
        t += np.sum(u.T * a) * t + np.sum(np.tanh(u.T))
        u[k] *= flat[0]
    return t + np.sum((u.T * a) ** 2)


@pytest.mark.parametrize('f', [filled_from_a_turned_array, read_turned, read_turned_in_a_loop], ids=lambda f: f.__name__)
def test_the_cotangent_lies_as_the_array_does(f):
    check(PLAIN, f, A, order=2)


def test_what_lies_as_it_should_is_compiled():
    assert tp.jit(filled_from_a_turned_array)(A) == pytest.approx(filled_from_a_turned_array(A))


def a_vector_in_another_shape(x):
    y = x[::-1].reshape(2, 3)
    y[0] = y[1] * x[0]
    return np.sum(x * x)


def conjugated(x):
    y = x.conj()
    y[0] = x[1] * x[2]
    return np.sum(x**3)


def sum_of_one(x):
    y = sum([x])
    y[0] = x[1] * x[2]
    return np.sum(x**3) + np.sum(y**3)


def rounded_and_cast(x):
    y = x.astype(np.float64)
    z = np.nan_to_num(y)
    y[0] = x[1] * x[2]
    z[1] = x[0] * y[0]
    return np.sum(x**3) + np.sum(y**3) + np.sum(z)


@pytest.mark.parametrize('f', [a_vector_in_another_shape, conjugated, sum_of_one, rounded_and_cast], ids=lambda f: f.__name__)
def test_views_and_copies_of_vectors(f):
    check(PLAIN, f, X, order=2)


def converted_without_a_copy(x):
    same = x.astype(np.float64, copy=False)
    same[0] = x[1] * x[2]
    return np.sum(x**3) + np.sum(same**2)


def test_astype_without_a_copy_gives_the_array_itself():
    check(PLAIN, converted_without_a_copy, X)


@pytest.mark.parametrize('option', [{'order': 'F'}, {'casting': 'safe'}, {'subok': False}])
def test_an_argument_of_astype_that_has_no_rule_is_refused(option):
    with pytest.raises(tp.TranspileError, match=next(iter(option))):
        tp.jit(lambda x: x.astype(np.float64, **option))(X)


def compiled_views_and_copies(a):
    once, picked, whole, vector = np.tile(a[0], 1), np.take(a, 0, axis=0), a[...], a[1].conj()
    items, more = np.diagonal(a, 1), np.diag(a)
    a[0, 0], once[0], picked[1], vector[2] = 7.0, 2.0, 3.0, 4.0
    a[1, 1], a[0, 1] = 5.0, 6.0
    return np.sum(a) + 2 * np.sum(once) + 3 * np.sum(picked) + 4 * np.sum(whole) + 5 * np.sum(items) + 6 * np.sum(more)


def test_compiled_code_has_views_and_copies_where_numpy_has():
    assert tp.jit(compiled_views_and_copies)(A.copy()) == pytest.approx(compiled_views_and_copies(A.copy()))


def einstein(a):
    b = np.einsum('ij->ji', a)
    a[0, 0] = 7.0
    return np.sum(b)


def test_an_einstein_sum_that_would_be_a_view_is_not_compiled():
    with pytest.raises(CompileError, match='may show memory that is written to'):
        tp.jit(einstein)(A.copy())


def of_this_turn(p, n):
    for _ in range(2):
        s = p * 2
        norm = np.sqrt((s * s).sum(axis=1)).reshape(n, 1)
        p = p + s / norm
    return np.sum(p**2)


def of_the_turn_before(p, _):
    t = p.T.reshape(-1)
    for k in range(3):
        s = np.zeros((5, 2))
        s[:, :] = p * (k + 1)
        p = p + t[0] * t.reshape(5, 2)
        t = s.T.reshape(-1)
    return np.sum(t**2) + np.sum(p)


@pytest.mark.parametrize('f', [of_this_turn, of_the_turn_before], ids=lambda f: f.__name__)
def test_what_the_next_turn_makes_anew_is_no_write_to_this_one(mode, f):
    """Arrays that loops fill are memory of one turn: a reshape of one may be a copy where only another is written."""
    check(mode, f, np.arange(1.0, 11.0).reshape(5, 2) / 7, 5)


def written_in_the_next_turn(p):
    s, total = p.T.copy(), 0.0
    for _ in range(3):
        v = s.T.reshape(-1)
        total += v[1]
        s[0, 1] = s[0, 1] * 2
    return total + v[2]


def swapped_and_written(p):
    a, b, total = p * 2, (p.T * 1.0).T, 0.0
    for _ in range(3):
        v = b.reshape(-1)
        b[0, 0] = v[1]
        total += v[0]
        a, b = b, a
    return total


@pytest.mark.parametrize('f', [written_in_the_next_turn, swapped_and_written], ids=lambda f: f.__name__)
def test_memory_of_many_turns_is_written_in_the_next(f):
    with pytest.raises(CompileError, match='may show memory that is written to'):
        tp.jit(f)(np.arange(1.0, 11.0).reshape(5, 2))


def on_one_path(x):
    c = np.sum(x) > 0.0
    if c:
        t = np.sin(x)
    u = np.sum(x * x)
    if c:
        t.reshape(-1)[::2] = x[0] * u
    u = u * u
    if c:
        u += np.sum(t * t)
    return u


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_a_reshape_of_an_array_that_exists_on_one_path_is_written(mode, sign):
    check(mode, on_one_path, sign * np.array([0.3, 0.4, 0.5]))


def reshaped_and_written(x, k):
    total = 0.0
    if x[0, 1] < k:
        total = np.sum(x.ravel() * x.reshape(6))
    for i in range(int(k)):
        total += x[1, i]
    x[0, 0] *= k
    return total + np.sum(x**2)


def test_the_copy_of_an_argument_lies_as_the_argument_does():
    """Whether a reshape is a view is known where the argument lies in C order."""
    check(JIT, reshaped_and_written, A, 3.0)
    with pytest.raises(IndexError):  # by the version that looks at every index
        tp.jit(tp.grad(reshaped_and_written))(A, 4.0)
    turned = tp.jit(tp.grad(reshaped_and_written))(np.asfortranarray(A), 3.0)    # where nobody notices, it does not matter
    np.testing.assert_allclose(turned, tp.grad(reshaped_and_written)(A, 3.0))


def copied_in_order_and_cast(a):
    u = a.T.copy().astype(float)
    flat = u.reshape(-1)
    flat[2] = 1.0
    return np.sum(u**3)


def copied_in_order_and_scaled(a):
    u = (2.0 * a.T).copy()
    flat = u.reshape(-1)
    flat[2] = a[0, 0]
    return np.sum(u**3)


@pytest.mark.parametrize('f', [copied_in_order_and_cast, copied_in_order_and_scaled], ids=lambda f: f.__name__)
def test_a_copy_lies_in_order_in_forward_mode_too(f):
    """A tangent that is copied where it is made is copied by the method: NumPy's function keeps the order."""
    x_dot = np.arange(6.0).reshape(2, 3)
    for mode in (tp.jvp, lambda f: tp.jit(tp.jvp(f))):
        _, out_dot = mode(f)(A, x_dot)
        assert out_dot == pytest.approx(np.sum(tp.grad(f)(A) * x_dot))
    check(PLAIN, f, A)
