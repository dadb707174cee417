"""Whether the 64 bits of compiled code are too few for what Python's integers would become."""
from __future__ import annotations

import math

import numpy as np
from numba import types
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import kernel

EXACT = 2**53     # floats hold all integers up to here
BEYOND = 2.0**63
asked = kernel(forceinline=True)
_QUESTION = types.boolean(types.int64, types.int64)


@asked
def sum_is_too_long(left, right):
    """Whether `left + right` is.

    >>> sum_is_too_long(2**62, 2**62), sum_is_too_long(2**62, 2**62 - 1)
    (True, False)
    """
    return _sum(left, right)


@asked
def difference_is_too_long(left, right):
    """Whether `left - right` is.

    >>> difference_is_too_long(-2**62, 2**62), difference_is_too_long(-2**62, 2**62 + 1)
    (False, True)
    """
    return _difference(left, right)


@asked
def product_is_too_long(left, right):
    """Whether `left * right` is.

    >>> product_is_too_long(2**31, 2**32), product_is_too_long(2**31, -2**32)
    (True, False)
    """
    return _product(left, right)


@kernel()
def power_is_too_long(base, exponent):
    """Whether `base ** exponent` is; a negative exponent gives no integer.

    >>> power_is_too_long(3, 39), power_is_too_long(3, 40), power_is_too_long(-2, 63), power_is_too_long(2, 63)
    (False, True, False, True)
    """
    if -2 < base < 2:
        return False
    found = 1
    for _ in range(min(exponent, 64)):
        if _product(found, base):
            return True
        found *= base
    return False


@asked
def shifted_is_too_long(number, count):
    """Whether `number << count` is.

    >>> shifted_is_too_long(1, 62), shifted_is_too_long(1, 63), shifted_is_too_long(-1, 63), shifted_is_too_long(0, 900)
    (False, True, False, False)
    """
    return number != 0 and (count > 63 or (number << count) >> count != number)


@kernel()
def quotient(left, right):
    """`left / right` of integers, rounded once, as Python does: each of them alone may be no float.

    >>> quotient(2**53 + 1, 3), quotient(-7, 2), quotient(2**62 + 1, 2**62 - 1) == (2**62 + 1) / (2**62 - 1)
    (3002399751580331.0, -3.5, True)
    """
    if abs(left) <= EXACT and abs(right) <= EXACT:
        return left / right
    above, below = np.uint64(abs(left)), np.uint64(abs(right))     # -2**63 is 2**63 then
    found, rest, bits = above // below, above % below, 0
    while found >> np.uint64(54) == 0 and (rest != 0 or found != 0):
        rest <<= np.uint64(1)
        found = found << np.uint64(1) | np.uint64(rest >= below)
        rest -= below if rest >= below else np.uint64(0)
        bits += 1
    size = math.ldexp(float(found | np.uint64(rest != 0)), -bits)
    return size if (left < 0) == (right < 0) else -size


@kernel()
def order(number, x):
    """How an integer compares with a float, as Python does it: -1.0, 0.0, 1.0, or NaN; the integer alone may be no float.

    >>> order(2**53 + 1, 2.0**53), order(2**63 - 1, 2.0**63), order(3, np.inf), order(3, np.nan)
    (1.0, -1.0, -1.0, nan)
    """
    if not -BEYOND <= x < BEYOND:
        return np.nan if x != x else 1.0 if x < 0.0 else -1.0
    whole = int(x)      # towards zero
    if number != whole:
        return 1.0 if number > whole else -1.0
    return 0.0 if x == whole else 1.0 if x < whole else -1.0


@intrinsic
def _sum(context, left, right):
    return _QUESTION, lambda context, builder, signature, args: builder.extract_value(builder.sadd_with_overflow(*args), 1)


@intrinsic
def _difference(context, left, right):
    return _QUESTION, lambda context, builder, signature, args: builder.extract_value(builder.ssub_with_overflow(*args), 1)


@intrinsic
def _product(context, left, right):
    return _QUESTION, lambda context, builder, signature, args: builder.extract_value(builder.smul_with_overflow(*args), 1)
