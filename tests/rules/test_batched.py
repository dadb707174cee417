"""Every rule on batches: each operand alone, and all together, against a loop over examples."""
import numpy as np
import optree
import pytest

import transpiler as tp
from tests.rules.batches import all_batches, stacked

CASES = all_batches()


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('case', CASES, ids=lambda case: case.name)
def test_same_as_a_loop(case, tmp_path):
    f = case.function(tmp_path)
    batched = tp.vmap(f, in_axes=case.axes)
    try:
        expected = stacked(case.rows(f))
    except ValueError:          # results of different shapes
        with pytest.raises((ValueError, tp.TranspileError), match='vmap'):
            batched(*case.arguments)
        return
    actual = batched(*case.arguments)
    for left, right in zip(optree.tree_leaves(actual), optree.tree_leaves(expected), strict=True):
        assert left.dtype == right.dtype and left.shape == right.shape
        if 'empty' not in case.name:
            np.testing.assert_allclose(left, right, rtol=1e-12, atol=1e-14)
