"""`vmap`: lists, dicts and objects that all examples share are not changed, as arrays are not; a copy, and one's own, may be."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.0, 2.0, 3.0])


class Counter:
    def __init__(self):
        self.count = 0.0
        self.seen = []

    def add(self, x):
        self.count = self.count + x
        return self.count

    def note(self, x):
        self.seen.append(x)
        return x * len(self.seen)


def store(x, kept):
    kept[0] = kept[0] + x
    return kept[0]


def append(x, kept):
    kept.append(x)
    return x * len(kept)


def pop(x, kept):
    return x * kept.pop()


def reversed_afterwards(x, kept):
    y = kept[0] * x
    kept.reverse()
    return y


def in_a_loop(x, kept):
    for _ in range(2):
        kept[0] = kept[0] * x
    return kept[0]


def in_a_loop_that_waits(x, kept):
    while kept[0] < 10.0:
        kept[0] = kept[0] * 2.0 + x
    return kept[0]


def on_one_path(x, kept):
    if x > 1.5:
        kept[0] = x
    return kept[0] * x


def under_a_key(x, kept):
    kept['a'] += x
    return kept['a']


def a_new_key(x, kept):
    return kept.setdefault('b', x)


def inside_a_dict(x, kept):
    kept['a'][0] += x
    return kept['a'][0]


def in_an_object(x, kept):
    return kept.add(x)


def in_a_list_of_an_object(x, kept):
    return kept.note(x)


LISTS = [store, append, pop, reversed_afterwards, in_a_loop, in_a_loop_that_waits, on_one_path]
CASES = [(f, [1.0, 2.0]) for f in LISTS] + [
    (under_a_key, {'a': 0.0}), (a_new_key, {'a': 0.0}), (inside_a_dict, {'a': [0.0]}),
    (in_an_object, Counter()), (in_a_list_of_an_object, Counter())]


@pytest.mark.parametrize('f, kept', CASES)
def test_what_examples_share_is_not_changed(f, kept):
    batched = tp.vmap(f, in_axes=(0, None))
    calls = [lambda: batched(X, kept), lambda: tp.jit(batched)(X, kept),
             lambda: tp.grad(lambda x, kept: np.sum(batched(x, kept)))(X, kept), lambda: tp.jacfwd(batched)(X, kept)]
    for call in calls:
        with pytest.raises(tp.errors.UnsafeMutation, match='is changed, but it is the same for all examples') as refused:
            call()
        assert 'test_shared_containers.py:' in str(refused.value)


def test_a_default_is_shared():
    def f(x, kept=[0.0]):  # noqa: B006
        kept[0] += x
        return kept[0]
    with pytest.raises(tp.errors.UnsafeMutation, match='`kept`'):
        tp.vmap(f)(X)


def test_the_outer_of_two_batches_shares_it_as_well():
    with pytest.raises(tp.errors.UnsafeMutation, match='`kept`'):
        tp.vmap(tp.vmap(store, in_axes=(0, None)), in_axes=(0, None))(X.reshape(3, 1), [0.0])


def test_a_part_without_an_axis_is_shared():
    def f(x, given):
        return inside_a_dict(x, given['kept']) + given['y']
    with pytest.raises(tp.errors.UnsafeMutation, match='a list in `given`'):
        tp.vmap(f, in_axes=(0, {'kept': None, 'y': 0}))(X, {'kept': {'a': [0.0]}, 'y': X})


def test_inside_a_function():
    def f(x):
        return np.sum(tp.vmap(store, in_axes=(0, None))(x, [0.0]))
    with pytest.raises(tp.errors.UnsafeMutation, match='`kept`'):
        tp.grad(f)(X)


def test_what_every_example_has_for_itself_may_change(mode):
    def copied(x, kept):
        kept = list(kept)
        kept.append(x)
        return store(x, kept) * len(kept)
    np.testing.assert_array_equal(mode(tp.vmap(copied, in_axes=(0, None)))(X, [1.0, 2.0]), [6.0, 9.0, 12.0])
    np.testing.assert_array_equal(mode(tp.vmap(store))(X, [X]), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(mode(tp.vmap(tp.grad(store), in_axes=(0, None)))(X, [0.0]), [1.0, 1.0, 1.0])
