"""A copy where NumPy may have a view: fine if what is written later is other memory under a name that loops give to both."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import numeric_grad
from transpiler.errors import CompileError

X = np.array([0.5, 1.25, 0.75])


def appended(x):
    a = np.zeros(1)
    for v in x:
        a = np.append(a, a[-1] + v**2)
    return np.sum(a[1:] * x)


def until_long_enough(x):
    a = np.array([x[0]])
    while a.size < 5:
        a = np.append(a, a[-1] * x[1])
    return np.dot(a[1:], a[:-1])


def beside(x):
    a = np.zeros(1)
    for v in x:
        a = np.hstack([a, v * v + a[-1]])
    return np.sum(np.sin(a[1:]))


def rows(x):
    a = np.zeros((1, 2))
    for v in x:
        a = np.vstack([a, a[-1] * v + 1])
    return np.sum(a[1:] ** 2)


@pytest.mark.parametrize('program', [appended, until_long_enough, beside, rows])
def test_arrays_that_grow_and_are_cut(mode, program):
    assert np.allclose(mode(tp.grad(program))(X), numeric_grad(program, (X,)), rtol=1e-6)


def radix_two(x, y):
    """Stockham's Fourier transform, in place: each step reads another order of the items that it then writes."""
    n = x.size
    y[:] = x
    butterfly = np.array([[1.0, 1.0], [1.0, -1.0]])
    for i in range(3):
        before, after = 2 ** i, 2 ** (2 - i)
        turned = np.transpose(np.reshape(y, (before, 2, after)), axes=(1, 0, 2))
        angles = np.outer(np.arange(2), np.arange(before)) / 2 ** (i + 1)
        twiddle = np.repeat(np.exp(-2j * np.pi * angles)[:, :, None], after, axis=2)
        y[:] = np.reshape(butterfly @ np.reshape(np.reshape(turned, n) * np.reshape(twiddle, n), (2, n // 2)), n)
    return y


def test_an_argument_in_another_order_that_is_read_before_it_is_written():
    x = np.arange(8.0) + 1j * np.arange(8.0)[::-1] ** 2
    assert np.allclose(tp.jit(radix_two)(x, np.zeros(8, complex)), np.fft.fft(x))

    def energy(x, y):
        return np.sum(np.abs(radix_two(x, y)) ** 2)
    assert np.allclose(tp.jit(tp.grad(energy))(x, np.zeros(8, complex)), 2 * 8 * np.conj(x))


def read_again(y):
    turned = np.reshape(y.T, (2, 3))
    y[0, 0] = 5.0
    return np.sum(turned)


def kept(y):
    rows = []
    for _ in range(2):
        rows.append(np.reshape(y.T, (2, 3)))
        y[0, 0] = 5.0
    return np.sum(np.stack(rows))


@pytest.mark.parametrize('program', [read_again, kept])
def test_what_is_read_again_after_the_write_is_refused(program):
    with pytest.raises(CompileError, match='may show memory that is written to'):
        tp.jit(program)(np.arange(6.0).reshape(2, 3))
