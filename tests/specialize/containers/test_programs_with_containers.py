"""Programs that keep their data in lists and dicts, as people write them."""
import numpy as np
import pytest

from tests.support import check

X = np.array([0.3, 0.7, 1.1])


def left_early(x):
    t = []
    for v in x:
        if v > 1.0:
            break
        if v < 0.5:
            continue
        t.append(v*v)
    else:
        t.append(5.0*x[0])
    return sum(t)*len(t) + x[0]


def best_so_far(x):
    best = {'v': x[0], 'i': 0}
    for i in range(1, len(x)):
        if x[i]**2 > best['v']:
            best['v'] = x[i]**2
            best['i'] = i
    return best['v']*x[best['i']]


def entries_by_key(x):
    d = {}
    for i, k in enumerate('abc'):
        d[k] = x[i]*i
        if x[i] > 0.5:
            d[k] = d[k]*x[0]
    for k in d:
        d[k] = d[k]**2
    return sum(d.values())


def a_stack(x):
    stack = [x[0], x[1]]
    s = 1.0
    n = 0
    while stack and n < 7:
        v = stack.pop()
        s = s + v*v*s
        if v > 0.2:
            stack.append(v*0.5)
            stack.append(v*0.3)
        n += 1
    return s


def rows_of_known_length(x):
    rows = []
    for i in range(len(x)):
        row = [0.0]*3
        for j in range(3):
            row[j] = x[i]*(j+1)
        rows.append(row)
    return np.sum(np.array(rows)**2) + rows[1][2]


def trajectory_of_a_helper(x):
    def solve(f, y, n):
        ys = [y]
        for _ in range(n):
            y = y + 0.1*f(y)
            ys.append(y)
        return ys
    ys = solve(lambda y: -y*x[0], x[1], len(x)+2)
    return np.sum(np.array(ys)**2)*ys[-1]


def returned_from_a_loop(x):
    for v in x:
        acc = []
        if v > 0.5:
            acc.append(v)
            acc.append(v*v)
        if len(acc) == 2:
            return acc[0]*acc[1]
    return x[0]


def history(x):
    h = {'loss': []}
    w = x
    for t in range(4):
        h['loss'].append(np.sum(w*w))
        w = w - 0.1*w*x
    return h['loss'][-1]*sum(h['loss'])


def history_at_run_time(x):
    h = {'loss': [], 'n': 0}
    w = x
    for t in range(len(x)):
        h['loss'].append(np.sum(w*w))
        h['n'] += 1
        w = w - 0.1*w*x
    return h['loss'][-1]*sum(h['loss'])*h['n']


def swapped_lists(x):
    a, b = [x[0]], [x[1]]
    for i in range(len(x)):
        a, b = b, a
    a[0] = a[0]*1.0
    return a[0]*b[0]**2


def two_lists(x):
    lists = [[], []]
    for i in range(len(x)):
        if x[i] > 0.6:
            lists[0].append(x[i])
        else:
            lists[1].append(x[i]**2)
    return sum(lists[0])*sum(lists[1])


def copied(x):
    t = [v for v in x]
    t[0] = t[1]*t[2]
    u = list(t)
    u[1] = 0.0
    return t[0]*t[1]+u[0]*u[2]


def arrays_in_a_dict(x):
    m = {}
    m['a'] = np.zeros(3)
    m['a'][1] = x[0]*x[1]
    b = m['a']
    b[2] += x[2]
    m['a'] *= 2.0
    return np.sum(b*x)


def best_pair(x):
    pts = [(x[0], x[1]), (x[1], x[2])]
    best = pts[0]
    for p in pts:
        if p[0]*p[1] > best[0]*best[1]:
            best = p
    return best[0]**2*best[1]


def a_queue(x):
    q = [x[0]]
    i = 0
    while i < len(q):
        if len(q) < 5:
            q.append(q[i]*x[1])
            q.append(q[i]+x[2])
        i += 1
    return sum(q)


def extended_by_lists(x):
    out = []
    for i in range(len(x)):
        k = i
        inner = [x[j]*x[k] for j in range(i+1)]
        out.extend(inner)
    return np.sum(np.array(out)**2)


def polynomials(x):
    c = 0.0
    t = [1.0, x[0]]
    for i in range(2, 6):
        t.append(2*x[0]*t[i-1]-t[i-2])
    for i in range(len(t)):
        c += t[i]*x[i % len(x)]
    return c


def lists_in_dicts(x):
    d = {'a': [x[0]], 'b': [x[1]]}
    e = {k: list(v) for k, v in d.items()}
    e['a'].append(x[2])
    d['a'][0] = x[1]
    return e['a'][0]*e['a'][1]*d['a'][0]


def dynamic_programming(x):
    ways = [0.0] * (len(x) + 1)
    ways[0] = 1.0
    for i in range(len(x)):
        ways[i + 1] = ways[i] * x[i] + (ways[i - 1] if i > 0 else 0.0)
    return ways[-1]


def repeated_items(x):
    t = [1.0, x[1]] * len(x)
    s = [x[0]] * (len(x) - 3)
    return sum(t) * len(t) + sum(s)


PROGRAMS = (left_early, best_so_far, entries_by_key, a_stack, rows_of_known_length, trajectory_of_a_helper,
            returned_from_a_loop, history, history_at_run_time, swapped_lists, two_lists, copied, arrays_in_a_dict,
            best_pair, a_queue, extended_by_lists, polynomials, dynamic_programming, repeated_items, lists_in_dicts)


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_programs(mode, f):
    check(mode, f, X, order=2)
