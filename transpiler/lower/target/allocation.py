"""Where new arrays come from: what makes them is compiled faster than Numba's own, and large ones lie in large pages."""
from __future__ import annotations

from collections.abc import Iterable

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, primitive
from transpiler.lower.target.cpu import CPU
from transpiler.lower.target.target import Memory, Target
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Array


@rewrite('new memory', surface=True)
def in_new_memory(core: Core, target: Target = CPU) -> Core:
    """Take arrays from where the target has them: that of the CPU has the operating system set large ones up in large pages.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> import numpy as np
    >>> show(in_new_memory, 'x = np.zeros(n, np.float64); return x', types={'n': FLOAT, 'x': Array(np.dtype(float), (None,))})
    x = zeros(n, np.float64)
    return x
    """
    return unchanged_or(core, _block(core.body, core, target.memory))


def _block(body: Iterable[gast.stmt], core: Core, memory: Memory) -> list[gast.stmt]:
    return [_statement(statement, core, memory) for statement in body]


def _statement(statement: gast.stmt, core: Core, memory: Memory) -> gast.stmt:
    if inner := blocks(statement):
        return with_blocks(statement, [_block(body, core, memory) for body in inner])
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) if primitive(call) in memory.new:
            type_ = core.types.get(name)
            if isinstance(type_, Array) and type_.ndim:
                return build.like(statement, value=build.call(memory.new[primitive(call)], *_arguments(call)))
    return statement


def _arguments(call: gast.Call) -> list[gast.expr]:
    """Those of a call, with the dtype that NumPy takes if it is told none."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return given if primitive(call) == 'numpy.copy' or len(given) == 2 else [*given, build.name('numpy.float64')]
