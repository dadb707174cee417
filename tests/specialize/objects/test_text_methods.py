"""Methods of known text are answered while code is generated: names of parameters, of layers, of options."""
import numpy as np
import pytest

import transpiler as tp


def decayed(weights, kind='L2 '):
    total = 0.0
    for name, value in weights.items():
        if name.startswith('w') and not name.endswith(('_bias', '_scale')):
            size = value ** 2 if kind.strip().lower() == 'l2' else abs(value)
            total = total + np.sum(size) * (1 + name.count('_'))
    return total


def test_names_tell_what_counts(mode):
    weights = {'w': np.array([1.0, 2.0]), 'w_in': np.array([3.0]), 'w_bias': np.array([4.0]), 'b': np.array([5.0])}
    found = mode(tp.grad(decayed))(weights)
    expected = {'w': [2.0, 4.0], 'w_in': [12.0], 'w_bias': [0.0], 'b': [0.0]}
    assert {name: value.tolist() for name, value in found.items()} == expected
    assert 'startswith' not in tp.grad(decayed).lower(weights).source


def unknown(x, name='a'):
    return x if name.startswith(f'{x}') else x * x


def asked_at_run_time(x):
    return x * f'{x}'.isdigit()


@pytest.mark.parametrize(('f', 'why'), [(unknown, 'holds no numbers'), (asked_at_run_time, 'shows at run time only')])
def test_what_shows_at_run_time_is_refused(f, why):
    with pytest.raises(tp.TranspileError, match=why):
        tp.grad(f)(2.0)


CONSTANTS = {
    'split': lambda x, name='a b': x * len(name.split()),
    'partition': lambda x: x * len('a=b'.partition('=')[2]),
    'startswith': lambda x: x * 'abc'.startswith('ab'),
    'find': lambda x: x * 'abc'.find('c') * 'abc'.count('c'),
    'isdigit': lambda x: x * '12'.isdigit(),
    'join': lambda x: x * len('-'.join(['a', f'{x.ndim}', 'b'])),
    'bytes': lambda x: x * b'abc'.endswith(b'c') * len('é'.encode()),
}


@pytest.mark.parametrize('f', CONSTANTS.values(), ids=CONSTANTS)
def test_constants_are_asked_while_code_is_generated(mode, f):
    x = np.array([2.0, 3.0])
    np.testing.assert_array_equal(mode(tp.jvp(f))(x, x_dot=x)[0], f(x))


def test_what_a_text_gives_may_be_a_result():
    assert tp.jit(lambda x: ('abc'.startswith('ab'), 'abc'.find('c'), 'a b'.split()))(1.0) == (True, 2, ['a', 'b'])


def index_of_nothing(x, name='a'):
    return x * name.index('z')


def test_what_raises_raises():
    with pytest.raises((ValueError, tp.TranspileError), match='substring not found'):
        tp.grad(index_of_nothing)(2.0)
