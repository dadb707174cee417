"""Arithmetic that the compiler may rearrange: in one function and its parts, and in nothing that Numba compiles along with it.

Numba's own option holds for all that it compiles on the way, which other functions are given later, too.
"""
from __future__ import annotations

from typing import Any

from numba.core import fastmathpass
from numba.core.compiler_machinery import register_pass
from numba.core.cpu_options import FastMathOptions
from numba.core.lowering import Lower

from transpiler_kernels.interrupts import Interruptible, LookingLowering

FREE = FastMathOptions({'contract', 'reassoc'})     # nan and inf keep their meaning


class _Lower(Lower):
    def lower_normal_function(self, fndesc: Any) -> None:
        super().lower_normal_function(fndesc)
        fastmathpass.rewrite_module(self.module, FREE)


@register_pass(mutates_CFG=True, analysis_only=False)
class _FreeLowering(LookingLowering):
    _name = 'native_lowering_with_free_arithmetic'

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower


class Freely(Interruptible):
    """Numba's pipeline for a function whose arithmetic is free."""

    lowering = _FreeLowering
