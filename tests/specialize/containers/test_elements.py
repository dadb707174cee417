"""Lists of run-time length whose items - lists, dicts, objects - are changed: whoever reads an item sees what was written."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, 0.4, 2.1])


class Body:
    def __init__(self, mass, place):
        self.mass = mass
        self.place = place
        self.speed = 0

    def kick(self, force, dt):
        self.speed += force / self.mass * dt

    def drift(self, dt):
        self.place += self.speed * dt


def bodies(x):
    found = [Body(1.0 + v, v) for v in x]
    for _ in range(3):
        for i in range(len(found)):
            for j in range(len(found)):
                if i != j:
                    d = found[j].place - found[i].place
                    found[i].kick(d / (0.1 + d * d), 0.1)
        for b in found:
            b.drift(0.1)
    return sum(b.mass * b.speed ** 2 for b in found)


def dicts(x):
    found = [{'a': v, 'b': 0.0} for v in x]
    for k, one in enumerate(found):
        one['b'] = one['a'] ** 2 + found[k - 1]['b']
    return sum(one['b'] * one['a'] for one in found)


def pairs(x):
    found = [[x[i], 0.0] for i in range(len(x))]
    for i in range(len(x)):
        found[i][1] += found[i][0] ** 2
        found[i][0] = found[(i + 1) % len(x)][0] * 2
    a, b = found[1]
    return sum(p[0] * p[1] for p in found) + a * b


def the_last_one(x):
    found = []
    for v in x:
        found.append([v, 0.0])
        found[-1][1] = found[0][0] * v
    last = found[-1]
    found.append([1.0, 2.0])
    last[1] += x[0]
    return sum(p[1] for p in found)


def on_some_paths(x):
    found = [[v, 1.0] for v in x]
    for p in found:
        if p[0] > 1:
            p[1] = p[0] ** 2
        else:
            p[0] = 0.5
    return sum(p[0] * p[1] for p in found)


def taken_and_changed(x):
    jobs, total = [[v, 2.0] for v in x], 0.0
    while len(jobs) > 0:
        job = jobs.pop(0)
        job[1] -= 1.0
        total += job[0] ** 2 * job[1] + len(jobs)
        if job[1] > 0.5:
            jobs.append(job)
    return total


@pytest.mark.parametrize('f', [bodies, dicts, pairs, the_last_one, on_some_paths, taken_and_changed])
def test_derivatives(f, mode):
    check(mode, f, X)


def the_best_one(x):
    found = [[v, 1.0] for v in x]
    best = found[0]
    for p in found:
        if p[0] > best[0]:
            best = p
    best[1] = 5.0 * x[0]
    return sum(p[0] * p[1] for p in found)


def in_two_lists(x):
    found = [[v, 1.0] for v in x]
    others = [p for p in found]
    others[0][1] = x[1]
    return found[0][1] * x[0]


def in_a_copy_of_the_list(x):
    found = [[v, 1.0] for v in x]
    others = list(found)
    others[0][1] = x[1]
    return found[0][1] * x[0]


def under_a_name_of_its_own(x):
    found = []
    for v in x:
        row = [v, 0.0]
        found.append(row)
        found[-1][1] = v ** 2
        row[0] = 3 * v
    return sum(p[0] * p[1] for p in found)


def replaced_meanwhile(x):
    found = [[v, 1.0] for v in x]
    p = found[1]
    found[1] = [5.0, x[0]]
    p[0] = 7.0
    return sum(q[0] * q[1] for q in found) + p[0] * x[2]


def lists_in_items(x):
    found = [{'h': [v, 0.0], 'k': 1.0} for v in x]
    for p in found:
        p['h'][1] = p['h'][0] ** 2
    return sum(p['h'][1] for p in found)


def after_the_loop(x):
    found = [[v, 1.0] for v in x]
    for p in found:
        p[1] = p[0]
    p[1] = x[0]
    return found[-1][1]


@pytest.mark.parametrize('f', [the_best_one, in_two_lists, in_a_copy_of_the_list, under_a_name_of_its_own, replaced_meanwhile,
                               lists_in_items, after_the_loop])
def test_refused_where_an_item_would_be_in_two_places(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(X)
