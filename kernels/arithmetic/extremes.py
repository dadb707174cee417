"""The larger and the smaller of two numbers, said so that compilers make vectors of loops that look for extremes."""
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import implements


def larger(a, b):
    """`np.maximum(a, b)`: a nan wins.

    >>> larger(1.0, 2.0), larger(np.nan, 2.0)
    (2.0, nan)
    """
    return type(a)(np.maximum(a, b))


def smaller(a, b):
    """`np.minimum(a, b)`: a nan wins.

    >>> smaller(1.0, 2.0), smaller(1.0, np.nan)
    (1.0, nan)
    """
    return type(a)(np.minimum(a, b))


def is_better(item, old, largest):
    """Whether `item` is an extreme beyond `old`, or the first nan; complex numbers are compared by real parts first.

    >>> is_better(2.0, 1.0, True), is_better(1 + 1j, 1 + 2j, True), bool(is_better(np.nan, 1.0, False))
    (True, False, True)
    """
    chosen = larger(old, item) if largest else smaller(old, item)
    return (old == old) & ((chosen != old) | (item != item))


def _by_instruction(name):
    @intrinsic
    def chosen(context, a, b):
        def code(context, builder, signature, args):
            kind = args[0].type
            return builder.call(builder.module.declare_intrinsic(name, [kind], ir.FunctionType(kind, [kind, kind])), args)
        return a(a, b), code
    return chosen


_larger_float, _smaller_float = map(_by_instruction, ('llvm.maximum', 'llvm.minimum'))


@implements(larger, forceinline=True)
def _larger(a, b):
    if a == b and isinstance(a, types.Float):
        return lambda a, b: _larger_float(a, b)
    return lambda a, b: np.maximum(a, b)


@implements(smaller, forceinline=True)
def _smaller(a, b):
    if a == b and isinstance(a, types.Float):
        return lambda a, b: _smaller_float(a, b)
    return lambda a, b: np.minimum(a, b)


@implements(is_better, forceinline=True)
def _is_better(item, old, largest):
    if isinstance(item, types.Complex):
        return is_better
    return lambda item, old, largest: (old == old) & ((item > old if largest else item < old) | (item != item))
