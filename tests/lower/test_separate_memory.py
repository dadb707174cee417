"""Functions that run parts of loops are compiled as what writes no memory that it reaches by two names."""
import numpy as np
import pytest

import transpiler as tp
from transpiler.core.text import parse
from transpiler.lower import in_threads
from transpiler.values.types import INT, Array


@pytest.mark.parametrize(
    'made, is_shared', [('np.reshape(x, (-1,))', False), ('np.exp(x)', True), ('z[0]', False), ('y[1:]', True)])
def test_a_loop_that_may_read_what_it_writes_by_another_name_stays_where_it_is(made, is_shared):
    """`x` and `z` came from outside, where they may be one array."""
    types = {**dict.fromkeys('vxy', Array(np.dtype(float), (None,))), 'z': Array(np.dtype(float), (None, None)), 'i': INT}
    core = parse(f'''
y = np.zeros(x.shape)
v = {made}
for i in range(0, v.shape[0], 1, add=()):
    v[i] = 2.0 * x[i]
return v''', types=types, params='xz')
    assert bool(in_threads(core).functions) == is_shared


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
