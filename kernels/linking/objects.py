"""Objects: machine code that programs call by a symbol, as it is in this process, and as it is kept on disk with them."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import llvmlite.binding
from numba.core.codegen import CodeLibrary, CPUCodegen
from numba.core.environment import Environment, lookup_environment

ENVIRONMENT = '_ZN08NumbaEnv'   # how symbols begin that hold what compiled code needs of Python


@dataclass(frozen=True)
class Object:
    """The machine code of one function, and what it needs to run."""

    code: bytes
    environments: tuple[Environment, ...]
    needed: tuple[str, ...]     # the symbols of others, each behind those that it needs itself


_loaded: dict[str, Object] = {}         # by symbol, all of this process
_libraries: list[CodeLibrary] = []      # theirs: Numba lets go of code whose library is gone


def enter(symbol: str, one: Object, library: CodeLibrary) -> None:
    """Have what a library holds behind a symbol known to those that call it, for as long as this process lasts."""
    if symbol not in _loaded:
        _loaded[symbol] = one
        _libraries.append(library)


def needed(module: llvmlite.binding.ModuleRef) -> tuple[str, ...]:
    """The symbols of all that the functions of a module need, each behind those that it needs itself."""
    found: dict[str, None] = {}
    for function in module.functions:
        if function.is_declaration and function.name in _loaded:
            found |= dict.fromkeys((*_loaded[function.name].needed, function.name))
    return tuple(found)


def objects(symbols: tuple[str, ...]) -> dict[str, Object]:
    return {symbol: _loaded[symbol] for symbol in symbols}


def load(codegen: CPUCodegen, given: Mapping[str, Object]) -> None:
    """Load what is not there yet, in this order, in which nothing comes before what it needs."""
    for symbol, one in given.items():
        if symbol not in _loaded:
            empty = llvmlite.binding.parse_assembly('').as_bitcode()
            library = codegen.unserialize_library((symbol, 'object', (one.code, empty)))
            for environment in one.environments:
                codegen.set_env(environment.env_name, environment)
            enter(symbol, one, library)


def environments(module: llvmlite.binding.ModuleRef) -> Iterator[Environment]:
    """What the functions of a module, and those copied into them, need of Python."""
    for variable in module.global_variables:
        if variable.name.startswith(ENVIRONMENT):
            known = lookup_environment(variable.name)
            if known is not None and known.can_cache():
                yield known
