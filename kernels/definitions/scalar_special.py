"""Special functions of `math`, by those of SciPy."""
import scipy.special


def erf(x):
    return float(scipy.special.erf(x))


def erfc(x):
    return float(scipy.special.erfc(x))


def gamma(x):
    return float(scipy.special.gamma(x))


def lgamma(x):
    return float(scipy.special.gammaln(x))
