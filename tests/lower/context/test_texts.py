"""What compiled code prints and raises: of short floats, of NumPy's numbers and of what holds them it shows what NumPy shows."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([2.1, 1e8, -2.0])


def shown(x, n):
    print(x[0], n, x[0] > 1, 'a{b}%', None, x[:2], (x[1],), [x[0], [n]], {'a': x[0], 'b': True})
    print('%5.2f %s %r %s' % (x[0], x[1], x[2], n), str(x[1]))
    print(f'{x[0]} {x[0]!r} {x[0]!s:>6} {x[1]:.3g} {(x[0], n)} {{}} {n:3d} {x}')
    for v in x:
        print(v, end='|')
    print(x[0], 'b', sep=f'-{n}-', end='!\n', flush=True)
    return np.sum(x)


def listed(x, n):
    items, squares = [], [k * k for k in range(n)]
    for k in range(n):
        items.append(x[k])
        print(items, squares)
    print(f'{items} {(items, 1)}')
    return np.sum(x)


def of_kinds(x, n):
    total, flag = 0.0, x[0] > 1 and n > 1
    for k in range(n - 2):
        total += x[k]
    found = 3 if n > 5 else x[1]
    print([total, found], f'{total!r}', [flag, not flag])
    return np.sum(x)


@pytest.mark.parametrize('f', [shown, listed, of_kinds])
@pytest.mark.parametrize('dtype', [np.float64, np.float32])
def test_prints(mode, capsys, f, dtype):
    f(X.astype(dtype), 2)
    expected = capsys.readouterr()
    mode(tp.grad(f))(X.astype(dtype), 2)
    assert capsys.readouterr() == expected


@pytest.mark.parametrize('n', [2, 3])
def test_prints_the_kinds_of_numbers(capsys, n):
    of_kinds(X, n)
    expected = capsys.readouterr()
    tp.jit(of_kinds)(X, n)
    assert capsys.readouterr() == expected


def message(x, n):
    if n > 1:
        raise ValueError('%s %r %a %6s %5.1f' % (x[0], x[1], x[2], x[0], x[1]) + f'{[x[0]]} {x[0]!r}')
    return np.sum(x)


def values(x, n):
    if n > 1:
        raise ValueError('bad', x[0], n, (x[1], [n]))
    return np.sum(x)


def claim(x, n):
    if n > 1:
        raise KeyError((x[0], n))
    return np.sum(x)


@pytest.mark.parametrize('f', [message, values, claim])
@pytest.mark.parametrize('dtype', [np.float32, np.int8])
def test_raises(f, dtype):
    x = np.array([0.1, 100.0, 3.0]).astype(dtype)
    with pytest.raises((ValueError, KeyError)) as expected:
        f(x, 2)
    with pytest.raises((ValueError, KeyError)) as found:
        tp.jit(f)(x, 2)
    assert repr(found.value) == repr(expected.value)


def rows(x, n):
    table = [[0.0] * 2 for _ in range(n)]
    table[0][1] = x[0]
    print(table[0])
    return np.sum(x)


def pairs(x, n):
    items = []
    for k in range(n):
        items.append((x[k], k))
    print(items)
    return np.sum(x)


@pytest.mark.parametrize('f', [rows, pairs])
def test_what_is_kept_in_another_form_is_not_shown(f):
    with pytest.raises(tp.TranspileError, match='not supported|cannot be shown'):
        tp.grad(f)(X, 2)


def test_a_list_of_two_kinds_is_not_shown_by_compiled_code(capsys):
    def beside(x, n):
        items = [0.0]
        for k in range(n):
            items.append(x[k])
        print(items)
        return np.sum(x)

    with pytest.raises(tp.TranspileError, match="Python's float or float64"):
        tp.jit(beside)(X, 2)
    beside(X, 2)
    expected = capsys.readouterr()
    tp.grad(beside)(X, 2)
    assert capsys.readouterr() == expected


def test_what_print_raises_is_raised(monkeypatch):
    class Broken:
        def write(self, text):
            raise OSError('no room')

    monkeypatch.setattr('sys.stdout', Broken())
    with pytest.raises(OSError, match='no room'):
        tp.jit(lambda x: print(x) or x)(1.0)


def whole(x, n):
    if n > 0:
        raise ValueError('%d|%5d|%-25d|%+d|%030d' % (x[0], x[1], x[0], x[1], x[0]) + f'{int(x[0])}')
    return np.sum(x)


@pytest.mark.parametrize('first', [1e19, -1e20, -0.5, 2.7, np.nan, -np.inf])
def test_integers_that_are_only_shown_have_no_end(mode, first):
    for dtype in (np.float64, np.float32):
        x = np.array([first, 3.0], dtype)
        with pytest.raises((ValueError, OverflowError)) as expected:
            whole(x, 1)
        with pytest.raises((ValueError, OverflowError)) as found:
            mode(tp.grad(whole))(x, 1)
        assert type(found.value) is type(expected.value) and str(found.value).splitlines()[0] == str(expected.value)


SHORT, BOTH = np.float32(0.1), [1, 2.5, np.float32(0.1)]


def known(x, n):
    print(x.dtype, f'{x.dtype} {x.dtype!r} {None!r} {"q"!r:>5}', 'dt: ' + str(x.dtype))
    print(SHORT, [SHORT, n], BOTH, f'{SHORT} {(BOTH, n)}')
    return x[0] * n


def of_one_example(x, n):
    least = 0.0 if x[0] < 2 else x[0]
    print(x[0], [x[1], n], f'{x[0]!r}', [least], '%s' % x[1])
    return x[0] * least


@pytest.mark.parametrize('f', [known, of_one_example])
@pytest.mark.parametrize('dtype', [np.float64, np.float32])
def test_batches_print_what_a_loop_prints(mode, capsys, f, dtype):
    points = np.stack([X, X / 2]).astype(dtype)
    for point in points:
        f(point, 2)
    expected = capsys.readouterr()
    mode(tp.vmap(f, (0, None)))(points, 2)
    assert capsys.readouterr() == expected
