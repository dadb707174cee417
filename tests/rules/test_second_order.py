"""The derivative of the derivative, along a direction, against second differences of the primal."""
import numpy as np
import pytest

import transpiler.rules  # noqa: F401  (fills the registry)
from tests.rules.tracing import check_second_order
from transpiler.rules.base.registry import RULES

ROUNDS = ('numpy.astype',)
# they write into new arrays, which is not traced: see test_forward.py and test_some_items.py
IN_PLACE = ('numpy.bincount', 'numpy.histogram', 'numpy.piecewise', 'numpy.convolve', 'numpy.correlate', 'scipy.signal.convolve')
SMOOTH = [rule for rule in RULES.values() if rule.kind != 'inactive' and rule.name not in ROUNDS + IN_PLACE]
CASES = [pytest.param(rule, k, id=f'{rule.name}-{k}') for rule in SMOOTH for k in range(len(rule.examples))]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize(('rule', 'number'), CASES)
def test_against_second_differences(rule, number):
    rng = np.random.default_rng(number)
    args, keywords = rule.examples[number].draw(rng, rule)
    check_second_order(rule, args, keywords, rng)
