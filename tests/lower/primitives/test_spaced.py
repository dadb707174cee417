"""`np.arange` under jit: NumPy's length, NumPy's numbers, NumPy's exceptions."""
import numpy as np
import pytest

import transpiler as tp

NAN, INF = np.nan, np.inf
F32, I8, U8 = np.float32, np.int8, np.uint8


def between(start, stop, step):
    return np.arange(start, stop, step)


def up_to(stop):
    return np.arange(stop)


def told(function, *args):
    """What a function gives, or raises."""
    with np.errstate(all='ignore'):
        try:
            made = function(*args)
        except (ValueError, ZeroDivisionError, OverflowError, MemoryError) as error:
            return type(error), '' if isinstance(error, ZeroDivisionError) else str(error)
    return made.dtype, made.tolist()


BETWEEN = {
    'floats': [(0., NAN, 1.), (NAN, 1., 1.), (0., 1., NAN), (0., 1., INF), (0., 1., -INF), (5., 0., -INF), (1., 1., INF),
               (0., INF, 1.), (0., -INF, 1.), (INF, INF, 1.), (0., 1e300, 1.), (0., 9.3e18, 1.),
               (0., 1., 5e-324), (0., 5., 0.), (0., 0., 0.),
               (0., 1e-320, 1e300), (0., 1e10, -1.), (.5, 2., .5)],
    'integers': [(0, 5, 2), (5, 0, -2), (0, 5, 0), (0, 0, 0), (-2**63, 2**63 - 1, 2**62), (2**63 - 3, 2**63 - 1, 1),
                 (-6 * 2**60, 6 * 2**60, 2**61)],
    'long': [tuple(map(np.int64, case)) for case in ((0, 5, 0), (0, 0, 0), (0, 5, 2), (-2**63, 2**63 - 1, 2**62))],
    'small': [tuple(map(I8, case)) for case in ((-100, 100, 50), (100, 120, 10), (0, 5, 0))],
    'unsigned': [(U8(3), U8(1), U8(100)), (U8(3), U8(7), U8(2))],
    'single': [(F32(.3), 1., .1), (F32(0), 1., .25), (F32(0), NAN, .25)],
}


@pytest.mark.parametrize('kind', BETWEEN)
def test_ranges_of_any_ends(kind):
    compiled = tp.jit(between)
    assert [told(compiled, *case) for case in BETWEEN[kind]] == [told(between, *case) for case in BETWEEN[kind]]


@pytest.mark.parametrize('cases', [(5., NAN, INF, -INF, 1e300), (np.uint64(5),), (I8(4), I8(-4))])
def test_ranges_from_zero(cases):
    compiled = tp.jit(up_to)
    assert [told(compiled, case) for case in cases] == [told(up_to, case) for case in cases]


@pytest.mark.parametrize('step', [NAN, INF, .5])
def test_derivatives_of_what_a_range_scales(mode, step):
    scaled = lambda x, step: np.sum(x * np.arange(0.0, 2.0, step))  # noqa: E731
    wanted = told(lambda step: np.arange(0.0, 2.0, step), step)
    gradient = mode(tp.grad(scaled))
    if wanted[0] is ValueError:
        with pytest.raises(ValueError, match='cannot compute length'):
            gradient(np.float64(3.0), step)
    else:
        assert gradient(np.float64(3.0), step) == sum(wanted[1])


def test_a_mixture_with_a_constant_makes_no_array_to_know_its_type():
    assert tp.grad(lambda x, n: x * np.arange(n, 10**15, 10**15).size)(2.0, 5) == 1.0


@pytest.mark.parametrize('make, error', [
    (lambda x, n: np.resize(x, n), '`new_shape` must be non-negative'),
    (lambda x, n: np.split(x, n)[0], 'number sections must be larger than 0'),
    (lambda x, n: x[0] * np.fft.fftfreq(n), 'negative dimensions'),
    (lambda x, n: x[0] * np.indices((n, 2)), 'negative dimensions'),
    (lambda x, n: x[0] * np.linspace(0.0, 1.0, n), 'Number of samples, -2, must be non-negative.'),
], ids=['resize', 'split', 'fftfreq', 'indices', 'linspace'])
def test_negative_sizes(mode, make, error):
    with pytest.raises(ValueError, match=error):
        mode(tp.grad(lambda x, n: np.sum(make(x, n))))(np.arange(4.0), -2)


def test_negative_sizes_that_are_none():
    assert tp.jit(lambda n: np.tri(2, n))(-1).shape == (2, 0)
