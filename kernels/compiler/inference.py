"""Numba's inference of types, which remembers what it has been told about numbers and elements of arrays."""
from __future__ import annotations

import operator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba.core import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import Signature

from transpiler_kernels.compiler import elements, operators

_signatures: WeakKeyDictionary = WeakKeyDictionary()    # context -> by what is called and types


class Remembering:
    """A context of types: Numba's own, which is asked once where the answer is the same for ever."""

    def __init__(self, context: Any):
        self._context = context
        self._known = _signatures.setdefault(context, {})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, func: Any, args: tuple, kws: Any) -> Signature | None:
        called = func.typing_key if type(func) is types.Function else None
        if not kws and called in operators.OF_NUMBERS:
            found = operators.signature(self._context, called, tuple(args))
            if found is not None:
                return found
        elif not kws and (called is operator.getitem and _is_element(*args)
                          or isinstance(called, np.ufunc) and operators.are_numbers(args)):
            return self._once((called, *args), lambda: self._context.resolve_function_type(func, args, kws))
        return self._context.resolve_function_type(func, args, kws)

    def resolve_setitem(self, target: types.Type, index: types.Type, value: types.Type) -> Signature | None:
        def asked() -> Signature | None:
            return self._context.resolve_setitem(target, index, value)

        if _is_element(target, index) and operators.are_numbers((value,)):
            return self._once((operator.setitem, target, index, value), asked)
        return asked()

    def resolve_static_getitem(self, value: types.Type, index: Any) -> Signature | None:
        """Elements of arrays are found as with any other index; only fields have names."""
        if elements.is_plain(value) and not isinstance(index, str):
            return None
        return self._context.resolve_static_getitem(value, index)

    def resolve_getattr(self, typ: types.Type, attr: str) -> types.Type | None:
        if elements.is_plain(typ) and attr == 'shape':
            return types.UniTuple(types.intp, typ.ndim)
        return self._context.resolve_getattr(typ, attr)

    def _once(self, key: Any, asked: Any) -> Signature | None:
        if key not in self._known:
            self._known[key] = asked()
        return self._known[key]


def _is_element(whole: types.Type, index: types.Type) -> bool:
    return elements.is_scalar_access(whole, tuple(index.types) if isinstance(index, types.BaseTuple) else (index,))


@register_pass(mutates_CFG=True, analysis_only=False)
class RememberingInference(NopythonTypeInference):
    """Numba's pass, in such a context."""

    _name = 'nopython_type_inference_that_remembers'

    def run_pass(self, state):
        context = state.typingctx
        state.typingctx = Remembering(context)
        try:
            return super().run_pass(state)
        finally:
            state.typingctx = context
