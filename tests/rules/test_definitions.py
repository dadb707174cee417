"""What definitions raise, and the values that their examples do not reach."""
import numpy as np
import pytest
import scipy.special

import transpiler as tp

X = np.array([0.7, -1.2, 2.5, 0.1, 1.9, -0.3, 0.8])


def split(x):
    return np.split(x, 2)[0] * 2.0


def deleted(x):
    return np.delete(x, 9)


def quantile(x):
    return np.quantile(x, 1.0 + np.sum(x * x))


def not_a_quantile(x):
    return np.quantile(x, np.nan * x[0])


def geometric(x):
    return np.geomspace(x[0] - x[0], x[1] ** 2, 5)


def too_short(x):
    return np.gradient(x[:1])


def too_many_spacings(x):
    return np.gradient(x, 1.0, 2.0)


def nothing_to_convolve(x):
    return np.convolve(x[:0], x)


ERRORS = [(split, ValueError), (deleted, IndexError), (quantile, ValueError), (not_a_quantile, ValueError),
          (geometric, ValueError), (too_short, ValueError), (too_many_spacings, TypeError), (nothing_to_convolve, ValueError)]


@pytest.mark.parametrize(('f', 'error'), ERRORS)
def test_errors_are_those_of_numpy(mode, f, error):
    def total(x):
        return np.sum(f(x)) if x[0] > 0 else 0.0

    with pytest.raises(error):
        f(X)
    with pytest.raises(error):
        mode(tp.grad(total))(X)
    assert not mode(tp.grad(total))(-X).any()


POINTS = np.arange(3.0)


@pytest.mark.parametrize('given', [
    (POINTS, np.arange(4.0)), (np.arange(4.0), POINTS), (POINTS, np.ones((3, 2))), (np.ones((2, 2)), np.ones((2, 2))),
    (POINTS[:0], POINTS[:0]), (POINTS[:0], POINTS)], ids=str)
def test_points_that_do_not_fit_raise_as_in_numpy(given):
    """What is beyond the last point was read as if it were not there."""
    def f(x, places, values):
        return np.interp(x, places, values)
    with pytest.raises(ValueError) as plain:
        f(X, *given)
    for called in (tp.jit(f), lambda *given: tp.jvp(f, given, (X, None, None))):
        with pytest.raises(ValueError) as raised:
            called(X, *given)
        assert str(raised.value) == str(plain.value)


@pytest.mark.parametrize('x', [
    np.array([255, 0, 255], np.uint8), np.array([True, False]), np.array([127, 3], np.int8), np.array([65535], np.uint16),
    np.zeros(0, np.uint8)], ids=lambda x: str(x.dtype))
def test_counts_of_small_integers(mode, x):
    """One more than the largest of them is none of their dtype."""
    def f(x, weights):
        return np.bincount(x), np.bincount(x, weights, minlength=2) if x.size else x
    for found, expected in zip(tp.jit(f)(x, X[:len(x)]), f(x, X[:len(x)]), strict=True):
        assert found.dtype == expected.dtype and np.array_equal(found, expected)
    assert np.array_equal(mode(tp.vmap(np.bincount))(x[None])[0], np.bincount(x))


def test_floats_are_not_counted():
    with pytest.raises(TypeError, match='Cannot cast array data'):
        tp.jit(lambda x: np.bincount(x))(X)


@pytest.mark.parametrize('f, error, words', [
    (lambda x: np.gradient(x, np.ones((7, 1))), ValueError, 'distances must be'),
    (lambda x: np.cov(x[None]), tp.TranspileError, 'of one row'),
])
def test_what_is_not_supported_is_refused_and_what_raises_raises(mode, f, error, words):
    with pytest.raises(error, match=words):
        mode(tp.grad(lambda x: np.sum(f(x))))(X)


def convolved(x, v):
    return np.convolve(x, v, mode='same') + np.correlate(x, v, mode='same')


@pytest.mark.parametrize('size', [1, 2, 5, 7])
def test_convolutions_of_the_same_size(mode, size):
    v = np.linspace(-1.0, 1.5, size)
    found = mode(tp.vmap(convolved, in_axes=(0, None)))(np.stack((X, 2 * X)), v)
    np.testing.assert_allclose(found[1], convolved(2 * X, v), atol=1e-12)


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('x', [X + 800.0, X - 800.0, np.array([-np.inf, 0.0, 1.0]), np.full(3, -np.inf)])
def test_sums_of_exponentials_far_out(mode, x):
    def total(x):
        return scipy.special.logsumexp(x)

    np.testing.assert_allclose(mode(tp.value_and_grad(total))(x)[0], total(x), rtol=1e-14)


@pytest.mark.parametrize('pads', [2, (1, 3), ((1, 0), (0, 2)), ((7, 5),), ((0, 9), (4, 0))])
@pytest.mark.parametrize('kind', ['edge', 'wrap', 'reflect', 'symmetric'])
@pytest.mark.parametrize('shape', [(3, 4), (1, 2)])
def test_pads_with_items(mode, pads, kind, shape):
    x = np.linspace(-1.0, 2.0, shape[0] * shape[1]).reshape(shape)
    padded = np.pad(x, pads, mode=kind)
    weights = np.cos(np.arange(padded.size)).reshape(padded.shape)
    value, slope = mode(tp.value_and_grad(lambda x: np.sum(weights * np.pad(x, pads, mode=kind) ** 2)))(x)
    np.testing.assert_allclose(value, np.sum(weights * padded ** 2), rtol=1e-12)
    counts = np.array([np.sum(weights[padded == item]) for item in x.ravel()]).reshape(shape)
    np.testing.assert_allclose(slope, 2 * x * counts, rtol=1e-12, atol=1e-14)


def test_modes_of_pad_that_are_not_supported():
    with pytest.raises(tp.TranspileError, match='modes'):
        tp.grad(lambda x: np.sum(np.pad(x, 1, mode='mean')))(X)


def test_a_sum_of_exponentials_by_a_ufunc(mode):
    np.testing.assert_allclose(mode(tp.grad(lambda x: np.logaddexp.reduce(x)))(X), scipy.special.softmax(X), rtol=1e-13)


def test_what_has_an_attribute(mode):
    def f(x):
        return np.sum(x) if hasattr(np, 'no_such_function') or not hasattr(scipy.special, 'erf') else np.sum(x * x)

    np.testing.assert_allclose(mode(tp.grad(f))(X), 2 * X)


def test_bins_and_choices_out_of_order(mode):
    with pytest.raises(ValueError, match='monotonically'):
        mode(lambda x: np.digitize(x, np.array([0.0, 2.0, 1.0])))(X)
    with pytest.raises(ValueError, match='choice'):
        mode(tp.grad(lambda x, k: np.sum(np.choose(k, [x, 2 * x]))))(X, np.array([0, 1, 2, 0, 0, 0, 0]))


def test_fits_of_points_in_one_place_are_refused_in_single_precision(mode):
    y = np.ones(4, np.float32)
    with pytest.raises(ValueError, match='fewer points differ'):
        mode(tp.grad(lambda x, y: np.sum(np.polyfit(x, y, 1) ** 2), argnums=1))(np.full(4, 0.1, np.float32), y)
    slopes = mode(tp.grad(lambda x, y: np.sum(np.polyfit(x, y, 1) ** 2), argnums=1))(np.arange(4, dtype=np.float32), y)
    np.testing.assert_allclose(slopes, [1.4, 0.8, 0.2, -0.4], atol=1e-5)


def differences(x):
    return np.sum(np.diff(x) ** 2)


def masked_mean(x):
    return np.mean(x, where=x > 0)


def halves(x):
    return np.sum(np.split(x[:6], 2)[0] ** 2)


@pytest.mark.parametrize('f', (differences, masked_mean, halves), ids=lambda f: f.__name__)
def test_definitions_write_nothing_that_does_nothing(f):
    source = tp.grad(f).lower(X).source
    assert 'moveaxis' not in source and 'broadcast_to' not in source and '0 *' not in source
