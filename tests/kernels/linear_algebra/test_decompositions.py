"""`kernels.linear_algebra.decompositions.qr` against NumPy's, below, at and above the size of a block."""

import numpy as np
import pytest

from transpiler_kernels.linear_algebra.decompositions import qr

SHAPES = [(1, 1), (5, 2), (2, 5), (64, 64), (65, 64), (70, 70), (200, 130), (130, 200), (0, 3), (3, 0)]
TOLERANCES = {'f': 1e-4, 'd': 1e-12, 'F': 1e-4, 'D': 1e-12}  # of the largest item


@pytest.mark.parametrize('letter', TOLERANCES)
def test_factors(letter):
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        a = (rng.normal(size=shape) + 1j * rng.normal(size=shape)).astype('D')
        a = (a if letter in 'FD' else a.real).astype(letter)
        before = a.copy()
        for got, wanted in zip(qr(a), np.linalg.qr(a), strict=True):
            assert got.dtype == wanted.dtype and got.shape == wanted.shape
            np.testing.assert_allclose(got, wanted, rtol=0, atol=TOLERANCES[letter] * np.max(np.abs(a), initial=1) * 20)
        np.testing.assert_array_equal(a, before)


def test_of_lower_rank():
    a = np.outer(np.arange(1.0, 7.0), np.arange(4.0))
    left, right = qr(a)
    np.testing.assert_allclose(left @ right, a, atol=1e-13)
    np.testing.assert_allclose(left.T @ left, np.eye(4), atol=1e-13)


def test_what_is_no_number_is_passed_on():
    a = np.eye(3)
    a[1, 1] = np.nan
    assert np.isnan(qr(a)[0]).any() and np.isnan(qr(a)[1][1, 1])
