"""Arrays without axes: converted they are arrays; numbers made of them, or beside them, have numbers as derivatives."""
import numpy as np
import pytest

import transpiler as tp


def converted(w):
    return (w.astype(np.int64), w.astype(bool), w.astype(np.int8), w.astype(np.uint8), w.astype(np.float32), w.astype(float),
            w.astype(np.complex64), np.real(w), np.imag(w), w.real * 2)


def numbers(w):
    return np.int64(w), np.bool_(w), np.int8(w), np.uint8(w), np.float32(w), np.float64(w), np.complex64(w), np.int8(np.real(w))


@pytest.mark.filterwarnings('ignore:Casting complex')
@pytest.mark.parametrize('f', [converted, numbers])
@pytest.mark.parametrize('w', [3.7, 3.7 + 2j, 3, True, np.float32(2.5)], ids=str)
def test_of_each_dtype(f, w):
    w = np.array(w)
    for found, expected in zip(tp.jit(f)(w), f(w), strict=True):
        assert type(found) is type(expected) and found.dtype == expected.dtype and np.array_equal(found, expected)


def chosen(x, w):
    """On one path the cotangent of a number is the array, on the other zero."""
    least = min(x * 2.0, x + 3.0, 7.0 * x)
    return least * w


def test_numbers_beside_them_have_numbers_as_derivatives(mode):
    w = np.array(3.0)
    for f, slope in ((chosen, 6.0), (lambda x, w: x * w, 3.0), (lambda x, w: np.float64(w * x) * x, 12.0)):
        found = mode(tp.grad(f))(2.0, w)
        assert found == slope and not isinstance(found, np.ndarray)
        assert tp.jvp(f, (2.0, w), (1.0, None))[1] == slope
    assert w == 3.0 and tp.grad(lambda w: np.float64(w) ** 2)(w) == 6.0
