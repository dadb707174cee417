"""Functions that run parts of loops are compiled as what writes no memory that it reaches by two names, if they do not."""
import numpy as np
import pytest

import transpiler as tp
from transpiler.core.text import parse
from transpiler.lower.parallel import in_threads
from transpiler.source.writing.emit import emit
from transpiler.values.types import INT, Array


@pytest.mark.parametrize(
    'made, is_apart', [('np.reshape(x, (-1,))', False), ('np.exp(x)', True), ('z[0]', False), ('y[1:]', True)])
def test_whether_a_loop_may_read_what_it_writes_by_another_name(made, is_apart):
    """`x` and `z` came from outside, where they may be one array."""
    types = {**dict.fromkeys('vxy', Array(np.dtype(float), (None,))), 'z': Array(np.dtype(float), (None, None)), 'i': INT}
    core = parse(f'''
y = np.zeros(x.shape)
v = {made}
for i in range(0, v.shape[0], 1, add=()):
    v[i] = 2.0 * x[i]
return v''', types=types, params='xz')
    text = emit(in_threads(core)).text
    assert ('in_parts(f_part' in text, 'in_parts_sharing(f_part' in text) == (is_apart, not is_apart)


@pytest.mark.parametrize('made, is_apart', [('w.real', False), ('w.imag', False), ('np.abs(w)', True)])
def test_parts_of_complex_numbers_show_their_memory(made, is_apart):
    types = {**dict.fromkeys('xv', Array(np.dtype(float), (None,))), 'w': Array(np.dtype(complex), (None,)), 'i': INT}
    core = parse(f'''
w = np.zeros(x.shape, np.complex128)
v = {made}
for i in range(0, v.shape[0], 1, add=()):
    w[i] = v[i] + x[i]
return w''', types=types, params='x')
    text = emit(in_threads(core)).text
    assert ('in_parts(f_part' in text, 'in_parts_sharing(f_part' in text) == (is_apart, not is_apart)


def doubled(x, y):
    x[:] = x + y
    z = y[::-1] + x
    y *= 2.0
    return z


def shifted(x):
    rows = x[1:]
    rows[:] = 2.0 * x[:-1]
    x[0] += np.sum(rows)
    return x + rows[0]


@pytest.mark.parametrize('f, count', [(doubled, 2), (shifted, 1)])
def test_arguments_that_are_one_array(f, count):
    whole = np.linspace(0.0, 1.0, 41)
    for given in ([whole] * count, [whole[:40], whole[1:]][:count], [whole[::-1], whole][:count]):
        memory = whole.copy()
        wanted_memory = memory.copy()
        views = [[np.lib.stride_tricks.as_strided(
            base[(one.ctypes.data - whole.ctypes.data) // 8:], one.shape, one.strides) for one in given]
            for base in (memory, wanted_memory)]
        np.testing.assert_allclose(tp.jit(f)(*views[0]), f(*views[1]), rtol=1e-13)
        np.testing.assert_allclose(memory, wanted_memory, rtol=1e-13)


def swept(x, steps):
    """The gradient keeps `before` of every turn, and later gives the name to what it has kept: one memory, for the analysis."""
    x = x * 1.0
    for _ in range(steps):
        before = x.copy()
        for i in range(1, x.shape[0] - 1):
            x[i] = before[i] + 0.1 * (before[i - 1] * before[i + 1])
    return np.sum(x * x)


def test_what_cannot_be_told_apart():
    x = np.linspace(0.0, 1.0, 41)
    assert 'in_parts_sharing(' in tp.jit(tp.grad(swept)).lower(x, 5).loops
    for f in (swept, tp.grad(swept)):
        np.testing.assert_allclose(tp.jit(f)(x, 5), f(x, 5), rtol=1e-12)
