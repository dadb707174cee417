"""Core programs from short texts, for tests and doctests, and back."""
from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

import gast

from transpiler.core.build import stamp
from transpiler.core.language import Core, Hint, Leaf, Param
from transpiler.core.query import all_defined, blocks, fields, is_primitive, walk
from transpiler.errors import Origin
from transpiler.garbage import while_making

ROOTS = {'np': 'numpy', 'numpy': 'numpy', 'tape': 'tape', 'kernels': 'kernels', 'python': 'python', 'scipy': 'scipy',
         'call': 'call'}


def parse(text: str, types: Mapping[str, Any] | None = None, temporaries: Iterable[str] = (),
          params: Iterable[str] | None = None, name: str = 'f') -> Core:
    """A `Core` from the statements of its body.

    Names that are read but never defined become parameters. Statements after a comment line `# pullback` have that
    role. A temporary `y_1` is a version of `y`: its hint's base has the number removed.

    >>> parse('y = 2 * x; return y').inputs
    ('x',)
    """
    source = textwrap.dedent(text).strip()
    if '\n' not in source:
        source = source.replace('; ', '\n')
    body = [_Primitives().visit(s) for s in gast.parse(source).body]
    _stamp(body, source.splitlines(), name)
    inputs = tuple(params) if params is not None else tuple(_undefined(body))
    temporaries = set(temporaries)
    hints = {v: Hint(_base(v), v in temporaries) for v in sorted(all_defined(body)) if v not in inputs}
    return Core(name, tuple(Param(p, Leaf(p)) for p in inputs), tuple(body), dict(types or {}), hints, None)


def expression(text: str) -> gast.expr:
    """One core expression."""
    return _Primitives().visit(gast.parse(text, mode='eval')).body


def _base(variable: str) -> str:
    stem, _, number = variable.rpartition('_')
    return stem if number.isdigit() and stem else variable


def _stamp(body: list[gast.stmt], lines: list[str], name: str) -> None:
    marks = [number for number, line in enumerate(lines, 1) if line.strip() == '# pullback']
    for statement in walk(body):
        role = 'pullback' if marks and statement.lineno > marks[0] else 'primal'
        stamp(statement, Origin(f'<{name}>', statement.lineno, statement.col_offset, lines[statement.lineno - 1]), role)


def _undefined(body: list[gast.stmt]) -> list[str]:
    known = all_defined(body)
    found = []
    for statement in walk(body):
        inner = {id(part) for block in blocks(statement) for s in block for part in gast.walk(s)}
        used = [n.id for n in _names_in_order(statement) if id(n) not in inner]
        found += [v for v in used if v not in known and not is_primitive(v)]
    return list(dict.fromkeys(found))


def _names_in_order(statement: gast.stmt) -> list[gast.Name]:
    found = [n for n in gast.walk(statement) if isinstance(n, gast.Name)]
    return sorted(found, key=lambda n: (n.lineno, n.col_offset))


class _Primitives(gast.NodeTransformer):
    """`np.exp` becomes the one name `numpy.exp`; `A += v` on a name becomes `A = A + v`; `range(n)` gets all its bounds."""

    def visit_Attribute(self, node):
        dotted = _dotted(node)
        if dotted:
            return gast.copy_location(gast.Name(id=dotted, ctx=gast.Load(), annotation=None, type_comment=None), node)
        return self.generic_visit(node)

    def visit_For(self, node):
        node = self.generic_visit(node)
        bounds = node.iter.args
        if len(bounds) == 1:
            bounds = [gast.Constant(value=0, kind=None), *bounds]
        if len(bounds) == 2:
            bounds = [*bounds, gast.Constant(value=1, kind=None)]
        node.iter.args = bounds
        return node

    def visit_UnaryOp(self, node):
        """A negative number is a constant."""
        node = self.generic_visit(node)
        match node:
            case gast.UnaryOp(op=gast.USub(), operand=gast.Constant(value=value)):
                return gast.copy_location(gast.Constant(value=-value, kind=None), node)
        return node


def _dotted(node: gast.expr) -> str | None:
    match node:
        case gast.Name(id=identifier) if identifier in ROOTS:
            return ROOTS[identifier]
        case gast.Attribute(value=value, attr=attr):
            base = _dotted(value)
            return base and f'{base}.{attr}'
    return None


def dump(node: gast.AST | Iterable[gast.stmt]) -> str:
    """A text that is equal for structurally equal nodes.

    >>> dump(expression('a + 1')) == dump(expression('(a + 1)'))
    True
    """
    return _dumped(node) if isinstance(node, gast.AST) else '\n'.join(map(_dumped, node))


@while_making(50_000)
def same_place(left: gast.Subscript, right: gast.Subscript) -> bool:
    """Whether two subscripts read alike, whether they are read or written.

    >>> same_place(expression('x[i]'), expression('x[i]')), same_place(expression('x[i]'), expression('x[j]'))
    (True, False)
    """
    return dump(left.value) == dump(right.value) and dump(left.slice) == dump(right.slice)


def _dumped(node: gast.AST) -> str:
    """`ast.dump` without contexts and annotations."""
    return f'{type(node).__name__}({", ".join(_dumped_field(getattr(node, field, None)) for field in fields(type(node)))})'


def _dumped_field(value: Any) -> str:
    if isinstance(value, gast.AST):
        return _dumped(value)
    return f'[{", ".join(map(_dumped_field, value))}]' if isinstance(value, list) else repr(value)
