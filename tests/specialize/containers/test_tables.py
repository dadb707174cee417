"""Lists of lists whose lengths show at run time, written into: an array, whose rows are the lists, with their identity."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check

X = np.array([0.7, 1.3, 0.4, 2.1])


def edit_distance(x):
    n = len(x)
    dp = [[0] * n for _ in range(n)]
    for i in range(1, n):
        dp[i][0] = dp[i - 1][0] + x[i]
        dp[0][i] = dp[0][i - 1] + 2 * x[i]
    for i in range(1, n):
        for j in range(1, n):
            dp[i][j] = min(dp[i - 1][j] + 1.0, dp[i][j - 1] + 1.0, dp[i - 1][j - 1] + (x[i] - x[j - 1]) ** 2)
    return dp[-1][-1] * len(dp) + dp[1][2] * len(dp[0])


def knapsack(x):
    weights, capacity = np.array([2, 1, 3, 2]), x.size + 1
    best = [[0.0 for _ in range(capacity + 1)] for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for w in range(capacity + 1):
            best[i][w] = best[i - 1][w]
            if weights[i - 1] <= w:
                best[i][w] = max(best[i][w], x[i - 1] ** 2 + best[i - 1][w - weights[i - 1]])
    return best[len(x)][capacity]


def elimination(x):
    n = len(x)
    m = [[x[i] * x[j] + (3.0 if i + j == n - 1 else 0.0) for j in range(n)] + [x[i]] for i in range(n)]
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(m[i][k]) > abs(m[p][k]):
                p = i
        m[k], m[p] = m[p], m[k]
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            for j in range(k, n + 1):
                m[i][j] -= f * m[k][j]
    return sum(m[i][n] * m[i][i] for i in range(n))


def two_rows(x):
    before = [0.0] * (len(x) + 1)
    for i in range(len(x)):
        now = [0] * (len(x) + 1)
        for j in range(1, len(x) + 1):
            now[j] = before[j - 1] * x[i] + x[j - 1] + 0.5 * now[j - 1]
        before = now
    return before[-1]


def buffers_that_swap(x):
    n = len(x)
    a, b = [v for v in x], [0.0] * n
    for _ in range(3):
        for i in range(n):
            b[i] = a[i] * a[(i + 1) % n]
        a, b = b, a
    return sum(a) + b[0]


def rows_with_names(x):
    def fill(row, v):
        for j in range(len(row)):
            row[j] = row[j] + v * j

    n = len(x)
    m = [[0.0] * n for _ in range(n)]
    for i in range(n):
        fill(m[i], x[i])
        fill(m[0], x[i] ** 2)
    some = {'first': m[0], 'second': m[1]}
    some['first'][1] += x[0] ** 2
    for row in m:
        row[0] = row[1] * row[2]
    return sum(sum(r) for r in m) * some['second'][0]


def copies_of_rows(x):
    n = len(x)
    m = [[0.0] * n for _ in range(n)]
    m[1][1] = x[1] ** 2
    part, whole, again, array = m[1][1:], list(m[1]), m[1].copy(), np.array(m)
    m[1][1] = 5 * x[0]
    whole[0], part[1] = x[2], x[3]
    again[0] = x[3] ** 2
    return part[0] + part[1] + whole[0] * whole[1] + again[0] * again[1] + np.sum(array) + m[1][0]


def a_copy_of_all(x):
    n = len(x)
    m = [[x[i] * x[j] for j in range(n)] for i in range(n)]
    before = [row[:] for row in m]
    for i in range(1, n):
        for j in range(n):
            m[i][j] += before[i - 1][j] ** 2
    before[0][0] = x[1]
    return sum(map(sum, m)) + before[0][0] * m[0][0]


def places_change(x):
    n = len(x)
    m = [[0.0] * n for _ in range(n)]
    for i in range(n):
        m[i][i] = x[i]
    m[0], m[1], m[2] = m[2], m[0], m[1]
    m[0][0] = x[3] ** 2
    m[3] = [v * 2 for v in x]
    return sum(m[i][j] * (i + 2 * j + 1) for i in range(n) for j in range(n))


def three_deep(x):
    n = len(x)
    t = [[[0.0] * 2 for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(n):
            t[i][j][0] = x[i] * x[j]
            t[i][j][1] = t[i][j][0] ** 2
    r = t[1][2]
    r[0] += x[3]
    return sum(t[i][1][0] * t[1][i][1] for i in range(n)) + t[1][2][0]


def of_many_lengths(x):
    n = len(x)
    rows = []
    for i in range(n):
        row = [1.0] * (i + 1)
        for j in range(1, i):
            row[j] = rows[i - 1][j - 1] + rows[i - 1][j] * x[j]
        rows.append(row)
    return sum(rows[n - 1])


PROGRAMS = [edit_distance, knapsack, elimination, two_rows, buffers_that_swap, rows_with_names, copies_of_rows, a_copy_of_all,
            places_change, three_deep, of_many_lengths]


@pytest.mark.parametrize('f', PROGRAMS)
def test_derivatives(f, mode):
    check(mode, f, X)


@pytest.mark.parametrize('f', [knapsack, two_rows, of_many_lengths])
def test_second_derivatives(f, mode):
    check(mode, f, X, order=2)


def test_a_table_is_an_array():
    source = tp.grad(edit_distance).lower(X).source
    assert 'dp = np.zeros((n, n))' in source and 'append' not in source


def replaced_under_a_name(x):
    m = [[0.0] * len(x) for _ in x]
    r = m[0]
    m[0] = [1.0] * len(x)
    r[1] = x[0] ** 2
    return m[0][1] * x[1] + r[1]


def one_list_in_two_places(x):
    m = [[0.0] * len(x) for _ in x]
    m[1] = m[0]
    m[0][2] = x[0] ** 2
    return m[1][2] * x[1]


def one_list_after_a_swap(x):
    m = [[0.0] * len(x) for _ in x]
    m[0][0], m[1][0] = x[0], x[1]
    m[0], m[1] = m[1], m[1]
    m[0][0] = 3 * x[2]
    return m[1][0] * x[3]


def one_list_many_times(x):
    m = [[0.0] * len(x)] * len(x)
    m[1][1] = x[1] ** 2
    return m[0][1]


def held_in_a_dict(x):
    m = [[0.0] * len(x) for _ in x]
    held = {'first': m[0]}
    m[0] = [2.0] * len(x)
    m[0][1] = x[0]
    return held['first'][1] + m[0][1]


def in_another_list(x):
    m, kept = [[0.0] * len(x) for _ in x], []
    for row in m:
        kept.append(row)
        row[0] = x[0]
    return kept[1][0]


@pytest.mark.parametrize('f', [replaced_under_a_name, one_list_in_two_places, one_list_after_a_swap, one_list_many_times,
                               held_in_a_dict, in_another_list])
def test_refused_where_identity_shows(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(X)


def another_length(x):
    m = [[0.0] * len(x) for _ in x]
    m[0] = list(x[:int(x[0] + 1)])
    m[1][1] = x[0]
    return m[0][0]


def test_another_length_is_missed(mode):
    with pytest.raises(ValueError, match='one length'):
        mode(tp.grad(another_length))(X)
