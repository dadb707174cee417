"""Elementary functions that loops of vectors are made of: `docs/vector_math.md` says how accurate they are.

Those in double precision have the names of C's library, those in single precision an `f` behind it. They run compiled only: plain
Python has NumPy's. They have no branches. Formulas:
fdlibm (Sun Microsystems, 1993) for logarithms and arcs, Muller et al., Handbook of Floating-Point Arithmetic, for sums and
products that know what rounding leaves.
"""
from transpiler_kernels.vector_math.arcs import acos, asin, atan, atan2
from transpiler_kernels.vector_math.errors import erf, erfc
from transpiler_kernels.vector_math.exponentials import exp, exp2, expm1
from transpiler_kernels.vector_math.gamma import gammaln
from transpiler_kernels.vector_math.hyperbolic import acosh, asinh, atanh, cosh, sinh, tanh
from transpiler_kernels.vector_math.logarithms import log, log1p, log2, log10, logaddexp, logaddexp2
from transpiler_kernels.vector_math.logistic import expit, log_expit
from transpiler_kernels.vector_math.powers import cbrt, half_power, hypot, pow
from transpiler_kernels.vector_math.single import (
    acosf,
    acoshf,
    asinf,
    asinhf,
    atan2f,
    atanf,
    atanhf,
    cbrtf,
    cosf,
    coshf,
    exp2f,
    expf,
    expm1f,
    half_powerf,
    hypotf,
    log1pf,
    log2f,
    log10f,
    logf,
    powf,
    sinf,
    sinhf,
    tanf,
    tanhf,
)
from transpiler_kernels.vector_math.single_special import erfcf, erff, expitf, gammalnf, log_expitf, logaddexp2f, logaddexpf
from transpiler_kernels.vector_math.trigonometry import cos, sin, tan

__all__ = [
    'acos',
    'acosf',
    'acosh',
    'acoshf',
    'asin',
    'asinf',
    'asinh',
    'asinhf',
    'atan',
    'atan2',
    'atan2f',
    'atanf',
    'atanh',
    'atanhf',
    'cbrt',
    'cbrtf',
    'cos',
    'cosf',
    'cosh',
    'coshf',
    'erf',
    'erfc',
    'erfcf',
    'erff',
    'exp',
    'exp2',
    'exp2f',
    'expf',
    'expit',
    'expitf',
    'expm1',
    'expm1f',
    'gammaln',
    'gammalnf',
    'half_power',
    'half_powerf',
    'hypot',
    'hypotf',
    'log',
    'log1p',
    'log1pf',
    'log2',
    'log2f',
    'log10',
    'log10f',
    'log_expit',
    'log_expitf',
    'logaddexp',
    'logaddexp2',
    'logaddexp2f',
    'logaddexpf',
    'logf',
    'pow',
    'powf',
    'sin',
    'sinf',
    'sinh',
    'sinhf',
    'tan',
    'tanf',
    'tanh',
    'tanhf',
]
