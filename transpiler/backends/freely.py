"""Arithmetic that the compiler may rearrange: in one function and its parts, and in nothing that Numba compiles along with it.

Numba's own option holds for all that it compiles on the way, which other functions are given later, too.
"""
from __future__ import annotations

from typing import Any

from numba.core import fastmathpass
from numba.core.cpu_options import FastMathOptions

from transpiler_kernels.compiler.lowering import Lean
from transpiler_kernels.compiler.pipeline import pipeline
from transpiler_kernels.interrupts import LookingLibrary

FREE = FastMathOptions({'contract', 'reassoc'})     # nan and inf keep their meaning


class _Lower(Lean):
    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        fastmathpass.rewrite_module(self.module, FREE)


Freely = pipeline('with_free_arithmetic', LookingLibrary, _Lower)
