"""How far the functions of `kernels.vector_math` are off, and how fast they are: `python -m benchmarks.vector_math` prints it.

The errors are against long doubles of 64 bits, in units of the last place of the result; the speed is that of a loop, against the
same loop with the function of C's library, both compiled by Numba.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence

import numba
import numpy as np
import scipy.special

from benchmarks import long_doubles
from transpiler_kernels import vector_math
from transpiler_kernels.machine.options import ARITHMETIC
from transpiler_kernels.special import elementary, exported

LONG = np.longdouble
OF_TWO = ('atan2', 'hypot', 'logaddexp', 'logaddexp2', 'pow')
SUMS = ('logaddexp', 'logaddexp2')  # of the larger argument and what is added to it: where they cancel, as exact as those are
NAMES = [name for name in vector_math.__all__ if f'{name}f' in vector_math.__all__ and name != 'half_power']  # NumPy has none
SCIPY = ('erf', 'erfc', 'expit', 'gammaln', 'log_expit')
UFUNCS = {name: getattr(np, {'pow': 'power'}.get(name, name.replace('a', 'arc', 1))) for name in NAMES if name[0] in 'ap'}
UFUNCS |= {name: getattr(scipy.special if name in SCIPY else np, name) for name in NAMES if name not in UFUNCS}
SPECIAL = (
    0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-310, 2.0 ** -1022, 1.7e308, -1.7e308, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0,
    6381956970095103 * 2.0 ** 797,  # as near to a multiple of pi / 2 as a double can be
)
loop = numba.njit(**ARITHMETIC)


def points(count: int, dtype: type, seed: int = 0) -> np.ndarray:
    """Numbers of all sizes, and many of those that are used."""
    draw = np.random.default_rng(seed)
    part = count // 6
    with np.errstate(all='ignore'):
        numbers = [
            draw.integers(0, 2 ** 64, part, dtype=np.uint64).view(np.float64) if dtype is np.float64
            else draw.integers(0, 2 ** 32, part, dtype=np.uint32).view(np.float32),
            draw.normal(size=part),
            draw.uniform(-1.0, 1.0, part),
            draw.uniform(-800.0, 800.0, part) if dtype is np.float64 else draw.uniform(-110.0, 110.0, part),
            1.0 + draw.normal(size=part) * 2.0 ** draw.integers(-50, -1, part),
            draw.normal(size=part) * 2.0 ** draw.integers(-60, 60, part),
            SPECIAL,
            powers_of_two(dtype),
        ]
        return np.concatenate([np.asarray(part, dtype) for part in numbers])


def powers_of_two(dtype: type) -> np.ndarray:
    """All of them and their neighbours, where sums begin to lose what is added, and exponents change."""
    info = np.finfo(dtype)
    powers = np.ldexp(dtype(1.0), np.arange(info.minexp, info.maxexp))
    near = np.concatenate([powers, np.nextafter(powers, dtype(0.0)), np.nextafter(powers, dtype(np.inf))])
    return np.concatenate([near, -near])


def arguments(name: str, dtype: type, count: int) -> list[np.ndarray]:
    first = points(count, dtype)
    if name not in OF_TWO:
        return [first]
    second = points(count, dtype, seed=1)
    np.random.default_rng(2).shuffle(second)
    if name == 'pow':  # powers that are neither 0 nor infinite
        draw, third = np.random.default_rng(3), count // 3
        first[:third] = draw.uniform(0.0, 3.0, third)
        second[:third] = draw.normal(size=third) * 60.0
        first[third:2 * third] = -draw.integers(1, 50, third)
        second[third:2 * third] = draw.integers(-20, 20, third)
    return [first, second]


def looped(function: Callable, inputs: int) -> Callable:
    if inputs == 1:
        def run(x, out):
            for i in range(x.shape[0]):
                out[i] = function(x[i])
    else:
        def run(x, y, out):
            for i in range(x.shape[0]):
                out[i] = function(x[i], y[i])
    return loop(run)


def known(name: str) -> Callable:
    """The function of C's library, or SciPy's."""
    return getattr(elementary if hasattr(elementary, name) else exported, name) if name in SCIPY else UFUNCS[name]


def own(name: str, dtype: type) -> Callable:
    return getattr(vector_math, name if dtype is np.float64 else f'{name}f')


def exact(name: str, given: Sequence[np.ndarray]) -> np.ndarray:
    """The results in long doubles."""
    return (getattr(long_doubles, name) if name in SCIPY else UFUNCS[name])(*(x.astype(LONG) for x in given))


def unit(name: str, right: np.ndarray, given: Sequence[np.ndarray]) -> np.ndarray:
    """The unit in the last place of each result, or of the largest part of a sum, of which little may be left."""
    if name in SUMS:
        larger = np.maximum(*given)
        parts = [right, larger, right - larger]
    else:
        parts = [right, *(long_doubles.gammaln_parts(given[0].astype(LONG)) if name == 'gammaln' else [])]
    return np.spacing(np.max(np.abs(parts), axis=0).astype(given[0].dtype)).astype(LONG)


def errors(name: str, dtype: type, given: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """How far each result is off, in units of its last place; and which are wrong where that is no number, or a zero."""
    found = np.empty_like(given[0])
    looped(own(name, dtype), len(given))(*given, found)
    with np.errstate(all='ignore'):
        long = exact(name, given)
        right = long.astype(dtype)
        finite = np.isfinite(right)
        off = np.where(finite, np.abs(found.astype(LONG) - long) / unit(name, long, given), 0.0).astype(float)
        same = (found == right) | (np.isnan(found) & np.isnan(right))
        large = np.minimum(np.abs(found), np.abs(right)) >= 0.99 * np.finfo(dtype).max  # what is next to infinity may round to it
        turned = np.signbit(right) != np.signbit(found)
        wrong = ~same & ~(finite & np.isfinite(found)) & (~large | turned)
        wrong |= (right == 0.0) & (found == 0.0) & turned
    off[wrong | ~np.isfinite(found)] = 0.0
    return off, wrong


def seconds(function: Callable, given: Sequence[np.ndarray]) -> float:
    out = np.empty_like(given[0])
    function(*given, out)
    found = []
    for _ in range(7):
        start = time.perf_counter()
        function(*given, out)
        found.append(time.perf_counter() - start)
    return min(found)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument('--count', type=int, default=1_000_000)
    count = options.parse_args().count
    print('| function | ulp, double | ulp, single | times as fast, double | single |\n|---|---|---|---|---|')
    for name in NAMES:
        cells = []
        for dtype in (np.float64, np.float32):
            given = arguments(name, dtype, count)
            off, wrong = errors(name, dtype, given)
            usual = [np.random.default_rng(k).uniform(0.1, 0.9, 100_000).astype(dtype) for k in range(len(given))]
            ratio = seconds(looped(known(name), len(given)), usual) / seconds(looped(own(name, dtype), len(given)), usual)
            cells.append((f'{off.max():.2f}' + (f' ({wrong.sum()} wrong)' if wrong.any() else ''), f'{ratio:.1f}'))
        (double, fast), (single, faster) = cells
        print(f'| `{name}` | {double} | {single} | {fast} | {faster} |', flush=True)


if __name__ == '__main__':
    main()
