"""Every primitive of the registry compiles, on all its examples, in float32 and with NumPy's result."""
import gast
import numpy as np
import pytest

import transpiler.rules  # noqa: F401  (enters the rules)
from transpiler.backends import numba_cpu
from transpiler.core import build
from transpiler.core.language import Core, Leaf, Param
from transpiler.lower import lower
from transpiler.rules.registry import RULES
from transpiler.source.emit import emit
from transpiler.specialize.bindings import number_type
from transpiler.values.dims import Dim
from transpiler.values.types import Array

# Folded or taken apart by the specialiser, so that no call is left; `empty` has no value to compare.
NEVER_LEFT = {'numpy.iscomplexobj', 'numpy.isrealobj', 'numpy.empty', 'numpy.empty_like'}
COMPILED = sorted(name for name, rule in RULES.items() if rule.kind != 'definition' and name not in NEVER_LEFT)


def type_of(value):
    if isinstance(value, np.ndarray):
        return Array(value.dtype, tuple(Dim.of(1) if size == 1 else None for size in value.shape))
    return number_type(value)


def single(value):
    """Floats become float32; the points are the same in both precisions then."""
    if isinstance(value, list):
        return [single(v) for v in value]
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.float64:
        return value.astype(np.float32)
    return value


def described(value):
    return type(value), np.asarray(value).dtype, np.shape(value)


def static(value):
    if isinstance(value, (type, np.dtype)):
        return build.name(f'numpy.{np.dtype(value).name}')
    if isinstance(value, (tuple, list)):
        return build.expression(type(value)(map(static, value)))
    return build.constant(value)


class Program:
    """A function that calls one primitive on each of its examples."""

    def __init__(self, rule):
        self.rule, self.values, self.types, self.body, self.wanted = rule, [], {}, [], []

    def operand(self, value):
        if isinstance(value, list):
            return build.expression([self.operand(v) for v in value])
        name = f'x{len(self.values)}'
        self.values.append(value)
        self.types[name] = type_of(value)
        return build.name(name)

    def argument(self, name, value):
        return static(value) if name in self.rule.statics and not isinstance(value, np.ndarray) else self.operand(value)

    def call(self, args, keywords):
        names = [*self.rule.signature.parameters, *[None] * len(args)]
        nodes = [self.argument(name, a) for name, a in zip(names, args, strict=False)]
        named = [gast.keyword(arg=name, value=self.argument(name, v)) for name, v in keywords.items()]
        name = f'y{len(self.wanted)}'
        self.wanted.append(self.rule.primitive(*args, **keywords))
        self.types[name] = type_of(self.wanted[-1])
        self.body.append(build.assign(name, gast.Call(func=build.name(self.rule.name), args=nodes, keywords=named)))

    def core(self):
        names = tuple(f'y{k}' for k in range(len(self.wanted)))
        inputs = tuple(Param(f'x{k}', Leaf(f'x{k}')) for k in range(len(self.values)))
        return Core('f', inputs, (*self.body, build.give(names)), self.types)


@pytest.mark.parametrize('name', COMPILED)
def test_compiled_as_numpy_has_it(name):
    rule, rng = RULES[name], np.random.default_rng(0)
    program = Program(rule)
    for case in rule.examples:
        args, keywords = case.draw(rng, rule)
        program.call([single(a) for a in args], {k: single(v) for k, v in keywords.items()})
    source = emit(lower(program.core()), mode='flat')
    results = tuple(map(type_of, program.wanted))
    got = numba_cpu.compile(source.text, 'f', source.line_map, results)(*program.values)
    for mine, theirs in zip(got, program.wanted, strict=True):
        assert described(mine) == described(theirs), source.text
        np.testing.assert_allclose(mine, theirs, rtol=2e-5, atol=1e-6, err_msg=source.text)
