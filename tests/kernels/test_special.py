"""SciPy's special functions in compiled form: what SciPy gives, over the range and at its ends."""
import numpy as np
import pytest
import scipy.special

from kernels import special

ENDS = [0.0, -0.0, 1.0, -1.0, 0.3, 0.65, -2.0, 1e-300, -1e-300, 700.0, -700.0, 1e300, -1e300, np.inf, -np.inf, np.nan]
RANGE = np.concatenate((np.linspace(-6.0, 6.0, 241) + 0.001, np.geomspace(1e-8, 150.0, 101)))
ONE = ['erf', 'erfc', 'expit', 'log_expit', 'logit', 'entr']
TWO = ['xlogy', 'xlog1py', 'rel_entr', 'kl_div']


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
@pytest.mark.parametrize('name', ONE)
def test_one_argument(name, dtype):
    x = RANGE.astype(dtype)
    tolerance = 20 * np.finfo(dtype).eps
    with np.errstate(all='ignore'):
        found, expected = getattr(special, name)(x), getattr(scipy.special, name)(x.astype(float)).astype(dtype)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize('name', ONE)
def test_ends_of_the_range(name):
    x = np.array(ENDS)
    with np.errstate(all='ignore'):
        np.testing.assert_allclose(getattr(special, name)(x), getattr(scipy.special, name)(x), rtol=1e-13)


@pytest.mark.parametrize('name', TWO)
def test_two_arguments(name):
    x, y = (a.ravel() for a in np.meshgrid(ENDS, ENDS))
    with np.errstate(all='ignore'):
        found, expected = getattr(special, name)(x, y), getattr(scipy.special, name)(x, y)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    x, y = RANGE, RANGE[::-1]
    with np.errstate(all='ignore'):
        np.testing.assert_allclose(getattr(special, name)(x, y), getattr(scipy.special, name)(x, y), rtol=1e-12)
