"""Numba's pipeline for compiled programs and kernels."""
from __future__ import annotations

from numba.core.codegen import CodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

from transpiler_kernels.compiler.lowering import Lean
from transpiler_kernels.compiler.passes import instead_of


def pipeline(name: str, lower: type[Lower] = Lean, library: type[CodeLibrary] | None = None) -> type[CompilerBase]:
    """Numba's pipeline with the passes of this package, lowering by `lower` into a `library` of this kind, unless there is one to
    add to.
    """
    @register_pass(mutates_CFG=True, analysis_only=False)
    class Lowering(NativeLowering):
        _name = f'native_lowering_{name}'

        @property
        def lowering_class(self) -> type[Lower]:
            return lower

        def run_pass(self, state):
            if state.library is None and library is not None:
                state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
                state.library.enable_object_caching()
            return super().run_pass(state)

    class Pipeline(CompilerBase):
        def define_pipelines(self) -> list[PassManager]:
            return [instead_of(DefaultPassBuilder.define_nopython_pipeline(self.state), Lowering)]

    return Pipeline


OfKernels = pipeline('of_kernels')
