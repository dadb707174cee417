"""Lists of run-time length as results of `vmap`: each item has the axis of the examples."""

import numpy as np
import pytest

import transpiler as tp
from transpiler.errors import Misfit

X = np.array([[0.3, -0.8, 1.1], [-0.2, 0.9, 0.4]])


def in_order(x):
    return sorted(x)


def best_path(scores):
    n = scores.size
    path = [int(np.argmax(scores))]
    for t in range(n - 1, 0, -1):
        path.append(path[-1] + 1 if scores[t] > 0.2 else t)
    return path[::-1]


def by_sign(x):
    out = []
    for v in x:
        out.append(v * 2 if v > 0 else 0.0)
    return {'all': out, 'last': out[-1]}


def scaled(x):
    out = []
    for v in x:
        out.append(x * v if v > 0 else x)
    return out, out


def stacked(results):
    first = results[0]
    if isinstance(first, dict):
        return {key: stacked([result[key] for result in results]) for key in first}
    if isinstance(first, (list, tuple)):
        return type(first)(stacked(list(parts)) for parts in zip(*results, strict=True))
    return np.array(results)


def check(got, expected):
    assert type(got) is type(expected)
    if isinstance(expected, dict):
        assert got.keys() == expected.keys()
        got, expected = list(got.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            check(one, other)
    else:
        np.testing.assert_array_equal(got, expected, strict=True)


@pytest.mark.parametrize('f', [in_order, best_path, by_sign, scaled])
def test_their_length_is_a_size(f):
    check(tp.vmap(f)(X), stacked([f(x) for x in X]))


def test_compiled():
    check(tp.jit(tp.vmap(in_order))(X), stacked([in_order(x) for x in X]))


def test_batches_of_batches():
    both = np.array([X, -X])
    check(tp.vmap(tp.vmap(in_order))(both), list(np.moveaxis(np.sort(both), -1, 0)))


def test_lists_that_all_examples_share():
    f = lambda x, c: ([v for v in c if v > 0], x)
    items, _ = tp.vmap(f, in_axes=(0, None))(X, np.array([1.0, -1.0, 2.0]))
    check(items, [np.array([1.0, 1.0]), np.array([2.0, 2.0])])


def test_examples_whose_lists_differ_in_length():
    f = tp.vmap(lambda x: [v for v in x if v > 0])
    check(f(X), [np.array([0.3, 0.9]), np.array([1.1, 0.4])])
    with pytest.raises(ValueError, match='the results of the examples have different shapes'):
        f(X - 0.35)


def test_the_axis_of_the_examples_comes_first():
    with pytest.raises(Misfit, match='a list of run-time length, whose items have the axis of the examples first'):
        tp.vmap(in_order, out_axes=1)(X)
