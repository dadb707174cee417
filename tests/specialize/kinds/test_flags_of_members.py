"""Whether something is `in` a container is one of Python's flags, which are integers: what compares may give NumPy's."""
import contextlib
import io

import numpy as np
import pytest

import transpiler as tp

X = np.array([0.5, 0.7, 3.0])


class Box:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __contains__(self, v):
        return self.low < v < self.high


def counted(x):
    c = 0
    for v in x:
        c += v in (0.5, 3.0)
    return c * x[2]


PROGRAMS = [
    counted,
    lambda x: ((x[0] in (0.5, 1.0)) + (x[1] in (0.7, 2.0))) * x[2],
    lambda x: ((x[0] not in (9.0,)) + (x[1] not in [9.0, x[0]])) * x[2],
    lambda x: ((x[0] in [v for v in x]) + (x[1] in {0.7: 1}) + (x[2] in range(5)) + (x[2] in {3.0, 4.0})) * x[2],
    lambda x: ((x[0] in Box(0, 1)) + (x[1] in Box(0, 1)) - (x[2] not in Box(0, 1))) * x[2],
    lambda x: ((x[0] in x) + (x[1] not in x[:1]) + (3.0 in x) + (300 in np.arange(3, dtype=np.uint8))) * x[2],
    lambda x: ((x[0] in np.outer(x, x)) - (x[1] * x[1] in np.outer(x, x)) - (x[0] in x[:0])) * x[2],
    lambda x: x[2] if (x[0] in (0.5,)) + (x[1] in (0.7,)) == 2 else 0.0 * x[2],
    lambda x: x[2] ** ((x[0] in (0.5,)) + (x[1] in (0.7,))),
    lambda x: x[(x[0] in (0.5,)) + (x[1] in (0.7,))] * [1.0, 2.0][x[0] in (0.5,)],
    lambda x: -(x[0] in (0.5,)) * x[0] + ~(x[0] in (0.7,)),
    lambda x: (3.0 if (x[0] in (0.5,)) is True else 5.0) * x[0],
]
WAYS = {
    'jit': lambda f: tp.jit(f)(X),
    'value_and_grad': lambda f: tp.value_and_grad(f)(X)[0],
    'jvp': lambda f: tp.jvp(f, (X,), (X,))[0],
}


@pytest.mark.parametrize('f', PROGRAMS)
@pytest.mark.parametrize('way', WAYS)
def test_they_count(f, way):
    assert WAYS[way](f) == f(X)


def test_they_are_shown_and_returned_as_pythons():
    def f(x):
        print([x[0] in (0.5,)], f'{x[1] in (0.7,)!r}', x[0] not in (0.5,))
        return x[0] in (0.5,), x[0] not in (0.5,), x[0] == 0.5

    said, wanted = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said):
        found = tp.jit(f)(X)
    with contextlib.redirect_stdout(wanted):
        assert list(map(type, found)) == list(map(type, f(X)))
    assert said.getvalue() == wanted.getvalue() and found == f(X)


def test_a_sum_of_flags_starts_with_an_integer():
    def f(x):
        return sum([x[0] in (0.5,), x[1] > 0]) * x[2] + sum((not x[0] < 0, x[1] > 0, x[2] > 0))

    for way in WAYS.values():
        assert way(f) == f(X)


def test_conditions_read_as_before():
    def f(x):
        return x[1] if x[0] in (0.5, 0.7) else x[2]

    assert 'bool' not in tp.grad(f).lower(X).source
