"""Complex results of real numbers have complex Jacobians in every mode; `holomorphic=` means what it does in JAX."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

X, Z, C = np.array([0.2, 0.5, -0.3]), np.array([1.0 + 2.0j, 0.5 - 1.0j]), 0.3 + 0.7j
MODES = [tp.jacrev, tp.jacfwd, tp.jacobian]


def wave(x):
    return np.exp(1j * x)


def spectrum(x):
    return np.fft.rfft(x * x)


def summed(x):
    return np.sum(wave(x) * x)


def of_rows(x):
    return np.exp(1j * np.outer(x, x)) @ np.ones(3)


def in_a_loop(x):
    s = 0j
    for i in range(x.size):
        s = s * x[i] * 1j + np.exp(1j * x[i])
    return s


def on_a_branch(x):
    return np.exp(1j * x) * x[1] if x[0] > 0.0 else np.exp(-1j * x)


def stored(x):
    y = np.zeros(3, dtype=complex)
    for i in range(3):
        y[i] = x[i] * 1j + x[0]
    y[1] *= x[2]
    return y


def real_at_last(x):
    z = x + 0.3j
    for _ in range(2):
        z = x * x
    return z[1]


def angles(x):
    z, w = x + 0.3j, 0.5
    for _ in range(2):
        z = np.angle(z) * x
    for v in z:
        w = v
    return w


def real_in_between(x):
    z = x * 1j
    for k in range(3):
        z = np.real(z * z) if k == 1 else z + x
    return z * x


def conjugated(x):
    return np.conj(wave(x)) * x


def of_one(t):
    return np.array([t * 1j, np.exp(1j * t) * t * t])


def numeric(f, x, step=1e-6):
    """The Jacobian by differences."""
    x = np.asarray(x, dtype=float)
    columns = []
    for place in np.ndindex(x.shape):
        move = np.zeros_like(x)
        move[place] = step
        columns.append((np.asarray(f((x + move)[()])) - np.asarray(f((x - move)[()]))) / (2 * step))
    return np.stack(columns, axis=-1).reshape(columns[0].shape + x.shape)


CASES = [(f, X) for f in (wave, spectrum, summed, of_rows, in_a_loop, on_a_branch, stored, conjugated)] + [
    (wave, 0.2), (of_one, 0.3), (lambda m: np.exp(1j * m) @ np.ones(2), np.arange(6.0).reshape(3, 2)),
    (lambda t: complex(t, t * t) * 1j, 0.7), (lambda x: x[0] + np.zeros(2) * 1j, X)]


@pytest.mark.parametrize('jacobian', MODES)
@pytest.mark.parametrize('f, x', CASES)
def test_complex_results_of_real_numbers(jacobian, f, x):
    found, wanted = jacobian(f)(x), numeric(f, x)
    assert np.shape(found) == wanted.shape and np.asarray(found).dtype == complex
    np.testing.assert_allclose(found, wanted, atol=1e-8)


@pytest.mark.parametrize('jacobian', MODES)
@pytest.mark.parametrize('f', [real_at_last, angles, real_in_between])
def test_numbers_that_are_complex_on_one_path(jacobian, f):
    np.testing.assert_allclose(jacobian(f)(X), numeric(f, X), atol=1e-8)


@pytest.mark.parametrize('f, x', [(wave, X), (in_a_loop, X), (real_at_last, X), (wave, 0.2)])
def test_compiled(f, x):
    same(tp.jit(tp.jacrev(f))(x), tp.jacfwd(f)(x))


@pytest.mark.parametrize('f, x', [(wave, X), (summed, X), (in_a_loop, X), (of_one, 0.3)])
@pytest.mark.parametrize('second', [tp.hessian, lambda f: tp.jacrev(tp.jacrev(f)), lambda f: tp.jacrev(tp.jacfwd(f))])
def test_second_derivatives(second, f, x):
    np.testing.assert_allclose(second(f)(x), numeric(tp.jacfwd(f), x), atol=1e-7)


def test_of_batches():
    rows = np.array([X, 2.0 * X])
    same(tp.vmap(tp.jacrev(wave))(rows), np.array([np.diag(1j * wave(row)) for row in rows]))
    np.testing.assert_allclose(tp.jacrev(tp.vmap(wave))(rows), numeric(wave, rows), atol=1e-8)


@pytest.mark.parametrize('jacobian', MODES)
def test_parts_of_containers(jacobian):
    def f(p):
        return {'wave': np.exp(1j * p['x']) * p['y'], 'real': np.sum(p['x']) * p['y'], 'count': 3}
    given = {'x': X, 'y': 2.0}
    found = jacobian(f)(given)
    for out in ('wave', 'real'):
        for name in given:
            wanted = numeric(lambda v, out=out, name=name: f({**given, name: v})[out], given[name])
            np.testing.assert_allclose(found[out][name], wanted, atol=1e-8)
            assert np.asarray(found[out][name]).dtype == wanted.dtype
    assert found['count'] is None


def test_with_aux_and_several_arguments():
    def f(x, y):
        return np.exp(1j * x) * y, x * 2.0
    (by_x, by_y), aux = tp.jacrev(f, argnums=(0, 1), has_aux=True)(X, 2.0)
    same((by_x, by_y, aux), (np.diag(2j * wave(X)), wave(X), 2.0 * X))


def test_single_precision_stays():
    assert tp.jacrev(wave)(X.astype(np.float32)).dtype == tp.jacfwd(wave)(X.astype(np.float32)).dtype == np.complex64


def test_real_results_of_complex_numbers():
    wanted = np.diag(2.0 * np.conj(Z))
    same(tp.jacrev(lambda z: np.abs(z) ** 2)(Z), wanted)
    same(tp.jacobian(lambda z: np.abs(z) ** 2)(Z), wanted)


def test_within_a_function():
    def f(x):
        return np.sum(np.abs(tp.jacrev(lambda t: wave(t) * t)(x)))
    np.testing.assert_allclose(tp.grad(f)(X), numeric(lambda x: np.sum(np.abs((1j * x + 1) * wave(x))), X), atol=1e-8)


def entire(z):
    return z * z * np.exp(z)


def slope(z):
    return (2.0 * z + z * z) * np.exp(z)


def bend(z):
    return (2.0 + 4.0 * z + z * z) * np.exp(z)


def test_holomorphic_derivatives(mode):
    same(mode(tp.grad(entire, holomorphic=True))(C), slope(C))
    value, gradient = mode(tp.value_and_grad(lambda z: np.sum(entire(z)), holomorphic=True))(Z)
    same((value, gradient), (np.sum(entire(Z)), slope(Z)))
    same(mode(tp.jacfwd(entire, holomorphic=True))(Z), np.diag(slope(Z)))
    same(mode(tp.jacrev(entire, holomorphic=True))(Z), np.diag(slope(Z)))


def test_holomorphic_derivatives_of_higher_order():
    same(tp.jacobian(entire, holomorphic=True)(Z), np.diag(slope(Z)))
    same(tp.hessian(lambda z: np.sum(entire(z)), holomorphic=True)(Z), np.diag(bend(Z)))
    same(tp.hessian(entire, holomorphic=True)(C), bend(C))
    same(tp.grad(tp.grad(entire, holomorphic=True), holomorphic=True)(C), bend(C))
    same(tp.vmap(tp.grad(entire, holomorphic=True))(Z), slope(Z))


def test_holomorphic_as_a_decorator_and_within_a_function():
    @tp.grad(holomorphic=True)
    def cubed(z):
        return z ** 3

    def product(z):
        return tp.grad(entire, holomorphic=True)(z) * z
    same(cubed(C), 3.0 * C ** 2)
    same(tp.grad(product, holomorphic=True)(C), bend(C) * C + slope(C))


def size(z):
    return np.sum(np.abs(z))


@pytest.mark.parametrize('transform, argument, match', [
    (tp.grad(lambda x: x * x, holomorphic=True), 2.0, '`x` is float, which is not complex'),
    (tp.grad(lambda x: x * x, holomorphic=True), 2, '`x` is int, which is not complex'),
    (tp.grad(lambda p: p['x'] * p['z'], holomorphic=True), {'x': 1.0, 'z': 2j}, 'not complex'),
    (tp.grad(size, holomorphic=True), Z, 'the output is not complex'),
    (tp.value_and_grad(size, holomorphic=True), Z, 'the output is not complex'),
    (tp.jacfwd(size, holomorphic=True), Z, 'the output is not complex'),
    (tp.jacrev(size, holomorphic=True), Z, 'the output is not complex'),
    (tp.jacrev(wave, holomorphic=True), X, 'which is not complex'),
    (tp.jacfwd(wave, holomorphic=True), X, 'which is not complex'),
    (tp.hessian(size, holomorphic=True), X, 'which is not complex'),
    (tp.grad(lambda z: z * z), C, 'only for a real scalar output'),
    (tp.jacfwd(entire), Z, '`jacfwd` takes real arguments'),
    (tp.jacfwd(size), Z, '`jacfwd` takes real arguments'),
    (tp.hessian(size), Z, '`jacfwd` takes real arguments'),
    (tp.jacrev(entire), Z, '`jacrev` of a complex output by the complex `z`'),
    (tp.jacobian(entire), Z, 'of a complex output by the complex `z`'),
    (tp.jacrev(lambda p: p['x'] * p['z']), {'x': 1.0, 'z': 2j}, 'of a complex output by the complex `p`'),
])
def test_what_one_number_does_not_tell_is_refused(transform, argument, match):
    with pytest.raises(TypeError, match=match) as refused:
        transform(argument)
    assert isinstance(refused.value, tp.TranspileError)


def test_a_jacobian_without_types_is_refused():
    with pytest.raises(tp.errors.UnknownType, match='type of'):
        tp.jacrev(lambda x: x * x).source  # noqa: B018
