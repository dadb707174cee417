"""Every primitive of the registry compiles, on all its examples, in float32 and with NumPy's result."""
import gast
import numpy as np
import pytest

import tests.all_rules  # noqa: F401
from transpiler.backends import numba_cpu
from transpiler.core import build
from transpiler.core.language import Core, Leaf, Param
from transpiler.lower import lower
from transpiler.lower.context.registry import LOWERINGS
from transpiler.lower.target import mathematics as ufuncs
from transpiler.rules.base.registry import RULES
from transpiler.source.writing.emit import emit
from transpiler.values.dims import Dim
from transpiler.values.numbers import number_type
from transpiler.values.types import Array, Results

# Folded or taken apart by the specialiser, so that no call is left; `empty` has no value to compare.
NEVER_LEFT = {'numpy.iscomplexobj', 'numpy.isrealobj', 'numpy.empty', 'numpy.empty_like', 'operator.index', 'kernels.as_index'}
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
    """A function that calls primitives on their examples."""

    def __init__(self):
        self.values, self.types, self.body, self.wanted = [], {}, [], []

    def operand(self, value):
        if isinstance(value, list):
            return build.expression([self.operand(v) for v in value])
        name = f'x{len(self.values)}'
        self.values.append(value)
        self.types[name] = type_of(value)
        return build.name(name)

    def argument(self, rule, name, value):
        return static(value) if name in rule.statics and not isinstance(value, np.ndarray) else self.operand(value)

    def call(self, rule, args, keywords):
        names = [*rule.signature.parameters, *[None] * len(args)]
        nodes = [self.argument(rule, name, a) for name, a in zip(names, args, strict=False)]
        named = [gast.keyword(arg=name, value=self.argument(rule, name, v)) for name, v in keywords.items()]
        node, result = gast.Call(func=build.name(rule.name), args=nodes, keywords=named), rule.primitive(*args, **keywords)
        if not isinstance(result, tuple):
            self.want(node, result)
            return
        whole = f'parts{len(self.wanted)}'
        self.types[whole] = Results(map(type_of, result))
        self.body.append(build.assign(whole, node))
        for k, part in enumerate(result):
            self.want(build.subscript(whole, k), part)

    def want(self, node, result):
        name = f'y{len(self.wanted)}'
        self.wanted.append(result)
        self.types[name] = type_of(result)
        self.body.append(build.assign(name, node))

    def core(self):
        names = tuple(f'y{k}' for k in range(len(self.wanted)))
        inputs = tuple(Param(f'x{k}', Leaf(f'x{k}')) for k in range(len(self.values)))
        return Core('f', inputs, (*self.body, build.give(names)), self.types)


# Ufuncs share a compilation, and one broadcast example tells; the others have a compilation each.
UFUNCS = [name for name in COMPILED if name in ufuncs.UFUNCS and name not in LOWERINGS]
GROUPS = [UFUNCS[k:k + 10] for k in range(0, len(UFUNCS), 10)] + [[name] for name in COMPILED if name not in UFUNCS]


@pytest.mark.compiles
@pytest.mark.parametrize('names', GROUPS, ids=lambda names: names[0] + ('_and_others' if len(names) > 1 else ''))
def test_compiled_as_numpy_has_it(names):
    rng, program = np.random.default_rng(0), Program()
    for rule in map(RULES.__getitem__, names):
        cases = rule.examples if len(names) == 1 else rule.examples[-1:]
        for args, keywords in (case.draw(rng, rule) for case in cases):
            program.call(rule, [single(a) for a in args], {k: single(v) for k, v in keywords.items()})
    source = emit(lower(program.core()), mode='flat')
    results = tuple(map(type_of, program.wanted))
    got = numba_cpu.compile(source, results)(*program.values)
    for mine, theirs in zip(got, program.wanted, strict=True):
        assert described(mine) == described(theirs), source.text
        np.testing.assert_allclose(mine, theirs, rtol=2e-5, atol=1e-6, err_msg=source.text)
