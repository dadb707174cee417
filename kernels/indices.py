"""Where an index finds its element: compared once, without a sign, and not looked at again."""
import numpy as np
from numba import types
from numba.extending import lower_builtin, type_callable

from kernels.compiled import implements
from kernels.layout import flat

FEW, PER_TURN = 64, 8  # so many indices are soon looked at, and so many more for every turn of the loops that need them


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


def any_beyond(indices, size, turns):
    """Whether an index among many may be out of range, of an axis of this size; or they are too many to look at for these turns.

    >>> some = np.array([0, 3, -4])
    >>> any_beyond(some, 4, 3), any_beyond(some, 3, 3), any_beyond(np.zeros(1000, int), 3, 10)
    (False, True, True)
    """
    return bool(indices.size > FEW + PER_TURN * turns or np.any(indices < -size) or np.any(indices >= size))


@implements(any_beyond)
def _any_beyond(indices, size, turns):
    def any_beyond(indices, size, turns):
        if indices.size > FEW + PER_TURN * turns:
            return True
        found = flat(indices)
        least, largest = 0, -1
        for k in range(found.size):
            least, largest = min(least, found[k]), max(largest, found[k])
        return least < -size or largest >= size
    return any_beyond


@type_callable(position)
def _type_of_position(context):
    return lambda index, size: types.uint64


@lower_builtin(position, types.Integer, types.Integer)
def _compiled_position(context, builder, signature, args):
    """A branch to what is rare, in place of a choice: where the index is in range as it stands, it is not compared again."""
    index, size = _words(context, builder, signature, args)
    if not signature.args[0].signed:
        return index
    before = builder.block
    with builder.if_then(builder.icmp_unsigned('>=', index, size), likely=False):
        from_end, elsewhere = builder.add(index, size), builder.block
    found = builder.phi(index.type)
    found.add_incoming(index, before)
    found.add_incoming(from_end, elsewhere)
    return found


@type_callable(is_beyond)
def _type_of_is_beyond(context):
    return lambda position, size: types.boolean


@lower_builtin(is_beyond, types.Integer, types.Integer)
def _compiled_is_beyond(context, builder, signature, args):
    return builder.icmp_unsigned('>=', *_words(context, builder, signature, args))


def _words(context, builder, signature, args):
    return [context.cast(builder, value, given, types.uint64) for value, given in zip(args, signature.args)]
