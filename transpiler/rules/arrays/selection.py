"""Choosing between operands: the pullback selects the cotangent, it never multiplies by a flag."""
import numpy as np

from transpiler.rules.base.examples import BINARY, UNARY, case, flags, integers
from transpiler.rules.base.registry import elementwise, jvp, known


@elementwise(np.where, picks=True,
             examples=(case(flags(3, 4), (3, 4), (3, 4)), case(flags(3, 1), (4,), ()), case(flags(), (3,), (3,))))
def where(ct, condition, x, y):
    return None, np.where(condition, ct, 0), np.where(condition, 0, ct)


@jvp(np.where)
def where_jvp(condition_dot, x_dot, y_dot, condition, x, y):
    return np.where(condition, x_dot, y_dot)


@elementwise(np.maximum, real_only=True, picks=True, examples=BINARY)
def maximum(ct, x1, x2):
    return shares(ct, x1 >= x2, x1 <= x2)


@elementwise(np.minimum, real_only=True, picks=True, examples=BINARY)
def minimum(ct, x1, x2):
    return shares(ct, x1 <= x2, x1 >= x2)


@jvp(np.maximum)
def maximum_jvp(x1_dot, x2_dot, x1, x2):
    return chosen(x1_dot, x2_dot, x1 > x2, x1 == x2)


@jvp(np.minimum)
def minimum_jvp(x1_dot, x2_dot, x1, x2):
    return chosen(x1_dot, x2_dot, x1 < x2, x1 == x2)


def chosen(x1_dot, x2_dot, first, ties):
    """The tangent of the winner, the mean of both for a tie."""
    both = x2_dot if known(x1_dot) else x1_dot if known(x2_dot) else x1_dot + x2_dot
    return np.where(ties, 0.5 * both, np.where(first, x1_dot, x2_dot))


def shares(ct, first, second):
    """What the operands get of the cotangent: the winner all of it, both half for a tie. Two masks tell, if they are kept."""
    given = np.where(first & second, 0.5 * ct, ct)
    return np.where(first, given, 0), np.where(second, given, 0)


@elementwise(np.fmax, real_only=True, picks=True, examples=BINARY)
def fmax(ct, x1, x2):
    first = (x1 > x2) | np.isnan(x2)
    return np.where(first, ct, 0), np.where(first, 0, ct)


@elementwise(np.fmin, real_only=True, picks=True, examples=BINARY)
def fmin(ct, x1, x2):
    first = (x1 < x2) | np.isnan(x2)
    return np.where(first, ct, 0), np.where(first, 0, ct)


@jvp(np.fmax)
def fmax_jvp(x1_dot, x2_dot, x1, x2):
    return np.where((x1 > x2) | np.isnan(x2), x1_dot, x2_dot)


@jvp(np.fmin)
def fmin_jvp(x1_dot, x2_dot, x1, x2):
    return np.where((x1 < x2) | np.isnan(x2), x1_dot, x2_dot)


@elementwise(np.copysign, real_only=True, examples=BINARY)
def copysign(ct, x1, x2):
    return np.where((x1 < 0) == np.signbit(x2), ct, -ct), None


@elementwise(np.heaviside, real_only=True, examples=BINARY)
def heaviside(ct, x1, x2):
    return None, np.where(x1 == 0, ct, 0)


@elementwise(np.ldexp, real_only=True, scales=('x1',),
             examples=(case((3,), integers(3, high=4)), case((3, 1), integers(2, high=4))))
def ldexp(ct, x1, x2):
    return np.ldexp(ct, x2), None


@elementwise(np.nan_to_num, real_only=True, allowed={'copy': (True,)}, examples=(*UNARY, case((3,), nan=1.0)))
def nan_to_num(ct, x, copy=True, nan=0.0, posinf=None, neginf=None):
    return np.where(np.isfinite(x), ct, 0)
