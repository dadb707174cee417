"""Functions of complex numbers give compiled what NumPy gives: where they overflow, near their zeros, at infinity."""
import numpy as np
import pytest

import transpiler as tp

FUNCTIONS = ('exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'sqrt', 'sin', 'cos', 'tan', 'sinh', 'cosh', 'tanh', 'arcsin',
             'arccos', 'arctan', 'arcsinh', 'arccosh', 'arctanh')
POWERS = ('-3', '-2', '-1', '0', '0.5', '2', '5', '10', '-0.5', '2.5', '1.5j', '(2.5 + 1j)')
PARTS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-20, 30.0, 89.5, -400.0, 800.0, np.inf, -np.inf)
SPECIAL = np.array([complex(x, y) for x in PARTS for y in PARTS])
PRECISIONS = ((np.complex64, 6e-7), (np.complex128, 2e-15))


def points(dtype):
    """Numbers of all sizes and directions, and some near one."""
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-12, 12, 500)
    x = np.concatenate([sizes * np.exp(2j * np.pi * rng.random(500)), 1.0 + 1e-3 * rng.normal(size=50) + 1e-5j])
    return x.astype(dtype)


def assert_equal(found, expected, rtol):
    """Of finite numbers the distance, relative to the size; of others each part."""
    assert found.dtype == expected.dtype
    finite = np.isfinite(expected)
    with np.errstate(all='ignore'):
        near = np.abs(found - expected) <= rtol * np.abs(expected) + np.finfo(found.dtype).tiny
    assert np.all(near[finite])
    known = ~finite & ~np.isnan(expected)
    for part in (np.real, np.imag):
        np.testing.assert_allclose(part(found)[known], part(expected)[known], rtol)


@pytest.mark.compiles
@pytest.mark.parametrize(('dtype', 'rtol'), PRECISIONS, ids=['single', 'double'])
@pytest.mark.parametrize('name', FUNCTIONS)
def test_functions(name, dtype, rtol):
    compiled = tp.jit(tp.from_source(f'import numpy as np\ndef f(z):\n    return np.{name}(z)\n'))
    with np.errstate(all='ignore'):
        for z in (points(dtype), SPECIAL.astype(dtype)):
            expected = getattr(np, name)(z.astype(complex)).astype(dtype)  # NumPy itself loses digits in single precision
            assert_equal(compiled(z), expected, rtol)


@pytest.mark.compiles
@pytest.mark.parametrize(('dtype', 'rtol'), PRECISIONS, ids=['single', 'double'])
@pytest.mark.parametrize('power', POWERS)
def test_powers(power, dtype, rtol):
    function = tp.from_source(f'def f(z):\n    return z ** {power}\n')
    z = np.concatenate([points(dtype)[::5], np.array([0j, 1j, -1, -2 + 0j], dtype)])
    with np.errstate(all='ignore'):
        assert_equal(tp.jit(function)(z), function(z.astype(complex)).astype(dtype), 10 * rtol)


def test_powers_of_other_types():
    def f(z, n, x):
        return z ** n, x ** z, np.float_power(z, n), z[0] ** n[0]
    for dtype in (np.complex64, np.complex128):
        z, n, x = np.array([1.0 + 2.0j, -1.0j], dtype), np.array([3, -2]), np.array([2.0, 0.5], np.float32)
        for found, expected in zip(tp.jit(f)(z, n, x), f(z, n, x), strict=True):
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-5 if dtype is np.complex64 else 1e-14)


ZEROS = [complex(x, y) for x in (0.0, -0.0) for y in (0.0, -0.0)]


def quotients(z, w):
    out = z.copy()
    for i in range(z.size):
        out[i] /= w[i]
    return z / w, z[0] / w[0], z / w.real, z[1] / w.imag[1], z.real / w, 2.0 / w[0], 1j / w[1], out, np.divide(z, w)


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
def test_quotients_are_numpys_to_the_bit(mode, dtype):
    """A zero has no sign there; Numba's took that of its real part."""
    z, w = (part.ravel().astype(dtype) for part in np.meshgrid(SPECIAL, [*ZEROS, *SPECIAL[::7]]))
    with np.errstate(all='ignore'):
        found, expected = tp.jit(quotients)(z, w) if mode.compiled else tp.vjp(quotients, z, w)[0], quotients(z, w)
    for a, b in zip(found, expected, strict=True):
        a, b = np.asarray(a), np.asarray(b)
        assert a.dtype == b.dtype
        for part, other in ((a.real, b.real), (a.imag, b.imag)):
            np.testing.assert_array_equal(part, other)
            assert np.all((np.signbit(part) == np.signbit(other)) | np.isnan(part))


def roots_and_reciprocals(z):
    out = z.copy()
    for i in range(z.size):
        out[i] = np.reciprocal(z[i])
    return np.reciprocal(z), np.reciprocal(z[3]), z ** -1, out, np.sqrt(z), z ** 0.5


@pytest.mark.parametrize('dtype', [np.complex64, np.complex128])
def test_roots_and_reciprocals_at_special_points(dtype):
    """Numba's root raises where a half is no number, and is half of it where sums overflow; its reciprocal has other zeros."""
    parts = (*PARTS, 3.0, np.nan) if dtype is np.complex64 else (*PARTS, 3.0, np.nan, 5e-324, -1e-310, 1e308, 1.5e308)
    z = np.array([complex(x, y) for x in parts for y in parts], dtype)
    with np.errstate(all='ignore'):
        found, expected = tp.jit(roots_and_reciprocals)(z), roots_and_reciprocals(z)
    for a, b in zip(found[:4], expected[:4], strict=True):
        for part, other in ((np.real(a), np.real(b)), (np.imag(a), np.imag(b))):
            np.testing.assert_array_equal(part, other)
            assert np.all((np.signbit(part) == np.signbit(other)) | np.isnan(part))
    for a, b in zip(found[4:], expected[4:], strict=True):
        kind = np.finfo(dtype)
        np.testing.assert_allclose([a.real, a.imag], [b.real, b.imag], 4 * kind.eps, kind.smallest_subnormal)


@pytest.mark.parametrize('zero', [*ZEROS, 0.0, -0.0, 0, np.float64(0.0), np.float64(-0.0)])
def test_pythons_complex_numbers_raise_at_zero(zero):
    """A float64 is a float of Python's to them, which `np.divide` does not ask."""
    def f(z, x):
        return z / x

    def g(z, x):
        return np.divide(z, x), np.complex128(z) / x
    for kind in (f, tp.jit(f)):
        with pytest.raises(ZeroDivisionError):
            kind(1 + 2j, zero)
    with np.errstate(all='ignore'):
        np.testing.assert_array_equal(tp.jit(g)(1 + 2j, zero), g(1 + 2j, zero))


def test_products_with_pythons_complex_numbers():
    """They are Python's or NumPy's, by who stands first: so the one is not the other, and divides otherwise."""
    def f(z, x):
        return z * x, x * z, x * z / 0.0
    with np.errstate(all='ignore'):
        found, expected = tp.jit(f)(1 + 2j, np.float64(2.0)), f(1 + 2j, np.float64(2.0))
    assert found == expected and list(map(type, found)) == list(map(type, expected)) == [complex, np.complex128, np.complex128]


def in_a_loop(z):
    out = np.empty(z.size, complex)
    for i in range(z.size):
        out[i] = np.tanh(z[i]) * np.exp(1j * i) + z[i] ** -3
    return out


def test_loops_of_them_are_shared_among_threads():
    z = np.linspace(-500.0, 500.0, 1001) * (1.0 + 0.3j) + 0.1
    assert 'in_parts(' in tp.jit(in_a_loop).lower(z).loops
    np.testing.assert_allclose(tp.jit(in_a_loop)(z), in_a_loop(z), rtol=1e-13)


def made(x, y):
    return complex(x, y), complex(x), complex(imag=y), complex(complex(x, 1.0), y)


@pytest.mark.parametrize('given', [(1.0, np.inf), (np.nan, 2.0), (-0.0, -0.0), (np.float32(1.5), 2.0)])
def test_numbers_made_of_parts(mode, given):
    found, expected = tp.jit(made)(*given) if mode.compiled else tp.vjp(made, *given)[0], made(*given)
    for a, b in zip(found, expected, strict=True):
        assert np.asarray(a).dtype == complex
        np.testing.assert_array_equal([a.real, a.imag, np.signbit(a.real), np.signbit(a.imag)],
                                      [b.real, b.imag, np.signbit(b.real), np.signbit(b.imag)])


def squared(x, y):
    return np.abs(complex(x, y) ** 2 + complex(y)) ** 2


def test_derivatives_of_numbers_made_of_parts(mode):
    assert mode(tp.grad(squared, argnums=(0, 1)))(1.0, 2.0) == pytest.approx((28.0, 22.0))
    assert mode(tp.hessian(squared))(1.0, 2.0) == pytest.approx(36.0)
    np.testing.assert_allclose(mode(tp.vmap(tp.grad(squared)))(np.arange(3.0), np.arange(3.0)), [0.0, 12.0, 80.0])


def test_real_numbers_have_real_derivatives_without_types():
    """In source that was made before any call, too."""
    def f(x, y):
        return np.abs(x + 1j * y) ** 2
    text = tp.grad(f).source
    scope: dict = {}
    exec(text, scope)
    assert scope['f_grad'](3.0, 4.0) == 6.0
    assert scope['f_grad'](3.0 + 1.0j, 4.0) == 6.0 - 10.0j


@pytest.mark.parametrize('write', ['x[1] = w', 'x[:] = w', 'x[1:] = np.array([w, w])', 'x = np.array([w]).astype(np.float32)',
                                   'x[0] = abs(w)'])
@pytest.mark.filterwarnings('ignore::numpy.exceptions.ComplexWarning')
def test_what_real_arrays_keep_of_complex_numbers(write):
    """The real part, as NumPy says with a warning; of Python's numbers NumPy takes none. Numba compiled neither."""
    f = tp.from_source(f'import numpy as np\ndef f(x, w):\n    {write}\n    return x.sum()\n')
    for w in (1 + 2j, np.complex128(1 + 2j)):
        try:
            expected = f(np.ones(3), w)
        except TypeError as error:
            with pytest.raises(TypeError, match=str(error).replace('(', r'\(').replace(')', r'\)')):
                tp.jit(f)(np.ones(3), w)
        else:
            assert tp.jit(f)(np.ones(3), w) == expected


def test_functions_of_which_there_is_an_operator():
    """Of Python's numbers they are NumPy's; `np.matmul` is no function of elements."""
    def f(a, b, w):
        return np.divide(a, b), np.matmul(w, w), np.matmul(w, w[0]), np.add(a, b)
    for found, expected in zip(tp.jit(f)(1, 2, np.eye(2) + 1.0), f(1, 2, np.eye(2) + 1.0), strict=True):
        np.testing.assert_array_equal(found, expected)
