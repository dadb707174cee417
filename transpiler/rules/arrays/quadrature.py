"""`scipy.integrate`: integrals of samples."""
import numpy as np
import scipy.integrate

from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import definition
from transpiler_kernels.definitions.mathematics import integrals
from transpiler_kernels.definitions.samples import sequences

AT = np.array([0.0, 0.4, 1.0, 1.5, 2.5])
EXAMPLES = case((5,)), case((3, 4), dx=0.5), case((4, 3), axis=0), case((5,), x=AT), case((2, 5), x=AT)
EVEN = case((6,)), case((2,)), case((4,), x=AT[1:])

definition(scipy.integrate.trapezoid, name='scipy.integrate.trapezoid', examples=EXAMPLES)(sequences.trapezoid)
definition(scipy.integrate.simpson, name='scipy.integrate.simpson', examples=(*EXAMPLES, *EVEN))(integrals.simpson)
