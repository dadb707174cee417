"""Functions of Python's library, in the language: `functools`, `itertools`, `math`, and some builtins.

Sequences take the place of iterators.
"""
import numpy as np


def reduce(function, iterable, *initial):
    total, rest = (initial[0], iterable) if initial else (iterable[0], iterable[1:])
    for item in rest:
        total = function(total, item)
    return total


def accumulate(iterable, func=lambda total, item: total + item, *, initial=None):
    total, rest = (iterable[0], iterable[1:]) if initial is None else (initial, iterable)
    found = [total]
    for item in rest:
        total = func(total, item)
        found.append(total)
    return found


def map(function, *iterables):
    return [function(*items) for items in zip(*iterables)]


def filter(function, iterable):
    return [item for item in iterable if function(item)]


def chain(*iterables):
    found = []
    for iterable in iterables:
        for item in iterable:
            found.append(item)
    return found


def islice(iterable, *bounds):
    for bound in bounds:
        if bound is not None and bound < 0:
            raise ValueError('islice() takes no negative numbers')
    return iterable[slice(*bounds)]


def combinations(iterable, r):
    if r != 2 and r != 3:
        raise ValueError('combinations are supported of two items, and of three')
    found, items = [], list(iterable)
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            if r == 2:
                found.append((items[i], items[j]))
            else:
                for k in range(j + 1, len(items)):
                    found.append((items[i], items[j], items[k]))
    return found


def extreme_by(iterable, key, better):
    best = iterable[0]
    most = key(best)
    for item in iterable[1:]:
        value = key(item)
        if better(value, most):
            best, most = item, value
    return best


def sorted(iterable, *, key=None, reverse=False):
    items = list(iterable)
    keys = np.array(items if key is None else [key(item) for item in items])
    if keys.ndim != 1:
        raise ValueError('sorted is supported by numbers: give a key')
    order = np.argsort(-keys if reverse else keys, kind='stable')
    return [items[k] for k in order]


def sort(items, *, key=None, reverse=False):
    found = sorted(items, key=key, reverse=reverse)
    for k in range(len(items)):
        items[k] = found[k]


def prod(iterable, *, start=1):
    for item in iterable:
        start = start * item
    return start


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
        total = total + (a - b) ** 2
    return float(np.sqrt(total))


def isclose(a, b, *, rel_tol=1e-9, abs_tol=0.0):
    if a == b:
        return True
    if np.isinf(a) or np.isinf(b):
        return False
    return bool(abs(a - b) <= max(rel_tol * max(abs(a), abs(b)), abs_tol))
