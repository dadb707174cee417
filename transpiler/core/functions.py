"""The functions of a program together: which are called, and one change to all of them, or to all their calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import blocks, call_of, callee, parts

Functions = Mapping[str, Core]


def calls_in(core: Core) -> list[str]:
    """The functions that a body calls, in order, each once."""
    found = [callee(node) for statement in core.body for node in parts(statement)]
    return list(dict.fromkeys(name for name in found if name is not None))


def reachable(core: Core, functions: Functions) -> dict[str, Core]:
    """The functions that `core` calls, and those that they call or have rules made of, the outermost callers first.

    >>> from transpiler.core.text import parse
    >>> f, g = parse('v = call.g(x); return v', name='f'), parse('return x', name='g')
    >>> list(reachable(parse('v = call.f(x); return v'), {'g': g, 'f': f, 'h': g}))
    ['f', 'g']
    """
    found: dict[str, Core] = {}
    waiting = calls_in(core)
    while waiting:
        name = waiting.pop(0)
        if name not in found and name in functions:
            found[name] = functions[name]
            waiting += [*calls_in(functions[name]), *(functions[name].rule.functions if functions[name].rule else ())]
    return found


def under_rules(functions: Functions) -> set[str]:
    """The functions with rules and those that rules are made of: rules count their parameters, and call them later."""
    return {other for name, function in functions.items() if function.rule for other in (name, *function.rule.functions)}


def everywhere(core: Core, change: Callable[[Core], Core]) -> Core:
    """One pass over a program and its functions; the very same program if nothing changes."""
    new = change(core)
    functions = {name: change(function) for name, function in core.functions.items()}
    if all(functions[name] is core.functions[name] for name in functions):
        return new
    return new.with_functions(functions)


def rewrite_calls(core: Core, change: Callable[[gast.Call], gast.Call]) -> Core:
    """The program with every call of a function replaced by `change` of it."""
    def block(body: Iterable[gast.stmt]) -> list[gast.stmt]:
        return [one(statement) for statement in body]

    def one(statement: gast.stmt) -> gast.stmt:
        if blocks(statement):
            return build.map_blocks(statement, block)
        call = call_of(statement)
        return statement if call is None else build.like(statement, value=change(call))
    return core.with_body(block(core.body))
