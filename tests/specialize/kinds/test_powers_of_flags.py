"""Powers of flags: NumPy squares them in 8 bits, and takes any other power in 64."""
import numpy as np
import pytest

import transpiler as tp

POWERS = {'0': lambda x: (x > 0)**0, '1': lambda x: (x > 0)**1, '2': lambda x: (x > 0)**2, '3': lambda x: (x > 0)**3,
          '2.0': lambda x: (x > 0)**2.0, 'True': lambda x: (x > 0)**True}
X = np.array([1.0, -2.0, 3.0])


@pytest.mark.parametrize('power', POWERS)
def test_powers_of_flags(power):
    f = POWERS[power]
    found = [tp.vmap(f)(X[None])[0], *([tp.jit(f)(X)] if power in '13' else [])]
    for result in found:
        assert result.dtype == f(X).dtype
        np.testing.assert_array_equal(result, f(X))


OF_ITEMS = {'2': lambda x, n: (x[0] > 0)**2, 'n': lambda x, n: (x[0] > 0)**n, 'flag': lambda x, n: (x[0] > 0)**(x[1] > 0),
            'sum': lambda x, n: 200 * (x[0] > 0)**n + (x[1] > 0)**2}


@pytest.mark.parametrize('power', OF_ITEMS)
def test_powers_of_one_flag_in_a_batch(mode, power):
    f, x = OF_ITEMS[power], np.array([[1.0, -2.0], [-1.0, 2.0]])
    found, expected = mode(tp.vmap(f, in_axes=(0, None)))(x, 2), np.array([f(row, 2) for row in x])
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_powers_that_run_time_knows(mode):
    found = mode(tp.vmap(lambda x, n: (x > 0)**n, in_axes=(0, None)))
    np.testing.assert_array_equal(found(X[None], 3)[0], [1, 0, 1])
    assert found(X[None], 3).dtype == np.int64
    if mode.compiled:
        with pytest.raises(TypeError, match='8 bits'):
            found(X[None], 2)
    else:
        assert found(X[None], 2).dtype == np.int8


@pytest.mark.parametrize('dtypes', ['??', 'b?', '?b', '?d', 'd?'])
def test_polynomials_of_flags(mode, dtypes):
    p, x = np.array([1, 0, 1]).astype(dtypes[0]), (X > 0).astype(dtypes[1])
    found = mode(tp.vmap(np.polyval, in_axes=(None, 0)))(p, x[None])[0]
    assert found.dtype == np.polyval(p, x).dtype
    np.testing.assert_array_equal(found, np.polyval(p, x))
