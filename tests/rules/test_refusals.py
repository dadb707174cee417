"""What a rule does not cover is refused by name, never ignored."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([0.3, -1.0, 2.0])


def length_by_value(x):
    return np.sum(np.arange(x[0], 3.0))


def dtype_of_a_definition(x):
    return np.var(x, dtype=np.float32)


def masked_reduction(x):
    return np.nansum(x, where=x > 0)


def masked_ufunc(x):
    return np.sum(np.exp(x, where=x > 0))


def padding_mode(x):
    return np.sum(np.pad(x, 1, mode='mean'))


def padding_value(x):
    return np.sum(np.pad(x, 1, constant_values=x[0]))


def memory_order(x):
    return np.sum(np.reshape(x, (-1, 1), order='A'))


def norm_of_nobody(x):
    return np.sum(np.linalg.norm(np.outer(x, x), 'nobody', axis=(0, 1)))


CALLS = [length_by_value, dtype_of_a_definition, masked_reduction, masked_ufunc, padding_mode, padding_value, memory_order]


@pytest.mark.parametrize('function', CALLS, ids=lambda function: function.__name__)
def test_refused(function):
    with pytest.raises(tp.TranspileError):
        tp.grad(function)(X)


def test_what_numpy_does_not_know_either():
    with pytest.raises(ValueError, match='Invalid norm order'):
        tp.grad(norm_of_nobody)(X)


def arange_of_a_size(x):
    return np.sum(np.arange(x.shape[0]) * x)


def test_ranges_over_sizes_are_fine():
    assert tp.grad(arange_of_a_size)(X).tolist() == [0.0, 1.0, 2.0]


def methods(x):
    return (x.clip(min=0.0, max=1.0).sum() + x.flatten()[0] + x.std() + x.T.sum() + x.conj().sum() + x.take([0, 1]).sum()
            + x.dot(x))


def test_methods_are_the_functions():
    def functions(x):
        return (np.sum(np.clip(x, 0.0, 1.0)) + np.ravel(x)[0] + np.std(x) + 2 * np.sum(x) + np.sum(np.take(x, np.array([0, 1])))
                + np.dot(x, x))
    np.testing.assert_allclose(tp.grad(methods)(X), tp.grad(functions)(X), rtol=1e-12)
