"""Names that get another list in every turn of a loop, lists of arrays that each turn makes anew, and who else refers to them."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError

X = np.array([0.5, -1.2, 0.7, 2.0, 1.3])
P = np.cos(np.arange(15.0)).reshape(5, 3)


def control_points(p, t=0.3):
    """De Casteljau's algorithm."""
    points = list(p)
    while len(points) > 1:
        points = [(1 - t) * a + t * b for a, b in zip(points, points[1:])]
    return np.sum(points[0] ** 2)


def control_points_counted(p, t=0.3):
    points = [p[i] for i in range(len(p))]
    n = len(points)
    for k in range(1, n):
        points = [(1 - t) * points[i] + t * points[i + 1] for i in range(n - k)]
    return np.sum(points[0] ** 2)


def in_pairs(x):
    values = list(x * x)
    while len(values) > 1:
        following = []
        for i in range(0, len(values) - 1, 2):
            following.append(np.sin(values[i]) * values[i + 1])
        if len(values) % 2 == 1:
            following.append(values[-1])
        values = following
    return values[0]


def products_in_pairs(p):
    values = [np.sin(row) for row in p]
    while len(values) > 1:
        following = [values[i] * values[i + 1] for i in range(0, len(values) - 1, 2)]
        if len(values) % 2:
            following.append(values[-1])
        values = following
    return values[0].sum()


def stages(y, b=(0.2, 0.3, 0.5), steps=3):
    """A list of arrays in every step, as long as there are coefficients at run time."""
    b = np.array(b) * y[0]
    for _ in range(steps):
        ks = []
        for s in range(len(b)):
            z = y.copy()
            for j in range(s):
                z = z + 0.1 * b[j] * ks[j]
            ks.append(np.sin(z) * z)
        for s in range(len(b)):
            y = y + 0.1 * b[s] * ks[s]
    return np.sum(y ** 2)


def a_window(x, n=4):
    states, values = [x], [np.cos(x)]
    for _ in range(n):
        states.append(values[-1] * 0.5 + 0.5 * states[-1])
        values.append(np.cos(states[-1]))
        if len(states) > 2:
            states = states[1:]
            values = values[1:]
    return np.sum(values[-1] * states[0])


def a_front(x, n=4):
    front = [x[0]]
    for k in range(1, n):
        following = []
        for v in front:
            following.append(v * x[k])
            following.append(np.sin(v + x[k]))
        front = following
    return sum(front)


def from_nothing(x, n=3):
    front = []
    for k in range(n):
        following = [v * 2.0 for v in front]
        following.append(x[k])
        front = following
    return sum(front) * sum(front)


def the_one_before(x, n=3):
    values, s = list(x), 0.0
    for _ in range(n):
        before = values
        values = [v * 2.0 for v in before]
        values.append(s)
        s = s + before[0] * len(before)
    return s * sum(values)


def the_one_before_is_longer(x, n=4):
    row, total = [x[0]], 0.0
    while len(row) < n:
        above = row
        row = [1.0 * x[1]]
        for i in range(len(above) - 1):
            row.append(above[i] + above[i + 1] * x[2])
        row.append(x[0])
        total = total + sum(above)
    return total * sum(row)


def kept_in_a_list(x, n=3):
    values, history = list(x), []
    for _ in range(n):
        values = [v * v for v in values]
        history.append(values)
        values = values[1:]
    return sum(sum(h) for h in history) * values[0]


def changed_by_its_other_name(x, n=3):
    values = list(x)
    for k in range(n):
        following = [v * 0.5 for v in values]
        values = following
        following.append(x[0] * k)
    return sum(values) * values[-1]


def shorter(values, n):
    for _ in range(n):
        values = values[1:]
    return values


def of_the_caller(x, n=2):
    mine = [v * v for v in x]
    return sum(mine) * shorter(mine, n)[0]


def in_many_ways(x, n=2):
    values = list(x)
    for k in range(n):
        values = [x[0] * k] + values
        values = values[::-1]
        values += [values[0] * 2]
        values = sorted(values)
        values = values * 2
        values = list(map(lambda v: v * 0.9, values))
        values = [*values, x[1]]
        values = list(reversed(values))
    return sum(v * v * i for i, v in enumerate(values))


def read_by_a_function(x, n=3):
    values, s = list(x), 0.0

    def first():
        return values[0]

    for _ in range(n):
        s = s + first()
        values = [v * 1.5 for v in values] + [s]
        s = s + first() * len(values)
    return s * s


def the_best(x, n=3):
    best, now = [0.0], list(x)
    for k in range(n):
        now = [v * 1.1 - 0.1 * k for v in now] + [x[k]]
        if sum(now) > sum(best):
            best = now
    return sum(v * v for v in best)


def names_change_places(x, n=3):
    first, second = list(x), [v * v for v in x[1:]]
    for k in range(n):
        first = first + [second[k] * x[0]]
        first, second = second, first
    return sum(first) * first[0] + second[-1]


def on_one_path(x):
    values = [x[0], x[1]]
    if x[0] > 0:
        values = [x[1]] + values
    values.append(x[2])
    return sum(v * v for v in values)


def on_one_path_as_many(x):
    values = [x[0], x[1]]
    if x[0] > 0:
        values = [x[1] * x[0], x[1]]
    values.append(x[2])
    return sum(values)


def in_a_short_loop_on_one_path(x):
    values = [x[0]]
    for i in range(3):
        values.append(x[i])
        if x[i] > 0:
            values = values[1:] + [v * v for v in values[:1]]
    return sum(v * i for i, v in enumerate(values))


def after_the_loop(x, n=3):
    values = list(x)
    for k in range(n):
        if x[k] > 1.5:
            break
        values = [a * b for a, b in zip(values, values[1:])]
    else:
        values = values + [x[0]]
    values.append(x[1])
    return sum(values)


FUNCTIONS = [control_points, control_points_counted, in_pairs, products_in_pairs, stages, a_window, a_front, from_nothing,
             the_one_before, the_one_before_is_longer, kept_in_a_list, changed_by_its_other_name, of_the_caller, in_many_ways,
             read_by_a_function, the_best, names_change_places, on_one_path, on_one_path_as_many, in_a_short_loop_on_one_path,
             after_the_loop]
OF_ROWS = control_points, control_points_counted, products_in_pairs


@pytest.mark.parametrize('f', FUNCTIONS)
def test_derivatives(mode, f):
    x = P if f in OF_ROWS else X
    check(mode, f, x, order=1 if f in (products_in_pairs, stages) else 2)


def test_a_batch_goes_its_own_ways():
    batch = np.stack([X, 0.7 * X, X + 0.1])
    for f in (in_pairs, a_front, the_best):
        np.testing.assert_allclose(tp.vmap(tp.grad(f))(batch), [tp.grad(f)(x) for x in batch], rtol=1e-12)


def changed_under_its_other_name(x, n=3):
    values, best = list(x), [0.0]
    for k in range(n):
        values.append(x[k])
        if sum(values) > 1.0:
            best = values
        values = values + [x[0]]
    return sum(best)


def held_and_changed_in_the_next_turn(x, n=3):
    values, history = list(x), [[1.0, 2.0]]
    for k in range(n):
        values.append(x[k])
        values = values[1:]
        history.append(values)
    return sum(sum(h) for h in history)


def runs_over_what_it_replaces(x, n=2):
    values = list(x)
    for _ in range(n):
        for v in values:
            values = [v + w for w in values]
    return sum(values)


@pytest.mark.parametrize('f', [changed_under_its_other_name, held_and_changed_in_the_next_turn, runs_over_what_it_replaces])
def test_what_may_be_seen_by_another_name_is_refused(f):
    with pytest.raises(TranspileError):
        tp.grad(f)(X)
