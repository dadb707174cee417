"""Where an index finds its element: compared once, without a sign, and not looked at again."""
import numpy as np
from numba import types
from numba.extending import lower_builtin, type_callable

from transpiler_kernels.machine.compiled import implements
from transpiler_kernels.memory.layout import flat

FEW, PER_ITERATION = 64, 8  # so many indices are soon looked at, and so many more for every iteration of the loops that need them


def position(index, size):
    """The index as one that counts from the start, without a sign: too large if there is no such element.

    >>> int(position(-1, 4)), int(position(3, 4)), int(position(-5, 4)) > 4
    (3, 3, True)
    """
    start = size if index < 0 else 0
    return np.uint64((int(index) + int(start)) % 2**64)


def is_beyond(position, size):
    """Whether an axis of this size has no element there.

    >>> is_beyond(np.uint64(3), 4), is_beyond(np.uint64(4), 4)
    (False, True)
    """
    return bool(position >= np.uint64(size))


def any_beyond(indices, size, iterations):
    """Whether an index among many may be out of range, of an axis of this size; or they are too many for these iterations.

    >>> some = np.array([0, 3, -4])
    >>> any_beyond(some, 4, 3), any_beyond(some, 3, 3), any_beyond(np.zeros(1000, int), 3, 10)
    (False, True, True)
    """
    return bool(indices.size > FEW + PER_ITERATION * iterations or np.any(indices < -size) or np.any(indices >= size))


@implements(any_beyond)
def _any_beyond(indices, size, iterations):
    def any_beyond(indices, size, iterations):
        if indices.size > FEW + PER_ITERATION * iterations:
            return True
        found = flat(indices)
        least, largest = 0, -1
        for k in range(found.size):
            least, largest = min(least, found[k]), max(largest, found[k])
        return least < -size or largest >= size
    return any_beyond


def _written_in(function, gives):
    """Mark what writes instructions where compiled code calls this function of an index and a size, instead of a call."""
    type_callable(function)(lambda context: lambda index, size: gives)

    def mark(code):
        def of_words(context, builder, signature, args):
            words = [context.cast(builder, value, given, types.uint64) for value, given in zip(args, signature.args)]
            return code(builder, signature.args[0], *words)
        return lower_builtin(function, types.Integer, types.Integer)(of_words)
    return mark


@_written_in(position, types.uint64)
def _code_of_position(builder, given, index, size):
    """A branch to what is rare, in place of a choice: where the index is in range as it stands, it is not compared again."""
    if not given.signed:
        return index
    before = builder.block
    with builder.if_then(builder.icmp_unsigned('>=', index, size), likely=False):
        from_end, elsewhere = builder.add(index, size), builder.block
    found = builder.phi(index.type)
    found.add_incoming(index, before)
    found.add_incoming(from_end, elsewhere)
    return found


@_written_in(is_beyond, types.boolean)
def _code_of_is_beyond(builder, given, position, size):
    return builder.icmp_unsigned('>=', position, size)
