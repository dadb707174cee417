"""The first lines of a generated function: containers among its arguments are taken apart."""
from __future__ import annotations

import keyword
from collections.abc import Container, Iterator

from transpiler.core.build import is_literal
from transpiler.core.language import Leaf, Node, Param, Tree, leaves
from transpiler.source.writing.line_wrapping import WIDTH


def unpack(param: Param, used: Container[str]) -> list[str]:
    """The lines that bind the leaves of `param` that are in `used`.

    >>> tree = Node('tuple', (Node('tuple', (Leaf('w'), Leaf('b'))), Leaf('c')))
    >>> unpack(Param('params', tree), {'w', 'c'})
    ['(w, _), c = params']
    >>> unpack(Param('p', Node('dict', (Leaf('w'), Leaf('b')), ('w', 'b'))), {'w', 'b'})
    ["w, b = p['w'], p['b']"]
    """
    wanted = [leaf for leaf in leaves(param.tree) if leaf in used]
    if not wanted or param.tree == Leaf(param.name):
        return []
    if _is_sequence(param.tree) and 2 * len(wanted) >= _width(param.tree):
        return [f'{_pattern(param.tree, used, outer=True)} = {param.name}']
    reached = [(leaf, path) for leaf, path in _paths(param.tree, param.name) if leaf in used]
    line = f'{", ".join(leaf for leaf, _ in reached)} = {", ".join(path for _, path in reached)}'
    # a leaf with the parameter's own name would hide the container from the lines after it
    hidden = any(leaf == param.name for leaf in wanted)
    return [line] if len(line) <= WIDTH - 4 or hidden else [f'{leaf} = {path}' for leaf, path in reached]


def _is_sequence(tree: Tree) -> bool:
    return not isinstance(tree, Node) or tree.kind in ('tuple', 'list') and all(map(_is_sequence, tree.children))


def _width(tree: Tree) -> int:
    return sum(map(_width, tree.children)) if isinstance(tree, Node) else 1


def _pattern(tree: Tree, used: Container[str], outer: bool = False) -> str:
    match tree:
        case Leaf(name):
            return name if name in used else '_'
        case Node(children=children) if children:
            inner = ', '.join(_pattern(child, used) for child in children) + (',' if len(children) == 1 else '')
            return inner if outer else f'({inner})'
    return '_'


def _paths(tree: Tree, path: str) -> Iterator[tuple[str, str]]:
    match tree:
        case Leaf(name):
            yield name, path
        case Node(kind=kind, children=children, keys=keys):
            for index, child in enumerate(children):
                if kind == 'dict' and not is_literal(keys[index]):
                    yield from _paths(child, f'[*{path}.values()][{index}]')
                elif kind == 'object':
                    yield from _paths(child, _attribute(path, keys[index]))
                else:
                    yield from _paths(child, f'{path}[{keys[index]!r}]' if kind == 'dict' else f'{path}[{index}]')


def _attribute(path: str, name: str) -> str:
    """The attribute of an object; its name may be any text, if `setattr` gave it.

    >>> _attribute('p', 'mass'), _attribute('p', 'lambda')
    ('p.mass', "getattr(p, 'lambda')")
    """
    return f'{path}.{name}' if name.isidentifier() and not keyword.iskeyword(name) else f'getattr({path}, {name!r})'
