"""`int` of a float raises under `jit` where it does in Python, and where compiled integers end; loops stay in threads."""
import math

import numpy as np
import pytest

import transpiler as tp


def quantised(x):
    out = np.zeros(x.size)
    for i in range(x.size):
        out[i] = int(x[i] * 255.0)
    return out


def looked_up(x, table):
    out = np.zeros(x.size)
    for i in range(x.size):
        out[i] = table[int(x[i])]
    return out


def after_a_write(x):
    x[0] = 3.0
    total = 0.0
    for i in range(x.size):
        total += int(x[i])
    return total


def steps(span, step):
    time = 0.0
    for _ in range(int(span / step)):
        time += step
    return time


def careful(x):
    return int(x) if np.isfinite(x) else -1


def rounded(x):
    return round(x) + math.floor(x)


@pytest.mark.parametrize(('wrong', 'error'), [(np.nan, ValueError), (np.inf, OverflowError), (-np.inf, OverflowError)])
def test_it_raises_where_python_does(wrong, error):
    x, table = np.array([1.0, wrong]), np.arange(4.0)
    whole = [(f, (x.copy(),)) for f in (quantised, after_a_write)]
    for function, args in [*whole, (looked_up, (x, table)), (steps, (wrong, 0.5)), (rounded, (wrong,))]:
        with pytest.raises(error):
            function(*args)
        with pytest.raises(error):
            tp.jit(function)(*args)


def test_integers_that_are_too_long():
    for x in (1e30, -1e19, np.float32(1e20)):
        with pytest.raises(OverflowError, match='64 bits'):
            tp.jit(careful)(x)
    assert tp.jit(careful)(9.2e18) == int(9.2e18)


def test_where_it_does_not_raise():
    assert [tp.jit(careful)(x) for x in (np.nan, np.inf, 2.5, -2.5)] == [-1, -1, 2, -2]
    x, table = np.array([0.25, -1.5, 2.75]), np.arange(3.0)
    np.testing.assert_array_equal(tp.jit(quantised)(x), quantised(x))
    np.testing.assert_array_equal(tp.jit(looked_up)(x, table), looked_up(x, table))
    assert tp.jit(rounded)(2.5) == 4
    assert tp.jit(steps)(1.0, 0.25) == 1.0


@pytest.mark.parametrize('function', [quantised, looked_up])
def test_loops_stay_in_threads(function):
    """What is wrong is found by another version of the program, which runs instead."""
    loops = tp.jit(function).lower(*[np.ones(3)] * (1 if function is quantised else 2)).loops
    assert 'in_parts(' in loops
    assert 'raise Unproven' in loops
    assert 'ValueError' not in loops


def test_powers_by_name_are_real():
    """Python's own raises; a negative number to half a power is NaN here, and never complex."""
    def f(x):
        return math.pow(x, 0.5)
    with np.errstate(invalid='ignore'):
        for transformed in (tp.value_and_grad(f), tp.jit(tp.value_and_grad(f))):
            assert math.isnan(transformed(-1.0)[0])
            assert transformed(4.0) == (2.0, 0.25)
