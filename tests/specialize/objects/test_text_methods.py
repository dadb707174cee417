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


def several(x, name='a b'):
    return x * len(name.split())


def unknown(x, name='a'):
    return x if name.startswith(f'{x}') else x * x


@pytest.mark.parametrize('f', [several, unknown])
def test_what_shows_at_run_time_and_several_texts_are_refused(f):
    with pytest.raises(tp.TranspileError):
        tp.grad(f)(2.0)


def index_of_nothing(x, name='a'):
    return x * name.index('z')


def test_what_raises_raises():
    with pytest.raises((ValueError, tp.TranspileError), match='substring not found'):
        tp.grad(index_of_nothing)(2.0)
