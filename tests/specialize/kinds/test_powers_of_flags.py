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
