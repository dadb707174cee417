"""What a first half hands to a second one: lists of run-time length too, on whatever path they are made."""

import numpy as np
import optree
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


def repeated(x):
    y, k = x, 0
    while k < 2:
        y = np.exp(y * x[0])
        k += 1
    return y


def repeated_from_the_argument(x):
    y, k = x, 0
    while k < 2:
        y = y * y
        k += 1
    return y


def all_states(x):
    states, k = [], 0
    while k < 2:
        x = np.exp(x)
        states.append(x)
        k += 1
    return states


def parts_of_the_argument(x):
    parts, k = [], 0
    while k < 2:
        parts.append(x[k:])
        k += 1
    return np.sum(parts[0] ** 2) + np.prod(parts[1])


@pytest.mark.parametrize('f', [repeated, repeated_from_the_argument, all_states, parts_of_the_argument])
def test_what_the_caller_changes_afterwards_is_not_what_was_kept(f):
    x = np.array([0.1, 0.2, 0.3])
    out, pullback = tp.vjp(f, x)
    cotangent = [np.ones_like(y) for y in out] if isinstance(out, list) else np.ones_like(out)[()]
    expected = pullback(cotangent)[0]
    for array in [x, *(out if isinstance(out, list) else [out])]:
        array *= 0.0
    if isinstance(out, list):
        out.clear()
    np.testing.assert_array_equal(pullback(cotangent)[0], expected)


def every_other(x):
    k, out = x.size - 1, []
    while k >= 0:
        out.append(x[k] * x[k])
        k = k - 2
    return out


def rising(x):
    return [a * b for a, b in zip(x, x[1:]) if a < b]


def from_the_one_before(x):
    out = []
    for v in x:
        if v > 0:
            out.append(np.sin(v) if not out else out[-1] * v)
    return out


def list_and_sum(x):
    out = [np.sqrt(v) for v in x if v >= 0.1]
    return out, sum(out) * out[0], out


def ragged(x):
    return [x[k:] * x[k] for k in range(x.size) if x[k] > 0]


def flat(tree):
    return np.concatenate([np.ravel(leaf) for leaf in optree.tree_leaves(tree)])


@pytest.mark.parametrize('f', [every_other, rising, from_the_one_before, list_and_sum, ragged])
def test_pullbacks_of_lists_of_run_time_length(f):
    x = np.array([0.3, -0.8, 1.1, 0.45, 2.0])
    out, pullback = tp.vjp(f, x)
    np.testing.assert_allclose(flat(out), flat(f(x)))
    rng = np.random.default_rng(1)
    cotangent = optree.tree_map(lambda leaf: rng.normal(size=np.shape(leaf))[()], out)
    expected = [flat(cotangent) @ flat(tp.jvp(f, (x,), (unit,))[1]) for unit in np.eye(x.size)]
    for _ in range(2):
        np.testing.assert_allclose(pullback(cotangent)[0], expected)


def test_linear_functions_that_give_lists_of_run_time_length():
    x, direction = np.array([0.3, -0.8, 1.1, 0.45, 2.0]), np.array([1.0, -2.0, 0.5, 3.0, 0.1])
    for f in every_other, rising, ragged:
        out, linear = tp.linearize(f, x)
        out.clear()
        np.testing.assert_allclose(flat(linear(direction)), flat(tp.jvp(f, (x,), (direction,))[1]))


@pytest.mark.parametrize('transformation', [tp.jacfwd, tp.jacrev, tp.jacobian, tp.hessian])
def test_jacobians_of_lists_of_run_time_length_are_refused(transformation):
    with pytest.raises(tp.TranspileError, match='a Jacobian of a list of run-time length is not supported'):
        transformation(every_other)(np.ones(3))


def test_pullbacks_of_lists_of_run_time_length_compiled():
    x = np.array([0.3, -0.8, 1.1, 0.45, 2.0])
    out, pullback = tp.vjp(tp.jit(ragged), x)
    expected = tp.grad(lambda x: sum(np.sum(y) for y in ragged(x)))(x)
    np.testing.assert_allclose(pullback([np.ones_like(y) for y in out])[0], expected)
