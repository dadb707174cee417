"""Libraries of Numba's whose function has a symbol for all that call it, where Numba's give each of them a copy."""
from __future__ import annotations

import re

import llvmlite.binding
from llvmlite.binding import ModuleRef
from numba.core.codegen import CodeLibrary, JITCodeLibrary

from transpiler_kernels.linking import objects
from transpiler_kernels.linking.objects import Object

LARGE = 60      # instructions; LLVM would hardly copy more to where it is called, and what is smaller gains by it
# Machine code that declares others runs in this process only, unless what it needs is kept with it. By a variable of this name
# Numba knows that its own cache must not keep what has been linked to it.
MARK = 'numba.dynamic.globals.of_kernels'
MARKED = f'\n@{MARK} = common global i64 0\n'
SHARED = re.compile(r'(?m)^(?:target |attributes #|%[\w."]+ = type ).*$')    # what a declaration may refer to


class Shared(JITCodeLibrary):
    """The machine code of one function, with a symbol that is the same in all processes."""

    def share(self, symbol: str) -> None:
        """Have those who call the function declare it, if it is large; the library is compiled."""
        module = self._final_module
        unmark(self)
        if self.has_dynamic_globals or not _is_large(module.get_function(symbol)):
            return
        own = Object(self._get_compiled_object(), tuple(objects.environments(module)), objects.needed(module))
        objects.enter(symbol, own, self)
        self._shared_module = llvmlite.binding.parse_assembly(declaration(str(module), symbol) + MARKED)

    def _get_module_for_linking(self) -> ModuleRef:
        if self._shared_module is None and objects.needed(self._final_module):
            super()._get_module_for_linking().link_in(llvmlite.binding.parse_assembly(MARKED))
        return super()._get_module_for_linking()


def unmark(library: CodeLibrary) -> None:
    """Have Numba ask of a library whether it holds addresses of this process; who asks keeps what it needs along with it."""
    library._dynamic_globals[:] = [name for name in library._dynamic_globals if name != MARK]


def is_declared(library: CodeLibrary, symbol: str) -> bool:
    """Whether who calls a function of a library that was loaded declares it."""
    return any(one.name == symbol and one.is_declaration for one in library._get_module_for_linking().functions)


def _is_large(function: llvmlite.binding.ValueRef) -> bool:
    return sum(1 for block in function.blocks for _ in block.instructions) > LARGE


def declaration(text: str, symbol: str) -> str:
    """The text of a module that declares one function of the module with this text, and nothing else.

    >>> print(declaration('define i32 @f(i32 %0) #0 {\\n  ret i32 %0\\n}\\nattributes #0 = { nounwind }\\n', 'f'))
    attributes #0 = { nounwind }
    declare i32 @f(i32 %0) #0
    """
    defined = re.search(rf'(?m)^define (?:dso_local )?([^\n]*?@"?{re.escape(symbol)}"?\(.*)\{{$', text)
    assert defined is not None, symbol
    return '\n'.join([*SHARED.findall(text), f'declare {defined[1].rstrip()}'])
