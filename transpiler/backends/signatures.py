"""What machine code is made for: numbers, arrays and lists of some types, whatever their values and sizes are."""
from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np


def kind_of(leaf: Any) -> Hashable:
    """All that machine code depends on.

    >>> kind_of(np.ones((2, 3), np.float32).T), kind_of(2.0)
    ((dtype('float32'), 2, 'F', True), <class 'float'>)
    """
    if isinstance(leaf, np.ndarray):
        return leaf.dtype, leaf.ndim, _order(leaf), leaf.flags.writeable
    return type(leaf)


def stand_in(leaf: Any) -> Any:
    """Another one of this kind, small, which keeps nothing alive and is nobody else's.

    >>> stand_in(np.ones((20, 30))[:, ::2])
    array([[0., 0.],
           [0., 0.]])
    >>> kind_of(_) == kind_of(np.ones((20, 30))[:, ::2]), stand_in([1.0, 2.0]), stand_in(7)
    (True, [], 0)
    """
    if isinstance(leaf, np.ndarray):
        order = _order(leaf)
        small = np.zeros((2,) * leaf.ndim, leaf.dtype, order='F' if order == 'F' else 'C')
        if order == 'A':
            small = np.lib.stride_tricks.as_strided(small, strides=(0,) * leaf.ndim)
        if not leaf.flags.writeable:
            small.flags.writeable = False
        return small
    return type(leaf)() if type(leaf) in (list, int) else leaf


def _order(array: np.ndarray) -> str:
    return 'C' if array.flags.c_contiguous else 'F' if array.flags.f_contiguous else 'A'
