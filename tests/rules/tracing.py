"""A small reverse mode by operator overloading, for tests only: it runs the rules' templates, to any order.

It shares nothing with the compiler but the registry, so the two check each other.
"""
from __future__ import annotations

import itertools
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.linalg
import scipy.special

from tests.rules.numeric import (
    agrees,
    call_with,
    directional,
    float_leaves,
    pullback,
    replaced,
    second_difference,
    weighted,
    weights_for,
)
from transpiler.rules.base.lookup import rule_of
from transpiler.rules.base.registry import PRIMITIVES, RULES, Rule
from transpiler_kernels import arrays
from transpiler_kernels.definitions.mathematics import scalar_math, scalar_special
from transpiler_kernels.definitions.mathematics.scalar_math import double

COUNTER = itertools.count()
DECIDE = (np.result_type, np.partition)     # dtypes and places: what helpers ask beside the derivative


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A value that remembers the call it came from. `call` is (rule, args, keywords) or None for an input."""

    __array_priority__ = 1000

    def __init__(self, value: Any, call: Any = None):
        self.value, self.call, self.number = value, call, next(COUNTER)
        several = enumerate(value) if isinstance(value, tuple) else ()
        self.parts = tuple(Traced(part, (PART, (self, k), {})) for k, part in several)

    shape = property(lambda self: np.shape(self.value))
    ndim = property(lambda self: np.ndim(self.value))
    size = property(lambda self: np.size(self.value))
    dtype = property(lambda self: self.value.dtype)
    T = property(lambda self: np.transpose(self))

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if ufunc is np.add and method == 'at' and isinstance(inputs[0], Traced):
            return inputs[0].add_at(*inputs[1:])
        return apply(RULES[PRIMITIVES[ufunc]], inputs, keywords) if method == '__call__' else NotImplemented

    def add_at(self, index, values):
        """`np.add.at`: from now on this stands for the sum."""
        before = Traced(self.value, self.call)
        before.number, self.number = self.number, next(COUNTER)
        self.call = (ADD_AT, (before, values, raw(index)), {})
        self.value = ADD_AT.primitive(*raw(self.call[1]))

    def __array_function__(self, function, types, args, keywords):
        if function in DECIDE:
            return function(*raw(args))
        return apply(RULES[PRIMITIVES[function]], args, keywords)

    def __getitem__(self, index):
        return apply(GET_ITEM, (self, raw(index)), {})

    def __len__(self):
        return len(self.value)

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def astype(self, dtype):
        return apply(RULES['numpy.astype'], (self, dtype), {})

    def ravel(self):
        return np.ravel(self)

    def reshape(self, *shape):
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)


def get_item(ct, x, index):
    return apply(SET_ITEM, (ct, x, index), {}), None


def set_item(ct, values, like, index):
    return ct[index], None, None


def placed(values, like, index):
    total = np.zeros(np.shape(like), np.asarray(values).dtype)
    np.add.at(total, index, values)
    return total


def added(total, values, index):
    total = total.copy()
    np.add.at(total, index, values)
    return total


def add_at(ct, total, values, index):
    return ct, ct[index], None


class Cotangents(tuple):
    """Those of several results; 0.0 where there is none."""

    def __add__(self, other):
        return Cotangents(a + b for a, b in zip(self, other, strict=True))


def part(ct, results, place):
    return Cotangents(ct if k == place else 0.0 for k in range(len(results))), None


def _private(name, template, primitive):
    """A rule that is not in the registry."""
    example = RULES['numpy.where']
    fields = {**vars(example), 'name': name, 'kind': 'vjp', 'template': template, 'primitive': primitive, 'takes_ct': True}
    names = [p for p in template.__code__.co_varnames[1:template.__code__.co_argcount]]
    parameters = [example.signature.parameters['x'].replace(name=n) for n in names]
    return Rule(**{**fields, 'operands': tuple(names), 'statics': {},
    'signature': example.signature.replace(parameters=parameters)})


GET_ITEM = _private('item', get_item, lambda x, index: x[index])
SET_ITEM = _private('placed', set_item, placed)
ADD_AT = _private('added', add_at, added)
PART = _private('part', part, lambda results, place: results[place])


def raw(value: Any) -> Any:
    """`value` without its memories."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(raw, value))
    return value.value if isinstance(value, Traced) else value


def is_traced(value: Any) -> bool:
    return any(map(is_traced, value)) if isinstance(value, (list, tuple)) else isinstance(value, Traced)


def apply(rule: Rule, args, keywords) -> Any:
    """Call a primitive on values of which some are traced."""
    if rule.kind == 'definition':
        return rule.template(*args, **keywords)
    plain = rule.primitive(*raw(tuple(args)), **{k: raw(v) for k, v in keywords.items()})
    if rule.name == 'numpy.zeros_like' and is_traced(tuple(args)):
        return Traced(plain)    # it may be added to
    if rule.kind == 'inactive' or not (is_traced(tuple(args)) or is_traced(tuple(keywords.values()))):
        return plain
    made = Traced(plain, (rule, tuple(args), keywords))
    return made.parts or made


def backward(result: Traced, seed: Any, inputs: list[Traced]) -> list[Any]:
    """The cotangents of `inputs`; they are traced themselves."""
    totals: dict[int, Any] = {id(result): seed}
    pending = {result.number: result}
    while pending:
        node = pending.pop(max(pending))
        if node.call is None:
            continue
        rule, args, keywords = node.call
        bars = pullback(rule, args, keywords, node.parts or node, totals[id(node)])
        for operand, bar in _traced_operands(rule.bind(args, keywords)[0], bars):
            if bar is not None:
                totals[id(operand)] = totals[id(operand)] + bar if id(operand) in totals else bar
                pending[operand.number] = operand
    return [totals.get(id(x), np.zeros(x.shape)) for x in inputs]


def _traced_operands(operands, bars):
    for operand, bar in zip(operands, bars, strict=True):
        if isinstance(operand, (list, tuple)) and bar is not None:
            yield from _traced_operands(operand, bar)
        elif isinstance(operand, Traced):
            yield operand, bar


@contextmanager
def dispatching():
    """While this lasts, the run-time helpers, `float` and functions of SciPy that are no ufuncs take traced values too."""
    helpers = [(module, name, f) for module in (arrays, scipy.linalg, scipy.special) for name, f in vars(module).items()
               if callable(f) and not isinstance(f, np.ufunc) and rule_of(f)]

    def dispatcher(function):
        return lambda *args, **keywords: apply(rule_of(function), args, keywords)
    try:
        for module, name, function in helpers:
            setattr(module, name, dispatcher(function))
        for module in (scalar_math, scalar_special):
            module.float = module.double = lambda value: value
        yield
    finally:
        for module, name, function in helpers:
            setattr(module, name, function)
        for module in (scalar_math, scalar_special):
            del module.float
            module.double = double


def check_second_order(rule: Rule, args, keywords, rng: np.random.Generator) -> None:
    """Assert that both derivatives of a random weighted sum along a random direction match its differences."""
    point = float_leaves(args, keywords)
    direction = [rng.normal(size=p.shape) for p in point]
    weights = weights_for(rule.primitive(*args, **keywords), rng)
    with dispatching():
        inputs = [Traced(p) for p in point]
        slope = along(weighted(apply(rule, *replaced(args, keywords, inputs)), weights), inputs, direction)
        curvature = along(slope, inputs, direction)

    def primal(*fresh):
        return weighted(call_with(rule, args, keywords, fresh), weights)
    assert agrees(raw(slope), directional(primal, point, direction)), 'first order'
    expected = second_difference(primal, point, direction)
    assert abs(raw(curvature) - expected) <= 1e-6 * (1 + abs(expected)), f'second order: {raw(curvature)} for {expected}'


def along(total: Any, inputs: list[Traced], direction: list[Any]) -> Any:
    """The slope of `total` along a direction, itself traced."""
    if not isinstance(total, Traced):
        return 0.0
    slope = 0.0
    for bar, d in zip(backward(total, np.float64(1.0), inputs), direction, strict=True):
        slope = slope + np.sum(bar * d)
    return slope
