"""`precompile`: nothing is called, and neither the first call nor the next process has anything left for Numba."""
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import transpiler as tp
from tests.support import same
from transpiler import backends
from transpiler.backends import cache
from transpiler.stages import NUMBA

X = np.arange(6.0).reshape(3, 2)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    return tmp_path


def numba_is_asked(call):
    """The result, and whether Numba has compiled for it."""
    with backends.timing.timing() as clock:
        result = call()
    return result, clock.times(NUMBA) > 0


def summed(x, by, *, twice=False):
    print(by)
    return np.sum(np.cos(x)) * (2.0 * by if twice else by)


EXAMPLES = {
    'arrays': (np.ones((4, 5)), 2.0),
    'descriptions': (SimpleNamespace(shape=(4, 5), dtype=np.dtype('f8')), 2.0),
}


@pytest.mark.parametrize('args', EXAMPLES.values(), ids=list(EXAMPLES))
def test_it_compiles_and_calls_nothing(capsys, args):
    f = tp.precompile(summed, *args, twice=True)
    assert isinstance(f, tp.Transformed) and f.compiled and not capsys.readouterr().out and tp.cache.size() > 1000
    same(numba_is_asked(lambda: f(X, 3.0, twice=True)), (summed(X, 3.0, twice=True), False))
    assert numba_is_asked(lambda: f(X[:1], 3.0))[1]


def test_what_is_described_may_lie_in_containers():
    row = SimpleNamespace(shape=(4,), dtype=np.dtype('f4'))
    f = tp.precompile(tp.grad(lambda p: np.sum(p['w'] * p['w']) * p['b'][0]), {'w': row, 'b': [1.0]})
    result, asked = numba_is_asked(lambda: f({'w': np.ones(3, np.float32), 'b': [2.0]}))
    assert not asked and result['w'].dtype == np.float32 and result['b'] == [3.0]


def test_options_are_kept():
    f = tp.jit(lambda x: x * 3.0, parallel=False, background=True)
    assert tp.precompile(f, X) is f
    same(numba_is_asked(lambda: f(2.0 * X)), (X * 6.0, False))


def test_the_first_call_of_the_next_process_finds_it():
    program = '''
import numpy as np, transpiler as tp
from transpiler import backends
from transpiler.stages import NUMBA
f = tp.grad(tp.from_source('import numpy as np\\ndef f(x, k): return np.sum(x ** 3) * k'))
with backends.timing.timing() as clock:
    {}
print(clock.times(NUMBA))
'''
    found = []
    for statement in ('tp.precompile(f, np.ones(5), 1.0)', 'assert list(tp.jit(f)(np.arange(2.0), 2.0)) == [0.0, 6.0]'):
        done = subprocess.run([sys.executable, '-c', program.format(statement)], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        found.append(int(done.stdout))
    assert found[0] > 0 and found[1] == 0


def test_what_cannot_be_kept_is_warned_of():
    def factorial(n):
        return 1.0 if n <= 0 else n * factorial(n - 1)
    with pytest.warns(UserWarning, match='`factorial` is compiled, but it is kept nowhere') as caught:
        assert tp.precompile(factorial, 5)(4) == 24.0
    assert caught[0].filename == __file__
    with pytest.warns(UserWarning, match='kept nowhere'):
        tp.precompile(tp.jit(summed, cache=False), X, 2.0)


def test_what_is_refused_is_refused():
    with pytest.raises(tp.TranspileError, match='nothing'):
        tp.precompile(lambda x: x.nothing(), X)
    with pytest.raises(TypeError, match='precompile takes a function, not'):
        tp.precompile(3.0, X)
    with pytest.raises(TypeError, match='the arguments do not fit'):
        tp.precompile(summed, X)
    with pytest.raises(tp.TranspileError, match='`precompile` inside a function'):
        tp.jit(lambda x: tp.precompile(summed, x, 2.0)(x, 2.0))(X)
