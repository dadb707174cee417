"""The logistic function and its logarithm in double precision."""
from __future__ import annotations

from transpiler_kernels.vector_math.exponentials import exp_of_sum
from transpiler_kernels.vector_math.intrinsics import choose, fma, formula
from transpiler_kernels.vector_math.logarithms import logaddexp


@formula
def expit(x):
    """`1 / (1 + exp(-x))`, at most 2 ulp off.

    >>> float(expit(0.0)), float(expit(-800.0))
    (0.5, 0.0)
    """
    part = exp_of_sum(-abs(x), 0.0)
    whole = 1.0 + part
    over = choose(x < 0.0, part, 1.0)
    inverse = 1.0 / whole
    found = over * inverse
    return found + (fma(-found, whole, over) - found * (part - (whole - 1.0))) * inverse


@formula
def log_expit(x):
    """`-log(1 + exp(-x))`, at most 2 ulp off.

    >>> float(log_expit(-1000.0)), float(log_expit(1000.0))
    (-1000.0, -0.0)
    """
    return -logaddexp(0.0, -x)
