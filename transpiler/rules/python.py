"""Definitions in the language of what is no function of arrays: Python's library, a class, sizes, indexed objects."""
from __future__ import annotations

import bisect
import builtins
import functools
import itertools
import math
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from transpiler_kernels.definitions.arrays import batches, grids, joining, shapes
from transpiler_kernels.definitions.mathematics import integers, python, sequences

WRITTEN: MappingProxyType[Callable, Callable] = MappingProxyType({
    functools.reduce: python.reduce, builtins.map: python.map, builtins.filter: python.filter,
    itertools.accumulate: python.accumulate, itertools.chain: python.chain,
    itertools.combinations: python.combinations,
    bisect.bisect_left: python.bisect_left, bisect.bisect_right: python.bisect_right,
    math.prod: python.prod, math.dist: python.dist, math.isclose: python.isclose,
    np.ndarray: shapes.ndarray, np.unstack: joining.unstack,
    np.indices: grids.indices, np.fromfunction: grids.fromfunction, np.fromiter: python.fromiter,
    np.diag_indices: grids.diag_indices, np.diag_indices_from: grids.diag_indices_from, np.unravel_index: grids.unravel_index,
    np.tril_indices: grids.tril_indices, np.triu_indices: grids.triu_indices,
    np.tril_indices_from: grids.tril_indices_from, np.triu_indices_from: grids.triu_indices_from,
})

# functions of integers, where these show at run time
OF_INTEGERS: MappingProxyType[Callable, Callable] = MappingProxyType({
    getattr(math, name): getattr(integers, name) for name in ('comb', 'factorial', 'gcd', 'isqrt', 'lcm', 'perm')
} | {pow: integers.power_modulo})

# methods of arrays and numbers that give Python's own numbers, or take what they stand for elsewhere
METHODS: MappingProxyType[str, Callable] = MappingProxyType({
    'item': shapes.item, 'tolist': python.tolist, 'compress': shapes.compressed,
    'bit_length': integers.bit_length, 'bit_count': integers.bit_count, 'is_integer': integers.is_integer,
})

# the functions of an index that objects of NumPy's stand for
INDEXED: MappingProxyType[Any, Callable] = MappingProxyType({
    np.mgrid: grids.mgrid, np.ogrid: grids.ogrid, np.r_: grids.in_a_row, np.c_: grids.as_columns,
})

EXTREME_BY_KEY, ADDED_UP, TOTAL = python.extreme_by, python.added_up, python.total
AS_IT_IS = joining.as_it_is
EXTREMES = MappingProxyType({'max': python.largest, 'min': python.smallest})
SORT, SORTED, SORTED_BY = python.sort, python.sorted_items, python.sorted_by
SORTED_BY_SEVERAL = python.sorted_by_several

# what programs call that is done by definitions of other names
CALLED = MappingProxyType({
    'largest': 'max', 'smallest': 'min', 'sorted_items': 'sorted', 'sorted_by': 'sorted', 'sorted_by_several': 'sorted',
    'pop_item': 'pop', 'insert_item': 'insert', 'reverse_items': 'reverse', 'put_part': '[...] =', 'delete_part': 'del',
})

# what Python writes `[...]` and methods for
ITEM_OF_RANGE, PART_OF_RANGE, PICKED_BY_FLAG = sequences.item_of_range, sequences.part_of_range, shapes.picked_by_flag
PART_OF_LIST, PUT_PART, DELETE_PART = sequences.part_of_list, sequences.put_part, sequences.delete_part
REPEATED, REPEAT_IN_PLACE = sequences.repeated, sequences.repeat_in_place
POP, INSERT, REVERSE, TAKE_OVER = sequences.pop_item, sequences.insert_item, sequences.reverse_items, sequences.take_over
CONTAINED, COUNT_OF = sequences.contained, sequences.count_of
IN_ONE_SHAPE, AT_EACH_PLACE, AGREED = batches.in_one_shape, batches.at_each_place, batches.agreed
REPEATED_FOR_ALL = batches.repeated
EACH_AS, JOINED, SUMMED = joining.each_as, joining.joined_items, joining.summed_items

# What these give is used up by its first reader.
GIVE_ITERATORS = frozenset({
    builtins.map, builtins.filter, itertools.accumulate, itertools.chain, itertools.combinations,
})
# These take iterators: a list may stand for one.
TAKE_ALL = frozenset({functools.reduce, math.fsum, math.prod, np.fromiter, *GIVE_ITERATORS})

# The axis along which these join arrays of rank 0, 1, 2, ..., or what they make of all of them, stacked.
ALONG: MappingProxyType[str, tuple[Any, ...]] = MappingProxyType({
    'vstack': (joining.as_column, joining.as_it_is, 0),
    'hstack': (joining.as_it_is, 0, 1),
    'column_stack': (joining.as_row, joining.as_columns, 1),
    'dstack': (joining.as_depth, joining.as_columns_in_depth, joining.as_planes_in_depth, 2),
})
