"""The registry itself: what it holds, and how calls are matched to it."""
import inspect

import numpy as np
import pytest

import transpiler.rules  # noqa: F401  (fills the registry)
from transpiler.rules.base.lookup import nearest, rule_of
from transpiler.rules.base.methods import ATTRIBUTES, METHODS
from transpiler.rules.base.registry import REQUIRED, RULES, register

OURS = ('math.', 'kernels.', 'python.')


def test_enough_functions_have_derivatives():
    derived = [name for name, rule in RULES.items() if rule.kind != 'inactive' and name.startswith('numpy.')]
    assert len(derived) >= 120
    assert len([name for name in derived if RULES[name].kind != 'definition']) >= 80
    assert len([name for name in RULES if name.startswith('numpy.')]) >= 180


@pytest.mark.parametrize('rule', RULES.values(), ids=RULES)
def test_a_rule_is_tested(rule):
    assert rule.examples


@pytest.mark.parametrize('rule', [r for name, r in RULES.items() if not name.startswith(OURS)], ids=lambda rule: rule.name)
def test_parameters_are_those_of_numpy(rule):
    """Names and order agree with NumPy's own signature as far as the rule goes, so user calls bind as they do there."""
    if isinstance(rule.primitive, np.ufunc):
        assert len(rule.operands) == rule.primitive.nin
        return
    try:
        theirs = inspect.signature(rule.primitive).parameters
    except (ValueError, TypeError):
        return
    ours = {n: p for n, p in rule.signature.parameters.items()}
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in theirs.values()):
        return
    positional = [n for n, p in theirs.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    given = [n for n, p in ours.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
    for own, numpys in zip(given, positional, strict=False):
        assert own == numpys or theirs[numpys].kind is inspect.Parameter.POSITIONAL_ONLY
    assert all(n in theirs for n in rule.statics), set(rule.statics) - set(theirs)
    for name, default in rule.statics.items():
        if (rule.name, name) == ('numpy.copy', 'order'):
            continue    # that of the method `x.copy()`; where `np.copy(x)` is called, its own is said
        actual = theirs[name].default
        if default is not REQUIRED and actual is not inspect.Parameter.empty and 'no value' not in repr(actual):
            assert default == actual or default is actual, name


def test_bind_and_arrange_are_inverse():
    rule = RULES['numpy.full']
    operands, statics = rule.bind(((2, 3), 1.5), {'dtype': np.float32})
    assert operands == [1.5] and statics == {'shape': (2, 3), 'dtype': np.float32}
    assert rule.arrange(operands, statics) == ([(2, 3), 1.5], {'dtype': np.float32})
    rule = RULES['numpy.einsum']
    operands, statics = rule.bind(('ij,j', 'a', 'b'), {})
    assert (operands, statics) == (['a', 'b'], {'subscripts': 'ij,j'})
    assert rule.arrange(operands, statics) == (['ij,j', 'a', 'b'], {})


@pytest.mark.parametrize('rule', RULES.values(), ids=RULES)
def test_examples_bind_and_run(rule):
    for number, example in enumerate(rule.examples):
        args, keywords = example.draw(np.random.default_rng(number), rule)
        operands, statics = rule.bind(args, keywords)
        again, named = rule.arrange(operands, statics)
        left, right = rule.primitive(*args, **keywords), rule.primitive(*again, **named)
        same(left, right) if 'empty' not in rule.name else same(left * 0, right * 0)


@pytest.mark.parametrize('rule', [rule for rule in RULES.values() if rule.kind == 'definition'], ids=lambda rule: rule.name)
def test_definitions_agree_with_numpy(rule):
    for number, example in enumerate(rule.examples):
        args, keywords = example.draw(np.random.default_rng(number), rule)
        same(rule.template(*args, **keywords), rule.primitive(*args, **keywords), exact=False)


def same(left, right, exact=True):
    if isinstance(right, (tuple, list)):
        assert len(left) == len(right)
        for a, b in zip(left, right, strict=True):
            same(a, b, exact)
        return
    assert np.shape(left) == np.shape(right)
    if exact and right is not None:
        assert np.asarray(left).dtype == np.asarray(right).dtype
    np.testing.assert_allclose(left, right, rtol=0 if exact else 1e-12)


def test_methods_and_attributes_have_rules():
    for name in [*METHODS.values(), *ATTRIBUTES.values()]:
        assert name in RULES


def test_lookup():
    assert rule_of(np.tanh).name == 'numpy.tanh'
    assert rule_of(np.divide).name == 'numpy.true_divide'
    assert rule_of(np.asin).name == 'numpy.arcsin'
    assert rule_of([]) is None and rule_of(print) is None
    assert nearest('numpy.tanhh') == 'numpy.tanh'


def test_a_second_rule_for_a_function_is_an_error():
    with pytest.raises(ValueError, match='has a rule already'):
        register('linear', np.sum, lambda ct, a: ct)
