"""Several results of a call, unpacked where they are given: `a, b = f(x)`."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import gast

from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import parts


def unpack_results(core: Core) -> Core:
    """Write `a, b = f(x)` for `parts = f(x); a = parts[0]; b = parts[1]`, if nobody else reads `parts`.

    >>> from transpiler.core.text import parse
    >>> from transpiler.source.writing.printing import Spelling
    >>> core = parse('parts = call.f(x); b = parts[1]; y = 2 * b; return y', types={'parts': (None, None)})
    >>> Spelling().statement(unpack_results(core).body[0])
    '_, b = f(x)'
    """
    if not any(isinstance(type_, tuple) for type_ in core.types.values()):
        return core
    reads = Counter(node.value.id for s in core.body for node in parts(s)
                    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name))

    def block(body: Sequence[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        position = 0
        while position < len(body):
            items = _items(core, body, position)
            whole = body[position]
            if items and reads[whole.targets[0].id] == len(items):
                width = len(core.types[whole.targets[0].id])
                targets = [build.name(items.get(k, '_')) for k in range(width)]
                done.append(build.like(whole, targets=[gast.Tuple(elts=targets, ctx=gast.Store())]))
            else:
                done += [whole, *body[position + 1:position + 1 + len(items)]]
            position += 1 + len(items)
        return [build.map_blocks(s, block) for s in done]
    return core.with_body(block(core.body))


def _items(core: Core, body: Sequence[gast.stmt], position: int) -> dict[int, str]:
    """The names that the statements after a call give its results, by number."""
    found: dict[int, str] = {}
    match body[position]:
        case gast.Assign(targets=[gast.Name(id=whole)], value=gast.Call()) if isinstance(core.types.get(whole), tuple):
            pass
        case _:
            return found
    for statement in body[position + 1:]:
        match statement:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(
                    value=gast.Name(id=base), slice=gast.Constant(value=k))) if base == whole and k not in found:
                found[k] = name
            case _:
                break
    return found

