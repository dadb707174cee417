"""Trap 21: index arrays that name a place twice. Reading adds up in the pullback; of several writes the last one stays."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import check, same

TABLE = np.random.default_rng(1).normal(size=(3, 4, 5)) + 2.0
INDICES = {
    'rows': np.array([0, 2, 2, -1]), 'columns': np.array([1, 0, 1, -2]), 'square': np.array([[0, 1], [1, -1]]),
    'narrow': np.array([0, 1, 1, 0], np.int32), 'unsigned': np.array([0, 2, 2, 1], np.uint8), 'nothing': np.array([], dtype=int),
    'upright': np.array([[0], [2], [2]]), 'one': np.array(1), 'k': 1, 'strong': np.int64(1),
    'mask': np.array([True, False, True]), 'plane': TABLE[:, :, 0] > 1.5, 'whole': TABLE > 2.5,
    'across': np.array([True, False, True, True])}

# every way that arrays stand in an index: alone, beside slices, numbers, new axes, dots, masks, and apart from each other
READS = '''
rows | rows, : | rows, 1: | rows, ::-1, ::2 | :, columns | :, columns, 1:3 | None, rows | rows, None | ..., columns | square
rows, columns | rows, :, columns | rows, ..., columns | :, columns, columns | rows, None, columns | :, None, columns
rows, columns, None | :, rows[:3], ..., columns[:3] | square, square | rows[:2], square | square, :, 1 | :, square, 2
upright, columns | upright, :, narrow | unsigned | unsigned, narrow | nothing | nothing, nothing | :, nothing
k, columns | :, k, columns | k, :, columns | k, ..., columns | strong, columns | -1, columns | rows, -1
one | :, one | one, rows | one, one, one
mask | plane | whole | mask, 0 | plane, 0 | plane, rows[:1] | :, across | :, across, 0 | 0, across | mask, :, 2 | None, mask
..., across, :
[0, 0, 1] | [0, 0, 1], : | ..., [1, 1] | [[0, 1], [1, 1]] | :, [True, False, True, True]
np.ix_(rows, columns) | np.ix_(rows, columns, [0, 1]) | np.ix_(mask, columns)
np.where(mask)[0] | np.nonzero(plane) | plane.nonzero() | np.flatnonzero(mask) | np.argsort(x[:, 0, 0]) | rows % 2
rows, (rows + 1) % 3
'''.replace('\n', '|').split('|')
READS = [text.strip() for text in READS if text.strip()]
COMPILED = ['rows, ::-1, ::2', 'rows, :, columns', ':, None, columns', 'upright, :, narrow', 'nothing', 'k, :, columns', 'one',
            'plane, 0', ':, across, 0', '[[0, 1], [1, 1]]', 'np.ix_(mask, columns)', 'np.nonzero(plane)']
PARAMETERS = ', '.join(INDICES)


def program(tmp_path_factory, name, lines):
    """A function of the indices, a table and values, in a file of its own."""
    path = tmp_path_factory.mktemp('programs') / f'{name}.py'
    path.write_text('\n    '.join([f'import numpy as np\n\n\ndef f(x, v, {PARAMETERS}):', *lines]) + '\n')
    scope = {}
    exec(compile(path.read_text(), str(path), 'exec'), scope)
    return scope['f']


def values_for(index, number):
    """Values to write at the index; every third time they are to be broadcast."""
    shape = np.shape(eval(f'x[{index}]', {'np': np, 'x': TABLE, **INDICES}))
    values = np.random.default_rng(number).normal(size=shape) + 2.0
    return values if number % 3 or len(shape) < 2 or not shape[0] else values[0] if number % 2 else values[:1]


def modes(indices):
    return [pytest.param('python', index, id=index) for index in indices] + [
        pytest.param('jit', index, id=f'jit-{index}') for index in indices if index in COMPILED]


def run(kind, f, values, argnums):
    wrapped = tp.jit if kind == 'jit' else lambda transformed: transformed
    check(wrapped, f, TABLE, values, *INDICES.values(), argnums=argnums)


@pytest.mark.parametrize('kind, index', modes(READS))
def test_reads(tmp_path_factory, kind, index):
    f = program(tmp_path_factory, 'read', [f'y = x[{index}]', 'return np.sum(y * y * x[0, 0, 0]) + v'])
    run(kind, f, 1.0, 0)


@pytest.mark.parametrize('kind, index', modes(READS))
def test_writes(tmp_path_factory, kind, index):
    f = program(tmp_path_factory, 'write', ['y = x * 1.5', f'y[{index}] = v * v', 'return np.sum(y * y * x)'])
    values = values_for(index, READS.index(index))
    run(kind, f, values if np.ndim(values) else float(values), (0, 1))


def read_twice(x, idx):
    return np.sum(x[idx] ** 3)


def written_twice(x, idx):
    y = np.sin(x)
    y[idx] = x[:idx.size] ** 2
    return np.sum(y * y)


def one_number_written(x, idx):
    y = np.sin(x)
    y[idx] = x[0] ** 2
    return np.sum(y * y)


def added_once(x, idx):
    y = np.sin(x)
    y[idx] += x[:idx.size] ** 2
    y[idx] -= 0.5 * x[0]
    y[idx] *= x[:idx.size]
    y[idx] /= 3.0
    return np.sum(y * y)


def added_each_time(x, idx):
    y = np.sin(x)
    np.add.at(y, idx, x[:idx.size] ** 2)
    np.subtract.at(y, idx, x[0])
    return np.sum(y * y)


def swapped(x, idx):
    y = x * 1.0
    y[idx] = y[idx[::-1]] * 2.0
    y[[0, 1]] = y[[1, 0]]
    y[idx] = y[:idx.size]
    return np.sum(y * y * x)


def masked(x, idx):
    y = x * 2.0
    y[x > 1.0] *= x[0]
    y[x <= 1.0] += x[1] ** 2
    y[y > 3.0] = 0.0
    y[idx % 2 == 0] = x[idx % 2 == 0] ** 2
    return np.sum(y * y * x)


def the_last_of_a_list(x, idx):
    y = np.zeros(3)
    y[[0, 0, 2]] = x[:3] ** 2
    return np.sum(y * x[[0, 0, 1]])


def a_constant_list(x, idx):
    y = x * 1.1
    np.subtract.at(y, [0, 0, 1, 3], 0.2)
    np.add.at(y, [2, 2], x[:2])
    return np.sum(np.sin(y))


def one_write_after_another(x, idx):
    """The cotangent of `w` is a selection, part of which is then set to zero."""
    w = x * 0.7
    w[[0, 0, 1]] = x[:3]
    y = np.zeros(4)
    y[idx] = np.sin(w)
    return np.sum(y * y)


def sparse_product(x, idx):
    """Rows of a matrix stored one after the other, and a gather in each."""
    starts, total = np.array([0, 2, 2, 4]), 0.0
    for i in range(3):
        columns = idx[starts[i]:starts[i + 1]]
        total += x[i] * np.sum(x[columns] ** 2)
    return total


def scattered_in_a_loop(x, idx):
    y = np.cos(x)
    for k in range(3):
        y[idx] = y[idx[::-1]] * x[k]
        np.add.at(y, idx, 0.1 * y[k] * y[idx])
    return np.sum(y)


X = np.array([1.3, 0.4, 1.9, 0.8])
REPEATED = np.array([0, 2, 2, -4])
PROGRAMS = [read_twice, written_twice, one_number_written, added_once, added_each_time, swapped, masked, the_last_of_a_list,
            a_constant_list, one_write_after_another, sparse_product, scattered_in_a_loop]


@pytest.mark.parametrize('f', PROGRAMS)
def test_programs(mode, f):
    check(mode, f, X, REPEATED, order=1 if mode.compiled and f not in (read_twice, written_twice) else 2)


@pytest.mark.parametrize('f', [read_twice, written_twice, added_once, added_each_time])
@pytest.mark.parametrize('idx', [np.zeros(4, int), np.array([3, 1, 0, 2]), np.array([], dtype=np.int32), np.array([1], np.uint64),
                                 np.array([True, False, True, True])[:4].nonzero()[0]], ids=str)
def test_indices(f, idx):
    check(lambda transformed: transformed, f, X, idx, order=2)


def test_the_last_write_wins(mode):
    same(mode(tp.grad(the_last_of_a_list))(X, REPEATED), np.array([X[1] ** 2, 2 * X[0] * X[1] + 0.0, 2 * X[1] * X[2], 0.0])
         + np.array([0.0, X[2] ** 2, 0.0, 0.0]))


@pytest.mark.parametrize('f', [written_twice, added_each_time, masked])
def test_single_precision_stays(mode, f):
    gradient = mode(tp.grad(f))(X.astype(np.float32), REPEATED)
    assert gradient.dtype == np.float32
    same(gradient, tp.grad(f)(X, REPEATED).astype(np.float32), rtol=2e-5)


@pytest.mark.parametrize('f', [read_twice, written_twice])
@pytest.mark.parametrize('place', [4, -5])
def test_out_of_range(mode, f, place):
    with pytest.raises(IndexError):
        mode(tp.grad(f))(X, np.array([0, place]))


def test_a_mask_that_does_not_fit(mode):
    with pytest.raises(IndexError):
        mode(tp.grad(lambda x, mask: np.sum(x[mask])))(X, np.array([True, False]))


def test_unknown_index(tmp_path):
    """Without types an index may be anything: what is generated serves all."""
    for idx in (2, np.array([1, 1]), np.array([True, False, True, True])):
        source = tp.grad(read_twice).source
        scope = {}
        exec(source, scope)
        same(scope['read_twice_grad'](X, idx), tp.grad(read_twice)(X, idx))


def test_what_is_generated_may_be_differentiated():
    source = tp.grad(read_twice).lower(X, REPEATED).source
    assert 'np.add.at(x_bar, idx, ' in source
