"""`try` where it shows which way it goes: without handlers, and around the item of a dict."""

from __future__ import annotations

import gast

from transpiler.core import build
from transpiler.core.query import parts
from transpiler.garbage import while_making

HAS_KEY = 'python.has_key'
Block = list[gast.stmt]


@while_making(2_000)
def with_tries_decided(function: gast.FunctionDef) -> gast.FunctionDef:
    """What `finally` says comes after what it waits for; a caught KeyError becomes a question. Any other `try` is refused.

    >>> tree = gast.parse('def f(x):\\n    try:\\n        y = d[0]\\n    except KeyError:\\n        y = x\\n    return y')
    >>> print(gast.unparse(with_tries_decided(tree.body[0])))
    def f(x):
        if python.has_key(d, 0):
            y = d[0]
        else:
            y = x
        return y
    """
    if not any(isinstance(node, gast.Try) for node in parts(function)):
        return function
    return build.like(function, body=_block(function.body))


def _block(body: Block) -> Block:
    return [new for statement in body for new in _statement(statement)]


def _statement(statement: gast.stmt) -> Block:
    match statement:
        case gast.Try(body=body, handlers=[], orelse=orelse, finalbody=last) \
                if not any(map(_leaves, body)) and all(map(_silent, last)):
            return _block([*body, *orelse, *last])
        case gast.Try(body=[gast.Assign() | gast.Return() | gast.Expr() as line], orelse=orelse, finalbody=[], handlers=[
                gast.ExceptHandler(type=gast.Name(id='KeyError'), name=None, body=other)]) if _only_item(line) is not None:
            test = gast.copy_location(build.call(HAS_KEY, line.value.value, line.value.slice), line)
            made = gast.If(test=test, body=_block([line, *orelse]), orelse=_block(other))
            return [gast.copy_location(made, statement)]
    changed = {field: _block(value) for field, value in gast.iter_fields(statement)
               if isinstance(value, list) and value and all(isinstance(part, gast.stmt) for part in value)}
    return [build.like(statement, **changed) if changed else statement]


def _leaves(statement: gast.stmt) -> bool:
    """Whether what waits for a `finally` may be left by something else than an exception."""
    return any(isinstance(node, (gast.Return, gast.Break, gast.Continue)) for node in gast.walk(statement))


def _silent(statement: gast.stmt) -> bool:
    """Whether nobody can tell that a statement has not run if an exception came before."""
    plain = isinstance(statement, gast.Assign) and all(isinstance(target, gast.Name) for target in statement.targets)
    return isinstance(statement, gast.Pass) or plain and not any(isinstance(node, gast.Call) for node in gast.walk(statement))


def _only_item(line: gast.stmt) -> gast.Subscript | None:
    """The item of something with a name, if nothing else in a line can raise KeyError."""
    value = line.value
    simple = isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) and not any(
        isinstance(node, (gast.Call, gast.Subscript, gast.NamedExpr)) for node in gast.walk(value.slice))
    plain = not isinstance(line, gast.Assign) or all(isinstance(target, gast.Name) for target in line.targets)
    return value if simple and plain else None
