"""Special functions of `math`, by those of SciPy."""
import scipy.special

from transpiler_kernels.definitions.mathematics.scalar_math import double


def erf(x):
    return float(scipy.special.erf(double(x)))


def erfc(x):
    return float(scipy.special.erfc(double(x)))


def gamma(x):
    return float(scipy.special.gamma(double(x)))


def lgamma(x):
    return float(scipy.special.gammaln(double(x)))
