"""What a first half hands to a second one: lists of run-time length too, on whatever path they are made."""

import numpy as np
import pytest

import transpiler as tp

POINTS = np.array([0.31, -0.82, 1.13, 0.45]), np.array([-0.31, 0.82, -1.13, 0.45])


def while_on_a_path(x):
    t = 0.0
    if x[0] > 0.0:
        t = 2.0
    else:
        n = 0
        while n < 2:
            n += 1
            t += np.sin(t + x[0])
    return np.sum(x * x) * t


def with_writes(x):
    t = 0.0
    if x[0] > 0.0:
        x[1:] = 2.0
    else:
        n = 0
        while n < 2:
            n += 1
            t += abs(0.5) if np.sin(x[0]) > 0.1 else abs(x[1])
    for i in range(3):
        x[:-2] += t
    return np.sum(x * x) * t


def paths_in_paths(x):
    t = x[1]
    if x[0] < 0.5:
        if x[1] > 0.0:
            while t < 3.0:
                t = t * 1.5 + x[2] * x[2]
        else:
            while t > -3.0:
                t = t * 1.7 - np.exp(x[0])
        t = np.cos(t)
    return t * x[3] * t


def numbers_on_a_list(x):
    total = 0.0
    if x[0] < 0.0:
        kept = []
        for v in x:
            if v > -0.5:
                kept.append(np.sin(v) * v)
        for k in range(len(kept)):
            total += kept[k] * kept[-1 - k]
    return total + x[2] ** 3


PROGRAMS = [while_on_a_path, with_writes, paths_in_paths, numbers_on_a_list]


@pytest.mark.parametrize('f', PROGRAMS)
@pytest.mark.parametrize('x', POINTS)
def test_lists_that_only_some_paths_make(f, x):
    expected = tp.jacfwd(f)(x)
    np.testing.assert_allclose(tp.vjp(f, x)[1](1.0)[0], expected)
    np.testing.assert_allclose(tp.jacrev(f)(x), expected)
    second = tp.jacfwd(tp.jacfwd(f))(x)
    np.testing.assert_allclose(tp.hessian(f)(x), second, atol=1e-12)
    np.testing.assert_allclose(tp.jacrev(tp.grad(f))(x), second, atol=1e-12)


def test_lists_that_only_some_paths_make_compiled():
    f = paths_in_paths
    for x in POINTS:
        np.testing.assert_allclose(tp.jit(tp.hessian(f))(x), tp.hessian(f)(x))
        np.testing.assert_allclose(tp.vjp(tp.jit(f), x)[1](1.0)[0], tp.grad(f)(x))


def test_of_a_list_that_a_path_makes_there_is_one_from_the_start():
    second, x = tp.vjp(while_on_a_path, POINTS[1])[1], POINTS[1]
    assert second.primal_source.index('sum_tape = []') < second.primal_source.index('if ')
    for cotangent in 1.0, 2.0, 1.0:      # which takes nothing away
        np.testing.assert_allclose(second(cotangent)[0], cotangent * tp.grad(while_on_a_path)(x))
