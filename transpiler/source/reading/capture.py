"""From a callable, or the text of a module, to a `Function`: its gast tree, where it stands, and what its free names mean."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import textwrap
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import gast

from transpiler.core.naming import RUNTIME, identifier
from transpiler.errors import Origin, SourceNotFound
from transpiler.room import roomy
from transpiler.source.reading.decorated import (
    WRAPPER,
    is_declared,
    own_signature,
    passes_on,
    signature_of,
    spelled_out,
    undecorated,
)
from transpiler.source.reading.lambdas import which_lambdas
from transpiler.source.reading.methods import with_private_names, with_super_spelled
from transpiler.source.reading.patterns import as_gast
from transpiler.source.reading.pickled_source import lines_around, text_of
from transpiler.source.reading.texts import lines_of

MISSING = object()
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Functions = dict[str, list[Definition]]


class Scope(Protocol):
    """What the free names of a function mean, now: asked anew at each call."""

    def lookup(self, name: str) -> Any: ...


@dataclass(frozen=True)
class LiveScope:
    """The closure cells, globals and builtins of a Python function."""

    function: types.FunctionType

    def lookup(self, name: str) -> Any:
        return self.reader(name)()

    def reader(self, name: str) -> Callable[[], Any]:
        """What looks the name up, whenever it is called."""
        free = self.function.__code__.co_freevars
        if name in free:
            return functools.partial(_content_of, self.function.__closure__[free.index(name)])
        names = self.function.__globals__
        return lambda: names[name] if name in names else getattr(builtins, name, MISSING)


class Nowhere:
    """The scope of a function that reads nothing from around it."""
    def lookup(self, name: str) -> Any:
        return MISSING


def _content_of(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def reader_of(scope: Scope, name: str) -> Callable[[], Any]:
    return scope.reader(name) if isinstance(scope, LiveScope) else lambda: scope.lookup(name)


@dataclass(frozen=True, eq=False, repr=False)
class Function:
    """The source of one function. `node` is a `gast.FunctionDef`; a lambda is given one with a single `return`.

    owner: what a bound method is bound to; declared: the rule that the user has given it (`specialize/calls/custom_rules.py`)
    """

    name: str
    node: gast.FunctionDef
    file: str
    lines: tuple[str, ...]
    scope: Scope
    defaults: dict[str, Any] = field(default_factory=dict)
    owner: Any = None
    declared: Any = None

    def __repr__(self) -> str:
        return f'<function {self.name}>'

    def origin(self, node: gast.AST) -> Origin:
        line = getattr(node, 'lineno', self.node.lineno)
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ''
        return Origin(self.file, line, getattr(node, 'col_offset', 0) or 0, text.rstrip('\n'))

    @functools.cached_property
    def library(self) -> bool:
        """Whether this is a rule's template or a definition of ours: its lines mean nothing to the user."""
        module = getattr(getattr(self.scope, 'function', None), '__module__', None) or ''
        return module.startswith(('transpiler.rules', RUNTIME))

    @property
    def text(self) -> str:
        """The function's own source, dedented."""
        return textwrap.dedent('\n'.join(self.lines[self.node.lineno - 1 : self.node.end_lineno]))


_captured: weakref.WeakKeyDictionary[types.CodeType, tuple] = weakref.WeakKeyDictionary()


@roomy
def capture(function: Callable) -> Function:
    """Read the source of a Python function or lambda.

    Raises SourceNotFound where no source exists: built-in functions, functions made by `exec` without a registered source.
    """
    function = undecorated(function)
    if is_declared(function):
        return replace(_declared(function), declared=function)
    if isinstance(function, types.MethodType) and isinstance(function.__func__, types.FunctionType):
        return replace(capture(function.__func__), owner=function.__self__)
    if not isinstance(function, types.FunctionType):
        raise SourceNotFound(
            f'`{getattr(function, "__name__", function)!s}` has no Python source',
            why='it is compiled code, or an object that is merely callable',
            instead='wrap it in a Python function',
        )
    return _passed_on(function, _defaults(signature_of(function))) if passes_on(function) else _as_it_stands(function)


def _as_it_stands(function: types.FunctionType) -> Function:
    code = function.__code__
    found = _captured.get(code)
    if found is None:
        found = _captured[code] = _read(function)
    node, file, lines = found
    defaults = _defaults(own_signature(function))
    return Function(_public_name(function.__name__), node, file, lines, LiveScope(function), defaults)


def _defaults(signature: inspect.Signature) -> dict[str, Any]:
    return {p.name: p.default for p in signature.parameters.values() if p.default is not p.empty}


@dataclass(frozen=True)
class WrapperScope:
    """What `wrapper` means in a function that `spelled_out` has written: the function as it stands."""

    function: types.FunctionType
    source: Function

    def lookup(self, name: str) -> Any:
        return self.source if name == WRAPPER else LiveScope(self.function).lookup(name)


def _passed_on(function: types.FunctionType, defaults: dict[str, Any]) -> Function:
    """A function whose parameters are `*args, **kwargs`, with the parameters that it shows."""
    name = _public_name(function.__name__)
    line = spelled_out(name, signature_of(function))
    return of_one_line(name, line, WrapperScope(function, _as_it_stands(function)), defaults)


def _declared(function: Any) -> Function:
    """The function that has been given a rule; a black box may have no source, and is known by its parameters."""
    try:
        return capture(function.function)
    except SourceNotFound:
        if not function.boxed:
            raise
    name, parameters = _public_name(function.__name__), function.__signature__.parameters.values()
    names = [f'*{p.name}' if p.kind is p.VAR_POSITIONAL else p.name for p in parameters]
    line = f'def {name}({", ".join(names)}): ...'
    return of_one_line(name, line, LiveScope(_declared), _defaults(function.__signature__))


def of_one_line(name: str, line: str, scope: Scope, defaults: dict[str, Any]) -> Function:
    """A function that no file holds, of one line."""
    return Function(name, as_gast(ast.parse(line).body[0]), f'<{name}>', (line,), scope, defaults)


def _public_name(name: str) -> str:
    """What generated code calls a function: its name may be any text, such as `<lambda>`."""
    return 'function' if name == '<lambda>' else identifier(name)


def _read(function: types.FunctionType) -> tuple[gast.FunctionDef, str, tuple[str, ...]]:
    code = function.__code__
    file, text = text_of(code) or (code.co_filename, ''.join(lines_around(function)))
    lines = lines_of(text)
    candidates = _candidates(text, lines, code)
    if not candidates:
        raise SourceNotFound(
            f'the source of `{function.__qualname__}` does not match the running code',
            Origin(code.co_filename, code.co_firstlineno),
            why='the file has changed since it was imported',
            instead='import it again',
        )
    node = with_super_spelled(with_private_names(candidates[0], code))
    return node, _short(file), tuple(line.rstrip('\n') for line in lines)


def _short(file: str) -> str:
    """The path as a person would name it; notebook cells keep only their last part."""
    return file if file.startswith('<') else file.replace('\\', '/').rsplit('/', 1)[-1]


def _candidates(text: str, lines: list[str], code: types.CodeType) -> list[gast.FunctionDef]:
    """The definitions in `text` at the code's first line; those that share it are told apart by their place or bytecode."""
    found = []
    for node in _functions(text, lines, code).get(code.co_name, ()):
        first = min([node.lineno] + [d.lineno for d in getattr(node, 'decorator_list', [])])
        if first == code.co_firstlineno or isinstance(node, ast.Lambda) and node.lineno <= code.co_firstlineno <= node.end_lineno:
            found.append(node)
    if code.co_name == '<lambda>' and len(found) > 1:
        found = which_lambdas(found, code)
        if len({ast.dump(node) for node in found}) > 1:
            raise SourceNotFound(
                'several lambdas stand on this line, and it cannot be told which one is meant',
                Origin(_short(code.co_filename), code.co_firstlineno, text=lines[code.co_firstlineno - 1].rstrip()),
                instead='give each a line of its own',
            )
    return [_definition(node) for node in found]


def _functions(text: str, lines: list[str], code: types.CodeType) -> Functions:
    try:
        return _by_name(text)
    except SyntaxError:  # a file that is not Python as a whole, such as a notebook's text or a REPL's history
        block = inspect.getblock(lines[code.co_firstlineno - 1 :])
        try:
            return _among(ast.increment_lineno(ast.parse(textwrap.dedent(''.join(block))), code.co_firstlineno - 1))
        except SyntaxError:
            return {}


@functools.lru_cache(maxsize=64)
def _by_name(text: str) -> Functions:
    return _among(ast.parse(text))


def _among(tree: ast.AST) -> Functions:
    found: dict[str, list[Definition]] = {}
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            found.setdefault(getattr(node, 'name', '<lambda>'), []).append(node)
    return found


def _definition(node: ast.AST) -> gast.FunctionDef:
    tree = as_gast(node)
    return as_definition(tree) if isinstance(tree, gast.Lambda) else tree


def as_definition(node: gast.Lambda, name: str = 'function') -> gast.FunctionDef:
    """A lambda as a `def` with one `return`; positions are kept."""
    body = gast.copy_location(gast.Return(value=node.body), node.body)
    definition = gast.FunctionDef(
        name=name, args=node.args, body=[body], decorator_list=[], returns=None, type_comment=None, type_params=[]
    )
    return gast.copy_location(definition, node)
