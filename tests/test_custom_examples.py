"""Rules in use (`tests/custom_examples.py`): numbers, compiled, and the generated text as golden files."""
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests import custom_examples as examples
from tests.support import same

GOLDEN = Path(__file__).parent / 'golden' / 'custom'
CASES = {
    'kepler': (np.array([0.1, 0.3, 0.5]), np.array([0.2, 1.0, 2.0])),
    'neural_ode': (np.array([[0.3, -0.8], [1.2, 0.4]]), np.array([1.0, 0.5])),
    'at_the_root': (np.array([1.5, 0.8]),),
}


@pytest.mark.parametrize('name', CASES)
def test_derivatives(name):
    order = 1 if name == 'at_the_root' else 2
    tp.testing.check_grads(getattr(examples, name), CASES[name], order=order, modes=('rev',), rtol=1e-4)


@pytest.mark.parametrize('name', ['kepler', 'neural_ode'])
def test_compiled(name):
    gradient = tp.grad(getattr(examples, name), argnums=(0, 1))
    same(tp.jit(gradient)(*CASES[name]), gradient(*CASES[name]), rtol=1e-9)


@pytest.mark.parametrize('name', ['kepler', 'neural_ode'])
def test_generated_text(name, golden):
    golden(GOLDEN / f'{name}.py', tp.grad(getattr(examples, name)).lower(*CASES[name]).source)
