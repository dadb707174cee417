"""What a function reads, as it is now: a derivative that is asked for later is that of the function as it was."""
from __future__ import annotations

from dataclasses import replace

import gast

from transpiler.core import build
from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Closure, Derived, Method, Partial, Ref, fold
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.structures.container import Container
from transpiler.values.types import Array


class Freezing:
    """Copies of what may change; `run` is the specialiser."""

    def __init__(self, ev):
        self.ev = ev
        self.frames: dict[int, Frame] = {}
        self.read: set[tuple[int, str]] = set()

    def now(self, binding: Binding) -> Binding:
        """The value of a binding, apart from whatever else holds it."""
        match binding:
            case Closure(function, Frame() as frame):
                read = {node.id for node in gast.walk(function.node) if isinstance(node, gast.Name)}
                return replace(binding, frame=self._frame(frame, read))
            case Partial(function, args, keywords):
                return Partial(self.now(function), tuple(map(self.now, args)), tuple((k, self.now(v)) for k, v in keywords))
            case Method(receiver):
                return replace(binding, receiver=self.now(receiver))
            case Derived(function=function):
                return replace(binding, function=self.now(function))
            case Container() | Ref():
                return fold(self.ev.apart_from_cells(binding), self.now)
            case Var(name, Array()):
                return self.ev.operate_by_name('numpy.copy', [binding])
            case Var(name, type_):
                return self.ev.builder.define(name, build.name(name), type_, temporary=True)
        return binding

    def _frame(self, frame: Frame, read: set[str]) -> Frame:
        """A frame in which these names, and what functions among them read, do not change any more."""
        if id(frame) not in self.frames:
            self.frames[id(frame)] = replace(frame, env=dict(frame.env))
        frozen = self.frames[id(frame)]
        for name in sorted(read & frame.env.keys()):
            if (id(frame), name) not in self.read:
                self.read.add((id(frame), name))
                frozen.env[name] = self.ev.held(self.now(frame.env[name]))
        if frame.parent is not None:
            frozen.parent = self._frame(frame.parent, read)
        return frozen
