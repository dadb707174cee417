"""Derivatives of NumPy functions by rule and by finite differences, in plain Python: nothing here compiles anything."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpiler.rules.base.registry import Rule
from transpiler_kernels import arrays


def leaves(value: Any) -> list[Any]:
    """The float arrays and numbers in (nested sequences of) operands, in order."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if is_float(value) else []


def is_float(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.floating)) and value.dtype.kind == 'f'


def with_leaves(value: Any, fresh: list[Any]) -> Any:
    """`value` with its float leaves taken from the list `fresh`, which is used up from the front."""
    if isinstance(value, (list, tuple)):
        return type(value)(with_leaves(item, fresh) for item in value)
    return fresh.pop(0) if is_float(value) else value


def split_leaves(operands, cotangents) -> list[Any]:
    """The cotangent of each float leaf, given what a template returned for the operands; None where it has none."""
    found = []
    for operand, cotangent in zip(operands, cotangents, strict=True):
        if isinstance(operand, (list, tuple)):
            found += split_leaves(operand, cotangent if cotangent is not None else [None] * len(operand))
        elif is_float(operand):
            found.append(cotangent)
    return found


def pullback(rule: Rule, args, keywords, ans, ct, change: Callable = lambda bars: bars) -> tuple[Any, ...]:
    """The cotangent of each operand of a call, by the rule's template; `change` may tamper with what the template returns."""
    operands, statics = rule.bind(args, keywords)
    leading = ([ct] if rule.takes_ct else []) + ([ans] if rule.takes_ans else [])
    given, named = rule.arrange(operands, statics)
    returned = rule.template(*leading, *given, **named)
    bars = change(returned if len(rule.operands) > 1 or rule.variadic else (returned,))
    if rule.kind == 'elementwise' and not rule.takes_ct:
        bars = tuple(ct * bar + np.zeros(np.shape(ans), ans.dtype) for bar in bars)
    if rule.kind == 'elementwise':
        bars = tuple(None if bar is None else arrays.unbroadcast(bar, operand) for bar, operand in zip(bars, operands,
        strict=True))
    both = zip(bars, operands, strict=True)
    return tuple(np.real(bar) if is_real(operand) and is_complex(bar) else bar for bar, operand in both)


def dtype_of(value: Any) -> np.dtype:
    """That of the first result."""
    return dtype_of(value[0]) if isinstance(value, (list, tuple)) else np.asarray(value).dtype


def is_real(value: Any) -> bool:
    return hasattr(value, 'dtype') and value.dtype.kind == 'f'


def is_complex(value: Any) -> bool:
    return isinstance(value, complex) or hasattr(value, 'dtype') and value.dtype.kind == 'c'


def weighted(results: Any, weights: Any) -> Any:
    """The sum of all results (arrays, or nested sequences of them), each item with its weight, if need be its real part."""
    if isinstance(results, (list, tuple)):
        return sum((weighted(result, weights[k]) for k, result in enumerate(results)), 0.0)
    return np.sum(np.real(weights * results) if is_complex(weights) else weights * results)


def weights_for(result: Any, rng: np.random.Generator) -> Any:
    """What the items of a result count in a weighted sum, of which the real part is taken if they are complex."""
    if isinstance(result, (list, tuple)):
        return [weights_for(item, rng) for item in result]
    weights = rng.normal(size=np.shape(result))
    return weights + 1j * rng.normal(size=np.shape(result)) if is_complex(result) else weights


def directional(function: Callable, point: list[Any], direction: list[Any], step: float = 1e-3) -> Any:
    """The slope of `function(*point)` along `direction`, by central differences of fourth order."""
    def at(t):
        return function(*[p + t * d for p, d in zip(point, direction, strict=True)])
    return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)


def second_difference(function: Callable, point: list[Any], direction: list[Any], step: float = 2e-3) -> Any:
    """The curvature of `function(*point)` along `direction`, by central differences of fourth order."""
    def at(t):
        return function(*[p + t * d for p, d in zip(point, direction, strict=True)])
    return (16 * (at(step) + at(-step)) - at(2 * step) - at(-2 * step) - 30 * at(0.0)) / (12 * step * step)


def call_with(rule: Rule, args, keywords, fresh) -> Any:
    """The primitive on other float leaves (those among the keywords come last)."""
    args, keywords = replaced(args, keywords, fresh)
    return rule.primitive(*args, **keywords)


def replaced(args, keywords, fresh) -> tuple[tuple, dict[str, Any]]:
    fresh = list(fresh)
    return with_leaves(tuple(args), fresh), {name: with_leaves(value, fresh) for name, value in keywords.items()}


def float_leaves(args, keywords) -> list[Any]:
    return leaves(tuple(args)) + leaves(tuple(keywords.values()))


def agrees(actual, expected, dtype=np.float64) -> bool:
    """Equal to six digits, or to three where the function rounds to single precision."""
    rtol = 1e-6 if dtype == np.float64 else 1e-3
    return bool(np.allclose(actual, expected, rtol=rtol, atol=0.01 * rtol))


def check_first_order(rule: Rule, args, keywords, rng: np.random.Generator, change: Callable = lambda bars: bars) -> None:
    """Assert that the template's cotangents match the slope of a random weighted sum, one operand at a time."""
    point = float_leaves(args, keywords)
    value = rule.primitive(*args, **keywords)
    weights = weights_for(value, rng)
    bars = split_leaves(rule.bind(args, keywords)[0], pullback(rule, args, keywords, value, weights, change))
    assert len(bars) == len(point), f'{len(bars)} cotangents for {len(point)} operands'
    for k, (bar, leaf) in enumerate(zip(bars, point, strict=True)):
        direction = [np.zeros_like(p) for p in point]
        direction[k] = rng.normal(size=leaf.shape)
        total = lambda *new: weighted(call_with(rule, args, keywords, new), weights)
        slope = directional(total, point, direction)
        if bar is None:
            assert abs(slope) < 1e-8, f'operand {k} has a slope of {slope} but no cotangent'
            continue
        assert np.shape(bar) == leaf.shape, f'operand {k} of shape {leaf.shape} has a cotangent of shape {np.shape(bar)}'
        found = np.sum(bar * direction[k])
        assert agrees(found, slope, dtype_of(value)), f'operand {k}: {found} for {slope}'
