"""`docs/numpy.md` is what the registry says, and what is refused by name says why."""
from pathlib import Path

import numpy as np
import pytest
import scipy.optimize

import transpiler as tp
from transpiler.rules.base.listing import listing
from transpiler.rules.base.lookup import rule_of
from transpiler.rules.base.missing import MISSING, public_name

ROOT = Path(__file__).parents[2]


def test_the_page_is_that_of_the_registry(golden):
    golden(ROOT / 'docs' / 'numpy.md', listing())


def test_a_missing_function_is_refused_with_its_reason():
    with pytest.raises(tp.TranspileError, match='depends on the values') as refused:
        tp.grad(lambda x: np.sum(np.unique(x)))(np.ones(3))
    assert '`np.sort`' in str(refused.value)


@pytest.mark.parametrize('draw', [lambda x, rng: x * np.random.rand(), lambda x, rng: x * rng.normal(),
                                  lambda x, rng: x * np.random.default_rng(0).normal()])
def test_random_numbers_are_drawn_by_the_caller(draw):
    for transform in (tp.grad, tp.jit):
        with pytest.raises(tp.TranspileError, match='numbers drawn by the caller, as arguments'):
            transform(draw)(1.0, np.random.default_rng(0))


@pytest.mark.parametrize('function', [np.partition, np.unique, scipy.optimize.minimize])
def test_what_is_missing_has_no_rule(function):
    assert rule_of(function) is None and public_name(function) in MISSING


def test_functions_of_the_program_itself_have_no_module():
    helper = lambda x: x
    helper.__module__, helper.__name__ = '__main__', 'helper'
    assert public_name(helper) == 'helper'
