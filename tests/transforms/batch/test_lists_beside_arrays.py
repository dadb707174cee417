"""A list of numbers beside an array, in a list that NumPy makes an array of: the array is as long as the list."""
import numpy as np
import pytest

import transpiler as tp

LISTS = {'mean': lambda x: np.mean([x, [1.0, 2.0, 3.0]]), 'sum': lambda x: np.sum([(1, 2, 3), x * 2], axis=0),
         'array': lambda x: np.array([x, [1.0, 2.0, 3.0]]) * x, 'rows': lambda x: np.max([x, x * 2, (4, 5, 6)], axis=1)}


@pytest.mark.parametrize('count', [2, 3, 5])
@pytest.mark.parametrize('name', LISTS)
def test_lists_beside_arrays(name, count):
    f, rows = LISTS[name], np.arange(3.0 * count, dtype=np.float32).reshape(count, 3)
    found = tp.vmap(f)(rows)
    assert found.dtype == f(rows[0]).dtype
    np.testing.assert_allclose(found, [f(x) for x in rows], rtol=1e-6)


def test_a_list_of_another_length_raises():
    with pytest.raises(ValueError, match='is 4, not 3'):
        tp.vmap(LISTS['mean'])(np.ones((2, 4)))
