"""Generated code against what a careful person would write (`tests/targets.py`): the text as golden files, and the numbers."""
from pathlib import Path

import numpy as np
import pytest

import transpiler as tp
from tests import targets
from tests.support import copied, same

GOLDEN = Path(__file__).parent / 'golden' / 'targets'
RANDOM = np.random.default_rng(0)


def normal(*shape):
    return RANDOM.normal(size=shape)


PARAMS = ((normal(3, 4), normal(4)), (normal(4, 2), normal(2)))
CASES = {
    'sum_logistic': (normal(7),),
    'rectified_cube': (2.0,),
    'smooth': (normal(7), 3),
    'newton_sqrt': (2.0,),
    'mlp_loss': (PARAMS, normal(5, 3), normal(5, 2)),
    'pendulum': (1.0, 0.5, 0.1, 10),
    'attention': (normal(4, 3), normal(5, 3), normal(5, 2)),
    'heat': (normal(7), 3, 0.1),
    'repulsion': (normal(4, 3),),
}
ARGNUMS = {'attention': (0, 1, 2)}
# lines more than by hand: turns are counted; the derivative of a maximum cancels, which only a person sees
MORE = {'newton_sqrt': 4, 'attention': 9}


def gradient(name):
    return tp.grad(getattr(targets, name), argnums=ARGNUMS.get(name, 0))


@pytest.mark.parametrize('name', CASES)
def test_generated_text(name, golden):
    golden(GOLDEN / f'{name}.py', gradient(name).lower(*CASES[name]).source)


@pytest.mark.parametrize('name', CASES)
def test_no_longer_than_by_hand(name):
    """Lines of code, without comments: hardly more than a person needs."""
    by_hand = Path(targets.__file__).read_text().split(f'def {name}_grad(')[1].split('\n\n\n')[0]
    generated = gradient(name).lower(*CASES[name]).source.split('def ')[1]

    def count(text):
        return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith('#'))
    assert count(generated) <= count(by_hand) + MORE.get(name, 2)


@pytest.mark.parametrize('name', CASES)
def test_same_numbers(name, mode):
    arguments = CASES[name]
    same(mode(gradient(name))(*copied(arguments)), getattr(targets, f'{name}_grad')(*copied(arguments)))
    if name == 'rectified_cube':
        same(mode(gradient(name))(-3.0), targets.rectified_cube_grad(-3.0))


def test_tangents_stand_beside_the_primal(golden, mode):
    """Forward mode keeps the shape of the primal."""
    forward, arguments = tp.jvp(targets.pendulum, argnums=(0, 1)), (*CASES['pendulum'], 0.3, -0.2)
    golden(GOLDEN / 'pendulum_jvp.py', forward.lower(*arguments).source)
    same(mode(forward)(*arguments), targets.pendulum_jvp(*arguments))
