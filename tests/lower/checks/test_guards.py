"""Guards: the guarded text, run as plain Python, gives up or reports itself before NumPy would find an index out of range."""
import numpy as np
import pytest

import transpiler as tp
from benchmarks.kernels import KERNELS
from tests.support import copied, same
from transpiler.api.calls.leaves import flat_leaves
from transpiler.backends import python
from transpiler_kernels.machine.failures import Unproven

X, V = np.arange(1.0, 7.0), np.array([0, 5, 2])


def forward(x, n):
    total = 0.0
    for i in range(n):
        total += x[i]
    return total


def neighbours(x, n):
    y = np.zeros(n)
    for i in range(1, n - 1):
        y[i] = x[i - 1] * x[i + 1]
    return y


def triangle(x, n):
    total = 0.0
    for i in range(n):
        for j in range(i, -1, -1):
            total += x[i - j] * x[j]
    return total


def scheduled(x, starts):
    total = 0.0
    for k in range(starts.size - 1):
        for i in range(starts[k], starts[k + 1]):
            total += x[i]
    return total


def picked(x, indices):
    total = 0.0
    for k in range(indices.size):
        total += x[indices[k]] * x[0]
    return total


def renewed(x, n):
    total = 0.0
    k = 0
    for _ in range(2):
        j = k
        k = k + n                                       # by now `j` is no `k` any more
        for i in range(2):
            total += x[j + i]
    return total


def halves(x, n):
    width = x.size // 2
    total = 0.0
    for i in range(n):
        total += x[2 * i] * x[i + width]
    return total


def either(x, n):
    if n > 4:
        last = 5
    else:
        last = n
    total = 0.0
    for i in range(last):
        total += x[i]
    return total


def searching(x, n):
    i = 0
    while i < n and x[i] < 3.5:
        i += 1
    return x[i - 1] + i


def guarded_by_a_branch(x, n):
    total = 0.0
    for i in range(n):
        if i < x.size:
            total += x[i]
    return total


def growing(x, n):
    y = np.copy(x)
    for _ in range(n):
        y = y[1:]
        for i in range(2):
            y[i] = y[i] + 1.0
    return y


def into_argument(x, n):
    for i in range(n):
        x[i] = x[i] * 2.0
    for i in range(x.size - 1):
        x[i] = x[i + 1]
    return np.sum(x)


def summed(x, k):
    return x[k] if k == 0 else x[k] + summed(x, k - 1)


def packed(x, n):
    first, total = 0, 0.0
    for i in range(n):
        for j in range(i, n):
            total += x[first + (j - i)] ** 2
        first += n - i
    return total


def unpacked(x, n):
    first, total = n * (n + 1) // 2, 0.0
    for i in range(n):
        first -= i + 1
        for j in range(i + 1):
            total += x[first + j] ** 2
    return total


CASES = [
    (forward, (X, 6), 'fine'), (forward, (X, 7), 'unproven'), (forward, (X, 0), 'fine'), (forward, (X, -3), 'fine'),
    (neighbours, (X, 6), 'fine'), (neighbours, (X, 8), 'unproven'), (neighbours, (X, 1), 'fine'),
    (triangle, (X, 6), 'fine'), (triangle, (X, 7), 'unproven'),
    (scheduled, (X, np.array([0, 2, 6])), 'fine'), (scheduled, (X, np.array([0, 2, 7])), 'unproven'),
    (scheduled, (X, np.array([-6, -2, 0])), 'fine'), (scheduled, (X, np.array([-7, -2])), 'unproven'),
    (scheduled, (X, np.array([9, 3, 4])), 'fine'),
    (picked, (X, V), 'fine'), (picked, (X, -V), 'fine'), (picked, (X, V + 1), 'unproven'), (picked, (X, -V - 2), 'unproven'),
    (renewed, (X, 4), 'fine'), (renewed, (X, 5), 'unproven'), (renewed, (X, -6), 'fine'), (renewed, (X, -7), 'unproven'),
    (halves, (X, 3), 'fine'), (halves, (X, 4), 'unproven'),
    (either, (X, 4), 'fine'), (either, (X, 9), 'fine'), (either, (X[:4], 9), 'unproven'),
    (searching, (X, 6), 'fine'), (searching, (X[:2], 6), 'unproven'),
    (guarded_by_a_branch, (X, 9), 'fine'),
    (growing, (X, 4), 'fine'), (growing, (X, 5), 'unproven'),
    (into_argument, (X, 6), 'fine'), (into_argument, (X, 7), 'unproven'),
    (packed, (X, 3), 'fine'), (packed, (X, 4), 'unproven'), (unpacked, (X, 3), 'fine'), (unpacked, (X, 4), 'unproven'),
    (summed, (X, 5), 'fine'), (summed, (X, 6), 'unproven'),
]


def outcome(function, args):
    """How the guarded text ends on these arguments, and its result."""
    specialisation = tp.jit(function).lower(*args).specialisation
    core, source = specialisation.generated.core, specialisation.loops
    assert specialisation._flat.guarded is not None
    module = python.load_module(source.text, source.name, {name: box.function for name, box in source.boxes.items()})
    values = dict(zip([p.name for p in core.params], copied(args), strict=True))
    try:
        result = getattr(module, source.name)(*flat_leaves(core.params, values, specialisation.generated.captured()))
        flat = specialisation._flat
        return 'fine', result if flat.rebuild is None else flat.rebuild(result)
    except Unproven:
        return 'unproven', None
    except IndexError as error:
        assert str(error) == 'index out of range', 'NumPy found it, not the guard'
        return 'checked', None


@pytest.mark.parametrize('function, args, expected', CASES)
def test_primal(function, args, expected):
    found, value = outcome(function, args)
    assert found == expected
    if found == 'fine':
        same(value, function(*copied(args)))
    else:
        with pytest.raises(IndexError):
            function(*copied(args))


@pytest.mark.parametrize('function, args, expected', [c for c in CASES if c[0] not in (neighbours, growing)])
def test_gradient(function, args, expected):
    found, value = outcome(tp.grad(function), args)
    assert found == expected
    if found == 'fine':
        same(value, tp.grad(function)(*args))


@pytest.mark.parametrize('function', [packed, unpacked])
def test_a_running_place_is_ruled_out_before_the_innermost_loop(function):
    text = tp.jit(function).lower(X, 3).loops
    assert 'raise Unproven' in text
    assert 'raise Unproven' not in text[text.rindex('    for '):]


def test_after_a_write_that_is_seen_nothing_is_run_again():
    def late(x, counts):
        x[0] = 7.0
        counts[0] += 1
        for i in range(counts[0]):
            x[i] = x[i] + 1.0
        return x[0]

    assert outcome(late, (X, np.array([5])))[0] == 'fine'
    assert outcome(late, (X, np.array([6])))[0] == 'checked'
    x = X.copy()
    with pytest.raises(IndexError):
        tp.jit(late)(x, np.array([6]))
    np.testing.assert_array_equal(x, [8.0, 3.0, 4.0, 5.0, 6.0, 7.0])


def test_a_helper_that_writes_is_seen():
    def doubled(x, counts):
        x[1:] = 2.0 * x[1:]
        x[:2] += x[-2:]
        total = 0.0
        for i in range(counts[0]):
            total += x[i]
        return total

    assert outcome(doubled, (X, np.array([6])))[0] == 'fine'
    assert outcome(doubled, (X, np.array([7])))[0] == 'checked'
    x = X.copy()
    with pytest.raises(IndexError):
        tp.jit(doubled)(x, np.array([7]))
    np.testing.assert_array_equal(x, [11.0, 16.0, 6.0, 8.0, 10.0, 12.0])


def test_a_test_that_alone_can_tell_leaves_every_index_checked():
    def found(x, limit):
        i = 0
        while x[i] < limit:
            i += 1
        return x[i]

    assert tp.jit(found).lower(X, 3.5).specialisation._flat.guarded is None
    assert tp.jit(found)(X, 3.5) == 4.0
    with pytest.raises(IndexError):
        tp.jit(found)(X, 9.0)


def test_sizes_that_are_known_need_no_guard():
    def product(a, x):
        y = np.zeros(a.shape[0])
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                y[i] += a[i, j] * x[j]
        return np.sum(y)

    text = tp.jit(tp.grad(product)).lower(np.ones((2, 3)), np.ones(3)).loops
    assert 'raise' not in text
    assert 'raise Unproven' in tp.jit(tp.grad(product)).lower(np.ones((2, 3)), np.ones(4)).loops


@pytest.mark.parametrize('name', ['heat_1d', 'seidel_2d', 'cholesky', 'thomas', 'spmv', 'edit_distance', 'deposit', 'lstm'])
def test_kernels_with_an_array_too_short(name):
    kernel = KERNELS[name]
    args = kernel.at(kernel.small)
    assert outcome(kernel.function, args)[0] == outcome(tp.grad(kernel.function), args)[0] == 'fine'
    for k, argument in enumerate(args):
        if isinstance(argument, np.ndarray) and argument.ndim and argument.shape[0] > 3:
            short = (*args[:k], argument[:-1].copy(), *args[k + 1:])
            for function in (kernel.function, tp.grad(kernel.function, argnums=kernel.argnums)):
                gives_up_or_agrees(function, short)


def gives_up_or_agrees(function, args):
    try:
        expected = function(*copied(args))
    except (IndexError, ValueError) as error:
        expected = error
    try:
        found, value = outcome(function, args)
    except ValueError:      # shapes that do not fit
        assert isinstance(expected, Exception)
        return
    if isinstance(expected, Exception):
        assert found in ('unproven', 'checked')
    elif found != 'unproven':
        assert found == 'fine'
        same(value, expected)


def repeated(x, pointers, columns, rounds):
    total = 0.0
    for r in range(rounds):
        y = x * (r + 1.0)
        for i in range(pointers.size - 1):
            for k in range(pointers[i], pointers[i + 1]):
                if columns[k] != i:
                    total += y[columns[k]] * x[i]
    return total


def of_a_table(x, pairs, rounds):
    y = x * 1.0
    r = 0
    while r < rounds and y[0] < 1e6:
        for e in range(pairs.shape[0]):
            y[pairs[e, 0]] += 0.5 * y[pairs[e, 1]]
        r += 1
    return np.sum(y * y)


def gathered_again(x, columns, rounds):
    y = x
    for _ in range(rounds):
        y = y + 0.1 * x[columns]
    return np.sum(y * y)


def changed_meanwhile(x, columns, rounds):
    total = 0.0
    for r in range(rounds):
        for k in range(columns.size):
            total += x[columns[k]]
        columns[r] += 2
    return total


def others_in_each_turn(x, columns, rounds):
    total = 0.0
    for r in range(rounds):
        for k in range(3):
            total += x[columns[r + k]]
    return total


def of_its_own_row(x, table, rounds):
    total = 0.0
    for i in range(table.shape[0]):
        for _ in range(rounds):
            for k in range(table.shape[1]):
                total += x[table[i, k]]
    return total


PAIRS = np.array([[0, 5], [-1, 2], [3, 3]])


@pytest.mark.parametrize('function, args, wrong', [
    (repeated, (X, np.array([0, 2, 3]), V, 3), (X, np.array([0, 2, 3]), V + 1, 3)),
    (repeated, (X, np.array([0, 2, 3]), -V - 1, 3), (X, np.array([0, 2, 3]), -V - 2, 3)),
    (of_a_table, (X, PAIRS, 4), (X, PAIRS.T.copy().T + 1, 4)),
    (gathered_again, (X, PAIRS[:2].ravel()[[0, 1, 2, 3, 0, 1]], 3), (X, PAIRS.ravel() + 1, 3)),
], ids=lambda part: getattr(part, '__name__', ''))
def test_indices_that_loops_read_again_are_looked_at_once(function, args, wrong):
    for transformed in (function, tp.grad(function)):
        text = tp.jit(transformed).lower(*args).loops
        assert 'if any_beyond(' in text and 'is_beyond(' not in text
        assert outcome(transformed, args)[0] == 'fine' and outcome(transformed, wrong)[0] == 'unproven'
        same(tp.jit(transformed)(*copied(args)), transformed(*copied(args)))
        with pytest.raises(IndexError):
            tp.jit(transformed)(*copied(wrong))


def test_an_index_that_is_never_used_may_be_out_of_range():
    unused = X, np.array([0, 2, 2]), np.array([0, 5, 9]), 3
    assert outcome(repeated, unused)[0] == 'unproven'
    same(tp.jit(repeated)(*unused), repeated(*unused))


def a_few(x, columns, n):
    total = 0.0
    for _ in range(3):
        for k in range(n):
            total += x[columns[k]] * x[k]
    return total


def test_many_indices_are_not_looked_at_for_a_few():
    many = np.tile(V, 1000)
    assert outcome(a_few, (X, many[:9], 3))[0] == 'fine'
    assert outcome(a_few, (X, many, 3))[0] == 'unproven'
    same(tp.jit(a_few)(X, many, 3), a_few(X, many, 3))


@pytest.mark.parametrize('function', [changed_meanwhile, others_in_each_turn])
def test_indices_that_may_be_others_in_the_next_turn_are_looked_at_where_they_stand(function):
    columns = np.array([0, 2, 1, 3, 0, 1])
    assert 'any_beyond' not in tp.jit(function).lower(X, columns, 2).loops
    same(tp.jit(function)(X, columns.copy(), 2), function(X, columns.copy(), 2))


def row_by_row(x, table, i):
    total = 0.0
    for _ in range(2):
        for k in range(table.shape[1]):
            total += x[table[i, k]]
    return total if i == 0 else total + row_by_row(x, table, i - 1)


@pytest.mark.parametrize('function', [of_its_own_row, row_by_row])
def test_no_table_is_looked_through_for_each_of_its_rows(function):
    assert 'any_beyond' not in tp.jit(function).lower(X, PAIRS, 2).loops
    same(tp.jit(function)(X, PAIRS, 2), function(X, PAIRS, 2))


def item_and_part(x, i):
    return x[i] + np.sum(x[i:i + 2])


def at_item_and_part(x, i):
    y = x.copy()
    y[i] = 3.0
    y[i:i + 2] += 1
    return y


@pytest.mark.compiles
@pytest.mark.parametrize('transform', [tp.jit, lambda f: tp.jit(tp.jacrev(f))], ids=['value', 'derivative'])
@pytest.mark.parametrize('function', [item_and_part, at_item_and_part])
def test_text_that_needs_no_guards_for_one_call_is_checked_for_another(transform, function):
    x = np.arange(64.0)[:4]
    transformed = transform(function)
    transformed(x, -1)
    for place in (20, -20, 4):
        with pytest.raises(IndexError, match='out of bounds'):
            transformed(x, place)
