"""What is computed in the test of a `while`, which has no names that would have types."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.0, 2.0, 3.0])


def several(x):
    i = j = k = m = 0
    while complex(0, x[1]).imag > i and abs(complex(x[0], 2)) < 50:
        i += 1
    while np.float32(x[0]) * np.float32(0.1) > j * 0.1 or x.astype(np.float32)[1] > j:
        j += 1
    while (complex(x[0], k) * 1j).real > -3 and np.sum(x, dtype=np.float32) > k:
        k += 1
    while np.int16(3) > np.int8(m) or np.asarray(x[0], dtype=np.float32) > m:
        m += 1
    return i, j, k, m


@pytest.mark.compiles
def test_types_of_what_has_no_name():
    assert tp.jit(several)(X) == several(X)
