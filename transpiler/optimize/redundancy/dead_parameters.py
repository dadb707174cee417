"""Parameters of functions of the program that nobody reads."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import gast

from transpiler.analyses.memory.call_effects import summarised
from transpiler.core.build import like
from transpiler.core.fixpoint import settled
from transpiler.core.functions import rewrite_calls, under_rules
from transpiler.core.language import Core
from transpiler.core.query import call_of, callee, names, reads, written
from transpiler.passes import rewrite


@rewrite('unused parameters')
def drop_unused_parameters(core: Core) -> Core:
    """Drop parameters that a function at most passes on to parameters that nobody reads; rules keep theirs.

    >>> from transpiler.core.text import parse
    >>> f = parse('v = call.f(y, x, n); return v', name='f', params=['x', 'y', 'n'])
    >>> g = parse('v = call.f(x, y, n); w = v + n; return w', name='f', params=['x', 'y', 'n'])
    >>> program = parse('v = call.f(a, b, c); return v')
    >>> [drop_unused_parameters(program.with_functions({'f': one})).functions['f'].inputs for one in (f, g)]
    [(), ('n',)]
    """
    used: dict[str, list[int]] = {name: [] for name in core.functions}
    whole = {name: list(range(len(core.functions[name].inputs))) for name in under_rules(core.functions)}
    used = settled(used, lambda used: {name: _positions(function, used) for name, function in core.functions.items()} | whole)
    if all(len(used[name]) == len(function.inputs) for name, function in core.functions.items()):
        return core

    def shorter(call: gast.Call) -> gast.Call:
        return like(call, args=[call.args[k] for k in used[str(callee(call))]])
    functions = {name: replace(rewrite_calls(function, shorter), params=tuple(function.params[k] for k in used[name]))
                 for name, function in core.functions.items()}
    return summarised(rewrite_calls(core, shorter).with_functions(functions))


def _positions(core: Core, used: dict[str, list[int]]) -> list[int]:
    """The positions of the parameters that a function reads, given what other functions read."""
    read = {name for statement in core.statements for name in _read(statement, used)}
    return [k for k, name in enumerate(core.inputs) if name in read]


def _read(statement: gast.stmt, used: dict[str, list[int]]) -> Iterable[str]:
    call = call_of(statement)
    if call is None:
        return reads(statement) | ({written(statement) or ''})
    return [name for k in used[str(callee(call))] for name in names(call.args[k])]
