"""Options with which kernels and programs are compiled; for who has them, Numba is ready to."""
from typing import Any

from transpiler_kernels.compiler.pipeline import OfKernels, OfNumba
from transpiler_kernels.machine import kept, overloads

KEPT: dict[str, Any] = {'cache': True}  # on disk
# Division follows NumPy, and every operation rounds for itself, in the order in which it is written; only `plus` of
# `kernels/reductions/lanes.py` may be done in any order. Numba would take these options from whichever function is compiled
# first that calls one without any.
ARITHMETIC: dict[str, Any] = {'error_model': 'numpy', 'fastmath': False}
BARE: dict[str, Any] = {'no_cpython_wrapper': True, 'no_cfunc_wrapper': True, 'pipeline_class': OfKernels}

kept.of_kernels()
overloads.of_programs({**ARITHMETIC, **BARE, 'pipeline_class': OfNumba})
