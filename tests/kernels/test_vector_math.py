"""Elementary functions in vectors: as accurate as promised over the whole range, and without branches."""

import mpmath
import numba
import numpy as np
import pytest

from benchmarks.vector_math import NAMES, OF_TWO, SPECIAL, UFUNCS, arguments, errors, exact, looped, own, unit
from transpiler_kernels import vector_math
from transpiler_kernels.machine.options import ARITHMETIC
from transpiler_kernels.vector_math import half_power, half_powerf, single, trigonometry

DTYPES = {'double': (np.float64, 2.0), 'single': (np.float32, 1.0)}  # and how many ulp a result may be off
EXACT = {
    'cbrt': mpmath.cbrt, 'pow': mpmath.power, 'exp2': lambda x: mpmath.mpf(2) ** x, 'log2': lambda x: mpmath.log(x, 2),
    'logaddexp': lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)),
    'logaddexp2': lambda x, y: mpmath.log(mpmath.mpf(2) ** x + mpmath.mpf(2) ** y, 2),
    'expit': lambda x: 1 / (1 + mpmath.exp(-x)), 'log_expit': lambda x: -mpmath.log(1 + mpmath.exp(-x)),
    'gammaln': mpmath.loggamma}
DIGITS = dict.fromkeys(('sin', 'cos', 'tan'), 340) | dict.fromkeys(('logaddexp', 'logaddexp2', 'log_expit', 'gammaln'), 400)


@pytest.mark.parametrize('precision', DTYPES)
@pytest.mark.parametrize('name', NAMES)
def test_a_million_points(name, precision):
    """Against long doubles, which must have more bits than doubles."""
    assert np.finfo(np.longdouble).nmant >= 63
    dtype, allowed = DTYPES[precision]
    given = arguments(name, dtype, 1_000_000)
    off, wrong = errors(name, dtype, given)
    assert not wrong.any(), [[float(x[k]) for x in given] for k in np.flatnonzero(wrong)[:5]]
    worst = int(np.argmax(off))
    assert off[worst] <= allowed, (off[worst], [float(x[worst]) for x in given])


@pytest.mark.parametrize('precision', DTYPES)
@pytest.mark.parametrize('name', NAMES)
def test_many_digits(name, precision):
    dtype, allowed = DTYPES[precision]
    given = [x[np.isfinite(x)][:600] for x in arguments(name, dtype, 3_000)]
    count = min(map(len, given))
    given = [x[:count] for x in given]
    with np.errstate(all='ignore'):
        usual = np.isfinite(UFUNCS[name](*given)) & (np.abs(UFUNCS[name](*given)) > 0)
    found = np.empty_like(given[0])
    looped(own(name, dtype), len(given))(*given, found)
    definition = EXACT.get(name) or getattr(mpmath, name)
    with mpmath.workdps(DIGITS.get(name, 60)):
        for k in np.flatnonzero(usual):
            if name == 'hypot' or not np.isfinite(found[k]):
                continue
            numbers = [mpmath.mpf(float(x[k])) for x in given]
            right = mpmath.sign(numbers[0]) * mpmath.cbrt(abs(numbers[0])) if name == 'cbrt' else mpmath.re(definition(*numbers))
            place = unit(name, np.asarray([right], dtype), [x[k:k + 1] for x in given])
            off = abs(mpmath.mpf(float(found[k])) - right) / mpmath.mpf(float(place[0]))
            assert off <= allowed, (float(off), [float(n) for n in numbers])


@pytest.mark.parametrize('precision', DTYPES)
@pytest.mark.parametrize('name', NAMES)
def test_special_values(name, precision):
    """Zeros with their signs, infinities and nan are those of NumPy and SciPy (whose gammaln is infinite for tiny numbers)."""
    dtype = DTYPES[precision][0]
    with np.errstate(all='ignore'):
        values = np.asarray(SPECIAL, dtype)
        given = [x.ravel() for x in np.meshgrid(values, values)] if name in OF_TWO else [values]
        expected = UFUNCS[name](*given)
        expected = np.where(np.isinf(expected), exact(name, given).astype(dtype), expected)
        found = np.empty_like(expected)
        looped(own(name, dtype), len(given))(*given, found)
        special = ~np.isfinite(expected) | (expected == 0.0)
        assert np.array_equal(found[special], expected[special], equal_nan=True)
        zeros = special & (expected == 0.0)
        assert np.array_equal(np.signbit(found[zeros]), np.signbit(expected[zeros]))
        assert np.isfinite(found[~special]).all()


@pytest.mark.parametrize('precision', DTYPES)
@pytest.mark.parametrize('name', NAMES)
def test_loops_are_vectorised(name, precision):
    dtype = DTYPES[precision][0]
    run = looped(own(name, dtype), 2 if name in OF_TWO else 1)
    given = [np.ones(4, dtype)] * (3 if name in OF_TWO else 2)
    run(*given)
    text = next(iter(run.inspect_llvm().values()))
    kind = 'double' if dtype is np.float64 else 'float'
    assert any(f'<{lanes} x {kind}>' in text for lanes in (2, 4, 8, 16)), 'no vectors'


def test_numbers_alone():
    """Called with numbers, as plain Python runs lowered text."""
    for name in NAMES:
        given = (0.5, 0.75)[: 2 if name in OF_TWO else 1]
        given = (1.5,) if name == 'acosh' else given
        np.testing.assert_allclose(own(name, np.float64)(*given), UFUNCS[name](*given), rtol=1e-15)


@pytest.mark.parametrize('precision', DTYPES)
@pytest.mark.parametrize('n', range(-3, 3))
def test_half_powers(n, precision):
    """`x**(n + 0.5)`: a million points against long doubles, and the special values of C."""
    dtype, allowed = DTYPES[precision]
    function = half_power if dtype is np.float64 else half_powerf

    @numba.njit(**ARITHMETIC)
    def run(x, found):
        for i in range(x.size):
            found[i] = function(x[i], n)

    limits = np.log(float(np.finfo(dtype).smallest_subnormal)), np.log(float(np.finfo(dtype).max))
    x = np.exp(np.random.default_rng(0).uniform(*limits, 1_000_000)).astype(dtype)
    found = np.empty_like(x)
    run(x, found)
    with np.errstate(all='ignore'):
        root = np.sqrt(x.astype(np.longdouble)) ** abs(2 * n + 1)
        exact = root if n >= 0 else 1.0 / root
        finite = np.isfinite(exact.astype(dtype)) & (x > 0.0)
        off = np.abs(found[finite] - exact[finite]) / np.spacing(exact[finite].astype(dtype))
        values = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0], dtype)
        special = np.empty_like(values)
        run(values, special)
        expected = np.power(values, np.full(values.size, n + 0.5, dtype))
    assert off.max() <= allowed
    assert np.array_equal(special, expected, equal_nan=True)
    assert not np.signbit(special[~np.isnan(special)]).any()


@pytest.mark.parametrize('reduced', [single._reduced, trigonometry.reduced], ids=['single', 'double'])
def test_no_angle_looks_beyond_the_table(reduced):
    """Nothing would show it: what infinity and nan find there is left."""
    looked = numba.njit(boundscheck=True)(reduced.__wrapped__)
    for x in 0.0, 5e-324, 1.0, 2.0 ** 53, float(np.finfo(np.float32).max), np.inf, np.nan:
        looked(x)


def test_options_are_not_those_of_a_caller():
    """Numba would take them from the program that calls a function first, and sums of parts must not be reordered."""
    for name in vector_math.__all__:
        assert getattr(vector_math, name).options['fastmath'] is False, name
