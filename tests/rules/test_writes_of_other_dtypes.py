"""What writes by a mask takes the numbers of an array only if the dtype that they get has them."""
import numpy as np
import pytest

import transpiler as tp


def placed(a, values):
    np.place(a, a > 3, values)
    return a


def masked(a, values):
    np.putmask(a, a > 3, values)
    return a


VALUES = [np.array([1.5]), np.array(2), np.array([1, 2], np.int8), np.float64(1.5), np.int64(2), 2, [1, 2],
          np.array([2.0], np.float32)]


def outcome(f, *args):
    try:
        return np.asarray(f(*args)).tolist()
    except TypeError:
        return 'TypeError'


@pytest.mark.parametrize('dtype', ['int64', 'int8', 'uint64', 'float32', 'float64'])
@pytest.mark.parametrize('f', [placed, masked], ids=lambda f: f.__name__)
def test_as_numpy_casts(f, dtype):
    a = np.array([1, 5, 4, 2], dtype)
    for values in VALUES:
        expected = outcome(f, a.copy(), values)
        if dtype == 'int8':
            assert outcome(tp.jit(f), a.copy(), values) == expected, values
        assert outcome(tp.vmap(f, in_axes=(0, None)), a.copy()[None], values) in (expected, [expected]), values
