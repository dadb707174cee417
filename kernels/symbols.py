"""Addresses that compiled code finds by a name, so that what Numba keeps on disk holds in the next process too."""
from collections.abc import Callable

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WORD = ir.IntType(64)


def known_as(name: str, address: int) -> None:
    """Give memory, or a function, a name; it must live as long as the process."""
    llvmlite.binding.add_symbol(name, address)


def address_of(name: str) -> Callable:
    """A function for compiled code that gives the address with a name."""
    @intrinsic
    def address(context):
        def code(context, builder, signature, args):
            module = builder.module
            found = module.globals.get(name) or ir.GlobalVariable(module, ir.IntType(8), name)
            return builder.ptrtoint(found, WORD)
        return types.int64(), code
    return address
