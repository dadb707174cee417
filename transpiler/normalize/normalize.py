"""From captured source to the statements the specialiser runs: fenced, with one return, and with what is known of its names."""
from __future__ import annotations

import builtins
from typing import NamedTuple
from weakref import WeakKeyDictionary

import gast

from transpiler.analyses.dataflow.source_liveness import Found, live_names
from transpiler.core.query import parts
from transpiler.normalize.contexts import without_contexts
from transpiler.normalize.exits import leave_at_the_end
from transpiler.normalize.fence import check
from transpiler.normalize.imports import imports_as_assignments
from transpiler.normalize.matches import match_by_tests
from transpiler.normalize.refusals import REFUSED_CALLS
from transpiler.normalize.returns import single_return
from transpiler.normalize.shared_names import with_shared_names
from transpiler.normalize.tries import with_tries_decided
from transpiler.source.reading.capture import Function
from transpiler.source.reading.module import ModuleText, imported_from_elsewhere, is_library


class Normal(NamedTuple):
    """A function's body, and the names live around its compound statements."""

    body: list[gast.stmt]
    live: Found


_done: WeakKeyDictionary[gast.FunctionDef, Normal] = WeakKeyDictionary()


def normalize(function: Function) -> Normal:
    """The body of `function` in the specialiser's language, and what is known of its names.

    Raises UnsupportedSyntax, with its place, for the first construct outside the language.
    """
    found = _done.get(function.node)
    if found is None:
        node = with_tries_decided(with_shared_names(function.node))
        if not function.library:
            called = {n.id for n in parts(function.node) if isinstance(n, gast.Name)} & REFUSED_CALLS.keys()
            own = frozenset(n for n in called if function.scope.lookup(n) is not getattr(builtins, n, None))
            check(node, function.origin, own)
        if isinstance(function.scope, ModuleText):
            _check_imports(function)
        package = function.scope.lookup('__package__')
        body = imports_as_assignments(list(node.body), package if isinstance(package, str) else '')
        body = single_return(leave_at_the_end(match_by_tests(without_contexts(body))))
        found = _done[function.node] = Normal(body, live_names(body))
    return found


def _check_imports(function: Function) -> None:
    """A function of a module that is read as text, and not run, has nothing imported for it but numeric libraries."""
    for node in gast.walk(function.node):
        match node:
            case gast.Import(names=aliases):
                wanted = [alias.name for alias in aliases]
            case gast.ImportFrom(module=module, level=level, names=aliases):
                wanted = [f'{"." * (level or 0)}{module or ""}.{alias.name}' for alias in aliases]
            case _:
                continue
        for name in wanted:
            if not is_library(name):
                raise imported_from_elsewhere(name, function.origin(node))
