"""Compiled Einstein sums of small integers wrap around as NumPy's do, and those of flags are flags."""
import numpy as np
import pytest

import transpiler as tp


def sums(a):
    b = a * np.ones((4, 1), a.dtype)
    of_rows = np.einsum('ij->i', b), np.einsum('ij,jk->ik', b, b), np.einsum('ii->', b)
    return np.einsum('i->', a), np.einsum('i,i->', a, a), *of_rows


@pytest.mark.compiles
@pytest.mark.parametrize('dtype', ['int8', 'bool'])
def test_einsum(dtype):
    a = np.array([100, 27, 3, 90]).astype(dtype)
    for found, expected in zip(tp.jit(sums)(a), sums(a), strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
