"""Functions of complex numbers: Numba's overflow, lose digits, or end in NaN, where NumPy's do not.

All are computed in double precision. The sources are NumPy's `npy_math_complex` and the C library of FreeBSD that it follows.
"""
import numba
import numpy as np
from numba.core import types

from transpiler_kernels.machine.compiled import implements, written_out
from transpiler_kernels.machine.options import KEPT

HALVED = 22.0  # from there on cosh and sinh are halves of an exponential
LARGE = 700.0  # from there on exponentials soon overflow
VAST, TINY = 1e300, 1e-300  # from there on sums may overflow, below it halves lose digits
PRODUCTS = 100  # whole powers below it are products
LOG2_E, LOG10_E, LN_2 = 1.4426950408889634, 0.4342944819032518, 0.6931471805599453


def made(z, real, imaginary):
    """A number of the precision of `z`."""


@implements(made)
def _made(z, real, imaginary):
    kind = np.complex64 if z == types.complex64 else np.complex128
    return lambda z, real, imaginary: kind(complex(real, imaginary))


@numba.vectorize(**KEPT)
def divide(z, w):
    """`np.divide`: R. L. Smith's algorithm 116 (1962); zero divides as if it had no sign.

    >>> numba.njit(lambda z, w: divide(z, w))(1.0 + 2.0j, complex(-0.0, -0.0))
    (inf+infj)
    """
    x, y = w.real, w.imag
    if abs(x) >= abs(y):
        if x == 0.0:
            return made(z, z.real / abs(x), z.imag / abs(x))
        ratio = y / x
        scale = np.reciprocal(x + y * ratio)
        return made(z, (z.real + z.imag * ratio) * scale, (z.imag - z.real * ratio) * scale)
    ratio = x / y
    scale = np.reciprocal(y + x * ratio)
    return made(z, (z.real * ratio + z.imag) * scale, (z.imag * ratio - z.real) * scale)


@numba.vectorize(**KEPT)
def reciprocal(z):
    """`np.reciprocal`: Smith's algorithm, in which one has no imaginary part that could lend a zero its sign.

    >>> numba.njit(lambda z: reciprocal(z))(2.0 + 0.0j)
    (0.5-0j)
    """
    x, y = z.real, z.imag
    if abs(y) <= abs(x):
        ratio = y / x
        scale = x + y * ratio
        return made(z, 1 / scale, -ratio / scale)
    ratio = x / y
    scale = x * ratio + y
    return made(z, ratio / scale, -1 / scale)


@numba.vectorize(**KEPT)
def sqrt(z):
    """`np.sqrt`: algorithm 312 of the ACM (1967), of a number that sums do not overflow with, and that has a half.

    >>> numba.njit(lambda z: sqrt(z))(complex(1e308, 1e308))
    (1.09868411346781e+154+4.5508986056222734e+153j)
    """
    x, y = np.float64(z.real), np.float64(z.imag)
    if (x == 0.0 and y == 0.0) or np.isinf(y):
        return made(z, abs(y), y)
    if np.isinf(x):
        return made(z, x, np.copysign(y - y, y)) if x > 0.0 else made(z, abs(y - y), np.copysign(x, y))
    scale = 4.0 if max(abs(x), abs(y)) >= VAST else 2.0 ** -200 if max(abs(x), abs(y)) < TINY else 1.0
    x, y, back = x / scale, y / scale, np.sqrt(scale)
    root = np.sqrt(0.5 * (abs(x) + np.hypot(x, y)))
    other = root if x == 0.0 else abs(y) / (2.0 * root)
    if x < 0.0:
        return made(z, back * other, np.copysign(back * root, y))
    return made(z, back * root, np.copysign(back * other, y))


@written_out
def grown(z, x, real, imaginary):
    """`exp(x)` times a number, as two products, lest the one overflow where the other does not."""
    root = np.exp(0.5 * x)
    return made(z, real * root * root, imaginary * root * root)


@numba.vectorize(**KEPT)
def exp(z):
    """`np.exp`.

    >>> numba.njit(lambda z: exp(z))(1000.0 + 0.0j)
    (inf+0j)
    """
    x, y = np.float64(z.real), np.float64(z.imag)
    if y == 0.0:
        return made(z, np.exp(x), y)
    if np.isinf(x) and not np.isfinite(y):
        return made(z, 0.0, 0.0) if x < 0.0 else made(z, x, np.nan)
    if x > LARGE:
        return grown(z, x, np.cos(y), np.sin(y))
    size = np.exp(x)
    return made(z, size * np.cos(y), size * np.sin(y))


@numba.vectorize(**KEPT)
def exp2(z):
    """`np.exp2`."""
    value = exp(complex(np.float64(z.real) * LN_2, np.float64(z.imag) * LN_2))
    return made(z, value.real, value.imag)


@numba.vectorize(**KEPT)
def expm1(z):
    """`np.expm1`.

    >>> numba.njit(lambda z: expm1(z))(1e-20 + 1e-20j)
    (1e-20+1e-20j)
    """
    x, y = np.float64(z.real), np.float64(z.imag)
    half = np.sin(0.5 * y)
    return made(z, np.expm1(x) * np.cos(y) - 2.0 * half * half, np.exp(x) * np.sin(y))


@numba.vectorize(**KEPT)
def sinh(z):
    """`np.sinh`."""
    x, y = np.float64(z.real), np.float64(z.imag)
    if y == 0.0:
        return made(z, np.sinh(x), y)
    if x == 0.0:
        return made(z, x * np.cos(y) if np.isfinite(y) else x, np.sin(y))
    if np.isinf(x) and not np.isfinite(y):
        return made(z, x, np.nan)
    if abs(x) < HALVED:
        return made(z, np.sinh(x) * np.cos(y), np.cosh(x) * np.sin(y))
    return grown(z, abs(x), np.copysign(0.5, x) * np.cos(y), 0.5 * np.sin(y))


@numba.vectorize(**KEPT)
def cosh(z):
    """`np.cosh`."""
    x, y = np.float64(z.real), np.float64(z.imag)
    if y == 0.0:
        return made(z, np.cosh(x), np.copysign(0.0, x) * y)
    if x == 0.0:
        return made(z, np.cos(y), x * np.sin(y) if np.isfinite(y) else x)
    if np.isinf(x) and not np.isfinite(y):
        return made(z, np.inf, np.nan)
    if abs(x) < HALVED:
        return made(z, np.cosh(x) * np.cos(y), np.sinh(x) * np.sin(y))
    return grown(z, abs(x), 0.5 * np.cos(y), np.copysign(0.5, x) * np.sin(y))


@numba.vectorize(**KEPT)
def tanh(z):
    """`np.tanh`: the formula of W. Kahan, "Branch cuts for complex elementary functions" (1987).

    >>> numba.njit(lambda z: tanh(z))(1000.0 + 1.0j)
    (1+0j)
    """
    x, y = np.float64(z.real), np.float64(z.imag)
    if np.isinf(x):
        return made(z, np.copysign(1.0, x), np.copysign(0.0, np.sin(y) * np.cos(y) if np.isfinite(y) else y))
    if np.isnan(x) or not np.isfinite(y):
        return made(z, x if x == 0.0 else np.nan, y if y == 0.0 else np.nan)
    if abs(x) >= HALVED:
        small = np.exp(-abs(x))
        return made(z, np.copysign(1.0, x), 4.0 * np.sin(y) * np.cos(y) * small * small)
    t, s = np.tan(y), np.sinh(x)
    beta = 1.0 + t * t
    below = 1.0 + beta * s * s
    return made(z, beta * np.sqrt(1.0 + s * s) * s / below, t / below)


@numba.vectorize(**KEPT)
def sin(z):
    """`np.sin`: sinh(iz) / i."""
    turned = sinh(made(z, -z.imag, z.real))
    return made(z, turned.imag, -turned.real)


@numba.vectorize(**KEPT)
def cos(z):
    """`np.cos`: cosh(iz)."""
    return cosh(made(z, -z.imag, z.real))


@numba.vectorize(**KEPT)
def log(z):
    """`np.log`; near the unit circle its real part is log1p(|z|² - 1) / 2, which cancels nothing.

    >>> numba.njit(lambda z: log(z))(1.0 + 1e-10j)
    (5.0000000000000005e-21+1e-10j)
    """
    x, y = np.float64(z.real), np.float64(z.imag)
    size, angle = np.hypot(x, y), np.arctan2(y, x)
    if 0.5 < size < 2.0:
        large, small = max(abs(x), abs(y)), min(abs(x), abs(y))
        return made(z, 0.5 * np.log1p((large - 1.0) * (large + 1.0) + small * small), angle)
    if np.isinf(size) and np.isfinite(x) and np.isfinite(y):
        return made(z, np.log(np.hypot(0.5 * x, 0.5 * y)) + LN_2, angle)
    return made(z, np.log(size), angle)


@numba.vectorize(**KEPT)
def log2(z):
    """`np.log2`."""
    value = log(np.complex128(z))
    return made(z, value.real * LOG2_E, value.imag * LOG2_E)


@numba.vectorize(**KEPT)
def log10(z):
    """`np.log10`."""
    value = log(np.complex128(z))
    return made(z, value.real * LOG10_E, value.imag * LOG10_E)


@numba.vectorize(**KEPT)
def arccosh(z):
    """`np.arccosh`: arccos, turned so that its real part is not negative."""
    turned = np.arccos(z)
    if np.isnan(turned.real):
        return made(z, abs(turned.imag), turned.real)
    return made(z, abs(turned.imag), np.copysign(turned.real, z.imag))


@numba.vectorize(**KEPT)
def power(z, w):
    """`np.power`: of small whole powers products, as NumPy has them.

    >>> numba.njit(lambda z: power(z, -2.0 + 0.0j))(1.0j)
    (-1-0j)
    """
    n = w.real
    if w == 0.0:
        return made(z, 1.0, 0.0)
    if z == 0.0:
        return made(z, 0.0, 0.0) if n > 0.0 else made(z, np.nan, np.nan)
    if w.imag != 0.0 or n != np.rint(n) or abs(n) >= PRODUCTS:
        value = np.complex128(z) ** np.complex128(w)
        return made(z, value.real, value.imag)
    value, square, left = np.complex128(z), np.complex128(z), np.int64(abs(n)) - 1
    while left > 0:
        if left & 1:
            value = value * square
        square, left = square * square, left >> 1
    if n < 0.0:
        value = divide(np.complex128(1.0), value)
    return made(z, value.real, value.imag)


float_power = power
