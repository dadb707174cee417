"""Where numbers that are finite may turn infinite, or into none: in values, and in their slopes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import gast

from transpiler.analyses.activity import differentiable_reads, downstream, flows
from transpiler.analyses.dataflow.memo import memoised
from transpiler.core.fixpoint import closure
from transpiler.core.language import Core, leaves
from transpiler.core.query import defined, primitive, written
from transpiler.rules.base.registry import RULES, Rule
from transpiler.specialize.domain.operators import BINARY

NEVER_NEGATIVE = frozenset({'numpy.exp', 'numpy.exp2', 'numpy.sqrt', 'numpy.square', 'numpy.absolute', 'python.abs'})
AT_ZERO = frozenset(f'numpy.{name}' for name in ('sqrt', 'cbrt', 'power', 'float_power', 'reciprocal', 'log', 'log2', 'log10'))
OF_ITEMS = frozenset(f'numpy.{name}' for name in '''
    mean max min amax amin reshape ravel transpose expand_dims squeeze broadcast_to copy swapaxes'''.split())
ZEROS = ('numpy.zeros', 'numpy.zeros_like', 'tape.zeros', 'tape.zeros_like')
ON_LISTS = ('tape.of', 'tape.copy', 'tape.array', 'tape.item', 'tape.pop')
UNITS = ('numpy.eye', 'numpy.identity')  # the rows that derivatives are taken by


@dataclass(frozen=True)
class Singular:
    """What comes of singular operations.

    steep:  the names for what they give, whose derivative by an operand may be infinite, or no number
    values: those that may hold what is not finite; slopes: those whose derivatives by something before them may not be
    finite: of the steep ones, those that have an infinite derivative where they are finite themselves
    wild:   the names for what is steep, or computed item by item from what may not be finite
    """

    steep: frozenset[str]
    values: frozenset[str]
    slopes: frozenset[str]
    finite: frozenset[str]
    wild: frozenset[str]


@memoised
def singular(core: Core) -> Singular:
    """The names of a program that come after a singular operation.

    >>> from transpiler.core.text import parse
    >>> found = singular(parse('y = np.sqrt(x); z = y * 2.0; v = np.log(x); w = v / 3.0; s = x / (1.0 + x * x); return s'))
    >>> sorted(found.values), sorted(found.slopes)
    (['v', 'w'], ['v', 'w', 'y', 'z'])
    """
    signs = _Signs(core)
    poles, steep, scaled = {name for param in core.params if param.wild for name in leaves(param.tree)}, set(), []
    for statement in core.statements:
        name = defined(statement)
        if not isinstance(statement, gast.Assign) or name is None:
            continue
        for rule, operands in _operations(statement.value):
            if rule.kind == 'elementwise' and not rule.jointly_linear:
                scaled.append((name, [operand.id for operand in operands if isinstance(operand, gast.Name)]))
            if signs.keeps_away(rule, operands):
                continue
            if has(rule.poles, operands):
                poles.add(name)
            if has(rule.steep, operands):
                steep.add(name)
    if not poles | steep:
        return Singular(*[frozenset()] * 5)
    found = flows(core, differentiable_reads)
    values, slopes = downstream(poles, found), downstream(poles | steep, found)
    wild = poles | steep | {name for name, operands in scaled if not values.isdisjoint(operands)}
    return Singular(frozenset(poles | steep), frozenset(values), frozenset(slopes), frozenset(steep), frozenset(wild))


def has(question, operands: Sequence[gast.expr]) -> bool:
    """What a rule answers for operands of which only constants are known."""
    known = [operand.value if isinstance(operand, gast.Constant) else None for operand in operands]
    return question is not None and bool(question(*known))


def _operations(node: gast.expr) -> Iterator[tuple[Rule, list[gast.expr]]]:
    match node:
        case gast.BinOp(left=left, op=op, right=right):
            yield RULES[BINARY[type(op)]], [left, right]
        case gast.Call() if (name := primitive(node) or '') in RULES:
            rule = RULES[name]
            yield rule, rule.bind(node.args, {k.arg: k.value for k in node.keywords})[0]


class _Signs:
    """What is certainly well above zero, or not negative: names that are given a value once."""

    def __init__(self, core: Core):
        self.types = core.types
        self.made: dict[str, gast.expr | None] = dict.fromkeys(core.inputs)
        for statement in core.statements:
            if (name := defined(statement)) is not None:
                self.made[name] = None if name in self.made else getattr(statement, 'value', None)
        self.made.update(dict.fromkeys(filter(None, map(written, core.statements))))

    def _rank(self, name: str) -> int | None:
        return getattr(self.types.get(name), 'ndim', None)

    def _is_complex(self, name: str) -> bool:
        return getattr(getattr(self.types.get(name), 'dtype', None), 'kind', '') == 'c'

    def keeps_away(self, rule: Rule, operands: Sequence[gast.expr]) -> bool:
        """Whether what is singular at zero meets something positive."""
        critical = operands[1:] if rule.name == 'numpy.true_divide' else operands[:1] if rule.name in AT_ZERO else ()
        return bool(critical) and self.is_positive(critical[0])

    def is_positive(self, node: gast.expr, strictly: bool = True) -> bool:
        match node:
            case gast.Constant(value=int() | float() as value):
                return value > 0 or not strictly and value == 0
            case gast.Attribute(attr='size') | gast.Subscript(value=gast.Attribute(attr='shape')):
                return True  # of an empty array there is nothing to tell
            case gast.Name(id=name):
                made = self.made.get(name)
                return made is not None and not self._is_complex(name) and self.is_positive(made, strictly)
            case gast.Call(func=gast.Name(id='python.float' | 'numpy.float64'), args=[inner]):
                return self.is_positive(inner, strictly)
            case gast.BinOp(left=left, op=gast.Add(), right=right):
                either = self.is_positive(left) or self.is_positive(right) if strictly else True
                return either and self.is_positive(left, False) and self.is_positive(right, False)
            case gast.BinOp(left=gast.Name(id=one), op=op, right=gast.Name(id=other)) if one == other and not strictly:
                return isinstance(op, gast.Mult | gast.Div) or isinstance(op, gast.MatMult) and self._rank(one) == 1
            case gast.BinOp(op=gast.Pow(), right=gast.Constant(value=int() as power)) if power % 2 == 0 and not strictly:
                return True
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div(), right=right):
                return self.is_positive(left, strictly) and self.is_positive(right, strictly)
            case gast.Subscript(value=gast.Name() as base):
                return self.is_positive(base, strictly)
            case gast.IfExp(body=left, orelse=right) | gast.Call(func=gast.Name(id='numpy.where'), args=[_, left, right]):
                return self.is_positive(left, strictly) and self.is_positive(right, strictly)
            case gast.Call(func=gast.Name(id='numpy.maximum'), args=[left, right]):
                return self.is_positive(left, strictly) or self.is_positive(right, strictly)
            case gast.Call(func=gast.Name(id='numpy.sqrt'), args=[inner]) if strictly:
                return self.is_positive(inner)
            case gast.Call(func=gast.Name(id='numpy.sum'), args=[inner, *_]):
                return not strictly and self.is_positive(inner, False)  # a sum of nothing is 0
            case gast.Call(func=gast.Name(id=name), args=[inner, *_]) if name in OF_ITEMS:
                return self.is_positive(inner, strictly)
            case gast.Call(func=gast.Name(id=name), args=[_]):
                return not strictly and name in NEVER_NEGATIVE
        return False


@memoised
def sparse(core: Core) -> frozenset[str]:
    """The tangents and cotangents in a program whose zeros may stand for no influence: of memory made of zeros, of selections.

    What such a zero is multiplied by has no influence either, be its slope infinite: `(u * v)' = u' * v` where `u` is 0.

    >>> from transpiler.core.text import parse
    >>> core = parse('''y = np.zeros_like(x)
    ... # pullback
    ... a = np.zeros_like(x); a[1] = 1.0; b = a * y; c = b + y; d = -b
    ... return d''')
    >>> sorted(sparse(core))
    ['a', 'b', 'd']
    """
    seeds = {name for param in core.params if param.seed for name in leaves(param.tree)}
    made = [(name, s) for s in core.statements if isinstance(s, gast.Assign) and (name := defined(s)) is not None]
    derived = [(name, s.value) for name, s in made if s.role != 'primal']
    return frozenset(closure(seeds, lambda found: (name for name, value in derived if _is_sparse(value, found))))


def _is_sparse(node: gast.expr, found: Collection[str]) -> bool:
    inside = lambda part: isinstance(part, gast.Name) and part.id in found
    match node:
        case gast.Call(func=gast.Name(id=name)) if name in UNITS or name in ZEROS:
            return True
        case gast.Call(func=gast.Name(id='numpy.where'), args=[_, one, other]) | gast.IfExp(body=one, orelse=other):
            return any(isinstance(part, gast.Constant) and part.value == 0 for part in (one, other))
        case gast.BinOp(left=left, op=gast.Mult(), right=right):
            return inside(left) or inside(right)
        case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
            return inside(left) and inside(right)
        case gast.UnaryOp(operand=part) | gast.Subscript(value=part) | gast.BinOp(left=part, op=gast.Div()):
            return inside(part)
        case gast.Name():
            return inside(node)
        case gast.Call(func=gast.Name(id=name), args=[first, *_]) if name in ON_LISTS or name in RULES and RULES[name].view:
            return inside(first)
    return False
