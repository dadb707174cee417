"""Texts of what compiled code prints and raises: put together by Python, of a layout and values."""
import sys

import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import kernel

MARKS = {'(': tuple, '[': list}


def restored(kinds, values):
    """Values as the program has them: compiled code gives Python's numbers for all that are no arrays.

    kinds: for each value the dtype of a number of NumPy's, `list` and a dtype for a list of numbers, which is an array here, or
    `-`, or `whole` for an integer that is a float here; `(` and `)`, `[` and `]` stand around those of a tuple and of a list

    >>> restored('- ( float32 list - ) list int8', ['at', 0.5, [1.0, 2.0], [3]])
    ['at', (np.float32(0.5), [1.0, 2.0]), [np.int8(3)]]
    """
    given, words, open_ = iter(values), iter(kinds.split()), [(list, [])]
    for word in words:
        if word in MARKS:
            open_.append((MARKS[word], []))
        elif word in (')', ']'):
            kind, items = open_.pop()
            open_[-1][1].append(kind(items))
        elif word == 'list':
            number = _class(next(words))
            open_[-1][1].append([number(item) for item in np.asarray(next(given)).tolist()])
        else:
            open_[-1][1].append(_class(word)(next(given)))
    return open_[0][1]


def _class(kind):
    return int if kind == 'whole' else (lambda value: value) if kind == '-' else np.dtype(kind).type


def say(stream, layout, kinds, values, flush):
    """Print a text on one of Python's own streams.

    >>> say('stdout', '{0!s} of {1}\\n', 'float32 -', (0.1, 2), False)
    0.1 of 2
    """
    print(layout.format(*restored(kinds, values)), end='', file=getattr(sys, stream), flush=flush)


@intrinsic
def _by_python(typing_context, everything):
    """Call `say` with a tuple of all that it takes; what it raises goes on."""
    def code(context, builder, signature, arguments):
        api = context.get_python_api(builder)
        lock = api.gil_ensure()
        if context.enable_nrt:
            context.nrt.incref(builder, signature.args[0], arguments[0])
        given = api.from_native_value(signature.args[0], arguments[0], context.get_env_manager(builder))
        function = api.unserialize(api.serialize_object(say))
        result = api.call(function, given)
        failed = cgutils.is_null(builder, result)
        api.decref(function)
        api.decref(given)
        with cgutils.if_likely(builder, builder.not_(failed)):
            api.decref(result)
        api.gil_release(lock)
        with builder.if_then(failed, likely=False):
            context.call_conv.return_exc(builder)
        return context.get_dummy_value()

    return types.none(everything), code


@kernel()
def said(stream, layout, kinds, values, flush):
    """`say`, for compiled code."""
    _by_python((stream, layout, kinds, values, flush))
