"""Arithmetic: what Python's operators stand for, powers, and remainders."""
import math

import numpy as np

from transpiler.rules.base.examples import BINARY, UNARY, case
from transpiler.rules.base.registry import divide, elementwise, inactive, jvp, known, numpys, static_helper


@elementwise(np.add, jointly_linear=True, examples=BINARY)
def add(x1, x2):
    return 1, 1


@elementwise(np.subtract, jointly_linear=True, examples=BINARY)
def subtract(x1, x2):
    return 1, -1


@elementwise(np.multiply, scales=('x1', 'x2'), examples=BINARY)
def multiply(x1, x2):
    return x2, x1


@elementwise(np.true_divide, name='numpy.true_divide', scales=('x1',), domain=((-2.0, 2.0), (0.5, 2.0)),
             poles=lambda x1, x2: x2 is None, examples=BINARY)
def true_divide(ans, x1, x2):
    if known(x1) and x1 == 1:
        return 1 / x2, -ans * ans
    return divide(1, x2, ans), -ans / x2


@jvp(np.true_divide)
def true_divide_jvp(x1_dot, x2_dot, ans, x1, x2):
    if known(x2_dot):
        return divide(x1_dot, x2, ans)
    if known(x1) and x1 == 1:
        return -ans * ans * x2_dot
    return -ans * x2_dot / x2 if known(x1_dot) else (x1_dot - ans * x2_dot) / x2


@elementwise(np.negative, jointly_linear=True, examples=UNARY)
def negative(x):
    return -1


@elementwise(np.positive, jointly_linear=True, examples=UNARY)
def positive(x):
    return 1


@elementwise(np.fabs, real_only=True, examples=UNARY)
def fabs(ct, x):
    return np.where(x >= 0, ct, -ct)


@elementwise(np.absolute, abs, examples=UNARY)
def absolute(ct, ans, x):
    if np.iscomplexobj(x):
        return ct / np.where(ans == 0, 1, ans) * np.conjugate(x)
    return np.where(x >= 0, ct, -ct)


@elementwise(np.square, examples=UNARY)
def square(x):
    return 2 * x


@elementwise(np.reciprocal, domain=(0.5, 2.0), poles=lambda x: True, examples=UNARY)
def reciprocal(ans, x):
    return -ans * ans


@elementwise(np.sqrt, domain=(0.5, 2.0), steep=lambda x: True, examples=UNARY)
def sqrt(ans, x):
    return 0.5 / ans


@elementwise(np.cbrt, domain=(0.5, 2.0), steep=lambda x: True, examples=UNARY)
def cbrt(ans, x):
    return 1 / (3 * ans * ans)


POWERS = (*BINARY, case((3,), 2), case((3,), 3), case((3,), 2.0), case((3,), 1), case((3,), 0), case((3,), -1), case((3,), 0.5),
          case((3,), -1.5), case(2.0, (3,)), case(3, (3,)))


def is_root(x1, x2):
    return 0 < x2.real < 1 if x2 is not None else x1 is None


def has_pole(x1, x2):
    return x2.real < 0 if x2 is not None else x1 is None


@elementwise(np.power, domain=(0.5, 2.0), steep=is_root, poles=has_pole, examples=POWERS)
def power(ans, x1, x2):
    return power_by_base(x1, x2), ans * log_of_base(x1)


@elementwise(np.float_power, domain=(0.5, 2.0), real_only=True, steep=is_root, poles=has_pole, examples=POWERS)
def float_power(ans, x1, x2):
    return power_by_base(x1, x2), ans * log_of_base(x1)


def power_by_base(x, y):
    """`x ** y` by `x`: `y * x ** (y - 1)`, and 0 where `y` is 0, whatever `x`."""
    if known(y):
        if y == 0:
            return 0
        if y == 1:
            return 1
        if y == 2:
            return 2 * x
        if np.ndim(x) == 0 and is_part_of_root(y):
            return y * np.power(x, y - 1)  # infinite at 0, where Python's own power would raise
        return y * x ** (y - 1)
    return np.where(y == 0, 0, y * x ** np.where(y == 0, 1, y - 1))


@static_helper
def is_part_of_root(y):
    """Whether it is the exponent of a root, or of a derivative of one."""
    return y.real < 1 and y.real % 1 != 0


def log_of_base(x):
    """The logarithm that a derivative by the exponent needs: 0 at 0, since `0 ** y` is flat."""
    if known(x):
        return log_of_number(x)
    return np.log(np.where(x == 0, 1, x))


@static_helper
def log_of_number(x):
    return 0.0 if x == 0 else math.log(x) if x > 0 else math.nan


@elementwise(np.remainder, domain=((1.2, 1.4), (0.85, 0.95)), real_only=True,
             examples=(case((), ()), case((3, 4), (3, 4)), case((3, 1), (1, 4))))
def remainder(x1, x2):
    return 1, -(x1 // x2)


@elementwise(np.fmod, domain=((1.2, 1.4), (0.85, 0.95)), real_only=True,
             examples=(case((), ()), case((3, 4), (3, 4)), case((3, 1), (1, 4))))
def fmod(x1, x2):
    return 1, -np.trunc(x1 / numpys(x2))


@inactive(np.floor_divide, domain=(0.5, 2.0), examples=BINARY)
def floor_divide(x1, x2):
    return None
