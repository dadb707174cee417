"""Where new arrays come from: those that are made once, outside of loops, may be large."""
from __future__ import annotations

from collections.abc import Iterable

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import primitive
from transpiler.optimize.facts import unchanged_or, with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Array

KERNELS = {f'numpy.{name}': f'kernels.memory.{name}' for name in ('empty', 'zeros', 'ones', 'copy')}


@rewrite('large pages', surface=True)
def in_large_pages(core: Core) -> Core:
    """Take arrays outside of loops from `kernels.memory`, which has the operating system set them up in large pages.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> import numpy as np
    >>> show(in_large_pages, 'x = np.zeros(n, np.float64); return x', types={'n': FLOAT, 'x': Array(np.dtype(float), (None,))})
    x = zeros(n, np.float64)
    return x
    """
    return unchanged_or(core, _block(core.body, core))


def _block(body: Iterable[gast.stmt], core: Core) -> list[gast.stmt]:
    return [_statement(statement, core) for statement in body]


def _statement(statement: gast.stmt, core: Core) -> gast.stmt:
    match statement:
        case gast.If(body=body, orelse=orelse):
            return with_blocks(statement, [_block(body, core), _block(orelse, core)])
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call() as call) if primitive(call) in KERNELS:
            type_ = core.types.get(target)
            if isinstance(type_, Array) and type_.ndim:
                return build.like(statement, value=build.like(call, func=build.name(KERNELS[primitive(call)])))
    return statement
