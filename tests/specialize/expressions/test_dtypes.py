"""Questions about dtypes are answered while code is generated."""
import numpy as np
import pytest

import transpiler as tp
from transpiler.errors import TranspileError

X, SINGLE = np.array([0.4, 1.1, -0.7]), np.array([0.4, 1.1, -0.7], np.float32)


def limits(x):
    return x*x / (x*x + np.finfo(x.dtype).eps) + np.iinfo(np.int8).max*x


def in_double(x):
    return x*np.finfo(np.float64).eps + x*np.float64(0.5)


def common(x):
    work = np.zeros(3, dtype=np.result_type(x, np.float32, 2.0))
    work += x*x
    return work + np.ones(3, np.promote_types(x.dtype, np.int32))


def kinds(x):
    if np.issubdtype(x.dtype, np.floating) and np.can_cast(np.float32, x.dtype) and not np.isscalar(x) and np.isscalar(x[0]):
        return x*x.dtype.itemsize if x.dtype == np.dtype('float64') else 3*x
    return 0*x


@pytest.mark.parametrize('x', [X, SINGLE], ids=['double', 'single'])
@pytest.mark.parametrize('function', [limits, in_double, common, kinds])
def test_as_numpy_answers(function, x, mode):
    wanted, found = function(x), mode(function)(x)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=4*np.finfo(x.dtype).eps)
    value, slope = tp.jvp(function, (X,), (np.ones(3),))
    assert (value == function(X)).all()
    np.testing.assert_allclose(slope, (function(X + 1e-6) - function(X - 1e-6)) / 2e-6, rtol=1e-5, atol=1e-20)


def test_the_source_holds_the_answer():
    def scaled(x, n):
        return np.sum(x) * np.iinfo(n.dtype).max
    assert '127' in tp.grad(scaled).lower(X, np.ones(2, np.int8)).source


def test_wrong_questions_are_refused():
    def no_float(x):
        return x * np.finfo(np.int64).eps
    with pytest.raises(TranspileError, match='finfo.* fails here'):
        tp.grad(no_float)(1.0)
