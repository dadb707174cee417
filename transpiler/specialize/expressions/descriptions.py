"""How messages speak of bindings."""

from __future__ import annotations

import numpy as np

from transpiler.core.variables import Var
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Binding, Closure, Conflict, Derived, Known, Method, Ref
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.structures.container import Container


class Descriptions(Component):
    """Words for what names stand for."""

    def describe(self, binding: Binding) -> str:
        match binding:
            case Var(_, type_):
                return f'a run-time value ({type_})'
            case Ref(cell):
                return self.ev.describe(self.ev.heap.contents[cell])
            case Container():
                return binding.spoken
            case Known(None):
                return 'None'
            case Known(Function() as function) | Closure(function):     # of a module that is read as text, or a nested one
                return f'the function `{function.name}`'
            case Known(value) if callable(value):
                return f'the function `{getattr(value, "__name__", value)}`'
            case Known(value):
                return f'the {type(value).__name__} {np.array2string(value) if isinstance(value, np.ndarray) else repr(value)}'
            case Method(_, name):
                return f'the method `{name}`'
            case Derived():
                return 'a derivative that is not called'
            case Conflict():
                return 'a name without a single meaning'
        return str(binding)
