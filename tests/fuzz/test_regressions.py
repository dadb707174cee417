"""Programs that the fuzzer found and that were once wrong, each shrunk to its core."""

from __future__ import annotations

import numpy as np
import pytest

import transpiler as tp
from tests.fuzz.batches import judge_batch
from tests.fuzz.halves import judge_halves
from tests.fuzz.oracle import judge
from tests.fuzz.programs import Program, second_order
from tests.fuzz.twice import judge_ways

X, Y = np.array([0.3, -0.8, 1.1, 0.6]), np.array([[0.5, -0.2], [0.9, 0.4], [-0.7, 1.2]])
CASES = {
    'a_comparison_with_what_only_the_pullback_makes': Program(
        """
import numpy as np

def program(x):
    for i in range(2):
        r = x[0]
        x[...] = np.max(np.full(2, r), axis=-1)
    return np.sum(x)
""",
        (X,),
    ),
    'an_array_of_a_loop_is_kept_after_another_loop_has_written_into_it': Program(
        """
import numpy as np

def program(x):
    s = 0.0
    for i in range(2):
        for j in range(3):
            t = np.array([x[j] * x[i]])
        for k in range(1):
            t[0] = np.sin(t[0])
        s += np.sum(t * t)
    for i in range(2):
        for j in range(len(x)):
            t = np.array([x[j] * x[i]])
        for k in range(len(x) // 3):
            t[0] = np.sin(t[0]) * (k + 1)
        s += np.sum(t * t)
    return s
""",
        (X,),
    ),
    'a_place_for_an_array_that_a_path_does_not_make': Program(
        """
import numpy as np
import transpiler as tp

def helper(p):
    if p:
        return p
    return np.prod(np.full(4, p))
slope = tp.grad(helper)

def program(x):
    s = 1.0
    for i in range(3):
        s = s / slope(x[0]) * x[i]
    return s
""",
        (X,),
    ),
    'a_view_of_which_a_branch_knows_more_than_of_its_base': Program(
        """
import numpy as np

def program(x, w, b):
    if np.cos(0.25):
        t = w.T - np.reshape(w, (2, 3))
        t[t > 0.3] = x
        b.reshape(-1)[:] = 1.0
    return b @ b + w[0] @ b
""",
        (0.3, Y, X[:2]),
    ),
    'a_view_of_a_view_whose_base_is_not_read_again': Program(
        """
import numpy as np

def program(x, y):
    u = x[None]
    u[0] -= np.max(y)
    v = u[:, 2]
    return v[-1]
""",
        (X, Y),
    ),
    'a_loop_overwrites_what_it_carries': Program(
        """
def program(a):
    k = 0
    while k < 1:
        a = 1.0
        k += 1
    return a
""",
        (0.3,),
    ),
    'a_global_first_read_inside_a_loop': Program(
        """
import numpy as np
SCALE = 0.75

def program(x):
    k = 0
    while k < 2:
        x *= SCALE
        k += 1
    return np.sum(x)
""",
        (X,),
    ),
    'a_loop_that_only_gives_its_variable': Program(
        """
import numpy as np

def program(w, x):
    for i in range(1, 4, 2):
        x[-1] = 1.2
    return w[i] @ w[2]
""",
        (X[:, None] * X, X),
    ),
    'an_array_made_in_two_arms_is_written': Program(
        """
import numpy as np

def program(x):
    if np.sum(x) > 0.5:
        t = 2 * x
    else:
        t = x * x
    s = np.sum(np.sin(t))
    t[1:] *= x[0]
    return s + t @ t
""",
        (X,),
    ),
    'an_array_carried_through_a_loop_is_written': Program(
        """
import numpy as np

def program(x):
    y = x * x
    for i in range(3):
        y = np.sin(y) * x
        y[i] = y[i - 1] * 0.5
    y[0] += 1.0
    return y @ y
""",
        (X,),
    ),
    'a_view_of_a_temporary_is_written': Program(
        """
import numpy as np

def program(x):
    t = (x[:, None] + x).T
    t[1] *= t[0]
    return np.sum(t * t)
""",
        (X,),
    ),
    'an_argument_written_through_another_name': Program(
        """
import numpy as np

def program(x):
    t = x.reshape(2, 2)
    t[0] *= t[1]
    return np.sum(t ** 2)
""",
        (X,),
    ),
    'a_cotangent_is_a_view_of_an_argument': Program(
        """
import numpy as np

def program(x):
    t = x * x[::1]
    return x[1] + t.sum(), x
""",
        (X,),
        has_aux=True,
    ),
    'a_branch_in_a_loop_recomputes_from_around_it': Program(
        """
def program(a, b):
    for i in range(1, 3):
        a -= 1.0
        if b > 0.1:
            a /= b
    return a
""",
        (0.3, 0.7),
        (0, 1),
    ),
    'an_inner_loop_recomputes_from_the_outer_one': Program(
        """
import numpy as np

def program(x):
    for i in range(2):
        k = 0
        while k < i:
            k += 1
        for j in range(2):
            x[k % 4] += x[j] * x[k]
    return np.mean(x)
""",
        (X,),
    ),
    'an_index_counted_by_an_inner_loop_and_read_after_it': Program(
        """
import numpy as np

def program(x):
    t = np.full(1, 2.0)
    k = 0
    while k < 3:
        k += 1
        j = 0
        while j < 1:
            t[0] = x[j]
            j += 1
        t[0] -= x[j]
    return np.mean(t)
""",
        (X,),
    ),
    'an_element_is_read_before_the_right_side_changes_it': Program(
        """
import numpy as np

def square(p):
    p[:] *= p
    return p

def program(x):
    x[2] += np.sum(square(x))
    x[1:] += np.sum(square(x))
    return x @ x
""",
        (X,),
    ),
    'a_name_of_one_branch_read_under_another_test': Program(
        """
import numpy as np

def program(x, s):
    flag = s > 0.5
    if flag:
        o = x * 2
    t = np.sum(x)
    if s > 0.8:
        t = np.sum(o * x)
    return t
""",
        (X, 0.2),
    ),
    'a_name_of_a_loop_without_turns_read_under_a_test': Program(
        """
import numpy as np

def program(x, n):
    for i in range(n):
        o = x * i
    t = np.sum(x)
    if t > 100.0:
        t = np.sum(o * x)
    return t
""",
        (X, 0),
    ),
    'the_partial_is_an_array_of_integers': Program(
        """
import numpy as np

def program(x, y, n):
    y[n] += y[-1]
    if np.sum(x) > 0.5:
        y = n * (np.outer(x, x) + y)
    return np.sum(y) + np.sum(np.arange(4) * x)
""",
        (X, X.copy(), 2),
        (0, 1),
    ),
    'a_size_among_the_numbers_of_a_shape': Program(
        """
import numpy as np

def program(x, y, n):
    s = np.sum(y[3] + np.sum(y))
    k = 0
    while k < 1:
        x[...] = np.exp(0.01 * s)
        k += 1
    return np.sum(x)
""",
        (X.copy(), np.outer(X, X)[:, :3].copy(), 1),
        (0, 1),
    ),
    'a_number_chosen_in_single_precision': Program(
        """
import numpy as np

def program(x, y):
    t = np.var(np.full((4, 3), 1.5), axis=1)
    for i in range(2):
        x /= np.maximum(y[-1], t[i] + 0.1)
    return np.sum(x)
""",
        (X.astype(np.float32), X.astype(np.float32)),
        (0, 1),
    ),
    'a_cotangent_crosses_a_branch_where_its_name_has_no_value': Program(
        """
import numpy as np

def program(a, s):
    flag = a <= 0.3
    if flag:
        o = np.full(5, a)
    for i in range(int(s)):
        a += np.sum(o * o) * a
    if s > 0.5:
        a += np.sum(o * o)
    if flag:
        a += np.sum(o)
    return a
""",
        (1.1, 0.2),
    ),
    'the_smaller_of_a_constant_and_a_size_is_no_constant': Program(
        """
import numpy as np

def program(x, y):
    y[:] *= np.outer(x.reshape(4), y).diagonal()
    return np.sum(y)
""",
        (X, X[:2].copy()),
        (0, 1),
    ),
    'the_cotangent_of_a_row_that_is_also_seen_in_another_shape': Program(
        """
import numpy as np

def program(x, k):
    row = x[1]
    x[:, k] = row.reshape(2, 2) @ (x[:, k] * row[k])
    return np.sum(x)
""",
        (np.outer(X[:2], X), 2),
    ),
    'the_tangent_of_a_selection_that_is_written': Program(
        """
import numpy as np

def program(x):
    t = np.where(x > 0.2, 1.3, x)
    t[1] = 1.0
    return np.sum(t * t)
""",
        (X,),
    ),
    'zeros_that_are_added_to_themselves': Program(
        """
import numpy as np

def program(x):
    x[:] += x
    x[:] = 1.0
    return np.max(x)
""",
        (X,),
    ),
    'a_python_number_and_single_precision_on_one_list': Program(
        """
import numpy as np

def program(x):
    items = [0.1]
    if x[0] > 0.0:
        items.append(np.min(x))
    return np.sin(np.sum(np.array(items)))
""",
        (np.array([0.9, 0.4], np.float32),),
    ),
    'a_cotangent_that_is_small_in_two_ways_grows_in_a_loop': Program(
        """
import numpy as np

def program(table, x):
    for row in table:
        x *= np.var(table, axis=0)
    sums = np.sum(table, axis=1)
    return sums[1] + np.sum(table) + x.sum()
""",
        (Y, Y[0]),
        (0, 1),
    ),
    'a_size_is_asked_of_what_is_popped': Program(
        """
import numpy as np

def program(table, x, flags):
    for flag in flags:
        np.subtract.at(x, [-1, -1, -1], np.reshape(table, (2, 3)).T)
        if flag == 1:
            pass
        else:
            x = x + table[2:]
    return x.sum(), x
""",
        (Y, X[None, :2].copy(), X),
        (0, 1, 2),
        True,
    ),
    'a_view_is_stored_into_its_own_memory': Program(
        """
import numpy as np

def program(x):
    x[::2] = 1.0 * x[:2]
    return np.mean(x * x)
""",
        (X,),
    ),
    'a_column_is_stored_into_a_row_that_crosses_it': Program(
        """
import numpy as np

def program(x, n):
    x[-2, 0:3] = 1.0 * x[:, n]
    return np.mean(x)
""",
        (np.arange(12.0).reshape(3, 4) ** 2, 2),
    ),
    'a_loop_of_a_recursive_function_that_surely_returns': Program(
        """
import numpy as np

def again(p, n):
    while p:
        return np.dot(np.r_[p, np.full(3, p)], np.full(4, p))
    return again(p, n)

def program(x):
    return x - again(np.var(x * np.ones(3) + np.arange(3.0)), 0)
""",
        (0.3,),
    ),
    'products_of_an_array_that_is_written_into_in_between': Program(
        """
import numpy as np

def program(x):
    y = x + 0.5
    x[1] = 0.0
    s = np.square(y @ x)
    x[1] = 1.0
    return s + np.square(y @ x)
""",
        (X,),
    ),
    'halves_of_two_items': Program(
        """
import numpy as np

def product(p):
    if p.shape[0] < 2:
        return p[-1]
    half = p.shape[0] // 2
    return np.sin(product(p[half:])) * product(p[:half])

def program(x, parameters):
    parameters['w'][:2] = np.exp(-product(parameters['b']))
    x += parameters['b'][:1]
    return np.sum(x * parameters['w'])
""",
        (X[:2], {'w': np.outer(X[:3], X[:2]), 'b': X[1:3]}),
        (0, 1),
    ),
    'a_list_that_a_recursive_function_makes_and_reads_once': Program(
        """
import numpy as np

def again(p, n):
    if n:
        return sorted(np.sin(np.full(2, p)))[0] * p
    return again(p, n + 1)

def program(x):
    k = 0
    while k > 2:
        k += 1
    x[k] = again(x[k], k)
    return x[k] + np.sum(x * x)
""",
        (X,),
    ),
}
TWICE = {
    'a_global_of_the_inner_function': Program(
        """
import numpy as np
TABLE = np.array([0.5, 0.2, 0.9, -0.3])

def program(x):
    return np.sum(TABLE * x ** 3)
""",
        (X,),
    ),
    'the_cotangent_of_a_name_that_one_branch_gives_a_value': Program(
        """
import numpy as np

def program(a):
    flag = a <= 0.3
    if flag:
        o = np.full(5, a)
    if flag:
        a = np.sum(o * o)
    return a * a
""",
        (1.1,),
    ),
    'a_view_that_is_asked_for_its_shape_only_after_a_write': Program(
        """
import numpy as np

def program(x):
    x *= 1.3 + np.square(np.sin(x[::-1]))
    return np.sum(x ** 3)
""",
        (X,),
    ),
    'values_of_an_early_return': Program(
        """
import numpy as np

def program(w, s):
    if s > 0.5:
        return w[0, 0] ** 2 * s
    w[::2, 0:1] = np.var(w, axis=1, keepdims=True)
    return np.sum(w * w * s)
""",
        (Y, 0.7),
        (0, 1),
    ),
    'two_tapes_of_a_recursive_function_called_in_a_loop': Program(
        """
import numpy as np

def product(p):
    if p.shape[0] < 2:
        return p[0]
    half = p.shape[0] // 2
    return product(p[half:]) * product(p[:half])

def program(x):
    k = 0
    while k < 3:
        x = np.cos(x * product(x))
        k += 1
    return np.sum(x)
""",
        (X,),
    ),
    'a_row_is_assigned_an_array_with_one_more_axis': Program(
        """
import numpy as np

def program(x):
    y = np.full((2, 4), 0.5)
    y[-1] = x
    return y[1, 0] + np.mean(np.cos(x))
""",
        (X[None],),
    ),
    'a_list_of_constants_beside_one_of_tangents': Program(
        """
import numpy as np

def program(x, y):
    numbers = [0.25]
    y -= y
    arrays = [y]
    for i in range(1):
        if y[i]:
            arrays.append(x)
    total = sum(arrays)
    if [1.3 for v in y]:
        numbers.append(np.full(4, 2.0))
    return numbers[1].sum() + np.sum(x * x)
""",
        (X, X.copy()),
        (0, 1),
    ),
}


@pytest.mark.parametrize('name', CASES)
def test_gradient(name):
    verdict = judge(CASES[name])
    assert verdict.kind == 'right', verdict


@pytest.mark.parametrize('name', TWICE)
def test_second_order(name):
    verdict = judge(second_order(TWICE[name]))
    assert verdict.kind == 'right', verdict


OF_A_VIEW = Program(
    """
import numpy as np

def halves(p):
    if p.shape[0] < 2:
        return p[0]
    p[0] *= 0.5
    return halves(p[2:])

def program(x):
    if halves(x.reshape(3)) > 0.0:
        pass
    return np.sum(x)
""",
    (X[None, :3].copy(),),
)


def test_a_recursive_function_writes_into_a_view_and_its_result_is_not_used():
    verdict = judge(OF_A_VIEW)
    assert verdict.kind == 'right', verdict


WAYS = {
    # halves of programs: what a path not taken leaves blank has the sizes that others are told of it
    'sizes_of_what_has_no_value': Program(
        """
import numpy as np

def program(x4, idx):
    if np.prod(x4) >= 0.0:
        x4 += x4[0, -4] / (1.2 + np.square(x4[0, 3])) + np.outer(x4[:, -5], x4[2])
    else:
        np.multiply(np.exp(0.1 * np.full((1, 1), 2.0)), np.full((1, 1), 0.25), out=x4[:1, :1])
    o14 = x4.reshape(5, 3)
    s18 = np.sum(o14 * o14)
    return np.max(x4) + np.mean(np.cos(x4)) + np.sin(s18)
""",
        (np.linspace(-1.0, 1.1, 15).reshape(3, 5), np.array([-2, 2, -1])),
    ),
    'the_number_of_a_turn_after_its_loop': Program(
        """
import numpy as np

def program(w, s):
    for i in range(2):
        pair = [w, w]
    t = pair[0][i]
    return t[2] * s
""",
        (np.linspace(-1.0, 1.0, 15).reshape(5, 3), 0.3),
        (0, 1),
    ),
    'a_column_that_nobody_reads_on_this_path': Program(
        """
import numpy as np

def program(w, s):
    for i in range(1, 5, 3):
        t = np.mean(w, axis=1, keepdims=True)
    t[...] += np.max(t) if np.square(s) < 0.0 else s
    return np.square(t[0, i % 1])
""",
        (np.linspace(-1.0, 1.0, 15).reshape(5, 3), 0.3),
        (0, 1),
    ),
}


@pytest.mark.parametrize('name', WAYS)
def test_ways_to_second_derivatives(name):
    verdict = judge_ways(WAYS[name])
    assert verdict.kind == 'right', verdict


BATCHES = {
    # a cotangent that only one arm makes, merged with one that is always there, in a loop over examples
    'a_cotangent_of_one_arm': Program(
        """
import numpy as np

def program(x, y):
    flag = np.log(1.5) >= 1.3
    if flag:
        o = np.exp(0.1 * (y.T / 2))
    if np.max(x) <= y[0, 0]:
        if y[1, -1] <= -0.7:
            return np.mean(np.cos(x)) + np.mean(np.cos(y))
    s = x[0]
    if flag:
        s = s + np.sum(o * y.T)
    return np.maximum(s, 0.2 + s) + np.sin(s)
""",
        (X[:1].copy(), Y.copy()),
        (0, 1),
    ),
}


@pytest.mark.parametrize('name', BATCHES)
def test_batches(name):
    verdict = judge_batch(BATCHES[name])
    assert verdict.kind == 'right', verdict


HALVES = {
    # a list that is handed over is worked on as a copy, whose cotangent is as long
    'a_list_that_is_emptied': Program(
        """
import numpy as np

def program(x):
    x *= x
    s = np.sum(np.square(x))
    return s * sorted(x[::-1])[0]
""",
        (X.copy(),),
    ),
}


@pytest.mark.parametrize('name', HALVES)
def test_halves(name):
    verdict = judge_halves(HALVES[name])
    assert verdict.kind == 'right', verdict
    verdict = judge_ways(HALVES[name])
    assert verdict.kind == 'right', verdict


def test_a_sign_is_not_taken_out_of_a_product_once_the_memory_has_changed():
    """Where a pass has made the view itself: `-part` was looked up after a write into what `part` shows."""
    program = Program(
        """
import numpy as np

def program(x, y):
    p = x * y.reshape(3, 1)
    return (1.0 - np.reshape(p, 3)) @ p[:, -1]
""",
        (X[:1].copy(), X[1:].copy()),
        (0, 1),
    )
    verdict = judge_halves(program)
    assert verdict.kind == 'right', verdict


def test_memory_that_has_got_another_name_is_copied_all_the_same():
    """One pass let `y_dot` take the memory of a copy, and then found that nobody writes into the copy."""
    program = Program(
        """
import numpy as np

def program(x, y):
    x[:] = 1.0 * y
    y[1] += y[1]
    return x.sum()
""",
        (X.copy(), X[::-1].copy()),
        (1,),
    )
    for compiled in (False, True):
        verdict = judge(program, compiled)
        assert verdict.kind == 'right', verdict


def test_a_value_that_is_single_in_the_first_turn_is_kept_as_it_was():
    """In an array of doubles `0.2 + x` was another number than the one whose minimum had been taken: nothing was the least."""
    program = Program(
        """
import numpy as np

def program(x, y):
    for i in range(2):
        x = np.min(np.minimum(np.ones((2, 3)), 0.2 + x), axis=0)
        y += np.reshape(x, (3, 1))
    return y[1, 0]
""",
        (np.array([0.04587829, 0.5734089, 1.0145786], dtype=np.float32), np.array([[-0.72], [0.96], [0.065]], dtype=np.float32)),
        (0,),
    )
    for compiled in (False, True):
        verdict = judge(program, compiled)
        assert verdict.kind == 'right', verdict


def test_an_array_does_not_fit_into_a_number():
    """NumPy raises; the derivative did not say a word where nobody read the number."""
    source = """
import numpy as np

def program(x, y):
    x[0] -= y
    return 4
"""
    with pytest.raises(tp.TranspileError, match='does not fit into'):
        tp.grad(tp.from_source(source))(np.ones(3), np.ones(4))


def test_a_number_of_python_is_of_the_kind_of_what_other_examples_give():
    """The judge wanted doubles, because `np.stack` makes them of a `float` and a `float32`; NumPy's arithmetic does not."""
    program = Program(
        """
import numpy as np

def program(x, y):
    for row in (y, y):
        if row[3] >= 0.3:
            return row[4]
    return 1.3
""",
        (X[:5].astype(np.float32), np.array([1.1, 0.1, -0.2, 0.5, -0.5], dtype=np.float32)),
        (0, 1),
    )
    for compiled in (False, True):
        verdict = judge_batch(program, compiled)
        assert verdict.kind == 'right', verdict


def test_the_type_of_a_sum_does_not_depend_on_whether_anything_is_let_through():
    """No example lets an item through, and Python's sum of nothing is an integer; the judge had not tried the filter."""
    program = Program(
        """
import numpy as np

def program(x):
    return sum([1.3 for row in x if np.hypot(row, 0.2) < 0.0])
""",
        (X[:3],),
        (0,),
    )
    for compiled in (False, True):
        verdict = judge_batch(program, compiled)
        assert verdict.kind == 'right', verdict


@pytest.mark.parametrize('write', ['p[:] *= several', 'p[:] = several', 'p *= several', 'p[:1] -= several'])
def test_several_values_do_not_fit_into_one_place(write):
    """NumPy raises; the derivative did not say a word where nobody read the array, which has one item for these arguments."""
    source = f"""
import numpy as np

def program(x, y):
    p, several = np.arctan(x[:, 2]), np.minimum(y, 0.2)
    {write}
    return np.sum(y)
"""
    program = tp.from_source(source)
    for x, y in ((np.ones((1, 3)), np.ones(3)), (np.ones((3, 3)), np.ones(3)), (np.ones((1, 3)), np.ones(1))):
        if y.size == 1 or len(x) == y.size and not write.startswith('p[:1]'):
            np.testing.assert_array_equal(tp.grad(program, argnums=1)(x, y), np.ones(y.size))
        else:
            with pytest.raises(tp.TranspileError, match='does not fit into'):
                tp.grad(program, argnums=1)(x, y)


def test_what_is_kept_may_be_copied_from_what_only_some_paths_make():
    """The cotangent of `o` had a value where a branch was left early, and else only where `b` is true; all paths kept it."""
    source = """
import numpy as np

def program(x, k):
    s = np.sum(np.square(x))
    b = -0.4 < s < 0.9
    if b:
        o = s / (1.2 + np.square(s)) * np.sum(x)
    if not np.sqrt(1.5 + np.square(s)) >= 0.8:
        if x[0, 0] >= s:
            return x[k % 4, 0] + s + x.sum()
    if b:
        s = s + np.sum(o * s)
    for i in range(3):
        x[1:3, i % 1] += np.arctan(np.full((2,), s) + np.full((2,), s))
    return 1.5 + np.square(x[k % 4, -1])
"""
    gradient, point = tp.grad(tp.from_source(source)), X[:, None] * 1.0
    for x in (point, 0.1 * point):
        assert np.allclose(tp.linearize(gradient, x, 3)[1](x, None), tp.jvp(gradient, (x, 3), (x, None))[1])


def test_numbers_of_python_that_fit_into_the_type_of_another_path_are_of_it():
    """The judge wanted doubles where all examples give the float 0.5, beside float32 on the other path."""
    program = Program('def program(x):\n    if x[0]:\n        return 0.5\n    return x[1]\n', (X.astype(np.float32),))
    assert judge_batch(program).kind == 'right'
