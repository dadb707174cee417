"""A program that does nothing but call one function is that function."""
from __future__ import annotations

from dataclasses import replace

import gast

from transpiler.core.language import Core, Leaf
from transpiler.core.query import callee
from transpiler.passes import rewrite


@rewrite('entry')
def enter_directly(core: Core) -> Core:
    """Let the function that the program is about be the one that calls itself, if all it does is to pass its arguments on.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.emit import emit
    >>> f = parse('''if n > 0:
    ...     m = n - 1
    ...     p = call.f(x, m)
    ...     v = p * x
    ... else:
    ...     v = 1.0
    ... return v''', params=['x', 'n'])
    >>> print(emit(enter_directly(parse('v = call.f(x, n); return v', params=['x', 'n']).with_functions({'f': f}))).text, end='')
    def f(x, n):
        if n > 0:
            m = n - 1
            p = f(x, m)
            v = p * x
        else:
            v = 1.0
        return v
    """
    match core.body:
        case [gast.Assign(targets=[gast.Name(id=result)], value=call), gast.Return(value=gast.Name(id=returned))] \
                if result == returned and callee(call) == core.name:
            pass
        case [gast.Return(value=call)] if callee(call) == core.name:
            pass
        case _:
            return core
    plain = all(p.kind == 'positional' and isinstance(p.tree, Leaf) for p in core.params)
    if not plain or [getattr(a, 'id', None) for a in call.args] != list(core.inputs):
        return core
    function = core.functions[core.name]
    params = tuple(replace(p, tree=q.tree) for p, q in zip(core.params, function.params, strict=True))
    others = {name: f for name, f in core.functions.items() if name != core.name}
    return replace(function, params=params, origin=core.origin).with_functions(others)
