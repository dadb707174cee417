"""Trap 30: one list, object or array under two names, of which one is changed: derivatives work on copies. Refused, or right."""
import numpy as np
import pytest

import transpiler as tp

KEPT, ROW = [1.0], np.array([1.0, 2.0])


class Box:
    def __init__(self, v):
        self.v = v


BOX = Box(1.0)


def lists(x, a, b):
    a[0] = x
    return b[0] * x


def dicts(x, a, b):
    a['k'] = x
    return b['k'] * x


def objects(x, a, b):
    a.v = x
    return b.v * x


def growing(x, a, b):
    a.append(x)
    return len(b) * x


def inside(x, d, a):
    a[0] = x
    return d['b'][0] * x


def items(x, pair):
    pair[0].v = x
    return pair[1].v * x


def arrays(x, a, b):
    a[0] = x
    return b[0] * x


def beside_a_global(x, a):
    a[0] = x
    return KEPT[0] * x


def beside_a_global_object(x, a):
    a.v = x
    return BOX.v * x


def into_a_global(x):
    x[0] = 2.0 * x[1]
    return ROW[0] * x[1]


def twice(f, one):
    return f, (3.0, one, one)


CASES = [twice(lists, [1.0]), twice(dicts, {'k': 1.0}), twice(objects, BOX), twice(growing, [1.0]), twice(arrays, np.ones(2)),
         (inside, (3.0, {'b': KEPT}, KEPT)), (items, (3.0, [BOX, BOX])), (beside_a_global, (3.0, KEPT)),
         (beside_a_global_object, (3.0, BOX)), (into_a_global, (ROW,))]


@pytest.mark.parametrize('f, args', CASES)
def test_one_object_twice_is_refused(f, args):
    for transform in (tp.grad, tp.jacfwd, lambda f: tp.jit(tp.grad(f))):
        with pytest.raises(tp.errors.UnsafeMutation, match='in another place as well|share memory'):
            transform(f)(*args)


def test_a_first_call_says_nothing_of_the_next():
    for gradient in (tp.grad(lists), tp.jit(tp.grad(lists))):
        assert gradient(3.0, [1.0], [2.0]) == gradient(3.0, [1.0], [2.0]) == 2.0
        with pytest.raises(tp.errors.UnsafeMutation, match='in another place'):
            gradient(3.0, KEPT, KEPT)


def test_what_is_not_changed_may_be_given_twice(mode):
    def f(x, a, b, log):
        log.append(x)
        return a[0] * b[0] * x * len(log)
    assert mode(tp.grad(f))(3.0, KEPT, KEPT, []) == 1.0

    def g(x, a, b, out):
        out[0] = x
        return out[0] * a[0] * b[1]
    assert mode(tp.grad(g))(3.0, ROW, ROW, np.zeros(1)) == 2.0


def a_local_list(x):
    kept = [1.0]
    return tp.grad(lists)(x, kept, kept)


def a_local_list_beside_a_closure(x):
    kept = [1.0]

    def f(v, a):
        a[0] = v
        return kept[0] * v
    return tp.grad(f)(x, kept)


def a_local_array(x):
    row = np.ones(2)
    return tp.grad(arrays)(x, row, row)


def a_view_of_it(x):
    row = np.ones(2)
    return tp.jvp(arrays, (x, row[:1], row), (1.0, np.zeros(1), np.zeros(2)))[1]


def a_local_array_beside_a_closure(x):
    row = np.ones(2)

    def f(v, a):
        a[0] = v
        return row[0] * v
    return tp.grad(f)(x, row)


@pytest.mark.parametrize('f', [a_local_list, a_local_list_beside_a_closure, a_local_array, a_view_of_it,
                               a_local_array_beside_a_closure])
def test_inside_a_function(f):
    with pytest.raises(tp.errors.UnsafeMutation, match='in another place as well|share its memory'):
        tp.jvp(f, (3.0,), (1.0,))


def a_name_that_changes(x, n):
    one, other = np.ones(2), np.zeros(2)
    total = 0.0
    for _ in range(n):
        total = total + tp.grad(arrays)(x, one, other)
        one = other
    return total


def test_names_that_change_inside_a_function():
    with pytest.raises(tp.errors.UnsafeMutation, match='share its memory'):
        tp.jvp(a_name_that_changes, (3.0, 3), (1.0, None))


def test_arguments_that_are_handed_on(mode):
    def f(x, a, b):
        return tp.grad(arrays)(x, a, b) * x
    apart = mode(tp.value_and_grad(f))
    assert apart(3.0, np.ones(2), 2.0 * np.ones(2))[0] == 6.0
    for call in (apart, tp.jit(f)):
        with pytest.raises(tp.errors.UnsafeMutation, match='share memory'):
            call(3.0, ROW, ROW)


def test_memory_of_ones_own_is_apart():
    def f(x, a):
        return tp.grad(arrays)(x, np.zeros(2), a) + tp.grad(arrays)(x, a.copy(), a)
    assert tp.value_and_grad(f)(3.0, ROW)[0] == 2.0
