"""Unwinding: a function that ends by an exception, its own or that of a function it calls, lets go of what it holds.

Numba lets go of it where a program says `raise`, in as many words each time, and leaves it behind at all other exceptions.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from llvmlite import ir as llvm
from numba.core import cgutils, ir
from numba.core.callconv import RETCODE_NONE, RETCODE_OK, RETCODE_STOPIT, CPUCallConv
from numba.core.cpu import CPUContext

from transpiler_kernels.compiler.lifetimes import Names

Chain = tuple[str, ...]
WITHOUT_EXCEPTION = RETCODE_OK, RETCODE_NONE, RETCODE_STOPIT
LEFT_BEHIND = 'numba_exception_output'  # marks, to the pass that drops needless counts, blocks behind which nothing is let go of


class Unwinding:
    """A tree of blocks, each of which lets go of one variable and goes on to the next; its root tells the caller.

    Whoever holds the same goes there: variables that are held for long are let go of last.
    """

    def __init__(self, long: Mapping[str, int], let_go: Callable[[str], None]):
        self._long, self._let_go = long, let_go
        self._code: llvm.AllocaInstr | None = None      # where the root finds the code of the exception
        self._made: dict[Chain, llvm.Block] = {}

    def end(self, builder: llvm.IRBuilder, code: llvm.Value, names: Iterable[str]) -> None:
        """End the function with the code of an exception."""
        if self._code is None:
            self._code = cgutils.alloca_once(builder, code.type, name='code')
        builder.store(code, self._code)
        builder.branch(self._block(builder, tuple(sorted(names, key=lambda name: (-self._long[name], name)))))

    def _block(self, builder: llvm.IRBuilder, chain: Chain) -> llvm.Block:
        """The block that lets go of the last variable of a chain, and then of the others."""
        if chain not in self._made:
            following = self._block(builder, chain[:-1]) if chain else None
            self._made[chain] = builder.append_basic_block('unwind')
            with builder.goto_block(self._made[chain]):
                if following is None:
                    builder.ret(builder.load(self._code))
                else:
                    self._let_go(chain[-1])
                    builder.branch(following)
        return self._made[chain]


class Convention(CPUCallConv):
    """Numba's, but that `unwind` may end the function that it is lowering; it says whether it has."""

    def __init__(self, context: CPUContext, unwind: Callable[[llvm.IRBuilder, llvm.Value], bool]):
        super().__init__(context)
        self._unwind = unwind

    def set_static_user_exc(self, builder, *args, **kwargs):
        super().set_static_user_exc(builder, *args, **kwargs)
        builder.block.instructions[-1].metadata.pop(LEFT_BEHIND)    # that store is the last thing it writes

    def emit_unwrap_dynamic_exception_fn(self, module, st_type, nb_types):
        """Numba's function that makes Python's objects of an exception's values: those that it has packed are let go of."""
        known = set(module.globals)
        function = super().emit_unwrap_dynamic_exception_fn(module, st_type, nb_types)
        if function.name not in known:
            end = function.blocks[-1].terminator
            builder = llvm.IRBuilder(end.parent)
            builder.position_before(end)
            self._let_go_of_objects(builder, end.return_value.args[1:])
        return function

    def unpack_dynamic_exception(self, builder, pyapi, status):
        excinfo = super().unpack_dynamic_exception(builder, pyapi, status)
        self._let_go_of_objects(builder, excinfo.args)
        return excinfo

    def _let_go_of_objects(self, builder: llvm.IRBuilder, objects: Iterable[llvm.Value]) -> None:
        for one in objects:
            self.context.get_python_api(builder).decref(one)

    def _return_errcode_raw(self, builder, code):
        if any(code is one for one in WITHOUT_EXCEPTION) or not self._unwind(builder, code):
            super()._return_errcode_raw(builder, code)


class Context(CPUContext):
    """Numba's, with a convention of its own."""

    convention: Convention

    @classmethod
    def of(cls, context: CPUContext, unwind: Callable[[llvm.IRBuilder, llvm.Value], bool]) -> Context:
        made = cls.__new__(cls)
        vars(made).update(vars(context))
        made.convention = Convention(made, unwind)
        return made

    @property
    def call_conv(self) -> Convention:
        return self.convention


def held(blocks: Mapping[int, ir.Block], alive: Names, counted: Callable[[str], bool]
         ) -> tuple[dict[int, set[str]], Counter[str]]:
    """By block, the counted variables that may hold something where it begins; and for how many statements each of them does.

    alive: by block, those that are read there or later; others that hold something are let go of before the block assigns them
    """
    entered, long = {}, Counter[str]()
    for number, block in blocks.items():
        since = dict.fromkeys(alive[number], 0)
        entered[number] = set(filter(counted, alive[number]))
        for place, statement in enumerate(block.body):
            if isinstance(statement, ir.Assign):
                since.setdefault(statement.target.name, place)
            elif isinstance(statement, ir.Del):
                if statement.value not in since and counted(statement.value):
                    entered[number].add(statement.value)
                long[statement.value] += place - since.pop(statement.value, 0)
        for name, place in since.items():
            long[name] += len(block.body) - place
    return entered, long
