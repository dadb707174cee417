"""Functions and methods that change an array: what they are called, and their definitions in the language."""
from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import numpy as np

from transpiler_kernels.definitions.arrays import inplace

FUNCTIONS = MappingProxyType({
    np.copyto: inplace.copyto, np.put: inplace.put, np.place: inplace.place, np.putmask: inplace.putmask,
    np.fill_diagonal: inplace.fill_diagonal, np.put_along_axis: inplace.put_along_axis})

EACH = inplace.at_each      # the method `at` of any ufunc
ITEM_AT_FLAT, PART_AT_FLAT, PUT_FLAT = inplace.item_at_flat, inplace.part_at_flat, inplace.put_flat

METHODS = MappingProxyType({'fill': inplace.fill, 'sort': inplace.sort, 'put': inplace.put})

# `np.add.reduce(x)` is `np.sum(x, axis=0)`, `np.add.accumulate(x)` is `np.cumsum(x, axis=0)`
REDUCTIONS: dict[str, dict[np.ufunc, Callable]] = {
    'reduce': {np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min,
                                np.logical_and: np.all, np.logical_or: np.any},
    'accumulate': {np.add: np.cumsum, np.multiply: np.cumprod, np.maximum: np.maximum.accumulate,
                                    np.minimum: np.minimum.accumulate}}
