"""A slightly wrong rule must be caught: 0.1 % in one cotangent, in every kind of rule, at both orders."""
from dataclasses import replace

import numpy as np
import pytest

import transpiler.rules  # noqa: F401  (fills the registry)
from tests.rules.numeric import check_first_order
from tests.rules.tracing import check_second_order
from transpiler.rules.base.registry import RULES

PLANTED = [
    'numpy.exp', 'numpy.power', 'numpy.where', 'numpy.maximum', 'numpy.sum', 'numpy.mean', 'numpy.prod', 'numpy.max',
    'numpy.cumsum', 'numpy.cumprod', 'numpy.reshape', 'numpy.concatenate', 'numpy.matmul', 'numpy.dot', 'numpy.tensordot',
    'numpy.einsum', 'numpy.take', 'numpy.sort', 'numpy.trace', 'numpy.linspace', 'numpy.array',
]
CURVED = [
    'numpy.exp', 'numpy.sin', 'numpy.power', 'numpy.true_divide', 'numpy.prod', 'numpy.cumprod', 'numpy.matmul',
    'numpy.einsum', 'numpy.tensordot',
]
FLAT = [('numpy.where', 0), ('numpy.take', 1)]     # a condition and indices have no cotangent


def off(value, position):
    """`value`, which a template returned, with 0.1 % added to one of its cotangents."""
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(off(item, position) if k == position else item for k, item in enumerate(value))
    return value * 1.001


def positions(rule):
    """The operands whose cotangent is tampered with, one at a time."""
    return range(len(rule.operands)) if rule.variadic is None else range(2)


def tampered(rule, position):
    """The rule with a template that is wrong by 0.1 % for the operand at `position`."""
    many = len(rule.operands) > 1 or rule.variadic

    def template(*args, **keywords):
        value = rule.template(*args, **keywords)
        return off(value, position) if many else off(value, 0)
    return replace(rule, template=template)


@pytest.mark.parametrize('name', PLANTED)
def test_first_order(name):
    rule = RULES[name]
    for position in positions(rule):
        rng = np.random.default_rng(1)
        args, keywords = rule.examples[1].draw(rng, rule)
        check_first_order(rule, args, keywords, rng)
        if (name, position) in FLAT:
            continue
        with pytest.raises(AssertionError):
            check_first_order(tampered(rule, position), args, keywords, rng)


@pytest.mark.parametrize('name', CURVED)
def test_second_order(name, monkeypatch):
    rule = RULES[name]
    rng = np.random.default_rng(1)
    args, keywords = rule.examples[1].draw(rng, rule)
    monkeypatch.setitem(RULES, name, tampered(rule, 0))
    with pytest.raises(AssertionError):
        check_second_order(RULES[name], args, keywords, rng)


@pytest.mark.parametrize('name', CURVED)
def test_only_the_second_order_is_wrong(name, monkeypatch):
    """An error that shows in the curvature alone: the rules used inside the pullback are tampered with."""
    inner = {'numpy.exp': 'numpy.multiply', 'numpy.sin': 'numpy.cos'}.get(name, name)
    rule = RULES[inner]
    rng = np.random.default_rng(2)
    args, keywords = RULES[name].examples[1].draw(rng, RULES[name])
    monkeypatch.setitem(RULES, inner, tampered(rule, 0))
    with pytest.raises(AssertionError, match='order'):
        check_second_order(RULES[name], args, keywords, rng)
