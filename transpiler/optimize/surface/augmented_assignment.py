"""`x += e` for `x = x + e`: where `x` is a number, an element, or an array that nobody else can see."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.aliases import memory
from transpiler.analyses.memory.buffer_death import is_last_use
from transpiler.analyses.memory.effects import is_fresh
from transpiler.core.build import like, linked, stamp
from transpiler.core.indices import is_dots, may_repeat
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import blocks, names, parts
from transpiler.core.text import dump
from transpiler.optimize.algebra.products import negate
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.optimize.rewriting.expression_types import alike
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar, Unknown

OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div)


@rewrite('augmented assignments', surface=True)
def augment(core: Core) -> Core:
    """Write `x += e` for numbers and elements, and for arrays where `mark_in_place` found that it does no harm.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> show(augment, 'x = x + 2 * y; a = a + y; a[i] = a[i] * y; a[i] += -y; return x', params=['x', 'y', 'a', 'i'],
    ...      types=dict(x=FLOAT, y=FLOAT, a=None, i=None))
    x += 2 * y
    a = a + y
    a[i] *= y
    a[i] -= y
    return x
    """
    return unchanged_or(core, _block(core.body, core))


def _block(body: Sequence[gast.stmt], core: Core) -> list[gast.stmt]:
    return [_statement(with_blocks(s, [_block(b, core) for b in blocks(s)]) if blocks(s) else s, core) for s in body]


def _statement(statement: gast.stmt, core: Core) -> gast.stmt:
    match statement:
        case gast.Assign(targets=[target], value=gast.BinOp(op=operator) as value) if isinstance(operator, OPERATORS):
            rest = _rest(target, value, core) if _may(statement, target, core) else None
            if rest is not None and not _overlaps(target, rest, core):
                return _signed(stamp(gast.AugAssign(target=target, op=operator, value=rest), statement.origin, statement.role))
        case gast.AugAssign():
            return _signed(statement)
    return statement


def _overlaps(target: gast.expr, rest: gast.expr, core: Core) -> bool:
    """Whether `rest` is a view of the very memory that is updated: compiled code would read what it has just written."""
    region = isinstance(target, gast.Name) or any(isinstance(n, gast.Slice) or is_dots(n) for n in parts(target))
    arrays = [n for n in names(rest) if not isinstance(core.types.get(n), Scalar)]
    base = target.id if isinstance(target, gast.Name) else target.value.id
    return region and not is_fresh(rest) and any(memory(core).may_alias(base, n) for n in arrays)


def _may(statement: gast.stmt, target: gast.expr, core: Core) -> bool:
    match target:
        case gast.Subscript(slice=index) if isinstance(statement.value.op, OPERATORS[:2]) and may_repeat(index, core.types):
            return False    # `a[i] += e` adds to a place as often as `i` names it
        case gast.Name(id=x):
            return isinstance(core.types.get(x), Scalar) or links(statement).in_place
        case gast.Subscript(value=gast.Name(id=x)):
            # into an array of integers only the plain store rounds
            type_ = core.types.get(x)
            return type_ is None or isinstance(type_, Array) and type_.dtype.kind in 'fc'
    return False


def _signed(statement: gast.AugAssign) -> gast.AugAssign:
    """`x -= e` for `x += -e`."""
    match statement:
        case gast.AugAssign(op=gast.Add(), value=value) if _leads_with_sign(value):
            return like(statement, op=gast.Sub(), value=negate(value))
    return statement


def _leads_with_sign(value: gast.expr) -> bool:
    match value:
        case gast.UnaryOp(op=gast.USub()):
            return True
        case gast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number < 0
        case gast.BinOp(left=left, op=gast.Mult() | gast.Div()):
            return _leads_with_sign(left)
    return False


def _rest(target: gast.expr, value: gast.BinOp, core: Core) -> gast.expr | None:
    """What is combined with the target: on its right, or for + and * on its left too. A longer sum keeps its order.

    Of an array under its whole name only the left operand is known to own its memory.
    """
    if _same(target, value.left):
        return value.right
    either = isinstance(target, gast.Subscript) or isinstance(core.types.get(target.id), Scalar)
    if either and isinstance(value.op, (gast.Add, gast.Mult)) and _same(target, value.right):
        return value.left
    return None


def _same(target: gast.expr, node: gast.expr) -> bool:
    match target, node:
        case gast.Name(id=a), gast.Name(id=b):
            return a == b
        case gast.Subscript(value=gast.Name(id=a), slice=gast.Constant(value=index)), gast.Name(id=b) if index is Ellipsis:
            return a == b
        case gast.Subscript(), gast.Subscript():
            return dump(like(target, ctx=gast.Load())) == dump(node)
    return False


@rewrite('in-place marks', surface=True)
def mark_in_place(core: Core) -> Core:
    """Mark `y = x + e`, for arrays, where the memory of `x` is its own, is not read any more, and fits.

    Should both names become one, `x += e` may stand for it.
    """
    def block(body: Sequence[gast.stmt]) -> list[gast.stmt]:
        return [one(with_blocks(s, [block(b) for b in blocks(s)]) if blocks(s) else s, s) for s in body]

    def one(statement: gast.stmt, old: gast.stmt) -> gast.stmt:
        match statement:
            case gast.Assign(targets=[gast.Name(id=y)], value=gast.BinOp(left=gast.Name(id=x), op=op)) \
                    if isinstance(op, OPERATORS[:3]) and statement.role == 'pullback' and not links(statement).in_place:
                fits = alike(core.types.get(y, Unknown()), core.types.get(x, Unknown()))
                if fits and isinstance(core.types[y], Array) and is_last_use(core, old, x, y):
                    return linked(statement, in_place=True)
        return statement
    return unchanged_or(core, block(core.body))
