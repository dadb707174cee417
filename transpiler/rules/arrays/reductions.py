"""Reductions over an axis, some axes, or all."""
import math

import numpy as np

from transpiler.rules.base.batching import behind, flat
from transpiler.rules.base.examples import case, flags
from transpiler.rules.base.registry import batched, divide, inactive, jvp, linear, vjp
from transpiler_kernels.definitions.arrays import masked
from transpiler_kernels.definitions.mathematics import python
from transpiler_kernels.definitions.samples.statistics import number_reduced

PLAIN = {'dtype': (None,), 'out': (None,)}
NO_OUT = {'out': (None,)}
ALL_ITEMS = {'initial': (None,), 'where': (True,)}
AXES = (case((5,)), case((3, 4)), case((3, 4), axis=0), case((3, 4), axis=-1), case((3, 4), axis=1, keepdims=True),
        case((2, 3, 4), axis=(0, 2)), case((2, 3, 4), axis=(0, -1), keepdims=True), case((2, 3), axis=None, keepdims=True))


def expand(reduced, axis, keepdims):
    """Give back the axes that a reduction dropped, with size 1, where broadcasting would not."""
    if axis is None or keepdims or axis == 0:
        return reduced
    return np.expand_dims(reduced, axis)


@linear(np.sum, allowed=PLAIN | ALL_ITEMS, beyond=masked.sum, examples=AXES)
def sum(ct, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return np.broadcast_to(expand(ct, axis, keepdims), a.shape)


@linear(math.fsum, checked=python.fsum, real_only=True, examples=(case((5,)), case((1,))))
def fsum(ct, seq):
    return np.broadcast_to(ct, seq.shape)


@linear(np.mean, allowed=PLAIN | ALL_ITEMS, beyond=masked.mean, examples=AXES)
def mean(ct, a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    return np.broadcast_to(divide(expand(ct, axis, keepdims), number_reduced(a, axis), a), a.shape)


@vjp(np.max, np.amax, real_only=True, picks=True, allowed=NO_OUT | ALL_ITEMS, beyond=masked.max, examples=AXES)
@vjp(np.min, np.amin, real_only=True, picks=True, allowed=NO_OUT | ALL_ITEMS, beyond=masked.min, examples=AXES)
def extremum(ct, ans, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    ties = (a == expand(ans, axis, keepdims)).astype(a.dtype)
    return expand(ct, axis, keepdims) / np.sum(ties, axis=axis, keepdims=axis is not None) * ties


@jvp(np.max, np.min, np.amax, np.amin)
def extremum_jvp(a_dot, ans, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    ties = a == expand(ans, axis, keepdims)
    count = np.sum(ties.astype(a.dtype), axis=axis, keepdims=keepdims)
    return np.sum(np.where(ties, a_dot, 0), axis=axis, keepdims=keepdims) / count


@vjp(np.prod, allowed=PLAIN | ALL_ITEMS, beyond=masked.prod, examples=AXES)
def prod(ct, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return expand(ct, axis, keepdims) * product_of_others(a, axis)


@jvp(np.prod)
def prod_jvp(a_dot, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    return np.sum(a_dot * product_of_others(a, axis), axis=axis, keepdims=keepdims)


def product_of_others(a, axis):
    """For each item, the product of the others along `axis`: no division, so zeros are no exception."""
    if axis is None:
        return others_along(a.ravel(), 0).reshape(a.shape)
    if isinstance(axis, tuple):
        others = 1
        rest = a
        for k in axis:
            others = others * others_along(rest, k)
            rest = np.prod(rest, axis=k, keepdims=True)
        return others
    return others_along(a, axis)


def others_along(a, axis):
    a = np.moveaxis(a, axis, 0)
    one = np.ones_like(a[:1])
    before = np.cumprod(np.concatenate((one, a[:-1])), axis=0)
    after = np.cumprod(np.concatenate((one, a[:0:-1])), axis=0)[::-1]
    return np.moveaxis(before * after, 0, axis)


FLAG_AXES = (case(flags(3, 4)), case(flags(3, 4), axis=0), case(flags(3, 4), axis=-1, keepdims=True))


@inactive(np.all, allowed=NO_OUT | ALL_ITEMS, beyond=masked.all, examples=FLAG_AXES)
@inactive(np.any, allowed=NO_OUT | ALL_ITEMS, beyond=masked.any, examples=FLAG_AXES)
def decide(a, axis=None, out=None, keepdims=False, *, where=True):
    return None


@inactive(np.count_nonzero, examples=FLAG_AXES)
def count_nonzero(a, axis=None, *, keepdims=False):
    return None


@inactive(np.argmax, np.argmin, allowed=NO_OUT,
          examples=(case((5,)), case((3, 4), axis=1), case((3, 4), axis=0, keepdims=True)))
def find_extremum(a, axis=None, out=None, *, keepdims=False):
    return None


@batched(np.sum, np.mean, np.max, np.min, np.amax, np.amin, np.prod, np.all, np.any, np.count_nonzero)
def reduced(function, a, axis=None, **options):
    return function(a, axis=behind(axis, a.ndim), **options)


@batched(np.argmax, np.argmin)
def found(function, a, axis=None, **options):
    if axis is None:
        return function(flat(a), axis=1)
    return function(a, axis=behind(axis, a.ndim), **options)
