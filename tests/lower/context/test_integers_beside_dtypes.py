"""Python's integers beside dtypes that do not hold them: NumPy raises OverflowError, wraps them around, or cuts nothing off."""
import numpy as np
import pytest

import transpiler as tp

BYTES = np.array([1, 2, 3], np.uint8)
FLAGS = np.array([True, False, True])


def wrapped(a, c, k):
    chosen = np.where(c, 300, a), np.where(c, a, k), np.where(c[0], a, -1)
    return *chosen, np.select([c], [a], 300), np.pad(a, 1, constant_values=300)


def cut(a, c, k):
    return np.clip(a, 0, 300), np.clip(a, -5, k), a.clip(-1, 2), np.clip(a, 2, None), a > 300, a == k


RAISED = [
    lambda a, c, k: np.minimum(a, 300), lambda a, c, k: np.maximum(a, -k), lambda a, c, k: np.clip(a, 300, k),
    lambda a, c, k: np.full_like(a, 300), lambda a, c, k: np.full_like(a, k), lambda a, c, k: np.array([300, 2], a.dtype),
    lambda a, c, k: np.insert(a, 0, 300), lambda a, c, k: np.place(a, a > 1, [300]), lambda a, c, k: np.put(a, [0], 300),
    lambda a, c, k: np.putmask(a, a > 1, 300),
]


def sum_alone(a, k):
    x = 300 + a[0]
    return a[1] * 1


def product_alone(a, k):
    x = a * k
    return a[1] * 1


def extreme_in_a_branch(a, k):
    if k > 5:
        np.minimum(a, 300)
    return a[1] * 1


def array_alone(a, k):
    np.full_like(a, 300)
    return a[1] * 1


def in_a_loop(a, k):
    for v in a:
        y = v + 300
    return a[1] * 1


def steps_alone(a, k):
    range(0, 5, 0)
    return a[1] * 1


@pytest.mark.parametrize('f', [wrapped, cut])
def test_values(mode, f):
    for got, expected in zip(mode(f)(BYTES, FLAGS, 300), f(BYTES, FLAGS, 300), strict=True):
        assert got.dtype == expected.dtype and np.array_equal(got, expected)
    batch = mode(tp.vmap(f, in_axes=(0, None, None)))(np.stack([BYTES, BYTES]), FLAGS, 300)
    for got, expected in zip(batch, f(BYTES, FLAGS, 300), strict=True):
        assert got.dtype == expected.dtype and np.array_equal(got, [expected, expected])


@pytest.mark.parametrize('place', range(len(RAISED)))
def test_raised_in_batches(place):
    with pytest.raises(OverflowError, match='out of bounds'):
        RAISED[place](BYTES.copy(), FLAGS, 300)
    with pytest.raises(OverflowError, match='out of bounds'):
        tp.vmap(RAISED[place], in_axes=(0, None, None))(np.stack([BYTES, BYTES]), FLAGS, 300)


@pytest.mark.compiles
@pytest.mark.parametrize('place', [0, 3, 5, 6, 7])
def test_raised_compiled(place):
    with pytest.raises(OverflowError, match='out of bounds'):
        tp.jit(RAISED[place])(BYTES.copy(), FLAGS, 300)


@pytest.mark.parametrize('f', [sum_alone, product_alone, extreme_in_a_branch, array_alone, in_a_loop, steps_alone])
def test_what_nothing_reads_raises_too(mode, f):
    with pytest.raises((OverflowError, ValueError)):
        mode(f)(BYTES, 300)
    with pytest.raises((OverflowError, ValueError)):
        tp.vmap(f, in_axes=(0, None))(np.stack([BYTES, BYTES]), 300)


@pytest.mark.parametrize('dtype', ['int8', 'int64'])
def test_numbers_that_are_too_long_for_a_c_integer(dtype):
    def stored(a, number):
        a[0] = number
        return a

    compiled, numbers = tp.jit(stored), (np.uint64(2**63 + 5), np.uint64(100), np.uint64(2**63 - 1))
    told = []
    for function in (stored, compiled):
        told.append([])
        for number in numbers:
            try:
                told[-1].append(function(np.zeros(1, dtype), number).tolist())
            except OverflowError as error:
                told[-1].append(str(error))
    assert told[0] == told[1]
