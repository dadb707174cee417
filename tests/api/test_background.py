"""`jit(f, background=True)`: calls run as Python until machine code is there, and nobody can tell which of the two has run."""
import gc
import pickle
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import transpiler as tp
from tests.backends.test_background import LONG, idle
from tests.support import same
from transpiler.api.calls.specialization import Specialisation
from transpiler.backends import background
from transpiler.backends.guarded import Flat

X = np.array([1.0, 2.0, 3.0])


@pytest.fixture
def gate(monkeypatch):
    """Nothing is compiled in the background until the event is set."""
    go, prepare = threading.Event(), Flat.prepare_later

    def later(flat, leaves):
        assert go.wait(LONG)
        prepare(flat, leaves)
    monkeypatch.setattr(Flat, 'prepare_later', later)
    yield go
    go.set()
    idle()


@pytest.fixture
def in_python(monkeypatch):
    """The arguments of calls that run as Python."""
    calls, run = [], Specialisation.run_python

    def recorded(made, values):
        calls.append(values)
        return run(made, values)
    monkeypatch.setattr(Specialisation, 'run_python', recorded)
    return calls


def scaled(x, by):
    s = 0.0
    for v in x:
        s += v * by
    return s


def test_calls_run_as_python_until_machine_code_is_there(gate, in_python):
    f = tp.jit(scaled, background=True)
    assert [f(X, 2.0), f(X, by=3.0)] == [12.0, 18.0] and len(in_python) == 2
    gate.set()
    idle()
    assert [f(X, 2.0), f(X, by=3.0), f(X, 2.0)] == [12.0, 18.0, 12.0] and len(in_python) == 2


def test_each_type_of_arguments_is_compiled_for_itself(gate, in_python):
    f = tp.jit(lambda x: 2.0 * x, background=True)
    read_only = X.copy()
    read_only.flags.writeable = False
    forms = [X, X[::2], read_only, np.ones((2, 3)), np.ones((2, 3)).T, np.ones((4, 6))[::2, ::2], X.astype(np.float32),
             3.0, 3, np.float32(3.0)]
    first = [f(form) for form in forms]
    assert len(in_python) == len(forms)
    gate.set()
    idle()
    for form, expected in zip(forms, first):
        same(f(form), expected)
        assert type(f(form)) is type(expected)
    assert len(in_python) == len(forms)


def test_lower_and_compile_waits(gate, in_python):
    f = tp.jit(lambda x: scaled(x, 4.0), background=True)
    f(X)
    gate.set()
    f.lower(X).compile()
    assert f(2 * X) == 48.0 and len(in_python) == 1
    g = tp.jit(lambda x: scaled(x, 5.0), background=True)
    g.lower(X).compile()
    assert g(X) == 30.0 and len(in_python) == 1


def test_writes_and_results_are_those_of_compiled_code(gate, in_python):
    def shifted(x, k):
        x[1:] += x[:-1] * k
        return x, {'sum': np.sum(x), 'k': k}

    f = tp.jit(shifted, background=True)
    found = []
    for _ in range(2):
        x = X.copy()
        result, rest = f(x, 2)
        assert result is x
        found.append((x, rest))
        gate.set()
        idle()
    same(*found)
    same(found[0][0], np.array([1.0, 4.0, 7.0]))
    assert len(in_python) == 1


@pytest.mark.compiles
@pytest.mark.parametrize('f, x, expected', [
    (lambda x: abs(x ** 0.5), -4.0, np.nan), (lambda x: x ** -1, 0.0, np.inf), (lambda x: x ** 2, 1e200, np.inf),
    (lambda x: np.log(x), np.zeros(1), np.array([-np.inf]))])
def test_what_compiled_code_gives_where_python_raises_or_warns(gate, f, x, expected):
    gate.set()
    compiled = tp.jit(f, background=True)
    with np.errstate(all='raise'):
        same(compiled(x), expected)
        idle()
        same(compiled(x), expected)


def test_exceptions_are_those_of_the_program(gate):
    def checked(x, k):
        if k < 0:
            raise ValueError('no such item')
        x[0] = 5.0
        return x[k] / (k - 2)

    f = tp.jit(checked, background=True)
    for _ in range(2):
        with pytest.raises(ValueError, match='no such item') as caught:
            f(X.copy(), -1)
        assert 'raise ValueError' in caught.value.__notes__[0]
        with pytest.raises(IndexError):
            f(X.copy(), 7)
        assert f(X.copy(), 1) == -2.0
        gate.set()
        idle()


@pytest.mark.parametrize('f, x', [(lambda x: undefined(x), 1.0), (lambda x: x * 2, np.ones(2, np.float16)),
                                  (lambda x: x.append(1.0), [1.0])])
def test_refusals_come_at_once(gate, f, x):
    with pytest.raises(tp.TranspileError) as before:
        tp.jit(f)(x)
    with pytest.raises(tp.TranspileError) as at_once:
        tp.jit(f, background=True)(x)
    assert str(at_once.value) == str(before.value) and not background._queue


def test_what_fails_in_the_background_fails_where_it_is_waited_for(monkeypatch, in_python):
    def fail(flat, leaves):
        raise tp.errors.CompileError('no machine code')
    f, prepare = tp.jit(lambda x: x - 7.0, background=True), Flat.prepare
    monkeypatch.setattr(Flat, 'prepare', fail)
    assert f(8.0) == 1.0
    idle()
    with pytest.raises(tp.errors.CompileError, match='no machine code'):
        f.lower(8.0).compile()
    monkeypatch.setattr(Flat, 'prepare', prepare)
    assert f(8.0) == 1.0 and len(in_python) == 1


def test_transformations_of_it(gate, in_python):
    f = tp.jit(lambda x: np.sum(np.sin(x) * x), background=True)
    rows = np.stack([X, 2 * X])
    plain = f.given
    for make in (tp.grad, lambda f: tp.vmap(tp.grad(f)), tp.hessian):
        args = (rows,) if 'vmap' in repr(make(plain)) else (X,)
        one = make(f)
        found = [one(*args)]
        assert in_python
        in_python.clear()
        gate.set()
        idle()
        found.append(one(*args))
        assert not in_python
        for result in found:
            np.testing.assert_allclose(result, make(plain)(*args), rtol=1e-12)
        in_python.clear()
        gate.clear()


def test_halves_of_which_one_is_compiled(gate):
    def orbit(x, bound):
        places = []
        while np.sum(x) < bound:
            x = x * x + 1.0
            places.append(np.sin(x))
        s = 0.0
        for place in places:
            s = s + np.sum(place * place)
        return s

    f, x = tp.jit(orbit, background=True), np.array([1.0, 2.0])
    expected = tp.grad(orbit)(x, 100.0)
    early = tp.vjp(f, x, 100.0)[1]
    gate.set()
    idle()
    gate.clear()
    late = tp.vjp(f, x, 100.0)[1]
    np.testing.assert_allclose(late(1.0)[0], expected, rtol=1e-12)     # compiled, then Python
    gate.set()
    idle()
    for pullback in (early, late, early, late):
        np.testing.assert_allclose(pullback(1.0)[0], expected, rtol=1e-12)


def test_threads_that_call_at_once(gate):
    f, found, start = tp.jit(lambda x, by: scaled(x, by), background=True), [], threading.Barrier(4)

    def calls():
        start.wait(LONG)
        found.extend(f(X, float(k)) for k in range(20))
        gate.set()
        found.extend(f(X, float(k)) for k in range(20))
    threads = [threading.Thread(target=calls) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert sorted(found) == sorted(6.0 * k for k in range(20) for _ in range(8))


def test_functions_that_are_gone_leave_nothing(gate, in_python):
    held, first = np.ones(50), tp.jit(lambda x: x * 11.0, background=True)
    first(1.0)
    gone = weakref.ref(held)
    gc.collect()
    gc.disable()
    try:
        step = tp.jit(lambda x: x * held[:3], background=True)
        step(X)
        assert len(background._queue) == 1
        in_python.clear()
        del step, held
        assert gone() is None and not background._queue
    finally:
        gc.enable()


def test_a_lambda_that_is_made_anew_in_each_step_is_compiled_once(gate, in_python):
    gate.set()
    for k in range(3):
        f = tp.jit(lambda x: x * 13.0, background=True)
        assert f(2.0) == 26.0
        idle()
    assert len(in_python) == 1


def test_it_is_asked_for_and_travels():
    f = tp.jit(tp.jit(scaled, background=True), accurate=True)
    assert f.compiled.background and pickle.loads(pickle.dumps(f)).compiled == f.compiled
    assert not tp.jit(scaled).compiled.background
    with pytest.raises(TypeError, match='background is True or False, not 1'):
        tp.jit(scaled, background=1)


HEAD = '''
import os, threading
import numpy as np
import transpiler as tp
from transpiler.backends.guarded import Flat

begun, prepare = threading.Event(), Flat.prepare
def told(flat, leaves):
    if threading.current_thread() is not threading.main_thread():
        begun.set()
    prepare(flat, leaves)
Flat.prepare = told

@tp.jit(background=True, cache=False)
def loss(x):
    return np.sum(np.log1p(np.exp(x)) * np.arange(x.size))
'''
ENDS = {
    'at once': 'print(loss(np.ones(3)))',
    'while it compiles': 'print(loss(np.ones(3))); begun.wait()',
    'by an exception': 'print(loss(np.ones(3))); begun.wait(); raise SystemExit(0)',
    'with work in the queue': 'print(loss(np.ones(3))); loss(np.ones((1, 3)).ravel()[::2]); begun.wait()',
    'with calls at the end': 'import atexit; atexit.register(loss, np.ones(2)); print(loss(np.ones(3))); begun.wait()',
    'in a child': '''
print(loss(np.ones(3)), flush=True)
begun.wait()
if (child := os.fork()) == 0:
    assert tp.jit(lambda x: 2.0 * x)(loss(np.ones(3))) > 7.0
else:
    assert os.waitpid(child, 0)[1] == 0''',
}


@pytest.mark.parametrize('end', ENDS.values(), ids=list(ENDS))
def test_processes_end(end, tmp_path):
    (tmp_path / 'program.py').write_text(HEAD + end)
    done = subprocess.run([sys.executable, 'program.py'], cwd=tmp_path, capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stderr) == (0, '') and done.stdout.startswith('3.93')
