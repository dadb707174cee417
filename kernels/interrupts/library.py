"""Numba's pipeline for a function whose loops look for signals."""
from __future__ import annotations

import importlib
from collections.abc import Callable

import llvmlite.binding
from llvmlite import ir
from numba.core.codegen import CPUCodegen, JITCodeLibrary

from transpiler_kernels.compiler.pipeline import pipeline
from transpiler_kernels.interrupts.loops import with_looks
from transpiler_kernels.machine.symbols import in_memory

NEVER = 'transpiler_never'      # a word of memory that is 0 for ever
STATUS = ir.IntType(32)


def ready(compile: Callable) -> Callable:
    """What compiles, or loads, machine code that looks; the function that it looks by is there from then on."""
    def compiled(*args):
        importlib.import_module(f'{__package__}.looking')
        return compile(*args)
    return compiled


class LookingLibrary(JITCodeLibrary):
    """The machine code of one function and its parts: what is added to it looks for signals in its loops."""

    def __init__(self, codegen, name):
        super().__init__(codegen, name)
        self._looking = set()

    def add_ir_module(self, ir_module):
        """Functions may end early for all that LLVM knows, or it would not ask, where they are called, whether they have."""
        for function in ir_module.functions:
            if function.blocks and function.ftype.return_type == STATUS:
                _may_end_early(ir_module, function)
                self._looking.add(function.name)
        super().add_ir_module(ir_module)

    def _optimize_final_module(self):
        super()._optimize_final_module()
        text = str(self._final_module)
        looking = with_looks(text, self._looking, _features(self._codegen))
        if looking != text:
            name = self._final_module.name
            self._final_module = llvmlite.binding.parse_assembly(looking)
            self._final_module.name = name


def _features(codegen: CPUCodegen) -> str:
    """What the processor has, for a function that keeps all registers: LLVM would clear half of them before its return."""
    whole = '-vzeroupper' if llvmlite.binding.get_process_triple().startswith('x86_64') else ''
    return ','.join(filter(None, (codegen._tm_features, whole)))


def _may_end_early(module: ir.Module, function: ir.Function) -> None:
    """Return a status that is read from memory, where it is that of success for ever; have it called, not written out."""
    function.attributes.add('noinline')
    for block in function.blocks:
        end = block.terminator
        if isinstance(end, ir.instructions.Ret) and isinstance(end.return_value, ir.Constant) and end.return_value.constant == 0:
            builder = ir.IRBuilder(block)
            block.instructions.remove(end)
            block.terminator = None
            builder.position_at_end(block)
            builder.ret(builder.load(builder.bitcast(in_memory(module, NEVER), STATUS.as_pointer())))


Interruptible = pipeline('that_looks', LookingLibrary)
