"""The line above a generated function: what it is, of which function, for which arguments."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from transpiler.core.language import Core, Leaf, Node, Static, Tree
from transpiler.source.reading.capture import Function


def header_of(core: Core, function: Function, transforms: Sequence[Any], in_order: Collection[str] = ()) -> list[str]:
    """`grad of loss (model.py:12), for x: float64[n, d], y: float64[n]`, and which of them it takes to lie in C order."""
    what = ' of '.join([t.title for t in reversed(transforms)] + [function.name])
    types = ', '.join(f'{p.name}: {described(p.tree, core, in_order)}' for p in core.params)
    return [f'{what} ({function.file}:{function.node.lineno})' + (f', for {types}' if types else '')]


def described(tree: Tree, core: Core, in_order: Collection[str] = ()) -> str:
    match tree:
        case Leaf(name):
            return f'{core.types[name]}{" in C order" if name in in_order else ""}'
        case Static(value):
            return _in_one_line(getattr(value, '__name__', value))
        case Node('dict', children, keys):
            items = (f'{_in_one_line(k)}: {described(c, core, in_order)}' for k, c in zip(keys, children, strict=True))
            return '{' + ', '.join(items) + '}'
        case Node(_, children):
            return '(' + ', '.join(described(c, core, in_order) for c in children) + (',)' if len(children) == 1 else ')')
    return '?'


def _in_one_line(value: Any) -> str:
    return ' '.join(repr(value).split())
