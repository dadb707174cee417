"""What a compiler that may compute in another order leaves as it is."""
from __future__ import annotations

from numba.extending import intrinsic

from transpiler_kernels.machine.compiled import kernel


@kernel(forceinline=True)
def once(quotient):
    """A quotient, divided where it stands: no product with it becomes a quotient of products instead.

    >>> once(0.1 / 6.0) == 0.1 / 6.0
    True
    """
    return _fence(quotient)


@intrinsic
def _fence(context, number):
    def code(context, builder, signature, args):
        return builder.call(builder.module.declare_intrinsic('llvm.arithmetic.fence', [args[0].type]), args)
    return number(number), code
