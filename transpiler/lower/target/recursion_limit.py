"""Compiled recursion ends where Python's would: machine code that runs out of stack takes the process with it."""
from __future__ import annotations

import sys
from dataclasses import replace

import gast

from transpiler.core import build
from transpiler.core.functions import rewrite_calls
from transpiler.core.language import Core, Leaf, Param
from transpiler.core.naming import unique
from transpiler.values.types import INT

DEEPEST = 10_000     # activations that the stack of a thread has room for


def limit_depth(core: Core) -> Core:
    """Let functions count how deep they are, and raise RecursionError beyond the limit.

    >>> from transpiler.core.text import parse
    >>> f = parse('v = call.f(x); return v', name='f')
    >>> limited = limit_depth(parse('v = call.f(x); return v').with_functions({'f': f}))
    >>> limited.functions['f'].inputs, len(limited.body[0].value.args)
    (('x', 'depth'), 2)
    """
    if not core.functions:
        return core
    functions = {name: _limited(function) for name, function in core.functions.items()}
    return _counting(core, build.constant(1)).with_functions(functions)


def _counting(core: Core, depth: gast.expr) -> Core:
    return rewrite_calls(core, lambda call: build.like(call, args=[*call.args, depth]))


def _limited(core: Core) -> Core:
    depth = unique('depth', {*core.types, *core.inputs, *(p.name for p in core.params)})
    limit = min(sys.getrecursionlimit(), DEEPEST)
    failure = build.fail(build.call('python.RecursionError', build.constant('maximum recursion depth exceeded')), core.origin)
    guard = build.branch(build.compare(depth, gast.Gt, limit), [failure], (), core.origin)
    counting = _counting(core, build.binary(depth, gast.Add, 1))
    params = (*core.params, Param(depth, Leaf(depth)))
    return replace(counting, params=params, body=(guard, *counting.body), types={**core.types, depth: INT})
