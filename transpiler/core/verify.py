"""The grammar of the core language, checked. Run after every pass in tests; what it finds is a transpiler defect."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import gast

from transpiler.core.language import Core
from transpiler.core.query import (
    blocks,
    call_of,
    callee,
    defined,
    is_atom,
    is_primitive,
    parts,
    reads,
    without_exit,
    written,
)
from transpiler.errors import GrammarError

DECLARED = ('origin', 'role', 'links', 'type', 'fixed')
ROLES = ('primal', 'tangent', 'pullback', 'storage', 'again')


def verify(core: Core, surface: bool = False) -> Core:
    """Return `core`, or raise `GrammarError` at the first statement outside the grammar.

    surface: operations may stand where atoms do.

    >>> from transpiler.core.text import parse
    >>> verify(parse('y = 2 * x; return y')).name
    'f'
    >>> verify(parse('y = 2 * (x + 1); return y'))
    Traceback (most recent call last):
    transpiler.errors.GrammarError: <f>:1:0: operands of an operation are atoms: y = 2 * (x + 1)
    """
    for one in (core, *core.functions.values()):
        _function(one, {core.name: core, **core.functions}, surface)
    return core


def _function(core: Core, functions: Mapping[str, Core], surface: bool) -> None:
    if not core.body or not isinstance(core.body[-1], gast.Return):
        raise GrammarError(f'{core.name} does not end in a return', core.origin)
    if not surface:
        _exits(core.body, False)
    for statement in core.statements:
        _statement(statement, surface)
        _call(statement, functions)
        if isinstance(statement, gast.Return) and statement is not core.body[-1]:
            _fail('a return stands at the very end only', statement)
    _scope(core.body, set(core.inputs), core)
    if core.types:
        _typed(core)


def _call(statement: gast.stmt, functions: Mapping[str, Core]) -> None:
    call = call_of(statement)
    if call is None or len(functions) == 1:     # one function of a program, looked at alone
        return
    called = functions.get(str(callee(call)))
    if called is None:
        _fail(f'the program has no function {callee(call)}', statement)
    elif len(call.args) != len(called.inputs):
        _fail(f'{callee(call)} takes {len(called.inputs)} arguments', statement)


def _exits(body: Iterable[gast.stmt], in_loop: bool) -> None:
    """A loop is left at the end of its body only."""
    rest, _ = without_exit(body) if in_loop else (body, None)
    for statement in rest:
        if isinstance(statement, gast.Break):
            _fail('a break stands in the last statement of a loop only', statement)
        for block in blocks(statement):
            _exits(block, isinstance(statement, (gast.For, gast.While)))


def _fail(what: str, statement: gast.stmt) -> None:
    origin = getattr(statement, 'origin', None)
    text = origin.text.strip() if origin else gast.dump(statement)
    raise GrammarError(f'{origin}: {what}: {text}' if origin else f'{what}: {text}')


def _attributes(statement: gast.stmt) -> None:
    """What is known of a node besides its fields stands in its links, but for the class of an object in a result."""
    heads = [part for part in parts(statement) if not isinstance(part, gast.stmt)]
    for node in (statement, *heads):
        more = vars(node).keys() - {*node._fields, *node._attributes, *DECLARED}
        if more:
            _fail(f'a {type(node).__name__} has attributes of its own: {", ".join(sorted(more))}', statement)


def _statement(statement: gast.stmt, surface: bool) -> None:
    _attributes(statement)
    if not hasattr(statement, 'origin'):
        _fail('a statement carries its origin', statement)
    if getattr(statement, 'role', None) not in ROLES:
        _fail(f'a statement has one of the roles {", ".join(ROLES)}', statement)
    match statement:
        case gast.Assign(targets=[gast.Name()], value=value):
            _operation(value, statement, surface)
        case (gast.Assign(targets=[gast.Subscript() as target], value=value)
              | gast.AugAssign(target=gast.Subscript() as target, value=value)):
            _index(target, statement, surface)
            if not surface and not is_atom(value):
                _fail('what is written is an atom', statement)
            if not surface and not isinstance(getattr(statement, 'op', gast.Add()), gast.Add):
                _fail('what is there is added to, or is written anew', statement)
        case gast.AugAssign(target=gast.Name()) if surface:
            return
        case gast.If(test=test):
            if not surface and not is_atom(test):
                _fail('the test of an if is an atom', statement)
        case gast.For(target=gast.Name(), iter=gast.Call(func=gast.Name(id='range'), args=[_, _, _] as bounds), orelse=[]):
            if not surface and not all(map(is_atom, bounds)):
                _fail('the bounds of a loop are atoms', statement)
        case gast.While(orelse=[]) | gast.Break() | gast.Raise() | gast.Expr(value=gast.Call()):
            return
        case gast.Return(value=value):
            _result(value, statement, surface)
        case _:
            _fail(f'not a core statement ({type(statement).__name__})', statement)


def _operation(node: gast.expr, statement: gast.stmt, surface: bool) -> None:
    if surface or is_atom(node):
        return
    match node:
        case gast.BinOp(left=left, right=right):
            operands = [left, right]
        case gast.UnaryOp(operand=operand):
            operands = [operand]
        case gast.Compare(left=left, comparators=[right]):
            operands = [left, right]
        case gast.IfExp(test=test, body=body, orelse=orelse):
            operands = [test, body, orelse]
        case gast.Call(func=gast.Name(id=name), args=args, keywords=keywords) if is_primitive(name):
            operands = [part for a in [*args, *(k.value for k in keywords)] for part in _flat(a)]
        case gast.Subscript():
            return _index(node, statement, surface)
        case gast.Attribute(value=gast.Name()):
            return None
        case _:
            return _fail(f'not a core operation ({type(node).__name__})', statement)
    if not all(map(is_atom, operands)):
        _fail('operands of an operation are atoms', statement)
    return None


def _flat(node: gast.expr) -> list[gast.expr]:
    """The parts of literal containers among a primitive's arguments: shapes, lists of arrays, slices."""
    match node:
        case gast.Tuple(elts=elts) | gast.List(elts=elts):
            return [part for element in elts for part in _flat(element)]
        case gast.Dict(values=values):      # of what is printed
            return [part for value in values for part in _flat(value)]
        case gast.Slice(lower=lower, upper=upper, step=step):
            return [part for part in (lower, upper, step) if part is not None]
        case gast.UnaryOp(op=gast.USub(), operand=gast.Constant()):
            return [node.operand]
        case gast.Call(func=gast.Name(id='range'), args=bounds):      # of `len(range(a, b, c))`, a number of iterations
            return bounds
    return [node]


def _index(node: gast.Subscript, statement: gast.stmt, surface: bool) -> None:
    match node.value:
        case gast.Name() | gast.Attribute(value=gast.Name(), attr='shape'):
            pass
        case _ if not surface:
            _fail('the base of a subscript is a name', statement)
    if not surface and not all(map(is_atom, _flat(node.slice))):
        _fail('the parts of an index are atoms', statement)


def _result(node: gast.expr, statement: gast.stmt, surface: bool) -> None:
    match node:
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Dict(values=parts):
            for part in parts:
                _result(part, statement, surface)
        case gast.Call(func=gast.Name(), args=parts) if not surface:
            for part in [*parts, *(keyword.value for keyword in node.keywords)]:
                _result(part, statement, surface)
        case _ if not surface and not is_atom(node):
            _fail('a result is an atom, or a container of results', statement)


def _scope(body: Iterable[gast.stmt], known: set[str], core: Core) -> set[str]:
    """Names that may be defined after `body`; reading one that no path defines is an error."""
    for statement in body:
        missing = sorted((reads(statement) | ({written(statement)} - {None})) - known)
        if missing and not isinstance(statement, gast.While):
            _fail(f'{missing[0]} is read but not defined', statement)
        bound = {name for name in [defined(statement)] if name}
        inside = [_scope(block, known | bound, core) for block in blocks(statement)]
        known = known.union(bound, *inside)
        if isinstance(statement, gast.While) and not reads(statement) <= known:
            _fail('the test of a loop reads a name that is not defined', statement)
    return known


def _typed(core: Core) -> None:
    for statement in core.statements:
        for name in [defined(statement), *sorted(reads(statement))]:
            if name is not None and name not in core.types and not is_primitive(name):
                _fail(f'{name} has no type', statement)

