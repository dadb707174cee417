"""Addresses that compiled code finds by a name, so that what Numba keeps on disk holds in the next process too."""
import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from transpiler_kernels.machine.options import ARITHMETIC, KEPT

WORD = ir.IntType(64)
PRECISIONS = {types.float32: 's', types.float64: 'd', types.complex64: 'c', types.complex128: 'z'}  # as Fortran's routines have
_name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(('PyCapsule_GetName', ctypes.pythonapi))
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(('PyCapsule_GetPointer', ctypes.pythonapi))
_once: dict[str, Any] = {}  # what has been compiled once, by name


def known_as(name: str, address: int) -> None:
    """Give memory, or a function, a name; it must live as long as the process."""
    llvmlite.binding.add_symbol(name, address)


def in_capsule(capsule: Any) -> tuple[bytes | None, int]:
    """What an extension module exports: the name, of functions of Cython their signature, and the address."""
    name = _name_of(capsule)
    return name, _pointer_in(capsule, name)


def enter_fortran(library: str, module: Any, routine: str) -> None:
    """Give a routine that a module of Cython exports the name `library_routine`."""
    signature, address = in_capsule(module.__pyx_capi__[routine])
    if signature is None or b'int *' not in signature:
        raise ImportError(f'integers of another width in {routine}: {signature!r}')
    known_as(f'{library}_{routine}', address)


def word_at(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0


def set_word(address: int, value: int) -> None:
    ctypes.c_int64.from_address(address).value = value


def address_of(name: str) -> Callable:
    """A function for compiled code that gives the address with a name."""
    @intrinsic
    def address(context):
        def code(context, builder, signature, args):
            return builder.ptrtoint(in_memory(builder.module, name), WORD)
        return types.int64(), code
    return address


def in_memory(module: ir.Module, name: str) -> ir.GlobalVariable:
    """The address with a name as a module finds it."""
    return module.globals.get(name) or ir.GlobalVariable(module, ir.IntType(8), name)


def once(name: str, signature: Signature) -> Callable[[Callable], types.ExternalFunction]:
    """Compile a function of words once, for all compiled code, which calls it by its name.

    Of any other one Numba puts a copy into all that calls it, and compiles that along with the rest.
    """
    def mark(function: Callable) -> types.ExternalFunction:
        compiled = numba.cfunc(signature, **ARITHMETIC, **KEPT)(function)
        _once[name] = compiled
        known_as(name, compiled.address)
        return types.ExternalFunction(name, signature)
    return mark


def in_python(function: types.ExternalFunction) -> Callable:
    """Such a function for callers in Python; while it runs, others do, too."""
    return _once[function.symbol].ctypes


def declared(module: ir.Module, function: types.ExternalFunction, word: ir.Type = WORD) -> ir.Function:
    """A function of words as a module calls it; word: what the module takes its result for, an address for a pointer."""
    result = ir.VoidType() if function.sig.return_type == types.void else word
    return cgutils.get_or_insert_function(module, ir.FunctionType(result, [WORD] * len(function.sig.args)), function.symbol)
