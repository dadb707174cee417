"""`%` of texts, and texts that show what may be None: what Python prints and raises."""
import numpy as np
import pytest

import transpiler as tp

X = np.array([1.5, -2.25, 3.0])


def numbers(x):
    count = 0
    for v in x:
        if v > 0:
            count += 1
    if count == 2:
        raise ValueError('%g|%5.2f|%-8.3f|%+.1e|' % (x[0], x[1], x[2], x[0]) + '%d%%|%05d|%-4d|%x|%i' % (*[count] * 4, x[1]))
    return np.sum(x)


def asserted(x):
    assert x[0] < 1, 'big %s' % x[0]
    return x[0] ** 2


def singly(x):
    if x[0] > 1:
        raise ValueError('%10s|%.3s|%s' % (x[0], x[1], 'abc') + '%g' % x[2] + '%(a)g%(b)s' % {'a': x[0], 'b': 'c'})
    return np.sum(x)


def kept_for_later(x):
    said = '{:.2f} '.format(x[0]) + 'of %d' % len(x)
    if x[0] > 1:
        raise ValueError(said)
    return np.sum(x)


def too_few(x):
    if x[0] > 1:
        raise ValueError('%g %g' % (x[0],))  # noqa: F507
    return np.sum(x)


def too_many(x):
    if x[0] > 1:
        raise ValueError('%g' % (x[0], x[1]))  # noqa: F507
    return np.sum(x)


def none_or_number(x, least):
    first = last = None
    for v in x:
        if v > least:
            last = v
            if first is None:
                first = v
    if x[2] > 1:
        raise ValueError(f'{first} to {last}' + ', %s, %s' % (first, last))
    return np.sum(x)


def raised(f, *args):
    with pytest.raises(Exception) as found:
        f(*args)
    return found.type, str(found.value).splitlines()[0]


@pytest.mark.parametrize('f', [numbers, asserted, singly, kept_for_later, too_few, too_many])
def test_what_is_raised_says_what_python_says(f):
    assert raised(tp.grad(f), X) == raised(tp.jacfwd(f), X) == raised(f, X)


def test_compiled_code_says_it_too(mode):
    assert raised(mode(tp.grad(numbers)), X) == raised(numbers, X)


@pytest.mark.parametrize('least', [0.0, 10.0])
def test_messages_show_what_may_be_none(mode, least):
    assert raised(mode(tp.grad(none_or_number)), X, least) == raised(none_or_number, X, least)


def printing(x, least):
    found = None
    for k in range(len(x)):
        print('%d: %s' % (k, found), end='|')
        if x[k] > least:
            found = x[k]
    print(f'{found} {x[0]:g}', found, [found, 1], {'a': found}, str(found) + repr(found), '%(a)g' % {'a': x[0]}, '%s' % x)
    return np.sum(x * x)


@pytest.mark.parametrize('least', [0.0, 10.0])
def test_what_is_printed_is_what_python_prints(capsys, least):
    printing(X, least)
    expected = capsys.readouterr().out
    for derivative in (tp.grad(printing), tp.jacfwd(printing), tp.hessian(printing)):
        derivative(X, least)
        assert capsys.readouterr().out == expected


def named(weights):
    return sum(np.sum(weights['w%d' % k]) * (k + 1) for k in range(2))


def test_names_that_are_known_are_keys(mode):
    found = mode(tp.grad(named))({'w0': X, 'w1': X})
    assert {name: bar.tolist() for name, bar in found.items()} == {'w0': [1.0] * 3, 'w1': [2.0] * 3}


def put_together(x):
    first, second = (name + '!' for name in 'ab'), [f'{v:.1f}' for v in (x[0], x[1])]
    weights = {'-'.join(first): x[0], '+'.join(map(str, range(3))): x[1]}
    if x[0] > 1:
        raise ValueError('; '.join(second) + ', '.join(str(v) for v in (x[2], 'c')) + '|'.join(()) + '.'.join(weights))
    return weights['a!-b!'] * weights['0+1+2']


def test_texts_are_put_together(mode):
    assert raised(mode(tp.grad(put_together)), X) == raised(put_together, X)
    np.testing.assert_array_equal(mode(tp.grad(put_together))(-X), [2.25, -1.5, 0.0])


def of_an_array(x):
    print('%g' % x)
    return np.sum(x)


def test_what_has_no_such_format_is_refused():
    with pytest.raises(tp.TranspileError, match='`%g` of .* is not supported in a text'):
        tp.grad(of_an_array)(X)
