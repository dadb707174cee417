"""What needs `scipy.special`: importing this module enters its rules."""
import math

from transpiler.rules.base.examples import case
from transpiler.rules.base.registry import definition
from transpiler.rules.elementwise import bessel, gamma, log_sums, special  # noqa: F401  (enter their rules)
from transpiler_kernels.definitions.mathematics import scalar_special

for name, domain in (('erf', (-1.0, 1.0)), ('erfc', (-1.0, 1.0)), ('gamma', (0.5, 2.0)), ('lgamma', (0.5, 2.0))):
    definition(getattr(math, name), real_only=True, examples=(case(()),), domain=domain)(getattr(scalar_special, name))
