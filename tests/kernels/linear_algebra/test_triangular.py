"""Triangular systems, small ones some columns at a time, against SciPy's."""
import numpy as np
import pytest
import scipy.linalg

from transpiler_kernels.linear_algebra.stacks import solve_triangular


@pytest.mark.parametrize('size, columns', [(0, 3), (1, 1), (4, 4), (40, 40), (40, 1), (128, 30), (129, 30)])
@pytest.mark.parametrize('dtype', [np.float64, np.complex64])
def test_systems_of_any_size(size, columns, dtype):
    rng = np.random.default_rng(size)
    a, b = (rng.normal(size=(size, size)) / 9 + 2 * np.eye(size)).astype(dtype), rng.normal(size=(size, columns)).astype(dtype)
    for turned, lower, ones in ((False, True, False), (True, True, False), (False, False, True), (True, False, False)):
        found = solve_triangular(a, b, turned, lower, ones)
        wanted = scipy.linalg.solve_triangular(a, b, int(turned), lower, unit_diagonal=ones) if size else b
        np.testing.assert_allclose(found, wanted, rtol=1e-3 if dtype == np.complex64 else 1e-9, atol=1e-5)


def test_a_zero_on_the_diagonal_raises():
    singular = np.diag([1.0, 0.0])
    assert np.array_equal(solve_triangular(singular, np.ones(2), False, True, True), np.ones(2))
    with pytest.raises(np.linalg.LinAlgError):
        solve_triangular(singular, np.ones(2), False, True, False)
