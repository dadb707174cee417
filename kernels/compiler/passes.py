"""Numba's passes for compiled programs: those that have anything to do, done once."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.core import ir, types
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering, NopythonRewrites, NopythonTypeInference
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    ReconstructSSA,
    WithLifting,
)

from transpiler_kernels.compiler.assignments import LocalSSA
from transpiler_kernels.compiler.inference import RememberingInference

# no text has `with`, or asks for literal values
IDLE = frozenset({WithLifting, FindLiterallyCalls, LiteralUnroll, LiteralPropagationSubPipelinePass})


def instead_of(passes: PassManager, lowering: type[NativeLowering]) -> PassManager:
    """The same passes, lowering by `lowering`, without those that would find nothing, and without a look at all after each."""
    instead = {NativeLowering: lowering, NopythonTypeInference: RememberingInference, ReconstructSSA: LocalSSA,
               InlineClosureLikes: InlineClosuresIfAny, NopythonRewrites: RewritesIfAny}
    passes.passes = [(instead.get(kind, kind), said) for kind, said in passes.passes if kind not in IDLE]
    passes._ENFORCING = False   # it would find the lifetimes of all variables anew
    passes.finalize()
    return passes


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosuresIfAny(InlineClosureLikes):
    """Numba's pass, for functions that have functions, or comprehensions, within them."""

    _name = 'inline_closures_if_any'

    def run_pass(self, state):
        inner = any(expr.op == 'make_function' for _, expr in _expressions(state.func_ir))
        return inner and super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class RewritesIfAny(NopythonRewrites):
    """Numba's pass, for functions that have expressions of arrays, arrays written out, or items with names."""

    _name = 'nopython_rewrites_if_any'

    def run_pass(self, state):
        found = any(_is_rewritten(state, target, expr) for target, expr in _expressions(state.func_ir))
        return found and super().run_pass(state)


def _expressions(program: ir.FunctionIR) -> Iterator[tuple[str, ir.Expr]]:
    """The expressions of a program, each with the variable that it is assigned to."""
    for block in program.blocks.values():
        for statement in block.body:
            if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr):
                yield statement.target.name, statement.value


def _is_rewritten(state: Any, target: str, expr: ir.Expr) -> bool:
    if expr.op == 'static_getitem':
        return isinstance(expr.index, str)
    if not isinstance(state.typemap.get(target), types.Array):
        return False
    if expr.op != 'call':
        return expr.op in ('unary', 'binop', 'inplace_binop')
    called = state.typemap.get(expr.func.name)
    key = called.typing_key if isinstance(called, types.Function) else None
    return key is np.array or isinstance(key, np.ufunc) or hasattr(key, 'ufunc')
