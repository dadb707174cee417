"""What the examples of a batch give one after the other, put together: arrays, and lists of run-time length."""
import numpy as np

from transpiler_kernels.definitions.known import known


def in_one_shape(items):
    """The results of all examples as one array."""
    for b in range(1, len(items)):
        own, first = items[b], items[0]
        if np.shape(own) != np.shape(first):
            if known(np.ndim(own)):
                raise ValueError('vmap: the results of the examples have different shapes: '
                                 f'example {b} gives {np.shape(own)}, example 0 {np.shape(first)}')
            raise ValueError(f'vmap: the results of the examples have different shapes: example {b} differs from example 0')
    return np.array(items)


def at_each_place(items, lengths):
    """A list of what the lists of all examples have at each place; their items follow one another, list by list."""
    found, length = [], lengths[0]
    for b in range(1, len(lengths)):
        if lengths[b] != length:
            raise ValueError('vmap: the results of the examples have different shapes: '
                             f'example {b} gives {lengths[b]} items, example 0 {length}')
    for k in range(length):
        found.append(in_one_shape([items[b * length + k] for b in range(len(lengths))]))
    return found


def agreed(flags, lengths):
    """A list of whether there is an item at each place, which must be so for all examples or for none."""
    found = []
    for own in at_each_place(flags, lengths):
        for b in range(1, len(own)):
            if own[b] != own[0]:
                raise ValueError('vmap: the results of the examples have different structures: '
                                 f'an item is None in one of the examples 0 and {b}, a value in the other')
        found.append(bool(own[0]))
    return found


def repeated(items, count):
    """A list that all examples share, with each item as often as there are examples."""
    return [np.repeat(np.expand_dims(item, 0), count, axis=0) for item in items]
