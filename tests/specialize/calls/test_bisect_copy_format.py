"""`bisect`, `copy`, `itertools.repeat`, and `format` of texts."""
import bisect
import copy
import itertools

import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.5, 1.5, 2.5, 4.0])


def places(x):
    grown = []
    for k in range(len(x)):
        grown.append(x[k] * x[k])
    return (x[bisect.bisect(x, 1.7)] * bisect.bisect_left([0.5, 1.2, 1.7, 3.0], x[1]) + bisect.bisect_right(grown, x[2]) * x[0]
            + x[bisect.bisect_left(x, 2.0, 1, 3)] ** 2)


def copies(x):
    first, second = copy.copy(x), copy.deepcopy(x)
    first[0] = 3.0
    second[1] *= 2.0
    return np.sum(x * first * second) + copy.copy(2.0) * copy.deepcopy(x[0])


def repeated(x):
    total = sum(map(lambda a, b: a ** b, x, itertools.repeat(3.0, 4)))
    for a, c in zip(x, itertools.repeat(x[0] * 2, 3)):
        total += a * c
    return total + len(list(itertools.repeat(x, 0))) + len(list(itertools.repeat(x, -1)))


@pytest.mark.parametrize('f', [places, copies, repeated])
def test_programs(mode, f):
    check(mode, f, X)


def search(a, x):
    return bisect.bisect_left(a, x), bisect.bisect_right(a, x), bisect.bisect(a, x, 1), bisect.bisect_left(a, x, hi=2)


def bisect_in(a, x):
    return bisect.bisect(a, x)


def test_places(mode):
    a = np.array([0.0, 1.0, 1.0, 2.0])
    for x in (-1.0, 0.0, 1.0, 1.5, 2.0, 3.0, np.nan):
        found = mode(search)(a, x)
        assert found == search(a, x) and all(isinstance(k, int) for k in found)
    assert mode(bisect_in)(a[:0], 1.0) == 0


def told(x):
    if x[0] > 2.0:
        raise ValueError('size {} and {:.2f}, {which!r:>5}{{}}'.format(len(x), x[0], which='a'))
    if x[0] > 1.0:
        raise ValueError('{1} before {0}'.format(x.shape[0], 'first'))
    return np.sum(x)


@pytest.mark.parametrize('first', [1.5, 2.5])
def test_format(mode, first):
    with pytest.raises(ValueError) as expected:
        told(X + first)
    with pytest.raises(ValueError) as found:
        mode(tp.grad(told))(X + first)
    assert str(found.value).splitlines()[0] == str(expected.value)


def part_of_a_field(x):
    print('of {0.shape}'.format(x))
    return np.sum(x)


def two_ways(x):
    print('{} {0}'.format(x))  # noqa: F525
    return np.sum(x)


def one_too_few(x):
    print('{} {}'.format(x))  # noqa: F524
    return np.sum(x)


@pytest.mark.parametrize('f', [part_of_a_field, two_ways, one_too_few])
def test_formats_that_are_refused(mode, f):
    with pytest.raises(tp.TranspileError, match='of `format`'):
        mode(tp.grad(f))(X)


def for_ever(x):
    return sum(a * b for a, b in zip(x, itertools.repeat(2.0)))


def so_often(x):
    return sum(itertools.repeat(x[0], len(x)))


def copied_list(x):
    return sum(copy.deepcopy([x[0], x[1]]))


@pytest.mark.parametrize('f, said', [(for_ever, '`repeat`'), (so_often, '`repeat`'), (copied_list, 'a copy of')])
def test_what_is_refused(mode, f, said):
    with pytest.raises(tp.TranspileError, match=said):
        mode(tp.grad(f))(X)
