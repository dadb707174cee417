"""LAPACK's routines for compiled code: those that SciPy was built with, called by their names.

A routine takes addresses only. What lies there must live until it has run: read something of it, or return it, afterwards.
"""

import scipy.linalg.cython_lapack
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from transpiler_kernels.machine.symbols import PRECISIONS, WORD, enter_fortran

ROUTINES = ('cgees', 'cgeev', 'ctrsyl', 'dgeev', 'dgesdd', 'sgeev', 'sgesdd', 'zgees', 'zgeev', 'ztrsyl',
            *(letter + name for letter in 'sdcz'
              for name in ('gbsv', 'gemqrt', 'geqrt', 'getrf', 'getri', 'getrs', 'potrf')))

for _name in ROUTINES:
    enter_fortran('lapack', scipy.linalg.cython_lapack, _name)


@intrinsic(prefer_literal=True)
def call(context, name, like, addresses):
    """Call a routine in the version for the dtype of the array `like`."""
    function_name = f'lapack_{PRECISIONS[like.dtype]}{name.literal_value}'

    def code(context, builder, signature, args):
        words = [context.cast(builder, a, t, types.int64)
                 for a, t in zip(cgutils.unpack_tuple(builder, args[2]), signature.args[2], strict=True)]
        type_ = ir.FunctionType(ir.VoidType(), [WORD] * len(words))
        builder.call(cgutils.get_or_insert_function(builder.module, type_, function_name), words)
        return context.get_dummy_value()
    return types.none(name, like, addresses), code
