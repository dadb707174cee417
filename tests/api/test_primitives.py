"""Black boxes: called as they are, with rules."""
import ctypes
import ctypes.util

import numba
import numpy as np
import pytest
from scipy import optimize

import transpiler as tp
from tests.support import same
from transpiler.errors import CompileError, NotDifferentiable, TranspileError

X = np.array([0.5, 1.0, 2.0])
LIBM = ctypes.CDLL(ctypes.util.find_library('m'))
for name in ('j0', 'j1'):
    getattr(LIBM, name).restype, getattr(LIBM, name).argtypes = ctypes.c_double, [ctypes.c_double]
j0, j1 = tp.primitive(LIBM.j0), tp.primitive(LIBM.j1)
j0.defjvp(lambda primals, dots: (j0(primals[0]), -j1(primals[0]) * dots[0]))
j1.defjvp(lambda primals, dots: (j1(primals[0]), (j0(primals[0]) - j1(primals[0]) / primals[0]) * dots[0]))


def cubic_root(a):
    """Where x³ + a x = 1."""
    return optimize.root(lambda x: x ** 3 + a * x - 1.0, np.ones_like(a), tol=1e-13).x


root = tp.primitive(cubic_root, result='a')


def root_fwd(a):
    x = root(a)
    return x, (a, x)


def root_bwd(kept, x_bar):
    a, x = kept
    return (-x_bar * x / (3.0 * x * x + a),)


root.defvjp(root_fwd, root_bwd)
by_differences = tp.primitive(cubic_root, result='a', derivative='finite differences')


@tp.primitive(result='x', nondiff_argnums=(1,))
@numba.njit
def power(x, n):
    return x ** n


power.defvjp(lambda x, n: (power(x, n), x), lambda n, x, bar: (bar * n * x ** (n - 1),))


def bessel_sum(x):
    total = 0.0
    for i in range(1, 4):
        total += j0(x * i) * x
    return total


def roots(a):
    return np.sum(root(a * a) ** 2)


@pytest.mark.parametrize('function, args', [(bessel_sum, (1.5,)), (roots, (X,)), (lambda x: np.sum(power(x, 3) * x), (X,))])
def test_rules(function, args):
    tp.testing.check_grads(function, args, order=2, modes=('rev',))


DOTS = np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize('function, x, dot', [
    (bessel_sum, 1.5, 2.0), (roots, X, DOTS), (lambda x: np.sum(power(x, 3) * x), X, DOTS),
    (lambda x: np.sum(by_differences(x) * x), X, DOTS),
])
def test_either_rule_serves_both_modes(function, x, dot):
    value, tangent = tp.jvp(function, (x,), (dot,))
    same((value, tangent), (function(x), np.sum(tp.grad(function)(x) * dot)))


def test_forward_over_reverse():
    """A Hessian-vector product, both ways round."""
    direction = lambda x: tp.jvp(roots, (x,), (DOTS,))[1]
    same(tp.jvp(tp.grad(roots), (X,), (DOTS,))[1], tp.grad(direction)(X))


def test_compiled_code_calls_compiled_functions():
    value, slope = tp.jit(tp.value_and_grad(bessel_sum))(1.5)
    same((value, slope), (bessel_sum(1.5), tp.grad(bessel_sum)(1.5)), rtol=1e-12)
    same(tp.jit(tp.grad(lambda x: np.sum(power(x, 3) * x)))(X), 4.0 * X ** 3)


def test_callbacks_of_numba():
    cube = numba.cfunc('float64(float64)')(lambda x: x * x * x)
    for function in (cube, cube.ctypes):
        box = tp.primitive(function)
        box.defjvp(lambda primals, dots: (box(*primals), 3.0 * primals[0] ** 2 * dots[0]))
        assert tp.jit(tp.grad(lambda x: box(x) * x))(2.0) == 32.0


def test_compiled_code_refuses_others():
    with pytest.raises(CompileError, match='`cubic_root` is a black box'):
        tp.jit(tp.grad(roots))(X)


def test_the_text_names_it():
    text = tp.grad(roots).lower(X).source
    assert '# cubic_root: given from outside' in text and ' cubic_root(' in text


def test_finite_differences(mode):
    same(tp.grad(lambda a: np.sum(by_differences(a * a) ** 2))(X), tp.grad(roots)(X), rtol=1e-7)
    cube = tp.primitive(numba.njit(lambda x, y, n: x ** 3 * y + n), result='x', derivative='finite differences')
    same(mode(tp.grad(lambda x, y: cube(x, y, 2), argnums=(0, 1)))(2.0, 3.0), (36.0, 8.0), rtol=1e-7)


def test_without_a_rule():
    bare = tp.primitive(cubic_root)
    with pytest.raises(NotDifferentiable, match='`cubic_root` has no rule yet'):
        tp.grad(lambda a: np.sum(bare(a)))(X)
    with pytest.raises(TranspileError, match='make the function with a rule outside'):
        tp.grad(lambda a: np.sum(tp.primitive(cubic_root)(a)))(X)
    with pytest.raises(ValueError, match='finite differences'):
        tp.primitive(cubic_root, derivative='differences')


def test_one_example_after_the_other():
    batch = np.stack([X, 2.0 * X])
    same(tp.vmap(lambda a: np.sum(root(a)))(batch), np.array([np.sum(root(a)) for a in batch]))
    same(tp.vmap(tp.grad(roots))(batch), np.array([tp.grad(roots)(a) for a in batch]))
    same(tp.grad(lambda a: np.sum(tp.vmap(roots)(a)))(batch), np.array([tp.grad(roots)(a) for a in batch]))


def test_several_results():
    split = tp.primitive(lambda a: tuple(np.linalg.eigh(a)), result=('float64[n]', 'a'))
    matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    scaled = tp.vmap(lambda a, factor: factor * split(a)[0] + split(a)[1][0], in_axes=(None, 0))
    w, v = np.linalg.eigh(matrix)
    same(scaled(matrix, np.array([1.0, 2.0])), np.stack([w + v[0], 2.0 * w + v[0]]))


@pytest.mark.parametrize('result, match', [
    ('float64[2]', 'of shape .3,., not float64.2.'), ('float', 'not float, as declared'), ('float32[n]', 'not float32'),
    (('a', 'a'), 'not 2 results'),
])
def test_results_that_were_not_declared(result, match):
    wrong = tp.primitive(cubic_root, result=result)
    first = (lambda a: wrong(a)[0]) if isinstance(result, tuple) else wrong
    with pytest.raises(TypeError, match=match):
        tp.vmap(lambda a: np.sum(first(a)))(np.stack([X, X]))


def test_what_cannot_be_given():
    of_dict = tp.primitive(lambda tree: tree['a'], result='float64[n]')
    plain = tp.vmap(lambda x: np.sum(of_dict({'a': x})))
    with pytest.raises(TranspileError, match='a black box is given numbers, arrays'):
        plain(np.stack([X, X]))
    with pytest.raises(TranspileError, match='is no type'):
        tp.vmap(tp.primitive(cubic_root, result='floats'))(np.stack([X, X]))
