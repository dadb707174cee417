"""From core to Python text: a function that a person would be glad to have written, and where each line came from."""
from __future__ import annotations

import cmath
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import gast

from transpiler.core.functions import calls_in
from transpiler.core.language import Core, Param
from transpiler.core.links import links
from transpiler.core.naming import RUNTIME
from transpiler.core.query import is_primitive, names, parts
from transpiler.errors import Origin, printable
from transpiler.source.writing.argument_unpacking import unpack
from transpiler.source.writing.comments import Comment, comment, explain
from transpiler.source.writing.line_wrapping import WIDTH, wrap
from transpiler.source.writing.nesting_limit import arms, levelled
from transpiler.source.writing.printing import Spelling, asked_of_numpy, is_written_exactly, spelled_at
from transpiler.source.writing.result_unpacking import unpack_results
from transpiler.source.writing.swaps import swap_together

COMMENT_COLUMN = 37
MODES = ('python', 'flat')


@dataclass(frozen=True)
class Source:
    """Generated text; `line_map` leads from its lines (from 1) to the user's; `digest` identifies the text.

    `name` is the function that the text is about; `functions` are those that it calls, and it as well if it calls itself;
    `parts` are those that run a range of iterations of its loops; `boxes` are the functions that the text names without defining
    them.
    """

    text: str
    line_map: Mapping[int, Origin]
    digest: str
    name: str
    functions: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    boxes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


def emit(core: Core, *, doc: str = '', header: Iterable[str] = (), mode: str = 'python') -> Source:
    """Print `core` as a module with one function, after those of the program that it calls.

    mode: 'python' has the user's parameters and takes containers apart in its first lines; 'flat' has one parameter per
    run-time value.

    >>> from transpiler.core.text import parse
    >>> print(emit(parse('y = np.exp(-x); return y * 2.0')).text, end='')
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        y = np.exp(-x)
        return y * 2.0
    """
    if mode not in MODES:
        raise ValueError(f'mode is one of {MODES}, not {mode!r}')
    core = levelled(core)
    spelling = spelling_of(core)
    lines = [_comment_line(line) for line in header]
    imports = import_lines(spelling)
    boxes = {spelling.functions[name]: box for name, box in _boxes(core).items()}
    imports += [f'# {name}: given from outside' for name in boxes]
    lines += [*imports, '', ''] if imports else ['', ''] * bool(lines)
    writer = _Writer(spelling, lines)
    for name, function in core.functions.items():
        writer.spelling = replace(spelling, types=function.types)
        writer.function(_without_return(replace(function, name=spelling.functions.get(name, name))), '', 'flat')
        lines += ['', '']
    writer.spelling = spelling
    writer.function(core, doc, mode)
    text = '\n'.join(lines) + '\n'
    digest = hashlib.sha256(text.encode()).hexdigest()
    parts = tuple(name for name, function in core.functions.items() if function.is_part)
    functions = tuple(spelling.functions[name] for name in core.functions if name not in parts)
    functions += (core.name,) if core.name in calls_in(core) and core.name not in core.functions else ()
    line_map, parts = MappingProxyType(dict(writer.line_map)), tuple(spelling.functions[name] for name in parts)
    return Source(text, line_map, digest, core.name, functions, parts, MappingProxyType(boxes))


def _boxes(core: Core) -> dict[str, Any]:
    """The black boxes that a program calls, by name."""
    nodes = (node for one in (core, *core.functions.values()) for s in one.body for node in parts(s))
    return {box.name: box for node in nodes if (box := links(node).box) is not None}


def _without_return(function: Core) -> Core:
    """A function that gives nothing just ends."""
    match function.body:
        case [*body, gast.Return(value=gast.Constant(value=None))] if body:
            return function.with_body(body)
    return function


def _spelled_with(node: gast.AST, core: Core) -> list[str]:
    """The primitives that the spelling of a node needs although it does not name them."""
    if isinstance(node, gast.Constant):
        exactly = not isinstance(node.value, complex) or is_written_exactly(node.value)
        return ['numpy.float64'] * _needs_numpy(node.value) + ['python.complex'] * (not exactly)
    asked = 'numpy.add' if spelled_at(node, core.types) else asked_of_numpy(node, core.types)
    return [] if asked is None else [asked]


def spelling_of(core: Core) -> Spelling:
    """Aliases for the primitives of `core` and its functions, away from all their variables."""
    variables, primitives = {core.name, *(p.name for p in core.params)}, set()
    for one in (core, *core.functions.values()):
        variables |= set(one.inputs)
        for node in (node for statement in one.body for node in parts(statement)):
            if isinstance(node, gast.Name):
                (primitives if is_primitive(node.id) else variables).add(node.id)
            else:
                primitives.update(_spelled_with(node, one))
    functions = {f'call.{name}' for name in core.functions}
    spelling = Spelling.avoiding(variables, core.types, primitives - {f'call.{core.name}'} | functions)
    if core.name in core.functions:
        return spelling
    return replace(spelling, functions={**spelling.functions, core.name: core.name})


def _needs_numpy(value: object) -> bool:
    """A dtype, a NumPy number, an infinity or a NaN: printed through the module."""
    if type(value) in (float, complex):
        return not cmath.isfinite(value)
    return type(value).__module__.startswith('numpy')


def import_lines(spelling: Spelling) -> list[str]:
    """Only what is used, third-party modules first."""
    lines = [f'import {module}' if module == alias else f'import {module} as {alias}'
             for module, alias in sorted(spelling.modules.items())]
    homes: dict[str, list[str]] = {}
    for function, alias in sorted(spelling.kernels.items()):
        module, _, name = function.rpartition('.')
        homes.setdefault(module or 'arrays', []).append(name if name == alias else f'{name} as {alias}')
    lines += [''] if homes and lines else []
    for module, members in sorted(homes.items()):
        lines.append(f'from {RUNTIME}.{module} import {", ".join(members)}')
    return lines


def _comment_line(line: str) -> str:
    return comment(line.removeprefix('# ')) if line else line


def signature(params: Iterable[Param]) -> str:
    """The parameter list: positional ones, then after a star those given by keyword."""
    params = tuple(params)
    positional = [_parameter(p) for p in params if p.kind == 'positional']
    star = [f'*{p.name}' for p in params if p.kind == 'star']
    keyword = [_parameter(p) for p in params if p.kind in ('keyword', 'capture')]
    options = [f'**{p.name}' for p in params if p.kind == 'options']
    return ', '.join([*positional, *(star or (['*'] if keyword else [])), *keyword, *options])


def _parameter(param: Param) -> str:
    return param.name if param.default is None else f'{param.name}={param.default}'


class _Writer:
    """Appends the lines of one function to `lines`."""

    def __init__(self, spelling: Spelling, lines: list[str]):
        self.spelling, self.lines = spelling, lines
        self.line_map: dict[int, Origin] = {}

    def function(self, core: Core, doc: str, mode: str) -> None:
        core = swap_together(unpack_results(core))
        parameters = signature(core.params) if mode == 'python' else ', '.join(core.inputs)
        self.put(0, f'def {core.name}({parameters}):', core.origin)
        if doc:
            for line in _docstring(doc):
                self.put(1, line)
        if mode == 'python':
            used = {n for statement in core.body for n in names(statement)}
            for param in core.params:
                for line in unpack(param, used):
                    self.put(1, line, param.origin or core.origin)
        self.block(core.body, 1, explain(core.body))

    def put(self, depth: int, line: str, origin: Origin | None = None) -> None:
        text = ' ' * 4 * depth + line if line else ''
        for part in wrap(text) if not line.startswith(('#', '"""', 'def ')) else [text]:
            self.lines.append(part)
            if origin is not None:
                self.line_map[len(self.lines)] = origin

    def block(self, body, depth: int, comments: Mapping[int, Comment]) -> None:
        if not body:
            self.put(depth, 'pass')
        for group in _together(body, comments):
            if len(group) == 1:
                self.statement(group[0], depth, comments)
            else:
                self.initial(group, depth, comments)

    def initial(self, group: list[gast.Assign], depth: int, comments: Mapping[int, Comment]) -> None:
        """`x_bar, y_bar = 1.0, 0.0`"""
        first, sides = comments.get(id(group[0])), [self.spelling.statement(s).split(' = ') for s in group]
        if first and first.section:
            self.put(depth, comment(first.section))
        text = f'{", ".join(target for target, _ in sides)} = {", ".join(value for _, value in sides)}'
        if first and first.line:
            text = self.with_comment(text, first, depth)
        self.put(depth, text, group[0].origin)

    def statement(self, node: gast.stmt, depth: int, comments: Mapping[int, Comment]) -> None:
        if isinstance(node, gast.If):
            self.chain(node, depth, comments)
            return
        self.line(node, depth, comments)
        if isinstance(node, (gast.For, gast.While)):
            self.block(node.body, depth + 1, comments)

    def line(self, node: gast.stmt, depth: int, comments: Mapping[int, Comment], prefix: str = '') -> None:
        """A simple statement, or the first line of a compound one, below the comment that belongs above it."""
        text = prefix + self.spelling.statement(node)
        about = comments.get(id(node), Comment())
        if about.section:
            self.put(depth, comment(about.section))
        self.put(depth, self.with_comment(text, about, depth) if about.line else text, node.origin)

    def chain(self, node: gast.If, depth: int, comments: Mapping[int, Comment]) -> None:
        for arm in arms(node):
            self.line(arm, depth, comments, 'el' * (arm is not node))
            self.block(arm.body, depth + 1, comments)
        if arm.orelse:
            self.put(depth, 'else:')
            self.block(arm.orelse, depth + 1, comments)

    def with_comment(self, text: str, about: Comment, depth: int) -> str:
        """The line with its comment behind it, or the comment on a line of its own where it does not fit."""
        room = WIDTH - 4 * depth
        padded = f'{text}  '.ljust(COMMENT_COLUMN - 4 * depth)
        candidate = padded + comment(about.line)
        if len(candidate) <= room:
            return candidate
        short = candidate[:room - 4].rstrip()
        if len(short) > len(padded) + 24:
            return short + ' ...'
        self.put(depth, comment(about.line)[:room])
        return text


def _together(body: Sequence[gast.stmt], comments: Mapping[int, Comment]) -> list[list[gast.stmt]]:
    """The statements; in the pullback, up to three numbers that names start from in a row make one group."""
    groups: list[list[gast.stmt]] = []
    for statement in body:
        last = groups[-1] if groups else []
        if last and len(last) < 3 and _starts(last[-1]) and _starts(statement) and id(statement) not in comments:
            last.append(statement)
        else:
            groups.append([statement])
    return groups


def _starts(statement: gast.stmt) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant(value=int() | float())):
            return statement.role == 'pullback'
    return False


def _docstring(doc: str) -> list[str]:
    escaped = doc.strip().replace('\\', '\\\\')
    if '"""' in escaped or escaped.endswith('"'):
        escaped = escaped.replace('"', '\\"')
    first, *rest = map(printable, escaped.splitlines())
    return [f'"""{first}"""'] if not rest else [f'"""{first}', *(line.strip() for line in rest), '"""']
