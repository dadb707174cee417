"""Exceptions that compiled code cannot make itself: it raises `Raised`, and whoever called it raises the real one."""
import functools
import sys

from transpiler_kernels.machine.texts import restored


class Raised(Exception):
    """Stands for another exception: where its class is found, the text of its message, what the values are, and the values.

    Values fill the places of the message; where that is None they are the arguments of the exception themselves.
    """


class Unproven(Exception):
    """An index in a loop to come might be out of range: the version that looks at every index must run instead."""


def real(raised):
    """The exception that `raised` stands for; its class is looked up now, as Python does.

    >>> real(Raised('builtins:ValueError', 'no convergence after {0} turns', '-', 7))
    ValueError('no convergence after 7 turns')
    >>> real(Raised('builtins:OverflowError', None, '- float32', 1.5, 2))
    OverflowError(1.5, np.float32(2.0))
    """
    place, message, kinds, *values = raised.args
    try:
        values = restored(kinds, values)
    except (ValueError, OverflowError) as error:    # an integer that is to be shown is none
        return error
    module, _, names = place.partition(':')
    kind = functools.reduce(getattr, names.split('.'), sys.modules[module])
    return kind(*(values if message is None else [message.format(*values)]))
