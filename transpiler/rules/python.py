"""Functions of Python's library and their definitions in the language (`kernels/definitions/python.py`)."""
from __future__ import annotations

import builtins
import functools
import itertools
import math
from collections.abc import Callable
from types import MappingProxyType

from kernels.definitions import python

WRITTEN: MappingProxyType[Callable, Callable] = MappingProxyType({
    functools.reduce: python.reduce, builtins.map: python.map, builtins.filter: python.filter, builtins.sorted: python.sorted,
    itertools.accumulate: python.accumulate, itertools.chain: python.chain, itertools.islice: python.islice,
    itertools.combinations: python.combinations,
    math.prod: python.prod, math.dist: python.dist, math.isclose: python.isclose,
})

EXTREME_BY_KEY = python.extreme_by
