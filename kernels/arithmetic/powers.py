"""Powers of one number alone, by exponents that are known at run time."""
import numpy as np

from transpiler_kernels.machine.compiled import kernel


@kernel()
def whole_power(x, n):
    """`x ** n` for a float and an integer: the first two, which loops and halvings ask for most, without a call of `pow`.

    >>> whole_power(3.0, 2), whole_power(2.0, -1), whole_power(0.0, 0)
    (9.0, 0.5, 1.0)
    """
    if n == 1:
        return x
    if n == 2:
        return x * x
    return x ** np.float64(n)
