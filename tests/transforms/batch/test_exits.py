"""What a batch gives of functions that are left early: a variable without a value yet has the dtype that it is going to have."""
import numpy as np
import optree
import pytest

import transpiler as tp
from tests.transforms.batch.test_batch import looped

pytestmark = pytest.mark.filterwarnings('ignore::RuntimeWarning')
ROWS = np.array([[100, 5], [3, 4], [7, 9], [1, 2]])


def first(k, t):
    for v in k:
        if v > t:
            return v
    return k[0]


def halved(k, t):
    i = 0
    while True:
        if k[i] > t or i == len(k) - 1:
            return {'half': k[i] / 2, 'over': (k[i] > t, -k[i])}
        i += 1


def late(k, t):
    for v in k:
        if v > t:
            r = v
            break
    return r // 3


def otherwise(k, t):
    for v in k:
        if v > t:
            r = v * 2
            break
    else:
        r = k[0]
    return np.sqrt(r), np.array([r, k[1]])


def used(k, t):
    r = first(k, t)
    return -r, r * first(k[::-1], t), np.zeros(2, r.dtype) + r


def dtypes(tree):
    return [leaf.dtype for leaf in optree.tree_leaves(tree)]


@pytest.mark.parametrize('dtype', [np.uint8, np.int32, np.float32])
@pytest.mark.parametrize('f', [first, halved, late, otherwise, used], ids=lambda f: f.__name__)
def test_results_have_the_dtypes_that_examples_have(f, dtype):
    k = ROWS.astype(dtype)
    got, expected = tp.vmap(f, in_axes=(0, None))(k, 1), looped(f, (0, None), k, 1)
    assert dtypes(got) == dtypes(expected)
    for mine, other in zip(optree.tree_leaves(got), optree.tree_leaves(expected), strict=True):
        np.testing.assert_array_equal(mine, other)


def test_so_they_have_compiled():
    k = ROWS.astype(np.uint8)
    got = tp.jit(tp.vmap(used, in_axes=(0, None)))(k, 1)
    assert [repr(mine.tolist()) for mine in got] == [repr(other.tolist()) for other in looped(used, (0, None), k, 1)]
    assert dtypes(got) == dtypes(looped(used, (0, None), k, 1))


@pytest.mark.parametrize('dtype', [np.uint8, np.int64, np.bool_])
@pytest.mark.parametrize('f', [first, late], ids=lambda f: f.__name__)
def test_what_nobody_reads_is_no_number_of_pythons(f, dtype):
    """Else such a variable is kept apart, and there are two, and one that tells which."""
    assert 'kind' not in tp.jit(f).lower(ROWS[0].astype(dtype), 0).loops
