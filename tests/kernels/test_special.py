"""SciPy's special functions in compiled form: what SciPy gives, over the range and at its ends."""
import numpy as np
import pytest
import scipy.special

import tests.all_rules  # noqa: F401
from transpiler.rules.base.registry import RULES
from transpiler_kernels.special import elementary, exported

ENDS = [0.0, -0.0, 1.0, -1.0, 0.3, 0.65, -2.0, 1e-300, -1e-300, 700.0, -700.0, 1e300, -1e300, np.inf, -np.inf, np.nan]
RANGE = np.concatenate((np.linspace(-6.0, 6.0, 241) + 0.001, np.geomspace(1e-8, 150.0, 101)))
NAMES = ['dawsn', *(name.removeprefix('scipy.special.') for name, rule in RULES.items()
                    if name.startswith('scipy.special.') and rule.kind != 'definition')]
FUNCTIONS = {name: getattr(elementary if hasattr(elementary, name) else exported, name) for name in NAMES}
NUMBERS = [[name for name, function in FUNCTIONS.items() if function.nin == count] for count in (1, 2, 3)]


def test_every_function_is_here():
    assert [len(names) for names in NUMBERS] == [26, 14, 1]


def test_what_scipy_does_not_export_is_named():
    with pytest.raises(AttributeError, match='exports no no_such'):
        exported.no_such


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
@pytest.mark.parametrize('name', NUMBERS[0])
def test_one_argument(name, dtype):
    x = RANGE.astype(dtype)
    tolerance = 20 * np.finfo(dtype).eps
    with np.errstate(all='ignore'):
        found, expected = FUNCTIONS[name](x), getattr(scipy.special, name)(x.astype(float)).astype(dtype)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize('name', NUMBERS[0])
def test_ends_of_the_range(name):
    x = np.array(ENDS)
    with np.errstate(all='ignore'):
        np.testing.assert_allclose(FUNCTIONS[name](x), getattr(scipy.special, name)(x), rtol=1e-13)


@pytest.mark.parametrize('name', NUMBERS[1])
def test_two_arguments(name):
    x, y = (a.ravel() for a in np.meshgrid(ENDS, ENDS))
    if name == 'zeta':
        x, y = x[~(x >= 1e300)], y[~(x >= 1e300)]  # where SciPy gives NaN for 0
    with np.errstate(all='ignore'):
        found, expected = FUNCTIONS[name](x, y), getattr(scipy.special, name)(x, y)
    np.testing.assert_allclose(found, expected, rtol=1e-13)
    x, y = RANGE, RANGE[::-1]
    with np.errstate(all='ignore'):
        np.testing.assert_allclose(FUNCTIONS[name](x, y), getattr(scipy.special, name)(x, y), rtol=1e-12)


def test_three_arguments():
    x, a = np.linspace(0.0, 1.0, 31), np.linspace(0.2, 5.0, 7)[:, None]
    np.testing.assert_allclose(exported.betainc(a, 1.5, x), scipy.special.betainc(a, 1.5, x), rtol=1e-14)


@pytest.mark.parametrize('s', [1.0001, 1.5, 2.0, 3.0, 7.5, 40.0])
def test_zeta(s):
    q = np.concatenate((np.geomspace(1e-6, 1e12, 200), [-2.5, -0.3, 11.999, 12.0]))
    np.testing.assert_allclose(elementary.zeta(s, q), scipy.special.zeta(s, q), rtol=1e-13, atol=1e-300)
