"""Algebra: signs cancel, constants gather, neutral elements go. What the user wrote keeps its roundings to the last bit."""
from __future__ import annotations

from functools import cached_property

import gast

from transpiler.analyses.numeric.narrower_kinds import Reader, perhaps_flags, perhaps_integers
from transpiler.core import build
from transpiler.core.language import Core
from transpiler.core.query import defined, is_atom, names, parts
from transpiler.garbage import once_made
from transpiler.optimize.algebra.broadcasts import Spread
from transpiler.optimize.algebra.products import numpys_number, share_products
from transpiler.optimize.algebra.rules import simplify, with_children
from transpiler.optimize.rewriting.alias_merging import Sharing
from transpiler.optimize.rewriting.available_expressions import Fact, Facts, forward, operation_key
from transpiler.optimize.rewriting.expression_types import TypeTable, alike, type_of
from transpiler.optimize.rewriting.flatten import Flattener
from transpiler.optimize.rewriting.query_cache import Settled, Surroundings
from transpiler.optimize.rewriting.use_counts import occurrences, read_once
from transpiler.passes import rewrite
from transpiler.values.types import Array, Scalar, Unknown

ARITHMETIC = (gast.BinOp, gast.UnaryOp)
DEPTH = 12      # how far a chain of temporaries is followed

Operators = tuple[type, ...]
SIGNS: Operators = (gast.USub,)
PRODUCTS: Operators = (gast.Mult, gast.Div, *SIGNS)
SUMS: Operators = (gast.Add, gast.Sub, *PRODUCTS)

_settled = Settled()
once_made(_settled.answers.clear)


@rewrite('algebra')
def simplify_algebra(core: Core) -> Core:
    """Simplify arithmetic, also across temporaries that are read once.

    Everywhere: constants fold, `x * 1` and `x + 0` are `x` where type and memory allow, signs cancel (exact in IEEE
    arithmetic). In pullbacks, where nobody prescribed an order of operations, products are brought into one form as well,
    which may change the last bit.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> floats = dict.fromkeys(['x', 'n', 'a', 'b', 'c', 'd', 'y'], FLOAT)
    >>> show(simplify_algebra, '''
    ... # pullback
    ... a = 1.0 / n
    ... b = -x
    ... c = a * b
    ... y = c * -2.0
    ... return y''', types=floats, temporaries=['a', 'b', 'c'])
    a = 1.0 / n
    b = -x
    part = -x
    c = part / n
    part_1 = 2.0 * x
    y = part_1 / n
    return y
    """
    return _Algebra(core).run()


class _Algebra:
    def __init__(self, core: Core):
        self.core, self.sharing = core, Sharing(core)
        self.nested, self.types = set(nestable(core)), TypeTable(core.types)
        self.flattener = Flattener(core)
        given = all(isinstance(core.types.get(name), Scalar) for name in core.inputs)
        self.has_arrays = not given or any(isinstance(type_, Array) for type_ in core.types.values())
        self.expanded: set[str] = set()
        self.primal = {name for s in core.statements if s.role == 'primal' and (name := defined(s))}

    def run(self) -> Core:
        new = forward(self.core, self.step)
        return new if new is self.core else self.flattener.register(new)

    def step(self, statement: gast.stmt, facts: Facts) -> list[gast.stmt]:
        match statement:
            case gast.Assign(value=gast.BinOp(left=gast.Name(id=one), op=gast.BitAnd(), right=gast.Name(id=other))) if (
                tie := _tie(facts.known.get(one), facts.known.get(other))
            ):
                return [build.like(statement, value=tie)]
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Call(
                    func=gast.Name(id='numpy.where'), args=[gast.Name(id=flag), chosen, _]) | gast.IfExp(
                    test=gast.Name(id=flag), body=chosen)) if statement.role != 'primal' and _is_true(facts.known.get(flag)):
                alone = isinstance(chosen, gast.Name) and self.same_type(target, chosen) and self.sharing.grant(target, chosen.id)
                return [build.like(statement, value=chosen) if alone else statement]
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if isinstance(value, ARITHMETIC):
                return self.assignment(statement, target, value, facts)
        return [statement]

    def assignment(self, statement: gast.stmt, target: str, value: gast.expr, facts: Facts) -> list[gast.stmt]:
        if _settled.holds(statement, facts, self.nested):
            return [statement]
        free = statement.role != 'primal'
        self.expanded, around = set(), Surroundings(facts, self.nested)
        expanded = self.expand(value, around)
        new = self.simplified(expanded, around, free)
        shifted = False
        if free:
            # a sign or shift that others read too is looked through where it then costs nothing
            signless = self.expand(expanded, around, signs=True)
            if signless is not expanded:
                new = min(self.simplified(signless, around, free), new, key=self.cost)
                shifted = new is not expanded and _is_light(expanded) and _is_light(new)    # `m + 1` for `m = n - 2` is `n - 1`
        before, after = self.cost(expanded), self.cost(new)
        if new is expanded or not (after < before or shifted and after == before):
            _settled.add(statement, around)
            return [statement]
        if not self.same_type(target, new) or self.becomes_narrower(value, new):
            return [statement]
        if after[:2] == before[:2] and self.expanded & self.primal and not shifted:
            return [statement]      # only prettier, and what the user wrote is there already
        if isinstance(new, gast.Name) and not self.sharing.grant(target, new.id):
            return [statement]
        self.nested -= set(names(new))      # read here too from now on
        return self.flattener.assign(statement, new)

    @cached_property
    def integers(self) -> Reader:
        return Reader(self.core, perhaps_integers(self.core))

    @cached_property
    def flags(self) -> Reader:
        return Reader(self.core, perhaps_flags(self.core))

    def becomes_narrower(self, before: gast.expr, after: gast.expr) -> bool:
        """Whether what is a float for sure would be an integer at times: `t * 1.0`, where `t` may be one, is not `t`.

        Or what is a number for sure a flag: nor is `t * 1`, where `t` may be `True`.
        """
        if self.flags.is_flag(after) and not self.flags.is_flag(before):
            return True
        return self.integers.is_narrower(after) and not self.integers.is_narrower(before)

    def same_type(self, target: str, new: gast.expr) -> bool:
        """The new expression has the type that the name is known to have; without types, the rules have seen to it."""
        before, after = self.core.types.get(target), type_of(new, self.types)
        if before is None or isinstance(before, Unknown) or isinstance(after, Unknown) and not is_atom(new):
            return True
        if isinstance(before, Scalar) and isinstance(after, Scalar):
            return before.dtype == after.dtype and (before.weak == after.weak or not isinstance(new, gast.Constant))
        return alike(before, after) or isinstance(before, Array) and isinstance(after, Array) and before == after

    def cost(self, tree: gast.expr) -> tuple[int, int, int]:
        """What a rewriting must lower, so that rewriting comes to an end: operations on arrays, all operations, disorder."""
        work = [part for part in parts(tree) if isinstance(part, ARITHMETIC)]
        arrays = sum(isinstance(type_of(part, self.types), Array) for part in work)
        return arrays, len(work), sum(map(_misplaced, work)) + sum(isinstance(part, gast.Name) for part in parts(tree))

    def simplified(self, tree: gast.expr, around: Surroundings, free: bool) -> gast.expr:
        if not free:
            return simplify(tree, self.types, free)
        narrow = Spread(self.types, around).narrow(tree) if self.has_arrays else tree
        done = simplify(narrow, self.types, free)
        return share_products(done, lambda part: self.other_holder(part, around), self.is_number)

    def is_number(self, node: gast.expr) -> bool:
        return isinstance(type_of(node, self.types), Scalar)

    def other_holder(self, node: gast.expr, around: Surroundings) -> str | None:
        """A name that holds `node` and is not one of those whose values make up the expression at hand."""
        name = around.holder(node)
        return None if name in self.expanded else name

    def expand(
        self, node: gast.expr, around: Surroundings, depth: int = DEPTH, signs: bool = False, seen: Operators = SUMS
    ) -> gast.expr:
        """`node` with the temporaries that are read here only replaced by the arithmetic that they stand for.

        signs: names of negated and shifted values are replaced too, wherever else they are read.
        seen: what the operation around `node` may take in; a sum is one factor to a product, whatever its terms
        """
        match node:
            case gast.Name(id=name) if depth:
                value, inner = around.about(name)
                if (number := numpys_number(value)) is not None:
                    return number
                if isinstance(value, ARITHMETIC) and isinstance(value.op, seen) and (inner or signs and _is_light(value)):
                    self.expanded.add(name)
                    return self.expand(value, around, depth - 1, signs, seen)
            case gast.BinOp(left=left, op=symbol, right=right):
                one, other = (_seen_by(symbol, seen, is_right) for is_right in (False, True))
                first, second = self.expand(left, around, depth, signs, one), self.expand(right, around, depth, signs, other)
                return with_children(node, left=first, right=second)
            case gast.UnaryOp(operand=operand):
                return with_children(node, operand=self.expand(operand, around, depth, signs, seen))
        return node


def _seen_by(symbol: gast.operator, seen: Operators, is_right: bool) -> Operators:
    """What an operation may take in of its left or right side, if `seen` is what the one around it may."""
    match symbol:
        case gast.Add() | gast.Sub():
            return seen
        case gast.Mult() | gast.Div():
            return SIGNS if is_right and isinstance(symbol, gast.Div) else PRODUCTS
    return ()


def _tie(one: Fact | None, other: Fact | None) -> gast.expr | None:
    """`x == y`, if one is `x <= y` and the other `x >= y`."""
    if one is None or other is None or not isinstance(one.value, gast.Compare) or not isinstance(other.value, gast.Compare):
        return None
    first, second = one.value, other.value
    sides = [(operation_key(c.left), operation_key(c.comparators[0])) for c in (first, second)]
    if sides[0] != sides[1] or {type(c.ops[0]) for c in (first, second)} != {gast.LtE, gast.GtE}:
        return None
    return build.compare(first.left, gast.Eq, first.comparators[0])


def _is_true(flags: Fact | None) -> bool:
    """Whether all flags are set, whatever is asked besides; in derivatives there are as many as there is to choose."""
    match flags and flags.value:
        case gast.BinOp(left=left, op=gast.BitOr(), right=right):
            return any(isinstance(side, gast.Constant) and side.value is True for side in (left, right))
    return False


def _is_light(value: gast.expr) -> bool:
    """`-x`, `i + 1`: what the operation around it may take in without work."""
    match value:
        case gast.UnaryOp(op=gast.USub()) | gast.BinOp(op=gast.Add() | gast.Sub(), right=gast.Constant(value=int())):
            return True
    return False


def _misplaced(node: gast.expr) -> bool:
    """A constant factor that is not at the left of its product, or is only a sign; a product as the right factor; `i - -1`."""
    match node:
        case gast.BinOp(op=gast.Add() | gast.Sub(), right=gast.Constant(value=int() | float() as value)):
            return value < 0
        case gast.BinOp(op=gast.Mult(), right=gast.BinOp(op=gast.Mult() | gast.Div()) | gast.UnaryOp()):
            return True
        case gast.BinOp(left=left, op=gast.Mult(), right=gast.Constant()):
            return not isinstance(left, gast.Constant)
        case gast.BinOp(left=gast.Constant(value=value), op=gast.Mult()):
            return value in (1, -1)
    return False


def nestable(core: Core) -> frozenset[str]:
    """Temporaries that hold arithmetic and are read once, by arithmetic in the same block or one inside it."""
    statements, once = core.statements, read_once(core)
    arithmetic = [s for s in statements if isinstance(s, gast.Assign) and defined(s) and isinstance(s.value, ARITHMETIC)]
    once &= {name for s in arithmetic for name in occurrences(s)}
    return frozenset(name for s in arithmetic if (name := defined(s)) in once
                     and (core.is_temporary(name) or s.role != 'primal'))
