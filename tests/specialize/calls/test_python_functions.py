"""Functions of Python's library: `functools`, `itertools`, `math`, `operator`, and iterators of NumPy's."""
import functools
import itertools
import math
import operator

import numpy as np
import pytest

import transpiler as tp
from tests.support import check
from transpiler.errors import TranspileError

X = np.array([0.4, 1.1, 0.7, 2.0])


def reduced(x):
    return functools.reduce(lambda a, b: 0.5*a + b*b, x, 1.0) * functools.reduce(operator.mul, [x[0], x[1]])


def all_pairs(x):
    total = sum(a*b**2 for a, b in itertools.product(x[:2], x[2:]))
    for i, j in itertools.combinations(range(x.size), 2):
        total += x[i] * x[j]**3
    for i, j, k in itertools.combinations((0, 1, 3), 3):
        total += x[i] * x[j] * x[k]
    return total


def by_places(x):
    a, total = np.outer(x, x), 0.0
    for i, j in np.ndindex(a.shape):
        if i > j:
            continue
        total += a[i, j] * x[i]
    for (i, j), value in np.ndenumerate(a):
        a[i, j] = value**2
        if i == 2 and j > 1:
            break
    for k, (i, j) in enumerate(np.ndindex(2, 3)):
        total += k * a[i, j]
    return total + np.sum(a)


def written_while_running(x):
    a = x.copy()
    for left, right in itertools.product(a, a):
        a[0] += 0.1 * left * right
    return np.sum(a**2)


def bounds_that_change(x):
    n, total = int(np.sum(x > 0.5)), 0.0
    for i, j in itertools.product(range(n), range(1, n, 2)):
        n -= 1
        total += x[i] * x[j]**2 + n
    return total * i


def none_of_some(x):
    total, i = x[0], 7
    for i, j in np.ndindex(x.size, x.size - 4):
        total += x[i] * x[j]
    for k, v in itertools.product(range(x.size), x[1:]):
        if k == 1:
            continue
        x[k] += 0.1 * v
        last = v * k
    return total**2 * i + np.sum(x**2) * last


def mapped(x):
    squares = list(map(lambda v: v**2, x))
    return sum(squares) + sum(map(operator.mul, x, x[::-1])) + sum(filter(lambda v: v > 0.5, x)) + sum(filter(None, x))


def joined(x):
    total = 0.0
    for v in itertools.chain(x[:2], x[3:], [x[0]*x[1]]):
        total += v**2
    return total + sum(a*b for a, b in itertools.pairwise(x)) + sum(itertools.islice(x, 1, None, 2))


def accumulated(x):
    return sum(itertools.accumulate(x)) * sum(itertools.accumulate([x[0], x[1], x[2]], operator.mul))


def ordered(x):
    points = [(x[0], 0), (x[1]**2, 1), (x[2], 2)]
    ranked = sorted(points, key=lambda p: -p[0])
    return sum(k*v for k, v in enumerate(sorted(x))) + ranked[0][0] * sorted(x, reverse=True)[1]


def sorted_in_place(x):
    some, pairs, found = [x[0], x[1], x[3]], sorted(enumerate(x), key=lambda p: -p[1]), []
    same = some
    some.sort(reverse=True)
    for v in x:
        found.append(v * v)
    found.sort()
    return same[0] * same[1]**2 + sum(k*v for k, v in enumerate(found)) + pairs[0][1] * pairs[1][0] * math.prod(v for v in x)


def arranged(x):
    total = sum(x[i] * x[j]**2 for i, j in itertools.combinations_with_replacement(range(3), 2))
    for p in itertools.permutations(range(3)):
        sign = 1
        for i in range(3):
            for j in range(i):
                if p[j] > p[i]:
                    sign = -sign
        total += sign * np.cos(x[p[0]]) * np.sin(x[p[1]] + x[3]*p[2])
    return total + sum(a * b for a, b in itertools.permutations([x[0], x[1]**2, 2.0], 2))


def rounded(x):
    return round(x[3]) * x[0] + x[round(x[0])]**2 + x[round(2.5)] + round(x.size)*x[1]


def made_by_functions(x):
    grid = np.fromfunction(lambda i, j: x[0]*i + x[1]*j**2, (2, 3))
    grid += np.indices(grid.shape)[1] * x[3]
    return np.sum(grid**2) + np.sum(np.fromiter((v * v for v in x), dtype=float, count=4)) * np.fromiter(range(3), int).size


def single_items(x):
    y = np.outer(x, x)
    return x.item(1)**2 + x[:1].item() + y.item(1, 2) * y.item(3) * y.item((0, 1)) + np.sum(y).item()


def extremes(x):
    rows = [(0.1, x[0]), (0.2, x[1]), (0.3, x[2])]
    return max(rows, key=lambda row: row[1])[1]**2 + min(x, key=lambda v: abs(v - 1.0))**3


def of_numbers(x):
    special = math.erf(x[0]) + math.erfc(x[1]) + math.gamma(x[2]) + math.lgamma(x[3])
    some = math.prod([x[0], x[1]], start=2) + math.dist([x[0], 1.0], [x[1], x[2]])
    whole = math.comb(5, 2) + math.factorial(4) + math.gcd(12, 18)
    series = 0.0
    for k in range(4):
        series += x[1]**k / math.factorial(k)
    return (special * some + whole * x[0] + series) * (2.0 if math.isclose(x[0], 0.41, rel_tol=0.1) else 1.0)


def strict(x):
    return sum(a*b for a, b in zip(x, x[::-1], strict=True))


def quiet(x):
    with np.errstate(divide='ignore', invalid='ignore'):
        y = np.log(x - 1.0)
        for k in range(2):
            with np.errstate(over='warn'):
                x = x * x
    return np.sum(np.where(np.isfinite(y), x, 0.0))


def text_keys(x):
    parts = {f'part {k:02d}': x[k]**2 for k in range(4)}
    for k in range(3):
        parts['sum ' + str(k)] = parts['part %02d' % k] + parts[f'part {k + 1:02d}']
    return sum(parts.values()) + parts['part 01'] * parts[f'part {3:02d}'] * parts['sum ' + repr(1)]


def ranges(x):
    steps = range(10, 20, 3)
    total = steps[1]*x[0] + steps[-1]*x[1] + sum(steps[1:])*x[2] + (x[3] if 13 in steps else 0.0)
    return total * (1.0 if range(3, 3) else 2.0) + steps.stop*x[0] + sum(steps[::-1][:2])*x[1]


def run_time_ranges(x):
    n = int(np.sum(x > 0.5))
    chosen = range(2) if x[0] > 0 else range(1, 3)
    total = sum(x[k]**2 for k in chosen) + np.sum(np.array(range(4)) * x) + np.dot(range(n, n + 4), x)
    for k in range(4)[::-1]:
        x[k] *= 2 * k
    return (x[0]**2 if range(n) else x[1]) + (x[2] if range(n, 3) else x[3]**2) * range(n).stop + total * x[range(4)[-1]]


PROGRAMS = [reduced, all_pairs, by_places, written_while_running, bounds_that_change, none_of_some,
            mapped, joined, accumulated, ordered, sorted_in_place, arranged, rounded, made_by_functions, single_items,
            extremes, of_numbers,
            strict, quiet, text_keys, ranges, run_time_ranges]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_programs(mode, f):
    check(mode, f, X)


def test_places_are_nested_loops():
    def total(a):
        s = 0.0
        for i, j in np.ndindex(a.shape):
            s += a[i, j]**2 * i
        for (i, j), value in np.ndenumerate(a):
            s += value * j
        return s
    source = tp.jvp(total).lower(np.ones((2, 3)), np.ones((2, 3))).source
    assert source.count('for i in range(a.shape[0]):') == source.count('for j in range(a.shape[1]):') == 2 and '//' not in source


def test_strict_zip_raises(mode):
    with pytest.raises(ValueError, match='differ in length'):
        mode(tp.grad(lambda x, y: sum(a*b for a, b in zip(x, y, strict=True))))(X, X[:2])


@pytest.mark.parametrize(('f', 'message'), [
    (lambda x: np.sum(x) * np.fromiter((v for v in x), float, 9)[0], 'iterator too short'),
    (lambda x: x.item(), 'size 1'),
    (lambda x: x[0] * np.outer(x, x).item(1, 4), 'out of bounds'),
])
def test_what_raises_in_python_raises(mode, f, message):
    with pytest.raises((ValueError, IndexError), match=message):
        mode(tp.grad(f))(X)


@pytest.mark.parametrize(('f', 'message'), [
    (lambda x: np.sum(x) if len(np.errstate(divide='raise').kwargs) else 0.0, 'ignore'),
    (lambda x: sum(sorted([(x[0], 1), (x[1],)])[0]), 'key'),
    (lambda x: x[0] * round(float(x[1]), 2), r'np\.round'),
    (lambda x: sum(a * b for a, b in itertools.permutations(x, 2)), 'its length must be known'),
    (lambda x: x[0] * len(list(itertools.permutations(range(6)))), 'more than 200'),
])
def test_what_is_refused(f, message):
    with pytest.raises(tp.TranspileError, match=message):
        tp.grad(f)(X)


def test_other_contexts_are_refused():
    def opened(x):
        with np.printoptions(precision=3):
            return np.sum(x)
    with pytest.raises(tp.TranspileError):
        tp.grad(opened)(X)


def told(x):
    for k in range(2):
        print(f'step {k:02d}: {x[k]:.3f} of {x.size}', k)
    if x[0] < 0:
        raise ValueError(f'{x[0]!r:>12} at ' + str('first'))
    return np.sum(x**2)


def test_text_of_values_is_built_where_it_is_printed(capsys):
    assert tp.grad(told)(X).tolist() == (2*X).tolist()
    assert capsys.readouterr().out == 'step 00: 0.400 of 4 0\nstep 01: 1.100 of 4 1\n'
    with pytest.raises(ValueError, match='-0.4.* at first'):
        tp.grad(told)(-X)


def shown_late(x):
    values, note = [x[0], 1.0], f'{x} {x[1:]}'
    both = f'{values}' + note
    x[1] = 5.0
    values[1] = 2.0
    print(both)
    return np.sum(x * x)


def test_text_shows_what_was_there_when_it_was_made(capsys):
    for call in (shown_late, tp.grad(shown_late)):
        call(np.array([0.5, 1.0]))
        assert capsys.readouterr().out == '[np.float64(0.5), 1.0][0.5 1. ] [1.]\n'


def test_compiled_code_prints_text(capsys):
    told(X)
    expected = capsys.readouterr()
    tp.jit(told)(X)
    assert capsys.readouterr() == expected


def test_text_that_decides_must_be_known():
    def chosen(x, n):
        return {'w0': x[0], 'w1': x[1]}[f'w{np.sum(x > n)}']
    with pytest.raises(tp.TranspileError, match='known when the code is generated'):
        tp.grad(chosen)(X, 1.5)


@pytest.mark.parametrize('f', [
    lambda x: x[0] * len(f'{x[1]}'), lambda x: x[0] * len(f'{x[1]:.2f}'[1:]), lambda x: x[0] if f'{x[1]}' else x[1],
    lambda x: sum(x[0] for c in f'{x[1]}'), lambda x: x[0] if str(x[0]) == '0.4' else x[1],
])
def test_text_of_values_that_decides_is_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(X)


def over_dicts(x):
    d, numbers = {2: x[0], 0: x[1] * 3.0}, {1: 2, 0: 1, 2: 5}
    chosen = max(numbers, key=lambda k: -numbers[k])
    return (functools.reduce(lambda total, k: total * 10 + k, numbers) * x[0] + sum(itertools.accumulate(numbers)) * x[1]
            + d[max(d, key=d.get)] + x[chosen] * 7.0)


def test_the_items_of_a_dict_are_its_keys(mode):
    check(mode, over_dicts, np.array([0.7, 1.3, 0.4]))


def in_order_of_names(d):
    total = 0.0
    for place, name in enumerate(sorted(d)):
        total += (place + 1) * d[name] ** 2
    for place, (name, value) in enumerate(sorted(d.items(), reverse=True)):
        total += place * np.sin(value)
    return total


def pairs_in_order(d):
    points = [(2, d['b']), (1, d['a']), (1.5, d['c'] * d['a'])]
    points.sort()
    by_name = sorted(zip(['b', 'a', 'c'], d.values()), key=lambda pair: (len(pair[0]), pair[0]))
    return sum(x * y for x, y in points) + sum(k * value for k, (_, value) in enumerate(by_name))


def equal_ones_stay(d):
    items = sorted([('x', 1, d['a']), ('x', 0, d['b']), ('w', 2, d['c'])], key=lambda item: item[0], reverse=True)
    return sum(k * k * value ** 2 for k, (_, _, value) in enumerate(items))


@pytest.mark.parametrize('f', [in_order_of_names, pairs_in_order, equal_ones_stay])
def test_what_is_known_is_sorted_while_code_is_generated(mode, f):
    d = {'b': 0.4, 'a': 1.3, 'c': -0.6}
    check(mode, f, d)
    g = tp.grad(f)
    g(d)
    assert 'argsort' not in g.source


def test_names_that_do_not_compare_are_refused():
    def f(d):
        return sum(v for _, v in sorted(d.items()))
    with pytest.raises(TranspileError):
        tp.grad(f)({1: 2.0, 'a': 3.0})


@pytest.mark.parametrize('digits', [400, -400, 309, -39, 25, 2])
def test_rounding_to_digits_scales_as_numpy_does(digits):
    for dtype in (np.float64, np.float32):
        with np.errstate(all='ignore'):
            x = np.array([1.25, -0.0, 1e30, 123456.0], dtype)
            expected = [round(v, digits) for v in x]
            found = tp.jit(lambda x: [round(v, digits) for v in x])(x)
        assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize('base', [False, 0])
def test_zero_to_a_power_that_turns_out_negative(mode, base):
    with pytest.raises(ZeroDivisionError):
        mode(tp.grad(lambda x, b, n: x[0] * b ** n))(X, base, -1)
    with pytest.raises(ZeroDivisionError):
        mode(tp.grad(lambda x, n: x[0] * False ** n))(X, -1)
    assert mode(tp.grad(lambda x, n: x[0] * False ** n))(X, 0)[0] == 1.0
