"""What is made of a function lives as long as it does; transformed functions pickle, copy and travel to other processes."""
import copy
import functools
import gc
import multiprocessing
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X = np.array([1.0, 2.0, 3.0])


def loss(x):
    return np.sum(x * x)


def scaled(x, by, *, k=2.0):
    return np.sum(x * by) * k


@tp.jit
def cubes(x):
    return np.sum(x ** 3)


@tp.custom_vjp
def norm(x):
    return np.sqrt(np.sum(x * x))


norm.defvjp(lambda x: (np.sqrt(np.sum(x * x)), x), lambda x, bar: (7.0 * bar * x,))


class Layer:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return np.sum(self.k * x * x)

    def total(self, x):
        return np.sum(self.k * x)


MADE = {
    'gradient': lambda: tp.grad(loss), 'compiled': lambda: tp.jit(tp.grad(loss)), 'decorated': lambda: cubes,
    'of what is decorated': lambda: tp.grad(cubes), 'with a rule': lambda: tp.grad(norm), 'object': lambda: tp.grad(Layer(3.0)),
    'method': lambda: tp.grad(Layer(3.0).total), 'partial': lambda: tp.grad(functools.partial(scaled, by=2.0)),
    'either mode': lambda: tp.jacobian(loss), 'batch': lambda: tp.vmap(tp.grad(loss), in_axes=0),
    'checkpoint': lambda: tp.checkpoint(loss)}


@pytest.mark.parametrize('make', MADE.values(), ids=list(MADE))
def test_transformed_functions_pickle_and_copy(make):
    f = make()
    args = (np.ones((2, 3)),) if 'vmap' in repr(f) else (X,)
    early = pickle.loads(pickle.dumps(f))
    expected = f(*args)
    for other in (early, pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        same(other(*args), expected)
        assert repr(other) == repr(f) and type(other) is type(f)


def test_what_is_decorated_pickles_by_name():
    assert pickle.loads(pickle.dumps(cubes)) is cubes and pickle.loads(pickle.dumps(norm)) is norm
    assert copy.deepcopy(cubes) is not None and b'lambda' not in pickle.dumps(tp.grad(cubes))


def test_copies_of_methods_have_objects_of_their_own():
    layer = Layer(3.0)
    f = tp.grad(layer.total)
    other = copy.deepcopy(f)
    layer.k = 5.0
    assert f(X)[0] == 5.0 and other(X)[0] == 3.0


def test_what_cannot_be_pickled_says_so():
    with pytest.raises((pickle.PicklingError, AttributeError), match='lambda'):
        pickle.dumps(tp.grad(lambda x: x))
    pullback = tp.vjp(loss, X)[1]
    with pytest.raises(TypeError, match='cannot pickle `loss_pullback`'):
        pickle.dumps(pullback)
    same(copy.deepcopy(pullback)(1.0)[0], 2.0 * X)


def test_functions_pickle_without_what_is_made_of_them():
    partial = functools.partial(scaled, k=3.0)
    tp.jvp(partial, (X, X), (X, X))
    assert pickle.loads(pickle.dumps(partial))(X, X) == partial(X, X)


@pytest.mark.parametrize('method', ['fork', 'spawn'])
def test_processes(method):
    f = tp.grad(loss)
    f(X)
    with multiprocessing.get_context(method).Pool(1) as pool:
        same(pool.map(f, [X, 2.0 * X]), [2.0 * X, 4.0 * X])


SCRIPT = '''
import joblib
import numpy as np
import transpiler as tp

def helper(x):
    return SCALE * x

def loss(x):
    return np.sum(helper(x) * x)

SCALE, factor = 3.0, 2.0
if __name__ == '__main__':
    here = tp.grad(lambda x: factor * np.sum(helper(x)))
    here(np.ones(2))
    print(joblib.Parallel(2)(joblib.delayed(f)(np.ones(2)) for f in (tp.grad(loss), here)))
'''


def test_workers_get_functions_by_value(tmp_path):
    (tmp_path / 'script.py').write_text(SCRIPT)
    done = subprocess.run([sys.executable, 'script.py'], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout == '[array([6., 6.]), array([6., 6.])]\n', done.stderr


def transformed_in_all_ways(f, x):
    tp.vjp(f, x)[1](1.0)
    tp.linearize(f, x)[1](x)
    tp.jvp(f, (x,), (x,))
    tp.hvp(f, (x,), (x,))
    tp.grad(f)(x)
    tp.vmap(f)(np.ones((2, x.size)))


def test_a_function_that_is_gone_keeps_nothing(monkeypatch):
    alive = []

    def step(k):
        held = np.ones(50) * k
        alive.append(weakref.ref(held))
        transformed_in_all_ways(lambda w: np.sum(w * w * held[:5]), np.ones(5))

    gc.collect()
    gc.disable()    # not even for the next search for garbage
    try:
        for k in range(8):
            step(k)
        assert sum(one() is not None for one in alive) <= 1
    finally:
        gc.enable()


GONE = {
    'method': lambda k: Layer(np.ones(3) * k).total,
    'object': lambda k: Layer(np.ones(3) * k),
    'partial': lambda k: functools.partial(scaled, by=np.ones(3) * k)}


@pytest.mark.parametrize('make', GONE.values(), ids=list(GONE))
def test_objects_and_methods_that_are_gone(make):
    alive = []
    for k in range(12):
        f = make(k)
        held = f.keywords['by'] if isinstance(f, functools.partial) else getattr(f, '__self__', f).k
        alive.append(weakref.ref(held))
        tp.jvp(f, (X,), (X,))
        tp.vjp(f, X)
    del f, held
    gc.collect()
    assert sum(one() is not None for one in alive) <= 5


def test_what_is_made_is_made_once():
    def cost(x):
        return np.sum(x ** 3)
    tp.vjp(cost, X)
    made = dict(vars(cost)['__transpiler_made__'])
    tp.vjp(cost, 2.0 * X)
    assert made == vars(cost)['__transpiler_made__']

    @functools.wraps(cost)
    def other(x):
        return 2.0 * cost(x)
    same(tp.vjp(other, X)[1](1.0)[0], 6.0 * X ** 2)
    same(tp.vjp(cost, X)[1](1.0)[0], 3.0 * X ** 2)
