"""Lists of run-time length as results of `vmap`: each item has the axis of the examples."""

import numpy as np
import pytest

import transpiler as tp
from transpiler.errors import Misfit

X = np.array([[0.3, -0.8, 1.1], [-0.2, 0.9, 0.4]])
ALIKE = np.abs(X) * np.array([1.0, 1.0, -1.0])


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
    if first is None:
        return None
    if isinstance(first, dict):
        return {key: stacked([result[key] for result in results]) for key in first}
    if isinstance(first, (list, tuple)):
        return type(first)(stacked(list(parts)) for parts in zip(*results, strict=True))
    return np.array(results)


def check(got, expected):
    assert type(got) is type(expected)
    if expected is None:
        return
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
    with pytest.raises(ValueError, match='different shapes: example 1 gives 2 items, example 0 1'):
        f(X - np.array([[0.35], [0.0]]))


def test_the_axis_of_the_examples_comes_first():
    with pytest.raises(Misfit, match='a list of run-time length, whose items have the axis of the examples first'):
        tp.vmap(in_order, out_axes=1)(X)


def parts(x, n):
    return [p * 2 for p in np.array_split(x, n)]


def heads(x, n):
    return [x[:i] for i in range(x.size) if x[i] > n]


def scaled_by_numbers(x, n):
    return [x * i for i in range(n)]


def every_other(x, n):
    found = [None] * n
    for i in range(0, n, 2):
        found[i] = x[:i]
    return found, x[0]


def where_positive(x, n):
    found = [None] * (n + 3)
    for i in range(x.size):
        if x[i] > 0:
            found[i] = x[i], i
    return found


def twice(x, n):
    found = [x[:i] for i in range(x.size) if x[i] > n]
    return {'one': found, 'other': found, 'last': [x] * n}


def shared(x, n):
    return [np.arange(k) for k in range(n)], x


@pytest.mark.parametrize('f', [parts, heads, scaled_by_numbers, every_other, where_positive, twice, shared])
def test_items_of_several_sizes_and_none(f):
    for n in (3, 1, 0):
        if n > 0 or f is not parts:
            check(tp.vmap(f, in_axes=(0, None))(ALIKE, n), stacked([f(x, n) for x in ALIKE]))


def test_items_of_several_sizes_and_none_compiled():
    f = lambda x, n: (heads(x, 0), where_positive(x, n))
    check(tp.jit(tp.vmap(f, in_axes=(0, None)))(ALIKE, 1), stacked([f(x, 1) for x in ALIKE]))


def test_numpys_own_exception(mode):
    with pytest.raises(ValueError, match='number sections must be larger than 0'):
        mode(tp.vmap(parts, in_axes=(0, None)))(X, 0)


def test_no_items_at_all(mode):
    f = mode(tp.vmap(lambda x: [v * x for v in x if v > 0]))
    assert f(-np.abs(X)) == []


def test_which_example_differs():
    three = np.abs(np.vstack([X, X]))[:3]
    three[2, 1] = -1.0
    with pytest.raises(ValueError, match='example 2 gives 2 items, example 0 3'):
        tp.vmap(heads, in_axes=(0, None))(three, 0)
    with pytest.raises(ValueError, match='None in one of the examples 0 and 2, a value in the other'):
        tp.vmap(where_positive, in_axes=(0, None))(three, 1)
    with pytest.raises(ValueError, match=r'example 2 gives \(2,\), example 0 \(3,\)'):
        tp.vmap(lambda x: x[:sum(v > 0 for v in x)])(three)


def announced(x, n):
    assert x[0] > 0, 'must be positive'
    return [x[0] // n for _ in range(3 // n)]


def test_what_an_example_raises_comes_first():
    with pytest.raises(AssertionError, match='must be positive'):
        tp.vmap(announced, in_axes=(0, None))(-X, 0)
