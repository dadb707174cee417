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

Chain = tuple[str, ...]
WITHOUT_EXCEPTION = RETCODE_OK, RETCODE_NONE, RETCODE_STOPIT
LEFT_BEHIND = 'numba_exception_output'  # marks, to the pass that drops needless counts, blocks behind which nothing is let go of


class Unwinding:
    """A tree of blocks, each of which lets go of one variable and goes on to the next; its root tells the caller.

    Whoever holds the same goes there: variables that are held for long are let go of last.
    """

    def __init__(self, long: Mapping[str, int], let_go: Callable[[str], None]):
        self._long, self._let_go = long, let_go
        self._made: dict[Chain, llvm.Block] = {}

    def end(self, builder: llvm.IRBuilder, code: llvm.Value, names: Iterable[str]) -> None:
        """End the function with the code of an exception."""
        chain = tuple(sorted(names, key=lambda name: (-self._long[name], name)))
        block = self._block(builder, chain)
        builder.store(code, self._code)
        builder.branch(block)

    def _block(self, builder: llvm.IRBuilder, chain: Chain) -> llvm.Block:
        """The block that lets go of the last variable of a chain, and then of the others."""
        if chain not in self._made:
            following = self._block(builder, chain[:-1]) if chain else None
            self._made[chain] = made = builder.append_basic_block('unwind')
            if following is None:
                self._code = cgutils.alloca_once(builder, RETCODE_OK.type, name='code')
            with builder.goto_block(made):
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


def held(blocks: Mapping[int, ir.Block], names: Iterable[str]) -> tuple[dict[int, set[str]], Counter[str]]:
    """By block, which of these variables may hold something where it begins; and for how many statements each holds it."""
    asked, long = set(names), Counter[str]()
    entered: dict[int, set[str]] = {number: set() for number in blocks}
    left, begun = list(blocks), set[int]()
    while left:
        number = left.pop()
        begun.add(number)
        after = _through(blocks[number], entered[number] & asked, asked, Counter())
        for target in blocks[number].terminator.get_targets():
            if target not in begun or not after <= entered[target]:
                entered[target] |= after
                left.append(target)
    for number, block in blocks.items():
        _through(block, entered[number], asked, long)
    return entered, long


def _through(block: ir.Block, before: set[str], asked: set[str], long: Counter[str]) -> set[str]:
    """What is held behind a block; long: learns for how many statements."""
    since = dict.fromkeys(before, 0)
    for place, statement in enumerate(block.body):
        if isinstance(statement, ir.Assign) and statement.target.name in asked:
            since.setdefault(statement.target.name, place)
        elif isinstance(statement, ir.Del) and statement.value in since:
            long[statement.value] += place - since.pop(statement.value)
    for name, place in since.items():
        long[name] += len(block.body) - place
    return set(since)
