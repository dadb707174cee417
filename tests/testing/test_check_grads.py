"""`tp.testing`: right derivatives pass, wrong ones are named to the element."""
import numpy as np
import pytest

import transpiler as tp
from transpiler.testing import check_grads, compare_gradients
from transpiler.testing.grads import MODES


def energy(params, x):
    hidden = np.tanh(x @ params['w'] + params['b'])
    return np.mean(hidden ** 2)


@pytest.fixture
def params():
    rng = np.random.default_rng(0)
    return {'w': rng.normal(size=(3, 4)), 'b': rng.normal(size=4)}


@pytest.fixture
def x():
    return np.random.default_rng(1).normal(size=(5, 3))


def right_gradient(params, x):
    hidden = np.tanh(x @ params['w'] + params['b'])
    back = 2 * hidden * (1 - hidden ** 2) / hidden.size
    return {'w': x.T @ back, 'b': back.sum(axis=0)}


def test_right_derivatives_pass(params, x):
    check_grads(energy, (params, x))


def test_second_order(params, x):
    check_grads(energy, (params, x), order=2)


def test_array_and_pytree_results():
    def outputs(x, n):
        return {'powers': x ** n, 'total': np.sum(np.sin(x))}
    check_grads(outputs, (np.array([0.5, 1.5]), 3))


def test_integers_are_held():
    check_grads(lambda x, n: np.sum(x ** n), (np.array([1.0, 2.0]), 3))
    with pytest.raises(ValueError, match='no argument of floats'):
        check_grads(lambda n: n * n, (3,))


def test_unknown_modes_are_refused():
    with pytest.raises(ValueError, match="unknown mode 'sideways'"):
        check_grads(np.sum, (np.ones(2),), modes=('sideways',))


def test_float32_is_compared_with_its_own_tolerance():
    check_grads(lambda x: np.sum(np.exp(x) * x), (np.linspace(0, 1, 5, dtype=np.float32),))


def test_a_planted_error_is_named_to_the_element(params, x):
    gradient = right_gradient(params, x)
    gradient['w'][2, 1] *= 1.001
    found = compare_gradients(energy, [gradient], (params, x), [0], names=['params', 'x'])
    assert len(found.mismatches) == 1
    assert "argument 0: params['w'][2, 1]" in found.message
    assert 'relative 0.001' in found.message


def test_an_error_between_the_elements_looked_at_is_found():
    x = np.linspace(0.5, 2, 1000)
    gradient = 2 * x
    gradient[501] *= 1.5
    found = compare_gradients(lambda x: np.sum(x * x), [gradient], (x,), [0])
    assert 'along a direction through all elements' in found.message


@pytest.mark.parametrize('gradient, complaint', [
    ({'w': np.ones(2)}, 'structure'), (np.ones(3), 'shape (3,)'), (np.ones(2, np.float32), 'dtype float32')])
def test_a_gradient_of_the_wrong_form_is_refused(gradient, complaint):
    found = compare_gradients(lambda x: np.sum(x), [gradient], (np.ones(2),), [0])
    assert len(found.mismatches) == 1
    assert complaint in found.message


def test_many_mismatches_are_summed_up():
    x = np.ones(9)
    found = compare_gradients(lambda x: np.sum(x), [2 * x], (x,), [0])
    assert found.message.count('off by') == 5
    assert found.message.endswith('and 4 more of 9 derivatives checked')


def test_wrong_rules_do_not_pass_check_grads(monkeypatch):
    right = tp.grad

    def wrong(f, argnums):
        return lambda *args: tuple(1.001 * g for g in right(f, argnums=argnums)(*args))
    monkeypatch.setitem(MODES, 'rev', (wrong, 'reverse'))
    with pytest.raises(AssertionError, match=r'argument 0: x\[0\]'):
        check_grads(lambda x: np.sum(x * x), (np.ones(2),))


def test_arguments_written_into_are_copied():
    def overwrite(x):
        x[0] = x[0] * x[1]
        return np.sum(x)
    point = np.array([2.0, 3.0])
    check_grads(overwrite, (point,))
    np.testing.assert_array_equal(point, [2.0, 3.0])


def test_complex_gradients_are_compared_in_the_convention_of_jax():
    z = np.array([1 + 2j, -0.5j])
    assert not compare_gradients(lambda z: np.sum(np.abs(z) ** 2), [2 * z.conj()], (z,), [0]).mismatches
    assert compare_gradients(lambda z: np.sum(np.abs(z) ** 2), [2 * z], (z,), [0]).mismatches


@tp.custom_jvp
def shifted(x):
    return x ** 3


shifted.defjvp(lambda primals, tangents: (primals[0] ** 3 + 1, 3 * primals[0] ** 2 * tangents[0]))


@tp.custom_jvp
def of_two_sizes(x):
    return np.array([1e6, 1.0]) * x ** 3


of_two_sizes.defjvp(lambda primals, tangents: (of_two_sizes(*primals),
                                               np.array([3e6 * primals[0] ** 2 * tangents[0], 0 * tangents[0]])))


def test_a_rule_with_another_value_and_a_slope_beside_a_large_one_are_found():
    with pytest.raises(AssertionError, match='value that comes with the gradient of shifted'):
        tp.testing.check_grads(shifted, (np.array([0.5, 1.0]),))
    with pytest.raises(AssertionError, match='of_two_sizes'):
        tp.testing.check_grads(of_two_sizes, (2.0,))


def test_complex_arguments_and_arguments_without_a_tuple():
    tp.testing.check_grads(lambda z: z ** 2, (np.array([0.5, 1.0]) + 1j,))
    with pytest.raises(TypeError, match='args is a tuple'):
        tp.testing.check_grads(np.sum, np.ones(2))
    with pytest.raises(ValueError, match='reverse mode only'):
        tp.testing.check_grads(lambda z: z ** 2, (np.array([0.5, 1.0]) + 1j,), modes=('fwd',))
