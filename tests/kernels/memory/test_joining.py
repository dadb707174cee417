"""Joins of arrays against NumPy: narrow and wide parts, in every layout, numbers among them, and sizes that do not fit."""
import numpy as np
import pytest

import transpiler as tp

A, B = np.arange(12.0).reshape(3, 4), np.arange(6.0).reshape(3, 2) - 5.0
WIDE = np.arange(60.0).reshape(3, 20)


def along_columns(a, b):
    return np.concatenate((a, b, a[:, ::2], b[::-1]), axis=1), np.concatenate((a.T, b.T), axis=0), np.hstack((a, b))


def along_rows(a, b):
    return np.concatenate((a.T[:2], b.T), axis=0), np.vstack((a, a[0], a[:, :4])), np.concatenate((a[0], b[1], a[:, 1]))


def along_new_axes(a, b):
    pairs = [np.stack((a[:, 0], b[:, 1]), axis=k) for k in (0, 1, -1)]
    return (*pairs, *[np.stack((a, 2 * a), axis=k) for k in (0, 1, 2)], np.column_stack((a[:, 0], b, a[:, 1])))


def of_numbers(a, b):
    return np.stack((a[0, 0], b[1, 1], 3.0)), np.hstack((a[0, 0], b[0], 7)), np.concatenate((a, b), axis=None)


@pytest.mark.parametrize('program', [along_columns, along_rows, along_new_axes, of_numbers])
@pytest.mark.parametrize('arrays', [(A, B), (np.asfortranarray(A), B.astype(np.float32)), (WIDE[:, ::5], B)],
                         ids=['rows', 'columns', 'strided'])
def test_parts_stand_where_numpy_puts_them(program, arrays):
    for found, wanted in zip(tp.jit(program)(*arrays), program(*arrays), strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def turned(x, n):
    for _ in range(n):
        x = np.concatenate((x[1:], 2.0 * x[:1]))
    return x


def test_an_array_that_is_joined_of_itself():
    np.testing.assert_array_equal(tp.jit(turned)(np.arange(1.0, 4.0), 5), turned(np.arange(1.0, 4.0), 5))


def test_sizes_that_do_not_fit_raise():
    joined = tp.jit(lambda a, b: np.concatenate((a, b)))
    assert joined(A, np.ones((2, 4))).shape == (5, 4)
    with pytest.raises(ValueError, match='must match exactly'):
        joined(A, B)
    with pytest.raises(ValueError):
        tp.jit(lambda a, b: np.stack((a, b)))(A[0], B[0])
