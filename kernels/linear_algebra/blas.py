"""BLAS's routines for compiled code: those that SciPy was built with, called by their names."""

import numpy as np
import scipy.linalg.cython_blas
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from transpiler_kernels.machine.symbols import PRECISIONS, enter_fortran

NO, YES = (np.uint8(ord(letter)) for letter in 'NT')  # whether a matrix is transposed
UPPER, LOWER = (np.uint8(ord(letter)) for letter in 'UL')   # the triangle that is asked for, or given
LEFT, ONES = np.uint8(ord('L')), np.uint8(ord('U'))     # where a triangle stands in equations; what its diagonal holds
ALONE = 1000    # items of a result that OpenBLAS computes in the thread that asks

for _name in (*(letter + name for letter in PRECISIONS.values() for name in ('gemm', 'gemv', 'trsm')), 'ssyrk', 'dsyrk'):
    enter_fortran('blas', scipy.linalg.cython_blas, _name)


@intrinsic(prefer_literal=True)
def call(context, name, arguments):
    """Call a routine in the version for the dtype of the arrays among its arguments; all else are numbers and letters.

    Integers of 64 bits become those of 32 that BLAS counts in.
    """
    dtype, = {kind.dtype for kind in arguments if isinstance(kind, types.Array)}
    function_name = f'blas_{PRECISIONS[dtype]}{name.literal_value}'

    def code(context, builder, signature, args):
        values = list(cgutils.unpack_tuple(builder, args[1]))
        too_long = cgutils.false_bit
        for place, kind in enumerate(arguments):
            if kind == types.int64:
                wide, values[place] = values[place], builder.trunc(values[place], ir.IntType(32))
                too_long = builder.or_(too_long, builder.icmp_signed('!=', builder.sext(values[place], wide.type), wide))
        with builder.if_then(too_long, likely=False):
            context.call_conv.return_user_exc(builder, OverflowError, ('more items along an axis than BLAS can count',))
        addresses = [_address(context, builder, kind, value) for kind, value in zip(arguments, values, strict=True)]
        type_ = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t] * len(addresses))
        builder.call(cgutils.get_or_insert_function(builder.module, type_, function_name), addresses)
        return context.get_dummy_value()
    return types.none(name, arguments), code


def _address(context, builder, kind, value):
    """Fortran takes the address of everything."""
    if isinstance(kind, types.Array):
        return builder.bitcast(make_array(kind)(context, builder, value).data, cgutils.voidptr_t)
    return builder.bitcast(cgutils.alloca_once_value(builder, value), cgutils.voidptr_t)
