"""The rows of linear algebra and transforms: gradients in plain code and compiled are those of `check_grads`."""
import numpy as np
import pytest

import transpiler as tp
from benchmarks.algebra.rows import TRANSFORMS, arguments
from benchmarks.algebra.timing import distance, row
from benchmarks.contenders.page import algebra

ROWS = arguments()


@pytest.mark.parametrize('function', [f for f in ROWS if f.__name__ in ('solve', 'triangular', 'rfft')], ids=lambda f: f.__name__)
def test_directional_derivatives(function):
    x, *others = ROWS[function]
    direction = np.random.default_rng(1).normal(size=x.shape)
    if function.__name__ == 'triangular':
        direction = np.tril(direction)
    step = 1e-6
    expected = (function(x + step * direction, *others) - function(x - step * direction, *others)) / (2 * step)
    assert np.sum(tp.grad(function)(x, *others) * direction) == pytest.approx(expected, rel=1e-4)


def test_gradients_of_symmetric_matrices_are_compared_by_pairs():
    by_name = {f.__name__: f for f in ROWS}
    lower, upper = np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([[1.0, 2.0], [0.0, 1.0]])
    assert distance(by_name['cholesky'], lower, upper) == 0.0
    assert distance(by_name['inv'], lower, upper) == 1.0


def test_what_the_page_says_of_a_row():
    times = {'ours': 1e-3, 'JAX': 2e-3, 'SciPy': 0.8e-3}
    assert algebra({'fft': times}).splitlines()[-1] == '| `fft` | 1 ms | 2 |  | 1.25 |'


def test_a_gradient_that_differs_is_no_contender(monkeypatch):
    function = next(f for f in TRANSFORMS if f.__name__ == 'rfft')
    monkeypatch.setattr('benchmarks.algebra.timing.distance', lambda *args: 1.0)
    with pytest.raises(AssertionError, match='rfft: the gradient of ours is another'):
        row(function, (np.ones(8),))
