"""`sum` adds to what it starts from, one item after the other: in the type of both, not in that of the items."""
import numpy as np
import pytest

import transpiler as tp

STARTS = {'float': 0.0, 'int': 1, 'float32': np.float32(0.5), 'int64': np.int64(5), 'int16': np.int16(7),
          'float64': np.float64(0)}
TENTHS = np.full(1000, 0.1)


def from_a_number(a, x, start):
    return sum(a, start) * x


def of_rows(a, x, start):
    return np.max(sum(np.outer(a, a), start)) * x


@pytest.mark.filterwarnings('ignore:overflow')
@pytest.mark.parametrize('dtype', ['int8', 'uint8', 'bool', 'float32', 'int64'])
@pytest.mark.parametrize('start', STARTS)
def test_the_start_decides_what_is_added_up(start, dtype):
    a, first = np.array([100, 27, 3, 90]).astype(dtype), STARTS[start]
    for f in (from_a_number, of_rows):
        value = tp.value_and_grad(f, argnums=1)(a, 1.0, first)[0]
        assert np.asarray(value).dtype == np.asarray(f(a, 1.0, first)).dtype
        np.testing.assert_allclose(value, f(a, 1.0, first), rtol=1e-6)
        np.testing.assert_allclose(tp.vmap(f, (0, None, None))(a[None], 1.0, first), [f(a, 1.0, first)], rtol=1e-6)


def test_a_wider_start_keeps_its_digits():
    a = TENTHS.astype(np.float32)
    value, gradient = tp.value_and_grad(lambda a: sum(a, np.float64(0)))(a)
    np.testing.assert_allclose(value, sum(a, np.float64(0)), rtol=1e-12)
    assert gradient.dtype == np.float32 and np.all(gradient == 1)


def test_compiled():
    a = np.array([100, 27, 3, 90], np.int8)
    for start in (0.0, np.int64(5), np.float32(0.5)):
        found = tp.jit(lambda a, start: sum(a, start))(a, start)
        assert found == sum(a, start) and found.dtype == sum(a, start).dtype


def of_nothing_and_a_flag(x, n):
    known, asked = False, n > 5
    return sum([0, known]), sum([known, 0]), sum([0, 0, asked]), sum([0, True, known]), sum([0, known], 0), sum([known]), x


@pytest.mark.parametrize('n', [3, 7])
def test_flags_are_counted_behind_nothing_too(n):
    expected = of_nothing_and_a_flag(1.0, n)
    for f in (lambda x, n: tp.jvp(of_nothing_and_a_flag, argnums=0)(x, n, 1.0)[0], tp.jit(of_nothing_and_a_flag)):
        found = f(1.0, n)
        assert found == expected and list(map(type, found)) == list(map(type, expected))
