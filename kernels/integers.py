"""Whether the 64 bits of compiled code are too few for what Python's integers would become."""
from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from kernels.compiled import kernel

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


@intrinsic
def _sum(context, left, right):
    return _QUESTION, lambda context, builder, signature, args: builder.extract_value(builder.sadd_with_overflow(*args), 1)


@intrinsic
def _difference(context, left, right):
    return _QUESTION, lambda context, builder, signature, args: builder.extract_value(builder.ssub_with_overflow(*args), 1)


@intrinsic
def _product(context, left, right):
    return _QUESTION, lambda context, builder, signature, args: builder.extract_value(builder.smul_with_overflow(*args), 1)
