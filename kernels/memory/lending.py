"""Arrays that a function is lent: whoever calls it holds them until it is done, so that it need not."""
from numba.core import cgutils
from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import implements


def lent(array):
    """The same array, as one that nobody has to hold: to count who does takes longer than what a small function does.

    >>> import numba, numpy as np
    >>> numba.njit(lambda x: lent(x)[1:].sum())(np.arange(3.0))
    3.0
    """
    return array


@implements(lent, forceinline=True)
def _compiled(array):
    return lambda array: _unowned(array)


@intrinsic
def _unowned(context, array):
    def code(context, builder, signature, args):
        made = cgutils.create_struct_proxy(array)(context, builder, value=args[0])
        made.meminfo = cgutils.get_null_value(made.meminfo.type)
        return made._getvalue()
    return array(array), code
