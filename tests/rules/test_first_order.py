"""Every rule, on every example it declares, against finite differences."""
import numpy as np
import pytest

import transpiler.rules  # noqa: F401  (fills the registry)
from tests.rules.numeric import check_first_order
from transpiler.rules.base.registry import RULES

DERIVED = [rule for rule in RULES.values() if rule.kind in ('elementwise', 'linear', 'vjp')]
CASES = [pytest.param(rule, k, id=f'{rule.name}-{k}') for rule in DERIVED for k in range(len(rule.examples))]


@pytest.mark.parametrize(('rule', 'number'), CASES)
def test_against_finite_differences(rule, number):
    rng = np.random.default_rng(number)
    args, keywords = rule.examples[number].draw(rng, rule)
    check_first_order(rule, args, keywords, rng)
