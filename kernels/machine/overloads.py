"""Numba's own implementations of NumPy: for programs and kernels compiled as kernels are, and kept on disk like them.

Numba compiles each anew in every process, for most programs a dozen, some a hundred.
"""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

from numba.core.target_extension import CPU, jit_registry
from numba.core.targetconfig import ConfigStack

from transpiler_kernels.compiler.pipeline import flags_of_ours
from transpiler_kernels.linking.identity import NUMBA, lasting
from transpiler_kernels.machine.kept import OfThisVersion, keeping


def of_numba(jit: Callable[..., Any], with_options: dict[str, Any]) -> Callable[..., Any]:
    """Numba's decorator of implementations, which compiles those that programs and kernels ask for with these options."""
    def chosen(*args: Any, **options: Any) -> Any:
        asking = flags_of_ours.get()
        if args or 'pipeline_class' in options or asking is None or asking != ConfigStack.top_or_none():
            return jit(*args, **options)
        return lambda function: _like_a_kernel(jit, function, options, with_options)
    return chosen


def _like_a_kernel(jit: Callable[..., Any], function: Callable, options: dict[str, Any], with_options: dict[str, Any]) -> Any:
    if NUMBA not in Path(function.__code__.co_filename).parents:
        return jit(**options)(function)
    dispatcher = jit(**{**options, **with_options})(_as_of_this_module(function))
    locator = OfThisVersion.from_function(function, __file__)
    if locator is not None and lasting(function) is not None:
        dispatcher._cache = keeping(function, Path(locator.get_cache_path()), locator.get_source_stamp())
    return dispatcher


def _as_of_this_module(function: Callable) -> Callable:
    """The same function with a symbol of ours: Numba takes for lost what has one of its own, and is only declared."""
    same = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    same.__kwdefaults__, same.__qualname__, same.__module__ = function.__kwdefaults__, function.__qualname__, __name__
    return same


def of_programs(with_options: dict[str, Any]) -> None:
    """Have implementations that programs and kernels ask for compiled in this way."""
    jit_registry[CPU] = of_numba(jit_registry.pop(CPU), with_options)
