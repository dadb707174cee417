"""Trap 15: at kinks and singular points derivatives are what JAX gives. The expected numbers were computed with it,
but for `x ** 0.0` at 0, where JAX has NaN and the function is flat."""
import numpy as np
import pytest

import transpiler as tp
from tests.support import same

INF, NAN = np.inf, np.nan


def relu(x):
    return np.maximum(x, 0.0)


def smallest(x):
    return np.minimum(x, 1.0)


def clipped(x):
    return np.clip(x, 0.0, 1.0)


def magnitude(x):
    return np.abs(x)


def builtin_magnitude(x):
    return abs(x)


def signed(x):
    return np.sign(x)


def floored(x):
    return np.floor(x)


def root(x):
    return np.sqrt(x)


def square(x):
    return x ** 2


def cube(x):
    return x ** 3


def to_the_zero(x):
    return x ** 0


def to_the_zero_float(x):
    return x ** 0.0


def to_the_one(x):
    return x ** 1


def to_the_half(x):
    return x ** 0.5


def zero_to_the(y):
    return 0.0 ** y


def norm_of_one(x):
    return np.sqrt(x * x)


def where_relu(x):
    return np.where(x > 0, x, 0.0)


def quotient(x):
    return 1.0 / x


def softplus(x):
    return np.logaddexp(x, 0.0)


def saturated(x):
    return np.tanh(x)


# function, point, first derivative, second derivative (None: not looked at)
POINTS = [
    (relu, 0.0, 0.5, 0.0), (relu, 1.0, 1.0, 0.0), (relu, -1.0, 0.0, 0.0),
    (smallest, 1.0, 0.5, 0.0), (clipped, 0.0, 0.5, 0.0), (clipped, 1.0, 0.5, 0.0), (clipped, 0.5, 1.0, 0.0),
    (clipped, 2.0, 0.0, 0.0),
    (magnitude, 0.0, 1.0, 0.0), (magnitude, -2.0, -1.0, 0.0), (builtin_magnitude, 0.0, 1.0, 0.0),
    (signed, 0.0, 0.0, 0.0), (floored, 1.0, 0.0, 0.0),
    (root, 0.0, INF, None), (to_the_half, 0.0, INF, None), (norm_of_one, 0.0, NAN, None),
    (square, 0.0, 0.0, 2.0), (cube, 0.0, 0.0, 0.0), (square, -3.0, -6.0, 2.0), (cube, -2.0, 12.0, -12.0),
    (to_the_zero, 0.0, 0.0, 0.0), (to_the_zero_float, 0.0, 0.0, 0.0), (to_the_zero, 2.0, 0.0, 0.0), (to_the_one, 0.0, 1.0, 0.0),
    (zero_to_the, 2.0, 0.0, 0.0), (zero_to_the, 0.5, 0.0, 0.0),
    (where_relu, 0.0, 0.0, 0.0), (quotient, INF, 0.0, 0.0), (softplus, 0.0, 0.5, 0.25), (saturated, 1000.0, 0.0, 0.0),
]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('f, point, first, second', POINTS, ids=lambda value: getattr(value, '__name__', str(value)))
def test_points(mode, f, point, first, second):
    same(mode(tp.grad(f))(np.float64(point)), first)
    if second is not None:
        same(mode(tp.grad(tp.grad(f)))(np.float64(point)), second)


def largest(x):
    return np.max(x)


def smallest_of(x):
    return x.min()


def product(x):
    return np.prod(x)


def norm(x):
    return np.sqrt(np.sum(x * x))


def pairwise(x):
    return np.sum(np.maximum(x, x[::-1]) * np.array([1.0, 2.0, 3.0]))


ARRAYS = [
    (largest, [1.0, 2.0, 2.0], [0.0, 0.5, 0.5]), (largest, [2.0, 2.0, 2.0], [1 / 3, 1 / 3, 1 / 3]),
    (smallest_of, [1.0, 1.0, 2.0], [0.5, 0.5, 0.0]),
    (product, [0.0, 2.0, 3.0], [6.0, 0.0, 0.0]), (product, [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]),
    (product, [1.0, 2.0, 3.0], [6.0, 3.0, 2.0]),
    (norm, [0.0, 0.0, 0.0], [NAN, NAN, NAN]), (norm, [3.0, 0.0, 4.0], [0.6, 0.0, 0.8]),
    (pairwise, [1.0, 5.0, 1.0], [2.0, 2.0, 2.0]),
]


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('f, point, expected', ARRAYS, ids=lambda value: getattr(value, '__name__', str(value)))
def test_arrays(mode, f, point, expected):
    same(mode(tp.grad(f))(np.array(point)), np.array(expected))


def test_largest_of_rows_shares_within_each_row(mode):
    def by_row(x):
        return np.sum(np.max(x, axis=1) * np.array([1.0, 2.0]))
    x = np.array([[3.0, 3.0, 1.0], [0.0, 5.0, 2.0]])
    same(mode(tp.grad(by_row))(x), np.array([[0.5, 0.5, 0.0], [0.0, 2.0, 0.0]]))


def test_product_with_a_zero_second_order(mode):
    """Row sums of the Hessian of x0 x1 x2 at (0, 2, 3): (x1 + x2, x0 + x2, x0 + x1)."""
    def slopes(x):
        return np.sum(tp.grad(product)(x))
    same(mode(tp.grad(slopes))(np.array([0.0, 2.0, 3.0])), np.array([5.0, 3.0, 2.0]))


def test_power_in_both_operands(mode):
    def power(x, y):
        return x ** y
    same(mode(tp.grad(power, argnums=(0, 1)))(0.0, 2.0), (0.0, 0.0))
    same(mode(tp.grad(power, argnums=(0, 1)))(2.0, 3.0), (12.0, 8 * np.log(2.0)))
    same(mode(tp.grad(power))(-2.0, 3.0), 12.0)
