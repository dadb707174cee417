"""The same examples as user code through the whole compiler: gradients to second order, and compiled."""
import numpy as np
import pytest

import transpiler as tp
from tests.rules.cases import all_cases, module_of
from tests.rules.numeric import agrees, directional, second_difference

CASES = all_cases()
ROUNDS = ('numpy.astype',)      # single precision: too coarse for second differences
SECOND = [case for case in CASES if case.number == min(1, len(case.rule.examples) - 1) and case.rule.name not in ROUNDS]
COMPILED = [case for case in CASES if case.number == 1 and case.rule.name.rpartition('.')[2] in (
    'exp', 'power', 'maximum', 'where', 'sum', 'mean', 'max', 'cumsum', 'matmul', 'dot', 'reshape', 'concatenate', 'clip', 'var')]


def each(cases):
    return pytest.mark.parametrize('case', cases, ids=lambda case: case.name)


@pytest.fixture
def module(case, tmp_path):
    return module_of(case, tmp_path)


def along(case, bars, directions):
    for bar, k in zip(bars, case.floats, strict=True):
        assert np.shape(bar) == np.shape(case.arguments[k])
        assert np.asarray(bar).dtype == np.float64
    return sum(np.sum(bar * d) for bar, d in zip(bars, directions, strict=True))


def prepared(case, module):
    """The loss as a function of the float arguments alone, where it is looked at, and a direction."""
    rng = np.random.default_rng(case.number)
    point = [case.arguments[k] for k in case.floats]
    directions = [rng.normal(size=p.shape) if p.shape else np.float64(rng.normal()) for p in point]
    loss = module.loss

    def primal(*fresh):
        arguments = list(case.arguments)
        for k, value in zip(case.floats, fresh, strict=True):
            arguments[k] = value
        return loss(*arguments, *case.weights)
    return loss, primal, point, directions


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@each(CASES)
def test_gradient(case, module):
    loss, primal, point, directions = prepared(case, module)
    bars = tp.grad(loss, argnums=case.floats)(*case.arguments, *case.weights)
    dtype = np.float32 if case.rule.name in ROUNDS and case.number == 1 else np.float64
    assert agrees(along(case, bars, directions), directional(primal, point, directions), dtype)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@each(SECOND)
def test_second_order(case, module):
    _, primal, point, directions = prepared(case, module)
    slope = module.slope
    bars = tp.grad(slope, argnums=case.floats)(*case.arguments, *case.weights, *directions)
    expected = second_difference(primal, point, directions)
    assert abs(along(case, bars, directions) - expected) <= 1e-6 * (1 + abs(expected))


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@each(COMPILED)
def test_compiled(case, module):
    loss, _, _, _ = prepared(case, module)
    arguments = (*case.arguments, *case.weights)
    value, bars = tp.jit(tp.value_and_grad(loss, argnums=case.floats))(*arguments)
    np.testing.assert_allclose(value, loss(*arguments), rtol=1e-12)
    for bar, plain in zip(bars, tp.grad(loss, argnums=case.floats)(*arguments), strict=True):
        np.testing.assert_allclose(bar, plain, rtol=1e-12, atol=1e-14)
