"""Hurwitz's zeta function, of which SciPy exports no version for numbers."""
import numpy as np

from kernels.special.compiled import TWO, elementwise

BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000, 1 / 74724249600)  # B_2k / (2k)!


@elementwise(TWO)
def zeta(x, q):
    """Hurwitz's zeta function, by Euler and Maclaurin's formula behind the first terms.

    >>> zeta(2.0, np.array([1.0, 0.0])).round(6)
    array([1.644934,      inf])
    """
    if x == 1:
        return np.inf
    if q <= 0 and q == np.floor(q) and not x < 1:
        return np.inf
    if not x > 1 or q != q or (q <= 0 and x != np.floor(x)):
        return np.nan
    total = 0.0
    while q < 12.0 + x:
        term = q ** -x
        total += term
        if q > 0 and term <= 1e-17 * total:
            return total
        q += 1.0
    power = q ** -x
    if power == 0:
        return total
    total += q * power / (x - 1) + power / 2
    term, square = x * power / q, q * q
    for k, coefficient in enumerate(BERNOULLI):
        total += coefficient * term
        term *= (x + 2 * k + 1) * (x + 2 * k + 2) / square
    return total
