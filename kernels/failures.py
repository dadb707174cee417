"""Exceptions that compiled code cannot make itself: it raises `Raised`, and whoever called it raises the real one."""
import functools
import sys


class Raised(Exception):
    """Stands for another exception: where its class is found, the text of its message, and the values.

    Values fill the places of the message; where that is None they are the arguments of the exception themselves.
    """


class Unproven(Exception):
    """An index in a loop to come might be out of range: the version that looks at every index must run instead."""


def real(raised):
    """The exception that `raised` stands for; its class is looked up now, as Python does.

    >>> real(Raised('builtins:ValueError', 'no convergence after {0} turns', 7))
    ValueError('no convergence after 7 turns')
    >>> real(Raised('builtins:OverflowError', None, 1.5, 2))
    OverflowError(1.5, 2)
    """
    place, message, *values = raised.args
    module, _, names = place.partition(':')
    kind = functools.reduce(getattr, names.split('.'), sys.modules[module])
    return kind(*(values if message is None else [message.format(*values)]))
