"""A target answers lowering with the names of its helpers: for another one every text is the same but for them."""
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

from transpiler.core.helpers import Fact, declare, declared_names, holds_of
from transpiler.core.naming import RUNTIME
from transpiler.core.text import parse
from transpiler.lower import CPU, Target, finish, lower, lowered_hopefully
from transpiler.source.writing.emit import emit
from transpiler.values.dims import Dim
from transpiler.values.types import FLOAT, INT, Array

ROW, TABLE = (Array(np.dtype(float), tuple(map(Dim.symbol, sizes))) for sizes in ('n', 'nm'))
TYPES = {**dict.fromkeys('xyzvw', ROW), **dict.fromkeys('abc', TABLE), **dict.fromkeys('sdtuefg', FLOAT),
         **dict.fromkeys('nmijk', INT), 'q': Array(np.dtype(float), (Dim.symbol('m'), Dim.symbol('m')))}
PROGRAMS = {
    'products': ('axq', 's = np.linalg.det(q); y = x @ a; return s, y'),
    'sums': ('ax', 'b = a * a; s = np.sum(b); y = np.sum(a, axis=1); z = np.cumsum(y); v = np.sort(z); return s, v'),
    'mathematics': ('xs', 'y = np.exp(x); z = np.where(y > s, y, x); t = np.exp(s); d = s ** 1.5; return z, t, d'),
    'integers': ('xn', 's = 0.0\nfor i in range(0, n, 1): k = i * i; m = k * n; t = x[m]; s = s + t\nreturn s, k'),
    'writes': ('xa', 'y = np.copy(x)\na[0] += y\ny[1:] = 2.0\nreturn y'),
}


def toys(name):
    """The name that the toy target has for a helper."""
    return name.replace('kernels.', 'kernels.toy_', 1)


def renamed(value):
    """Some part of a target with toy names."""
    match value:
        case str() if value.startswith('kernels.'):
            return toys(value)
        case Mapping():
            return {key: renamed(one) for key, one in value.items()}
        case _ if is_dataclass(value):
            return type(value)(*(renamed(getattr(value, field.name)) for field in fields(value)))
        case _ if callable(value):
            return lambda *given: renamed(value(*given))
    return value


def names_of(value):
    """The names in a part of a target, families among them."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, Mapping) else [getattr(value, field.name) for field in fields(value)] \
        if is_dataclass(value) else []
    return [name for part in parts for name in names_of(part)]


@pytest.fixture(scope='module')
def toy() -> Target:
    everything = {name.format('sum') for name in names_of(CPU)}
    modules = {f'{name.rpartition(".")[0]}.*' for name in [*everything, 'kernels.vector_math.*']}
    for name in everything | modules:
        for fact in Fact:
            if holds_of(name, fact):
                declare(fact, toys(name))
    return renamed(CPU)


def texts(program, target):
    """What is printed for a target, with checks of every index and with guards, in one thread and in several."""
    params, text = PROGRAMS[program]
    core = parse(text, params=params, types=TYPES)
    checked, guarded = lower(core, target), lowered_hopefully(core, target, False)
    targets = target, replace(target, threads=True)
    return [emit(finish(lowered, one)).text for one in targets for lowered in (checked, guarded)]


@pytest.mark.parametrize('program', PROGRAMS)
def test_a_toy_target_has_its_own_names(program, toy):
    of_toy, of_cpu = texts(program, toy), texts(program, CPU)
    for text in of_toy:
        imported = [line for line in text.splitlines() if line.startswith(f'from {RUNTIME}.')]
        assert imported and all(line.startswith(f'from {RUNTIME}.toy_') for line in imported)
    assert [text.replace(f'{RUNTIME}.toy_', f'{RUNTIME}.') for text in of_toy] == of_cpu


def test_one_name_is_one_entry():
    products, loops = replace(CPU.products, matrix='kernels.toy.times'), replace(CPU.loops, plus='kernels.toy.add')
    mine = replace(CPU, products=products, loops=loops)
    core = parse('y = x @ a; z = y * y; s = np.sum(z); return s', params='xa', types=TYPES)
    text = emit(finish(lower(core, mine), mine)).text
    assert f'from {RUNTIME}.toy import add, times' in text and 'y = times(x, a)' in text and '= add(' in text


def test_functions_are_vectorised_if_the_target_does_that():
    """On one that does not they are those of the compiler, and a loop around them is not cut up for vectors."""
    plain = replace(CPU, mathematics=replace(CPU.mathematics, in_vectors=lambda ufunc, dtype: None))
    loop = 's = 0.0\nfor i in range(0, n, 1): t = 0.1 * i; d = np.exp(t); e = s * d; s = e + 1.0\nreturn s'
    on_cpu, on_plain = (emit(lower(parse(loop, params='n', types=TYPES), one, True)).text for one in (CPU, plain))
    assert 'vector_math' in on_cpu and on_cpu.count('for ') == 3
    assert 'vector_math' not in on_plain and on_plain.count('for ') == 1 and 'np.exp(' in on_plain


def test_the_helpers_of_the_cpu_exist():
    for name in names_of(CPU):
        _, *path, last = name.split('.')
        module = import_module('.'.join([RUNTIME, *path]))
        assert '{}' in last or hasattr(module, last), name


def test_facts_are_those_of_helpers():
    assert holds_of(CPU.products.matrix, Fact.FRESH) and not holds_of(CPU.memory.in_place, Fact.FRESH)
    assert holds_of(CPU.mathematics.in_vectors(np.exp, np.dtype(float)), Fact.IN_VECTORS)
    assert not any(holds_of('numpy.exp', fact) or holds_of('kernels.unbroadcast', fact) for fact in Fact)


def test_facts_are_of_helpers_that_there_are():
    for name in declared_names():
        module, _, function = name.replace('kernels.', f'{RUNTIME}.', 1).rpartition('.')
        if not name.startswith(('kernels.toy_', 'kernels.example.')):
            assert function == '*' and find_spec(module) or hasattr(import_module(module), function), name
