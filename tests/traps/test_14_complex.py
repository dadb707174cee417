"""Trap 14: JAX's convention, `df/dx - i df/dy` for a real f of x + iy; a real input gets a real gradient."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import JIT, same

Z, V = 1.5 + 0.5j, np.array([1.0 + 2.0j, 3.0 - 1.0j])
X = np.array([0.7, -1.2])


def squared_size(z):
    return np.sum(np.abs(z) ** 2)


def parts(z):
    return np.sum(z.real ** 2 * z.imag) + np.sum(np.imag(np.exp(z)))


def conjugated(z):
    return np.sum((z * np.conj(z) * z).real)


def holomorphic(z):
    return np.real(np.sum(np.sin(z) / (z * z + 2.0) + np.sqrt(z) ** 3))


def angle(z):
    return np.sum(np.angle(z) ** 2)


def iterated(z):
    w = z
    for _ in range(3):
        w = w * w * 0.1 + z
    return np.sum(np.abs(w))


def of_a_branch(z):
    if np.sum(z.imag) > 0.0:
        z = z * 1j
    return np.sum(np.abs(z + 1.0) ** 3)


def from_real(x):
    return np.sum(np.abs(np.exp(1j * x) + x) ** 2)


def cast_from_real(x):
    return np.sum((x.astype(complex) * (1 + 2j) * x).imag)


def written(x):
    y = np.zeros(2, dtype=complex)
    y[0] = x[0] * 1j
    y[1] += x[1] + 2j * x[0]
    return np.sum(np.abs(y) ** 2 * (1.0 + y.real))


def made_of_two(x):
    return abs(complex(x[0], x[1]) + complex(x[1])) ** 2


def numeric(f, z, step=1e-6):
    """The gradient by differences along both axes of the plane."""
    z = np.asarray(z)
    gradient = np.zeros_like(z)
    for place in np.ndindex(z.shape):
        def moved(by, place=place):
            other = z.copy()
            other[place] += by
            return f(other if z.shape else other[()])
        gradient[place] = (moved(step) - moved(-step)) / (2 * step)
        if z.dtype.kind == 'c':
            gradient[place] -= 1j * (moved(1j * step) - moved(-1j * step)) / (2 * step)
    return gradient if z.shape else gradient[()]


OF_COMPLEX = [squared_size, parts, conjugated, holomorphic, angle, iterated, of_a_branch]
OF_REAL = [from_real, cast_from_real, written, made_of_two]
CASES = [(f, z) for f in OF_COMPLEX for z in (Z, V)] + [(f, X) for f in OF_REAL]
IDS = [f'{f.__name__}-{np.ndim(z)}' for f, z in CASES]


def checked(mode, f, z):
    value, gradient = mode(tp.value_and_grad(f))(z)
    same(value, f(z))
    same(gradient, numeric(f, z))
    assert np.iscomplexobj(gradient) == np.iscomplexobj(z)


@pytest.mark.parametrize('f, z', CASES, ids=IDS)
def test_first_order(mode, f, z):
    checked(mode, f, z)


@pytest.mark.parametrize('f, z', [(squared_size, V), (parts, V), (iterated, Z), (written, X), (from_real, X)],
                         ids=['size', 'parts', 'iterated', 'written', 'from_real'])
def test_second_order(mode, f, z):
    gradient = tp.grad(f)

    def size_of_gradient(z):
        g = gradient(z)
        return np.sum(g.real ** 2 + 2.0 * np.imag(g) ** 2)
    checked(mode, size_of_gradient, z)


def test_zero(mode):
    """The size has a kink at zero; its gradient there is 0, not nan."""
    same(mode(tp.grad(squared_size))(np.zeros(2, complex)), np.zeros(2, complex))
    assert abs(mode(tp.grad(lambda z: np.abs(z)))(0j)) == 0.0


def test_single_precision_stays(mode):
    gradient = mode(tp.grad(squared_size))(V.astype(np.complex64))
    assert gradient.dtype == np.complex64
    same(gradient, 2 * V.conj().astype(np.complex64))


def test_powers_of_complex_exponents(mode):
    same(mode(tp.jacfwd(lambda x: x ** (0.5 + 2.0j)))(np.array([0.3, 2.0])),
         np.diag((0.5 + 2.0j) * np.array([0.3, 2.0]) ** (-0.5 + 2.0j)))


def test_a_complex_result_is_refused(mode):
    with pytest.raises(tp.errors.NotDifferentiable, match='real scalar output'):
        mode(tp.grad(lambda z: z * z))(Z)


@pytest.mark.parametrize('f', [
    lambda z: np.real(np.ptp(z)), lambda z: np.real(np.nanvar(z)),
    lambda z: np.real(np.linalg.slogdet(np.outer(z, z))[1])])
def test_what_has_no_complex_derivative_is_refused(mode, f):
    with pytest.raises(tp.TranspileError, match='not supported for complex numbers|no derivative for complex numbers'):
        mode(tp.grad(f))(V)


@pytest.mark.parametrize(('f', 'slope'), [
    (lambda z: np.real(np.vdot(z, z)), 2 * V.conj()),
    (lambda z: np.linalg.norm(z), V.conj() / np.linalg.norm(V)),
    (lambda z: np.std(z), (V - V.mean()).conj() / (V.size * np.std(V)))])
def test_sizes_are_those_of_the_plane(mode, f, slope):
    same(mode(tp.grad(f))(V), slope)


def real_after_a_loop(x, n):
    z = x + 0.3j
    for _ in range(n):
        z = np.angle(z)
    z[1] = np.exp(1j * x[0])
    return np.sum(z)


def complex_on_one_path(x, n):
    z = x * 2.0
    if n > 1:
        z = z + 1j
    z *= np.exp(1j * x[0])
    return np.sum(z)


@pytest.mark.parametrize('f', [real_after_a_loop, complex_on_one_path])
def test_imaginary_parts_that_numpy_may_drop_are_refused(mode, f):
    """Where the array is real, that of the tangent is to be dropped as well."""
    for transformed, x in ((tp.jacfwd(f), X), (tp.jacrev(f), X), (tp.vmap(f, in_axes=(0, None)), np.stack([X, X]))):
        with pytest.raises(tp.errors.UnsafeMutation, match='a complex number is written into `z`, which may be an array of real'):
            mode(transformed)(x, 2)


def test_what_is_complex_wherever_it_is_written_is_not_refused(mode):
    def f(x, n):
        z = x * 2.0
        for k in range(n):
            z = z * 1j
            z[k] = np.exp(1j * x[0])
        return np.sum(np.real(z))
    same(mode(tp.grad(f))(X, 2), np.array([-np.sin(X[0]) - np.cos(X[0]), 0.0]))


def test_conjugates_of_pythons_numbers_are_pythons(mode):
    def inverse(a):
        z = complex(a, 1.0)
        return 1.0 / (z - z).conjugate()

    def size(a):
        z = complex(a, 2.0) * 1j
        return (z.conjugate() * z).real + z.conjugate().imag
    with pytest.raises(ZeroDivisionError):
        mode(tp.vmap(inverse) if mode is not JIT else inverse)(np.ones(2) if mode is not JIT else 1.0)
    same(mode(tp.grad(size))(1.5), 2.0)
