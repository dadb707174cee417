"""A derivative by NumPy's number is one too, of its dtype, where the slope is constant as well."""
import numpy as np
import pytest

import transpiler as tp


def counted(x):
    a = 0
    while a < 3:
        a = a + x
    return a


def rectified(x):
    return x if x > 0 else 0.0


FUNCTIONS = [lambda x: x * 3, lambda x: x, lambda x: x * x, abs, counted, rectified, lambda x: x ** 2 + x]
WAYS = {
    'grad': lambda f, x: tp.grad(f)(x),
    'value_and_grad': lambda f, x: tp.value_and_grad(f)(x)[1],
    'jacfwd': lambda f, x: tp.jacfwd(f)(x),
    'jacrev': lambda f, x: tp.jacrev(f)(x),
    'hessian': lambda f, x: tp.hessian(f)(x),
    'grad of grad': lambda f, x: tp.grad(tp.grad(f))(x),
    'vjp': lambda f, x: tp.vjp(f, x)[1](type(x)(1))[0],
    'jvp': lambda f, x: tp.jvp(f, (x,), (type(x)(1),))[1],
    'linearize': lambda f, x: tp.linearize(f, x)[1](type(x)(1)),
}


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('kind', [np.float32, np.float64, float])
def test_a_derivative_is_a_number_of_the_kind_of_the_argument(way, kind):
    for f in FUNCTIONS:
        if f is not rectified or way not in ('jvp', 'linearize'):
            assert type(WAYS[way](f, kind(2))) is kind
        if f is rectified and way in ('grad', 'jacrev', 'jacfwd'):
            assert type(WAYS[way](f, kind(-2))) is kind


def test_that_of_a_constant_too():
    assert repr(tp.grad(lambda x: 2.0)(np.float32(1))) == 'np.float32(0.0)'
    assert repr(tp.jacrev(lambda x, y: (x, 1.0), argnums=(0, 1))(np.float32(1), 2.0)) == (
        '((np.float32(1.0), 0.0), (np.float32(0.0), 0.0))')


def test_and_in_batches():
    x = np.array([-1, 2], np.float32)
    for f in FUNCTIONS:
        for derivative in (tp.grad(f), tp.jacfwd(f), tp.hessian(f)):
            assert tp.vmap(derivative)(abs(x)).dtype == np.float32


def test_the_text_says_so():
    text = tp.grad(counted).lower(np.float32(2)).source
    assert 'np.float32(x_bar)' in text
    assert 'np.float' not in tp.grad(counted).lower(2.0).source
