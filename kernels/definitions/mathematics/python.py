"""Functions of Python's library, in the language: `functools`, `itertools`, `math`, and some builtins.

Sequences take the place of iterators.
"""
import itertools
import math

import numpy as np

from transpiler_kernels.definitions.mathematics.scalar_math import double


def first_of(iterable):
    """The item that a loop meets first: of a dict, a key."""
    if isinstance(iterable, dict):
        first, *_ = iterable
        return first
    return iterable[0]


def reduce(function, iterable, *initial):
    total, first = (initial[0], 0) if initial else (first_of(iterable), 1)
    for item in itertools.islice(iterable, first, None):
        total = function(total, item)
    return total


def accumulate(iterable, func=lambda total, item: total + item, *, initial=None):
    total, first = (first_of(iterable), 1) if initial is None else (initial, 0)
    found = [total]
    for item in itertools.islice(iterable, first, None):
        total = func(total, item)
        found.append(total)
    return found


def map(function, *iterables):
    return [function(*items) for items in zip(*iterables)]


def filter(function, iterable):
    if function is None:
        return [item for item in iterable if item]
    return [item for item in iterable if function(item)]


def chain(*iterables):
    found = []
    for iterable in iterables:
        for item in iterable:
            found.append(item)
    return found


def combinations(iterable, r):
    if r != 2 and r != 3:
        raise RuntimeError('combinations are supported of two items, and of three')
    found, items = [], list(iterable)
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            if r == 2:
                found.append((items[i], items[j]))
            else:
                for k in range(j + 1, len(items)):
                    found.append((items[i], items[j], items[k]))
    return found


def tolist(a):
    if a.ndim > 1:
        return [tolist(row) for row in a]
    return [x.item() for x in a] if a.ndim == 1 else a.item()


def extreme_by(name, iterable, key, better):
    if len(iterable) == 0:
        raise ValueError(f'{name}() iterable argument is empty')
    best = first_of(iterable)
    most = key(best)
    for item in itertools.islice(iterable, 1, None):
        value = key(item)
        if better(value, most):
            best, most = item, value
    return best


def added_up(lists, start):
    found = list(start)
    for items in lists:
        found.extend(items)
    return found


def largest(items):
    """The first one that no other is larger than: beside NaN that depends on the order."""
    checked_items('max', items)
    return np.max(without_later_nan(items))


def smallest(items):
    checked_items('min', items)
    return np.min(without_later_nan(items))


def checked_items(name, items):
    if items.ndim > 1:
        raise ValueError('The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()')
    if items.shape[0] == 0:
        raise ValueError(f'{name}() iterable argument is empty')


def without_later_nan(items):
    """Nothing is larger or smaller than NaN: it stays if it is the first item, and is passed over later."""
    if not np.issubdtype(items.dtype, np.floating):
        return items
    return np.where(np.isnan(items), items[0], items)


def total(items, start):
    for item in items:
        start = start + item
    return start


def sorted_items(iterable, key, reverse):
    items = list(iterable)
    return sorted_by(items, items if key is None else [key(item) for item in items], reverse)


def sorted_by(items, keys, reverse):
    order = argsort_by(np.array(keys), reverse)
    return [items[k] for k in order]


def sorted_by_several(items, keys, count, reverse):
    """By the last of so many numbers in each key first, so that those before it decide."""
    order = np.arange(len(items))
    for column in tuple(range(count))[::-1]:
        numbers = np.array([key[column] for key in keys])
        order = order[argsort_by(numbers[order], reverse)]
    return [items[k] for k in order]


def argsort_by(numbers, reverse):
    if numbers.ndim != 1:
        raise RuntimeError('sorted is supported by numbers, and by what is known while code is generated: give a key')
    return np.argsort(-numbers if reverse else numbers, kind='stable')


def sort(items, *, key=None, reverse=False):
    found = sorted(items, key=key, reverse=reverse)
    for k in range(len(items)):
        items[k] = found[k]


def prod(iterable, *, start=1):
    for item in iterable:
        start = start * item
    return start


def fsum(seq):
    return math.fsum(seq if isinstance(seq, (np.ndarray, list)) else list(seq))


def fromiter(iter, dtype, count=-1):
    items = list(iter)
    if count > len(items):
        raise ValueError('iterator too short')
    found = np.array(items, dtype=dtype)
    return found if count < 0 else found[:count]


def dist(p, q):
    if len(p) != len(q):
        raise ValueError('both points must have the same number of dimensions')
    total = 0.0
    for a, b in zip(p, q):
        total = total + (double(a) - double(b)) ** 2
    return float(np.sqrt(total))


def isclose(a, b, *, rel_tol=1e-9, abs_tol=0.0):
    a, b = double(a), double(b)
    if a == b:
        return True
    if np.isinf(a) or np.isinf(b):
        return False
    return bool(abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol))


def bisect_left(a, x, lo=0, hi=None):
    if lo < 0:
        raise ValueError('lo must be non-negative')
    first, end = lo, len(a) if hi is None else hi
    while first < end:
        middle = (first + end) // 2
        if a[middle] < x:
            first = middle + 1
        else:
            end = middle
    return first


def bisect_right(a, x, lo=0, hi=None):
    if lo < 0:
        raise ValueError('lo must be non-negative')
    first, end = lo, len(a) if hi is None else hi
    while first < end:
        middle = (first + end) // 2
        if x < a[middle]:
            end = middle
        else:
            first = middle + 1
    return first
