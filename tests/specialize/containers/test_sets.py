"""Sets of constants, and views of dicts, which are sets of keys and of pairs: what they answer shows no order."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check_raises

X = np.array([1.25, 2.5, -3.75, 0.5])


def views_are_sets(x):
    d, e, k = {'a': x[0], 'b': x[1]}, {'b': x[0], 'a': x[1]}, {'a': 1, 'b': 2}
    equal = [d.keys() == {'a', 'b'}, d.keys() == e.keys(), d.keys() != e.keys(), d.keys() == {'a'}, {'a', 'b'} == d.keys(),
             k.items() == {('a', 1), ('b', 2)}, k.items() == {'b': 2, 'a': 1}.items(), d.keys() in [{'a'}],
             d.keys() in [{'a', 'b'}], d.keys() == ('a', 'b'), ('a', 'b') == d.keys(), d.keys() == ['a', 'b'], d.keys() is None,
             d.values() == (x[0], x[1]), d.values() == e.values(), k == {'b': 2, 'a': 1}, {1: 2} == {1}]
    ordered = [d.keys() >= {'a'}, d.keys() <= {'a'}, d.keys() < {'a', 'b', 'c'}, d.keys() > e.keys(), {'a'} <= d.keys(),
               k.items() < {('a', 1), ('b', 2), ('c', 3)}]
    return x[0] * sum([2 ** n * flag for n, flag in enumerate(equal + ordered)])


def sizes_in_items(x):
    sizes = {'rows': x.size, 'columns': 4}
    return x * (sizes.items() == {'columns': x.size, 'rows': 4}.items())


def operators(x):
    d, k = {'a': x[0], 'b': x[1]}, {'a': 1, 'b': 2}
    made = [d.keys() | {'c'}, d.keys() & {'c'}, d.keys() - {'a'}, d.keys() ^ {'a', 'z'}, {'a', 'z'} - d.keys(), ['q'] | d.keys(),
            d.keys() | k, k.items() | {('z', 1)}]
    return x[0] * sum([10 ** n * len(one) for n, one in enumerate(made)]) + x[1] * ('c' in d.keys() | {'c'})


def in_place(x):
    names = {'a': 1}.keys()
    names |= {'b'}
    return x * len(names)


def shown_later(x):
    d = {'a': x[0]}
    names, values = d.keys(), d.values()
    before = names == {'a'}
    d['b'] = x[1]
    return (names == {'a', 'b'}) * before * sum(values)


def sets_of_constants(x):
    s = set('abca') | frozenset({'d'})
    asked = s.issubset('abcde') + 2 * s.isdisjoint(['z']) + 4 * {'a': x}.keys().isdisjoint(['z'])
    return x * len(s) * asked * (sorted(s)[0] == 'a')


def classes(x):
    asked = isinstance({1}, set), not isinstance({1}, frozenset), type({1}) is set, type(frozenset({1}) | {2}) is frozenset
    return x * sum(asked) * (str({1}) == '{1}') * (type({'a': x}.keys() & {'a'}) is set)


PROGRAMS = {'views': views_are_sets, 'sizes': sizes_in_items, 'operators': operators, 'in place': in_place,
            'later': shown_later, 'sets': sets_of_constants, 'classes': classes}


@pytest.mark.parametrize('f', PROGRAMS.values(), ids=PROGRAMS)
def test_as_in_python(mode, f):
    np.testing.assert_array_equal(mode(tp.jvp(f))(X, x_dot=np.ones(4))[0], f(X))


def members_in_order(x):
    s = 0.0
    for k in sorted(set([2, 0, 2]) | {3}, reverse=True):
        s = s * 10 + x[k]
    return s * len({1, 2}.union([3], {4: x}))


def test_sorted_members_are_gone_through(mode):
    np.testing.assert_allclose(mode(tp.grad(members_in_order))(X), [4.0, 0.0, 40.0, 400.0])


RAISING = {
    'item': lambda x: {'a': x}.keys()[0],
    'part': lambda x: {'a': x}.values()[:1],
    'item of a set': lambda x: x[frozenset((0, 1))[0]],
    'sum': lambda x: {'a': x}.keys() + ('c',),
    'repeated': lambda x: {'a': x}.keys() * 2,
    'values': lambda x: {'a': x}.values() | {1},
    'order of values': lambda x: {'a': x}.values() <= {1},
    'order beside a tuple': lambda x: {'a': x}.keys() <= ('a',),
    'a set and a list': lambda x: {1} & [1],
}


@pytest.mark.parametrize('f', RAISING.values(), ids=RAISING)
def test_what_raises_raises(f):
    check_raises(TypeError, f, X)


def changed_in_place(x):
    s = {1}
    t = s
    s |= {2}
    return x * len(t)


def changed_by_a_method(x):
    s = {1}
    s.add(2)
    return x * len(s)


REFUSED = {
    'same dict': (lambda x, d={'a': 1}: x * (d.values() == d.values()), 'only if they are one object'),
    'array': (lambda x: np.sum({'a': x}.values()), r'list\(...\)'),
    'result': (lambda x: {'a': x}.values(), r'list\(...\)'),
    'in place': (changed_in_place, 'a set is changed'),
    'method': (changed_by_a_method, 'a set is changed'),
    'loop': (lambda x: sum([x[k] for k in {1, 2}]), 'no order'),
    'run time': (lambda x: x * len({x[0], x[1]}), 'must be known'),
}


@pytest.mark.parametrize(('f', 'why'), REFUSED.values(), ids=REFUSED)
def test_refused(f, why):
    with pytest.raises(tp.TranspileError, match=why):
        tp.jit(f)(X)
