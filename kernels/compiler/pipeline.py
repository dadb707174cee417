"""Numba's pipeline for compiled programs and kernels."""
from __future__ import annotations

from contextvars import ContextVar

from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, StateDict
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from transpiler_kernels.compiler.lowering import Lean
from transpiler_kernels.compiler.operators import are_numbers
from transpiler_kernels.compiler.passes import IDLE, instead_of
from transpiler_kernels.linking.identity import identify, lasting
from transpiler_kernels.linking.libraries import Shared

flags_of_ours: ContextVar[Flags | None] = ContextVar('flags_of_ours', default=None)     # of what is compiled by one of these


def pipeline(name: str, library: type[CodeLibrary], lower: type[Lower] = Lean, idle: frozenset[type] = IDLE
             ) -> type[CompilerBase]:
    """Numba's pipeline with the passes of this package, lowering by `lower` into a `library` of this kind, unless there is one to
    add to; idle: passes that would find nothing.
    """
    @register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(NativeLowering):
        _name = f'native_lowering_{name}'

        @property
        def lowering_class(self) -> type[Lower]:
            return lower

        def run_pass(self, state):
            if state.library is not None:
                return super().run_pass(state)
            state.library = made = library(state.targetctx.codegen(), state.func_id.func_qualname)
            made.enable_object_caching()
            changed = super().run_pass(state)
            if isinstance(made, Shared) and _may_be_declared(state):
                made.share(state.cr.fndesc.mangled_name)
            return changed

    class Pipeline(CompilerBase):
        def _compile_bytecode(self):
            identify(self.state.func_id, issubclass(library, Shared) and self.state.library is None)
            outer = flags_of_ours.set(self.state.flags)
            try:
                return super()._compile_bytecode()
            finally:
                flags_of_ours.reset(outer)

        def define_pipelines(self) -> list[PassManager]:
            return [instead_of(DefaultPassBuilder.define_nopython_pipeline(self.state), Lowering, idle)]

    return Pipeline


def _may_be_declared(state: StateDict) -> bool:
    """Whether a function need not be copied: loops that call one of numbers become vectors only if they have a copy of it."""
    copied = state.flags.forceinline or are_numbers(state.args)
    return not copied and not state.reload_init and lasting(state.func_id.func) is not None


OfKernels = pipeline('of_kernels', Shared)
OfNumba = pipeline('of_numba', Shared, idle=frozenset())     # its own functions have all that it knows
