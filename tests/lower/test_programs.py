"""Whole programs: what Numba alone would do in another dtype or with another meaning."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same
from transpiler.core.text import parse
from transpiler.errors import CompileError, UnsupportedFunction
from transpiler.lower import lower
from transpiler.values.types import Array, Unknown

X = np.linspace(-2.0, 2.0, 7)
X32 = X.astype(np.float32)
SQUARE = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize('x', [X, X32, X32[::2]], ids=['float64', 'float32', 'strided'])
def test_weak_numbers_take_the_dtype_of_the_array(check, x):
    check('''
        y = x * 2.0 + 1
        z = 1 / (1 + np.exp(-y))
        a = np.maximum(z, 0)
        b = x ** 2
        c = x ** 3 - 0.1
        d = np.where(x > 0.1, x, 0.5 * a)
        e = x > 0.1
        f = np.minimum(np.maximum(x, -1), 0.5)
        g = np.abs(x) ** 0.5
        h = e * x + ~e
        k = 2 ** x
        return y, z, a, b, c, d, e, f, g, h, k
    ''', x=x)


def test_a_sum_in_a_loop_keeps_the_dtype(check):
    check('''
        s = 0.0
        n = x.shape[0]
        for i in range(n):
            t = x[i] * 2
            s_1 = s + t
            s = s_1
        p = x[0] * x[-1]
        return s, p
    ''', x=X32, types={'s': 'float32'})


def test_strong_numbers_widen(check):
    check('y = x * a; z = b * a; w = i32 + 1; v = i32 * i32; u = i32 / 2; return y, z, w, v, u',
          x=X32, a=np.float64(2.5), b=np.float32(1.5), i32=np.int32(2 ** 14))


def test_python_numbers(check):
    check('''
        a = n // d
        b = n % d
        c = n / d
        e = flag + flag
        f = flag * x
        g = n ** 2
        h = 2 ** n
        i = -x // 2
        j = x % -3.0
        k = not flag
        return a, b, c, e, f, g, h, i, j, k
    ''', n=-7, d=2, flag=True, x=2.5, types={'h': 'float'})


def test_while_with_a_nested_test_and_a_tape(check):
    text = check('''
        x = a * 1.0
        steps = 0
        t = tape.new()
        while np.abs(x * x - a) > 1e-6 * a:
            tape.push(t, x)
            y = 0.5 * (x + a / x)
            x = y
            steps_1 = steps + 1
            steps = steps_1
        total = 0.0
        for i in range(steps - 1, -1, -1):
            z = tape.pop(t)
            total_1 = total + z
            total = total_1
        return x, steps, total
    ''', a=2.0, types={'t': 'tape float', 'z': 'float', 'i': 'int'})
    assert '.append(' in text and '.pop()' in text


def test_a_tape_of_arrays_of_any_layout(check):
    check('''
        t = tape.new()
        y = x[::2]
        tape.push(t, y)
        z = x * 2
        tape.push(t, z)
        a = tape.pop(t)
        b = tape.pop(t)
        return a, b
    ''', x=X32, types={'t': 'tape float32[1]'})


def test_writes_in_place(check):
    check('''
        a = np.zeros(n, dtype=np.float32)
        a[0] = 1
        a[1:3] = 2.5
        a[-1] += x[1]
        a[2:4] += x[:2]
        b = np.zeros((2, 3))
        b[...] = 3
        b[...] += x[:3]
        b[1] = x[:3]
        b[:, 0] = 7
        c = np.zeros(3, dtype=np.int64)
        c[0] = x[6]
        c[1] += 2
        x[0] = 9.0
        return a, b, c
    ''', x=X32, n=5)


def test_branches_and_loops_that_do_not_run(check):
    check('''
        if flag:
            y = 1.0
        else:
            y = x[0]
        for i in range(5, 5):
            y_1 = y * 2
            y = y_1
        for j in range(6, 0, -2):
            y_2 = y + x[j]
            y = y_2
        return y
    ''', x=X32, flag=False, types={'y': 'float32', 'i': 'int', 'y_1': 'float32'})


def test_arrays_without_axes(check):
    check('''
        a = np.array(s)
        b = a * x
        c = np.exp(a)
        d = a + 1
        e = np.reshape(x[:1], ())
        f = e * 2
        a[...] = 3
        return a, b, c, d, f
    ''', x=X32, s=np.float32(0.5))


@pytest.mark.parametrize('index', [7, -8])
def test_an_index_out_of_range_raises(check, index):
    with pytest.raises(IndexError):
        check('y = x[i]; return y', x=X, i=index)


def test_gathers_and_masks(check):
    check('''
        a = m[i, j]
        b = m[i]
        c = m[:, j]
        d = m[m > 4]
        e = m[i, 1:]
        f = v[g]
        h = np.zeros(5)
        h[i] = 3
        h[i] += v[:3]
        k = m[..., i]
        m[m > 9] = 0
        m[:, i] += 2
        return a, b, c, d, e, f, h, k
    ''', m=SQUARE, v=X, i=np.array([0, 2, 2]), j=np.array([1, 1, 3]), g=np.array([[0, 1], [3, -1]]))


def test_sums_are_as_accurate_as_those_of_numpy(check):
    check('s = np.sum(x); m = np.mean(x); v = np.sum(y, axis=1); return s, m, v',
          x=np.full(1_000_003, 0.1, np.float32), y=np.full((2, 100_001), 0.1, np.float32))


def test_empty_arrays(check):
    check('''
        a = np.sum(x)
        b = np.sum(y, axis=0)
        c = y @ z
        d = np.cumsum(x)
        e = x * 2
        return a, b, c, d, e
    ''', x=np.zeros(0, np.float32), y=np.zeros((0, 3), np.float32), z=np.zeros((3, 2), np.float32))


def test_versions_that_numba_would_confuse(check):
    check('''
        y = x * 2
        y_1 = x + 1
        for i in range(2):
            y = y + 1
            y_1 = y_1 * 2
        z = y * y_1 + y
        return z
    ''', x=X, types={'i': 'int'})


def test_writes_through_a_reshape_reach_the_base(check):
    check('''
        y = np.reshape(x, (2, 3))
        y[0] = 7.0
        z = np.ravel(y)
        z[5] = 9.0
        return x
    ''', x=np.arange(6.0))


@pytest.mark.parametrize('shape', ['(3, 1)', '(1, 3)', '(-1, 1)', '(1, 3, 1)'])
def test_writes_through_a_reshape_of_items_far_apart_reach_them(check, shape):
    check(f'''
        y = np.reshape(x, {shape})
        y[0] = 7.0
        z = np.reshape(x, {shape}, order='F')
        z[..., -1] += 2.0
        return x, y, z
    ''', x=np.arange(6.0)[::2])


def test_a_reshape_of_items_far_apart_that_does_not_fit(check):
    compiled = tp.jit(written_through)
    assert np.array_equal(compiled(np.arange(12.0).reshape(6, 2), 2), written_through(np.arange(12.0).reshape(6, 2), 2))
    with pytest.raises(ValueError):
        compiled(np.arange(12.0).reshape(6, 2), 4)


def written_through(x, columns):
    x = x.copy()
    view = x[:, 0].reshape(3, columns)
    x[0, 0] = 5.0
    view[1, 0] = 7.0
    return x[:, 0] + view.sum()


def test_writes_into_what_numba_would_copy_are_refused(check):
    with pytest.raises(CompileError, match='may show memory that is written to'):
        check('''
            y = np.reshape(x, (6,))
            y[0] = 7.0
            return x
        ''', x=np.arange(12.0).reshape(3, 4)[:, ::2])


@pytest.mark.parametrize('statement, error', [
    ('y = np.unwrap(x)', UnsupportedFunction), ('y = x[0.5]', CompileError)])
def test_what_cannot_be_compiled_is_refused_at_its_line(statement, error):
    x = Array(np.dtype(float), (None, None))
    with pytest.raises(error, match='<f>:1:0'):
        lower(parse(f'{statement}; return y', types={'x': x, 'y': x}))


def test_half_precision_and_unknown_ranks_are_refused():
    for type_ in (Array(np.dtype('float16'), (None,)), Array(np.dtype(float), None), Unknown()):
        with pytest.raises(CompileError):
            lower(parse('y = x + x; return y', types={'x': type_, 'y': type_}))


def test_items_of_a_list_keep_their_dtype_where_it_gets_wider_ones_later(mode):
    """Compiled lists hold items of one kind: single and double ones as double."""
    def f(w, b):
        kept = [w[:, 1]]
        for k in range(2):
            kept.append(w[:, k] if k % 2 == 0 else np.concatenate((np.full(4, 2.0), b[2:3])))
            if np.var(b) > 100.0:
                return kept[0]
            kept = [np.sum(w, axis=1)] + kept
        return kept[2] * kept[1]

    w, b = np.full((5, 3), 0.1, np.float32), np.array([1.0, 2.0, 3.0], np.float32)
    same(mode(f)(w, b), f(w, b))
    slope = tp.grad(lambda w, b: np.sum(f(w, b)))
    same(mode(slope)(w, b), slope(w, b))


LISTED = {
    'columns, then the table changes': """
        kept = []
        for k in range(x.shape[1]):
            kept.append(x[:, k])
        x[0, 1] = 7.0
        return np.sum(kept[1])""",
    'columns that change': """
        kept = []
        for k in range(x.shape[1]):
            kept.append(x[:, k])
        kept[1][0] = 7.0
        return np.sum(x)""",
    'columns that change on the way': """
        kept = [x[:, 0]]
        for k in range(x.shape[1]):
            kept.append(x[:, k])
            kept[k][0] += 7.0
        return np.sum(x)""",
    'turned': """
        turned = x.T
        kept = [turned]
        for k in range(x.shape[1]):
            kept.append(turned * 2.0)
        turned[0] = 3.0
        return np.sum(kept[0])""",
    'single among double ones': """
        single = x.astype(np.float32)
        kept = [single]
        for k in range(x.shape[1]):
            if x[0, 0] > 100.0:
                return 1.0
            kept.append(x)
        single[0] = 5.0
        return float(np.sum(kept[0]))""",
    'single among double ones, changed there': """
        kept = [x.astype(np.float32)]
        for k in range(x.shape[1]):
            if x[0, 0] > 100.0:
                return 1.0
            kept.append(x)
        kept[0][0] = 0.1
        return float(np.sum(kept[0]))""",
}


@pytest.mark.parametrize('body', LISTED.values(), ids=LISTED)
def test_what_a_list_would_copy_and_changes_later_is_refused(body):
    f = tp.from_source(f'import numpy as np\n\ndef f(x):{body}')
    with pytest.raises(CompileError, match='may show memory that is written to'):
        tp.jit(f)(np.ones((3, 2)))


def test_arrays_on_lists_are_those_that_were_put_there(mode):
    def f(x):
        rows = []
        for k in range(x.shape[0]):
            rows.append(x[k] * 1.0)
        rows[0][0] += 5.0
        last = rows[-1]
        last[1] = 7.0
        whole = [x]
        for _ in range(x.shape[1]):
            whole.append(x * 2.0)
        x[0] = 3.0
        return np.sum(rows[0]) + np.sum(rows[2] * rows[1]) + np.sum(whole[0])

    same(mode(f)(SQUARE.copy()), f(SQUARE.copy()))


def test_numbers_and_arrays_in_nested_lists(mode):
    def f(s):
        row = s * np.ones(2)
        rows = np.array([row, row + 1.0])
        mixed = np.array([[s, 1.0], row]), np.array([row, [s, 1.0]])
        return *mixed, np.array([[row, rows[0]], rows]), np.array([rows, [row, row]])

    same(mode(f)(2.0), f(2.0))
