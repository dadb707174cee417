"""Lists and dicts that change: every name of one sees the change, in branches, loops and helpers."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError, UnsafeMutation

X = np.array([0.3, 0.7, 1.1])


def dict_methods(x):
    d = {}
    d['a'] = x[0]**2
    d['b'] = d['a']*x[1]
    d['a'] += x[2]
    e = d
    e['b'] *= 2.0
    del e['a']
    e.update(c=x[1], f=x[0])
    return d['b']*d['c']*len(d) + sum(d.values())


def list_methods(x):
    l = [x[0]]
    l.append(x[1])
    m = l
    m += [x[2], x[0]*x[1]]
    m[0] = l[1]*2.0
    l.extend((x[0], 1.0))
    l.insert(1, x[2]**2)
    v, w = l.pop(), l.pop(0)
    c = l.copy()
    c.reverse()
    c.append(3.0)
    l[1:3] = [x[1]]
    return l[0]*l[1]*l[-1]*m[2] + v*w + c[0]*c[2]+ len(l)


def in_a_branch(x):
    d = {'s': x[0], 't': 2.0}
    l = [x[0], x[1]]
    if x[0] > 0.0:
        d['s'] = d['s']*x[1]
        l[0] = x[2]*x[2]
    else:
        d['t'] = x[1]
    y = l
    y[1] = y[0]*l[1]
    return d['s']*d['t']*l[0]*l[1]


def state_in_a_loop(x):
    state = {'p': x[0], 'v': x[1], 'n': 0}
    for t in range(len(x)):
        a = -state['p']*x[t]
        state['v'] = state['v'] + 0.1*a
        state['p'] += 0.1*state['v']
        state['n'] += 1
    return state['p']*state['v']*state['n']


def rebuilt_in_a_loop(x):
    state = {'p': x[0], 'v': x[1:]*2.0}
    def step(s, f):
        return {'p': s['p']+0.1*s['v'][0], 'v': s['v']*0.9 + f*s['p']}
    for t in range(len(x)):
        state = step(state, x[t])
    return state['p']*np.sum(state['v'])


def inside_others(x):
    m = {'w': [x[0], x[1]], 'o': {'lr': 0.1}}
    w = m['w']
    for t in range(3):
        g = [2*w[0]*x[2], w[1]**2]
        for i in range(2):
            w[i] = w[i] - m['o']['lr']*g[i]
    return m['w'][0]*m['w'][1]


def changed_while_looped_over(x):
    l = [x[0], x[1], x[2]]
    for i, v in enumerate(l):
        l[i] = v*v
        if i + 1 < len(l):
            l[i+1] = l[i+1]*v
    return l[0]*l[1]*l[2]


def rows_that_are_one(x):
    g = [[0.0]*2]*2
    h = [[0.0, 1.0], [2.0, x[0]]]
    g[0][1] = x[1]
    h[0][1] = x[1]**2
    return g[1][1]*h[0][1]*h[1][1] + h[0][0]


def through_a_helper(x):
    def add(d, k, v):
        d[k] = v
        return d
    d = {}
    e = add(d, 'a', x[0])
    add(e, 'b', x[1]*d['a'])
    return d['b']*e['a']


def mutable_default(x):
    def g(v, acc=[]):
        acc.append(v)
        return acc
    g(x[0])
    return sum(g(x[1]))**2


def while_it_is_small(x):
    s = {'e': x[0], 'k': 0}
    while s['k'] < 5:
        s['e'] = s['e']*x[1]
        s['k'] += 1
    return s['e']


def one_of_two_new(x):
    l = [x[0]] if x[1] > 0 else [x[2]]
    l[0] = l[0]*2
    return l[0]**2


def rebound_inside(x):
    s = {'p': {'q': x[0]}}
    q = s['p']
    for i in range(2):
        s['p'] = {'q': s['p']['q']*x[1]}
    q['q'] = 5.0
    return s['p']['q']*q['q']


def swapped(x):
    out = [x[0], x[1]]
    for i in range(len(x)):
        out[0], out[1] = out[1]*x[i], out[0]
    return out[0]*out[1]**2


def bound_method(x):
    l = [x[0]]
    app = l.append
    app(x[1])
    t = (l, x[2])
    t[0].append(x[2])
    t[0][0] *= 3
    return sum(l)*l[0]*len(t[0])


def new_in_each_turn(x):
    for i in range(len(x)):
        d = {'a': x[i]}
        d['a'] = d['a']*2
        if d['a'] > 1.0:
            d['a'] = d['a']*x[0]
    return d['a']


def in_a_closure(x):
    def g():
        l[0] = l[0]*x[1]
    l = [x[0]]
    g()
    g()
    return l[0]


def sizes_and_products(x):
    s = [x[0], 1.0]
    k = 0
    while s[0] < 5.0:
        s[0] = s[0]*2 + x[1]
        s[1] = s[1]*s[0]
        k += 1
    return s[1]*k


def last_but_one(x):
    a = {'k': x[0]}
    b = a
    for i in range(3):
        b = a
        a = {'k': a['k']*x[1]}
        b['k'] = x[2]
    return a['k']*b['k']


WORKING = (dict_methods, list_methods, in_a_branch, last_but_one, state_in_a_loop, rebuilt_in_a_loop, inside_others,
           changed_while_looped_over, rows_that_are_one, through_a_helper, mutable_default, while_it_is_small,
           one_of_two_new, rebound_inside, swapped, bound_method, new_in_each_turn, in_a_closure, sizes_and_products)


@pytest.mark.parametrize('f', WORKING, ids=lambda f: f.__name__)
def test_changes(mode, f):
    check(mode, f, X, order=2)


# Which container is changed, or seen to change, is decided at run time.

def one_of_two(x):
    a, b = [x[0]], [x[1]]
    if x[0] > 0:
        c = a
    else:
        c = b
    c[0] = x[2]
    return a[0]*b[0]


def kept_beside(x):
    a = {'k': x[0]}
    b = a
    for i in range(3):
        a = {'k': a['k']*x[1]}
    a['k'] = a['k']*2
    return a['k']*b['k']


def changed_and_rebuilt(x):
    a = {'k': x[0]}
    b = a
    for i in range(3):
        a['k'] = a['k']*x[1]
        a = {'k': a['k']*x[1]}
    return a['k']*b['k']


def shared_on_one_path(x):
    if x[0] > 0:
        l = [x[0]]
        m = l
    else:
        l, m = [x[1]], [x[2]]
    l[0] = l[0]*2
    return l[0]*m[0]


def held_and_changed_in_the_next_turn(x, n=3):
    values, held = [x[0], x[1]], []
    for _ in range(n * 1):
        values[0] = values[0] * 2
        values = [v + 1 for v in values]
        held.append(values)
    return sum(h[0] for h in held)


def held_on_one_path(x):
    held = [[v, 2.0] for v in x]
    if x[0] > 0:
        values = [x[1], x[2]]
        held.append(values)
    else:
        values = [x[2], x[1]]
    values[0] = 5.0 * x[0]
    return sum(h[0] * h[1] for h in held) + values[0]


@pytest.mark.parametrize('f', (one_of_two, kept_beside, changed_and_rebuilt, shared_on_one_path, held_on_one_path),
                         ids=lambda f: f.__name__)
def test_refused(f):
    with pytest.raises(UnsafeMutation, match='at run time'):
        tp.grad(f)(X)


def test_what_a_list_holds_is_not_changed_in_the_next_turn():
    with pytest.raises(UnsafeMutation, match='held by a list that grows at run time'):
        tp.grad(held_and_changed_in_the_next_turn)(X, 3)


def test_arguments_stay_as_they_are(mode):
    def f(d):
        d['a'] = d['a'] * d['b']
        d.setdefault('c', 2.0)
        d['l'].append(d['a'])
        return d['a'] * d['c'] * d['l'][-1]
    given = {'a': 3.0, 'b': 0.5, 'l': [1.0]}
    gradient = mode(tp.grad(f))(given)
    assert given == {'a': 3.0, 'b': 0.5, 'l': [1.0]}
    assert gradient['a'] == 3.0 and gradient['b'] == 18.0 and gradient['l'] == [0.0]


def test_compiled_functions_do_not_change_the_callers_containers():
    def f(d):
        d['a'] = d['a'] * 2.0
        return d['a']
    with pytest.raises(UnsafeMutation, match='among the arguments'):
        tp.jit(f)({'a': 1.0})


SHARED = {'k': 1.0}


def test_globals_stay_as_they_are():
    def f(x):
        SHARED['k'] = x
        return SHARED['k'] * x
    with pytest.raises(UnsafeMutation, match='belongs to the caller'):
        tp.grad(f)(2.0)
    assert SHARED == {'k': 1.0}


def test_a_container_in_itself():
    def f(x):
        items = [x]
        items.append(items)
        return x
    with pytest.raises(UnsafeMutation, match='into itself'):
        tp.grad(f)(2.0)


def values_that_a_loop_changes(x):
    d, total = {'a': x[0], 'b': x[1]}, 0.0
    for k, (key, value) in enumerate(d.items()):
        d['b'] = value * 5.0
        total = total + value * (k + 1) * len(key)
    for value in reversed(d.values()):
        d['a'] = value * x[2]
        total = total * 2 + value
    for value in iter(list(d.values())):
        d['b'] = value * 3.0
        total = total * 2 + value
    return total


def views_with_names(x):
    d = {}
    keys, values, pairs = d.keys(), d.values(), d.items()
    total = 2.0 if values else 1.0
    d['a'], d['b'] = x[0], x[1]
    for k in range(3):
        d['b'] = x[k] * 2.0
        total = total * sum(values) + len(keys)
    held = [values]
    d['a'] = x[1]
    return total + sum(value * len(key) for key, value in pairs) + sum(held[0]) + max(values) * ('b' in keys)


def first_and_rest(values, d):
    d['a'] = d['a'] * 3.0
    first, *rest = values
    return first * rest[0]


def views_as_arguments(x):
    d = {'a': x[0], 'b': x[1]}
    return first_and_rest(d.values(), d) + sum(map(lambda t: t * t, d.values()))


@pytest.mark.parametrize('f', [values_that_a_loop_changes, views_with_names, views_as_arguments])
def test_views_of_dicts_show_what_they_hold_now(mode, f):
    check(mode, f, X)


def growing_by_its_only_item(x):
    items, total = [x[0]], 0.0
    for item in items:
        total = total + item
        if len(items) < 3:
            items.append(item * 2)
    return total


def growing_where_a_value_tells(x):
    items, total = [x[0]], 0.0
    for item in items:
        total = total + item
        if total < 2.0:
            items.append(item * 2)
    return total


def growing_in_the_last_turn(x):
    items = [x[0], x[1]]
    return sum([item for k, item in enumerate(items) if k != 1 or items.append(x[2]) is None])


def growing_dict(x):
    items = {'a': x[0]}
    for key in items:
        items['b'] = items[key]
    return items['b']


@pytest.mark.parametrize('f', [growing_by_its_only_item, growing_where_a_value_tells, growing_in_the_last_turn, growing_dict])
def test_what_is_added_in_the_last_turn_is_refused(f):
    with pytest.raises(TranspileError, match='that it runs over'):
        tp.grad(f)(X)


def growing_before_it_is_left(x):
    items, total = [x[0], x[1]], 0.0
    for item in items:
        total = total + item
        if len(items) == 2:
            items.append(item * x[2])
            break
    return total * items[-1]


def test_a_list_may_grow_before_a_loop_over_it_is_left():
    check(tp.jit, growing_before_it_is_left, X)


def test_a_list_that_changes_its_length_while_looped_over():
    def f(x):
        items = [x, x]
        for item in items:
            if len(items) < 4:
                items.append(item * x)
        return items[-1]
    with pytest.raises(TranspileError, match='adds items'):
        tp.grad(f)(2.0)


@pytest.mark.parametrize('wrap', (lambda f: f, tp.jit))
def test_the_start_value_of_a_turn_outlives_the_loop(wrap):
    def f(x, n):
        for i in range(n):
            p = x
            x = x * 2.0
        return p * x
    assert wrap(tp.value_and_grad(f))(3.0, 2) == (f(3.0, 2), 48.0)


def test_placeholders_as_many_as_show_at_run_time():
    def squares(x):
        found = [None] * x.size
        for i in range(x.size):
            found[i] = x[i] ** 2
        return sum(found)
    assert np.array_equal(tp.grad(squares)(np.ones(3)), [2.0, 2.0, 2.0])


def test_dicts_of_several_keys_are_told_apart():
    def f(x, k):
        found = {}
        for v in x:
            if v > 1.5:
                found['a'] = v
                break
        else:
            found['a'] = k[0]
        return found['a'] * x[0]

    with pytest.raises(tp.TranspileError, match=r"a dict with the keys \['a'\], on the other a dict with the keys \[\]"):
        tp.vmap(f)(np.ones((2, 3)), np.ones((2, 3)))
