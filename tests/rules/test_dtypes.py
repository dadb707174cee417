"""float32 in, float32 out: cotangents have the dtype of their operand."""
import numpy as np
import pytest

import transpiler as tp
import transpiler.rules  # noqa: F401  (fills the registry)
from tests.rules.numeric import dtype_of, float_leaves, pullback, replaced, split_leaves
from transpiler.rules.base.registry import RULES

WIDENS = ('numpy.float_power',)     # the result is float64 whatever goes in
# Python numbers among the operands
WEAK = ('numpy.full', 'numpy.array', 'math.fsum', 'python.float', 'python.complex', 'python.abs', 'scipy.special.gammainc',
        'scipy.special.gammaincc')
DERIVED = [rule for rule in RULES.values() if rule.kind in ('elementwise', 'linear', 'vjp') and rule.name not in WIDENS]
CASES = [pytest.param(rule, k, id=f'{rule.name}-{k}') for rule in DERIVED for k in range(len(rule.examples))]


@pytest.mark.parametrize(('rule', 'number'), CASES)
def test_single_precision_stays(rule, number):
    args, keywords = rule.examples[number].draw(np.random.default_rng(number), rule)
    args, keywords = replaced(args, keywords, [leaf.astype(np.float32) for leaf in float_leaves(args, keywords)])
    ans = rule.primitive(*args, **keywords)
    if dtype_of(ans) not in (np.float32, np.complex64):
        assert keywords.get('dtype') is np.float64 or np.float64 in [a for a in args if isinstance(a, type)] or rule.name in WEAK
        return
    ones = tuple(map(np.ones_like, ans)) if isinstance(ans, tuple) else np.ones_like(ans)
    bars = pullback(rule, args, keywords, ans, ones)
    for bar in split_leaves(rule.bind(args, keywords)[0], bars):
        assert bar is None or np.asarray(bar).dtype == np.float32


SINGLE = np.array([0.3, -0.5, 0.9], np.float32)
AS_NUMPY = {
    'evenly spaced': (lambda s: np.linspace(s, 2.0, 4), SINGLE[0]), 'from nought': (lambda s: np.linspace(0.0, s, 4), SINGLE[0]),
    'logarithmically': (lambda s: np.logspace(0.0, s, 3), SINGLE[0]), 'powers': (lambda v: np.vander(v, 3), SINGLE),
    'covariance': (lambda v: np.cov(v, v * v), SINGLE),
}


@pytest.mark.parametrize('name', AS_NUMPY)
def test_batches_have_the_dtype_that_numpy_gives_one_example(name):
    f, x = AS_NUMPY[name]
    found = tp.vmap(f)(np.stack((x, 2 * x)))
    assert found.dtype == f(x).dtype
    np.testing.assert_allclose(found[1], f(2 * x), rtol=1e-6)
