"""`vmap` where memory, control and dtypes are what goes wrong: against a loop over examples."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import copied, same
from tests.transforms.batch.test_batch import looped, normal
from transpiler.errors import CompileError


def element_before_a_write(x):
    first = x[0]
    x = x * 1.0
    old = x[1]
    x[1] = first
    return old, x


def swapped(x):
    x = x.copy()
    for i in range(x.size // 2):
        last = x[i]
        x[i] = x[x.size - 1 - i]
        x[x.size - 1 - i] = last
    return x


def handed_on(x):
    x = x.copy()
    before = x[0]
    total = 0.0
    for i in range(1, x.size):
        total = total + before * x[i]
        x[i] *= 2.0
        before = x[i]
    x[0] = 0.0
    return total, before


def view_of_a_row(x):
    x = x.copy()
    row = x[1]
    x[1, 0] = 5.0
    row[1] = 7.0
    return np.sum(row), x


def row_of_its_own(x, i):
    x = x.copy()
    row = x[i]
    x[0] = 5.0
    return row * 2.0


def flat_view(x):
    x = x.copy()
    flat = x.T.reshape(-1)
    x[0, 0] = 5.0
    return flat + 0.0


def same_object(x):
    x = x.copy()
    y = np.asarray(x)
    y[0] = 5.0
    return x


def scattered(x, places):
    total = np.zeros(4)
    np.add.at(total, places, x)
    return total


def one_branch(x):
    if x > 0.0:
        y = np.array([x, 1.0])
    if x > 0.0:
        return y[0] * 2.0
    return x


def left_early(x, most):
    total = 0.0
    for i in range(most):
        if total > x:
            break
        if i % 2 == 0:
            continue
        total += i
    return total, i


def no_turns(x, n):
    y = x
    for i in range(n):
        y = np.sin(y)
    return y


def unwritten_constant(x):
    best, place = -np.inf, -1
    for i in range(x.size):
        if x[i] > best:
            best, place = x[i], i
    return best, place


def running(x):
    total = np.zeros(x.size)
    for i in range(x.size):
        total[i] = x[i] + (total[i - 1] if i > 0 else 0.0)
    return total


def buffers(x):
    old, new = x.copy(), np.zeros_like(x)
    for t in range(3):
        for i in range(x.size):
            new[i] = old[i] * 0.5 + old[i - 1]
        old, new = new, old
    return old


def collected(x):
    found = []
    while x < 3.0:
        found.append(x)
        x = x + 1.0
    return np.sum(np.array(found)) if len(found) > 0 else 0.0


def single(x):
    half = 0.5
    while x * half > 0.1:
        half = half * 0.5
    return x * half, np.float32(2.0) * x + half


def counted(x):
    return int(x), float(x) * 2, bool(x), abs(x), -x, x ** 2, x // 1.5, x % 0.7


def relu(x):
    x = x.copy()
    x[x < 0.0] = 0.0
    return x


def inside_a_branch(x, n):
    y = x * 2.0
    if n > 2:
        total = 0.0
        for row in x.copy():
            row[0] = 1.0
            if row[1] > 0.0:
                total += np.sum(row) + y[0, 1]
        y = y + total
    return y


def picked(x):
    return np.sum(x[x > 0.0]), x[np.argmax(x)], np.max(x[[0, 2]]), x[[2, 0]]


def apart(x):
    return x[0, :, [1, 0]], x[:, 1:, [0, 1]], x[..., -1], x[None, 0, :, None]


# for one example numbers; for all of them, views of memory that is written
OF_A_NUMBER = [
    'np.atleast_1d(s)', 'np.reshape(s, (1,))', 'np.expand_dims(s, 0)', 'np.ravel(s)', 'np.atleast_2d(s)[0]', 'np.array([s])',
]
AS_A_NUMBER = [
    'x[0]', 'np.real(x[0])', 'x[0].real',
    'np.asarray(x[0])', 'x.T[0]', 'np.atleast_1d(x[0])[0]', 'np.squeeze(x[:1])', 'x.item(0)',
]


@pytest.mark.parametrize('made', OF_A_NUMBER)
def test_an_array_made_of_a_number_has_memory_of_its_own(made):
    shown_or_not(f"""
import numpy as np
def program(x):
    s = x[0] * 2.0
    a = {made}
    a[0] = 5.0 * s
    return s * a[0]
""")


@pytest.mark.parametrize('taken', AS_A_NUMBER)
def test_a_number_stays_what_it_was(taken):
    shown_or_not(f"""
import numpy as np
def program(x):
    x = x * 2.0
    s = {taken}
    x[0] = 7.0 * s
    x[1] *= s
    return s * x[0] + x[1]
""")


def shown_or_not(text):
    f, x = tp.from_source(text), normal(3, 2)
    gradients = np.stack([tp.grad(f)(row) for row in x])
    same(tp.vmap(f)(x), np.stack([f(row) for row in x]))
    same(tp.vmap(tp.grad(f))(x), gradients)
    same(tp.grad(lambda x: np.sum(tp.vmap(f)(x)))(x), gradients)
    tp.testing.check_grads(f, (x[0],), order=1)


def test_the_sum_of_a_cotangent_stays_what_it_was():
    """Found by the fuzzer: a cotangent that is not summed, as it has one item, was a view of one that is set to zero."""
    def program(x):
        y = np.full((4, 2), 0.25).T
        total = np.sum(x)
        y[::2, 2:3] = np.full((1, 1), total)
        return np.sum(y)
    same(tp.vmap(tp.grad(program))(normal(3, 2)), np.ones((3, 2)))


def test_whether_a_name_has_a_value_is_known_on_both_paths():
    """Found by the fuzzer: the flag that the one path sets was asked after both."""
    def program(x):
        rows = np.ones((2, 3)) + x
        for _ in range(2):
            first, last = rows
            last[2] += np.reshape(first, 3) @ last
        for i in range(3):
            if i == 0:
                kept = first    # noqa: F841  (it has a value here, or this raises)
                break
            k = 0
            while k:
                first += first
                k += 1
        return last
    x = np.array([1.1, -0.3])
    same(tp.vmap(program)(x), np.stack([program(item) for item in x]))


CASES = [
    (element_before_a_write, 0, normal(4, 3)),
    (swapped, 0, normal(4, 5)),
    (handed_on, 0, normal(4, 5)),
    (view_of_a_row, 0, normal(4, 2, 3)),
    (row_of_its_own, 0, normal(3, 4, 2), np.array([0, 3, 1])),
    (row_of_its_own, (None, 0), normal(4, 2), np.array([0, 3, 1])),
    (flat_view, 0, normal(4, 2, 3)),
    (flat_view, 1, normal(2, 4, 3)),
    (same_object, 1, normal(3, 4)),
    (scattered, 0, normal(4, 3), np.array([[0, 0, 1], [1, 2, 3], [3, 3, 3], [0, 1, 2]])),
    (one_branch, 0, normal(5)),
    (left_early, (0, None), np.array([0.5, 4.0, 100.0]), 7),
    (no_turns, 0, normal(3), np.array([0, 2, 1])),
    (unwritten_constant, 0, normal(4, 3)),
    (running, 0, normal(4, 3)),
    (buffers, 0, normal(4, 5)),
    (collected, 0, normal(5)),
    (single, 0, np.abs(normal(4)).astype(np.float32)),
    (counted, 0, np.abs(normal(4)) * 3),
    (relu, 0, normal(4, 3)),
    (inside_a_branch, (0, None), normal(4, 3, 2), 3),
    (picked, 0, normal(4, 3)),
    (apart, 0, normal(4, 2, 3, 2)),
    (apart, 2, normal(2, 3, 4, 2)),
]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case[0].__name__)
def test_same_as_a_loop(case):
    f, in_axes, *args = case
    before = copied(tuple(args))
    got, expected = tp.vmap(f, in_axes=in_axes)(*args), looped(f, in_axes, *args)
    same(got, expected, rtol=1e-6)
    for left, right in zip(flat(got), flat(expected), strict=True):
        assert left.dtype == right.dtype
    same(tuple(args), before, rtol=0, atol=0)


def flat(results):
    return [part for result in results for part in flat(result)] if isinstance(results, tuple) else [results]


@pytest.mark.parametrize('f, x', [
    (swapped, normal(4, 5)), (one_branch, normal(5)), (buffers, normal(4, 5)), (collected, normal(5)), (running, normal(4, 3)),
], ids=lambda part: getattr(part, '__name__', ''))
def test_compiled(f, x):
    same(tp.jit(tp.vmap(f))(x), looped(f, 0, x))


@pytest.mark.parametrize('f, x', [
    (swapped, normal(4, 5)), (running, normal(4, 3)), (buffers, normal(4, 5)), (relu, normal(4, 3)),
    (view_of_a_row, normal(4, 2, 3)), (handed_on, normal(4, 5)),
], ids=lambda part: getattr(part, '__name__', ''))
def test_gradients_before_and_after(f, x):
    """The gradient of a sum over examples is the gradients of the examples."""
    def loss(x):
        result = f(x)
        part = result[0] if isinstance(result, tuple) else result
        return np.sum(np.sin(part))
    expected = np.stack([tp.grad(loss)(row) for row in x])
    same(tp.vmap(tp.grad(loss))(x), expected)

    def total(x):
        return np.sum(tp.vmap(loss)(x))
    same(tp.grad(total)(x), expected)


def test_a_batch_is_written_as_its_rows_are():
    """`vmap` alone keeps what a function does to its arguments."""
    def double(x):
        x *= 2.0
        return x[0]
    x = normal(3, 2)
    before = x.copy()
    same(tp.vmap(double, in_axes=1)(x), before[0] * 2.0)
    same(x, before * 2.0)


def number_or_array(a, x):
    return 1.0 if a > 0.0 else np.full(4, 1.0)


def one_or_two_axes(a, x):
    if a > 0.0:
        return x
    return x * x[:, None]


@pytest.mark.parametrize('f', [number_or_array, one_or_two_axes])
def test_examples_that_take_one_of_the_paths(f):
    a, x = np.array([1.0, 2.0]), normal(2, 3)
    same(tp.vmap(f)(a, x), looped(f, 0, a, x))
    same(tp.vmap(f)(-a, x), looped(f, 0, -a, x))


@pytest.mark.parametrize('f, args, message', [
    (lambda x, n: np.arange(n) * x, (normal(3), np.array([2, 3, 2])), 'different shapes'),
    (lambda x: x[x > 0.0], (normal(3, 4),), 'as many items as their masks pick'),
    (number_or_array, (np.array([1.0, -1.0]), normal(2, 3)), 'different shapes'),
    (one_or_two_axes, (np.array([1.0, -1.0]), normal(2, 3)), 'different shapes'),
])
def test_results_of_different_shapes(f, args, message):
    with pytest.raises((ValueError, tp.TranspileError), match=message):
        tp.vmap(f)(*args)


def test_numbers_of_examples_that_show_at_run_time():
    def total(x, y, mask):
        return np.sum(tp.vmap(lambda a, b: a * b)(x[mask], y))
    x, mask = normal(4), np.array([True, False, True, True])
    same(tp.grad(total)(x, np.ones(3), mask), mask.astype(float))
    with pytest.raises(ValueError, match='numbers of examples disagree'):
        tp.grad(total)(x, np.ones(2), mask)


def turned_on_one_path(x, c):
    y = np.zeros(3)
    if c > 0:
        y = x[1:4]
    elif c < 0:
        y = x[::-1]
    for i in range(y.size):
        y[i] = y[i - 1] + 1
    return y


def test_what_results_would_copy_is_refused_in_words_of_the_program():
    x, c = np.arange(12.0).reshape(2, 6), np.array([-1.0, -2.0])
    with pytest.raises(CompileError, match='may show memory that is written to') as caught:
        tp.jit(tp.vmap(turned_on_one_path))(x.copy(), c)
    assert 'y_b' not in str(caught.value) and 'results of a batch' in str(caught.value)
    copied = tp.jit(tp.vmap(lambda x, c: turned_on_one_path(x, c).copy()))(x.copy(), c)     # as it says
    assert np.array_equal(copied, [turned_on_one_path(*one) for one in zip(x.copy(), c)])
