"""Numba's passes for compiled programs: those that have anything to do, done once."""
from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba.core import ir, types
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.ir_utils import build_definitions, enforce_no_dels, enforce_no_phis
from numba.core.rewrites import rewrite_registry
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NopythonRewrites,
    NopythonTypeInference,
    PreLowerStripPhis,
    fallback_context,
)
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    GenericRewrites,
    InlineClosureLikes,
    IRProcessing,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    ReconstructSSA,
    WithLifting,
)

from transpiler_kernels.compiler.assignments import LocalSSA
from transpiler_kernels.compiler.inference import RememberingInference
from transpiler_kernels.compiler.lifetimes import Processor

# no text has `with`, or asks for literal values
IDLE = frozenset({WithLifting, FindLiterallyCalls, LiteralUnroll, LiteralPropagationSubPipelinePass})


def instead_of(passes: PassManager, lowering: type[NativeLowering], idle: frozenset[type] = IDLE) -> PassManager:
    """The same passes, lowering by `lowering`, without those that would find nothing, and without a look at all after each."""
    instead = {NativeLowering: lowering, NopythonTypeInference: RememberingInference, ReconstructSSA: LocalSSA,
               InlineClosureLikes: InlineClosuresIfAny, IRProcessing: Processing, GenericRewrites: Rewrites,
               NopythonRewrites: RewritesIfAny, PreLowerStripPhis: WithoutPhis, IRLegalization: Legalization}
    passes.passes = [(instead.get(kind, kind), said) for kind, said in passes.passes if kind not in idle]
    passes._ENFORCING = False   # it would find the lifetimes of all variables anew
    passes.finalize()
    return passes


@register_pass(mutates_CFG=True, analysis_only=False)
class Processing(IRProcessing):
    """Numba's pass, without lifetimes that nobody asks for; it hands arguments over one by one.

    Python makes a tuple of more than 30 arguments. In the tuple, the functions among them would be Numba's first-class functions.
    """

    _name = 'processing'

    def run_pass(self, state):
        for block in state.func_ir.blocks.values():
            _hand_over_one_by_one(block)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        Processor(state.func_ir).run()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class InlineClosuresIfAny(InlineClosureLikes):
    """Numba's pass, for functions that have functions, or comprehensions, within them."""

    _name = 'inline_closures_if_any'

    def run_pass(self, state):
        inner = any(expr.op == 'make_function' for _, expr in _expressions(state.func_ir))
        return inner and super().run_pass(state)


@register_pass(mutates_CFG=True, analysis_only=False)
class Rewrites(GenericRewrites):
    """Numba's pass before types are known."""

    _name = 'rewrites'

    def run_pass(self, state):
        with fallback_context(state, f'A rewrite of `{state.func_id.func_name}` failed'):
            _rewrite('before-inference', state)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class RewritesIfAny(NopythonRewrites):
    """Numba's pass, for functions that have expressions of arrays, arrays written out, or items with names."""

    _name = 'nopython_rewrites_if_any'

    def run_pass(self, state):
        if not any(_is_rewritten(state, target, expr) for target, expr in _expressions(state.func_ir)):
            return False
        processor = Processor(state.func_ir)
        processor.run(emit_dels=True)   # rewrites look for them
        with fallback_context(state, f'A rewrite of `{state.func_id.func_name}` failed'):
            _rewrite('after-inference', state)
        processor.remove_dels()
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class WithoutPhis(PreLowerStripPhis):
    """Numba's pass, without lifetimes that nobody asks for."""

    _name = 'without_phis'

    def run_pass(self, state):
        if state.func_ir.is_generator:
            return super().run_pass(state)
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        Processor(state.func_ir).run()
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class Legalization(IRLegalization):
    """Numba's pass, which says where variables are let go."""

    _name = 'legalization'

    def run_pass(self, state):
        enforce_no_phis(state.func_ir)
        enforce_no_dels(state.func_ir)
        Processor(state.func_ir).run(emit_dels=True, extend_lifetimes=state.flags.dbg_extend_lifetimes)
        return True


def _hand_over_one_by_one(block: ir.Block) -> None:
    """Have calls take the items of a tuple that is made for them, in one piece or from several."""
    made: dict[str, tuple[list[ir.Var], list[ir.Assign]]] = {}      # by temporary tuple: its items, and what makes it
    for statement in list(block.body):
        if not isinstance(statement, ir.Assign):
            continue
        value = statement.value
        if isinstance(value, ir.Expr) and value.op == 'call' and value.vararg is not None and value.vararg.name in made:
            items, making = made[value.vararg.name]
            uses = Counter(var.name for other in block.body for var in other.list_vars())
            if all(uses[one.target.name] == 2 for one in making):   # where it is made, and here
                value.args, value.vararg = [*value.args, *items], None
                for one in making:
                    block.remove(one)
        elif statement.target.is_temp and (parts := _parts(value)) is not None and all(part.name in made for part in parts):
            own = list(value.items) if isinstance(value, ir.Expr) and value.op == 'build_tuple' else []
            found = [made[part.name] for part in parts]
            made[statement.target.name] = (own + [item for items, _ in found for item in items],
                                           [one for _, making in found for one in making] + [statement])


def _parts(value: Any) -> list[ir.Var] | None:
    """The tuples that a tuple is made of, if it is nothing else."""
    if isinstance(value, ir.Var):
        return [value]
    if isinstance(value, ir.Expr) and value.op == 'binop' and value.fn is operator.add:
        return [value.lhs, value.rhs]
    return [] if isinstance(value, ir.Expr) and value.op == 'build_tuple' else None


def _rewrite(kind: str, state: Any) -> None:
    """Apply each of Numba's rewrites of one kind until nothing matches it any more."""
    blocks, changed = state.func_ir.blocks, {}
    for rewrite in (make(state) for make in rewrite_registry.rewrites[kind]):
        waiting = list(blocks.items())
        while waiting:
            label, block = waiting.pop()
            if rewrite.match(state.func_ir, block, state.typemap, state.calltypes):
                blocks[label] = changed[label] = rewrite.apply()
                waiting.append((label, blocks[label]))
    for block in changed.values():
        block.verify()
    Processor(state.func_ir).run()


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
