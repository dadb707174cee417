"""Whether a function is linear in some of its parameters, as a rule must be in the tangents that it is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import gast

from transpiler.analyses.memory.aliases import memory, tape_of
from transpiler.analyses.memory.effects import memory_reads
from transpiler.core.fixpoint import settled
from transpiler.core.language import Core
from transpiler.core.query import blocks, call_of, callee, changed_by, names, primitive
from transpiler.rules.base.registry import RULES
from transpiler.specialize.domain.operators import BINARY, UNARY

BLANKS = ('numpy.zeros', 'numpy.empty', 'numpy.zeros_like', 'numpy.empty_like')


@dataclass(frozen=True)
class Degree:
    """How a value depends on the parameters asked about, and where and why, if it is not linear.

    order: 0 is zero, 1 does not depend on them, 2 is linear, 3 is linear but for what is added, 4 is anything else
    """

    order: int
    where: gast.stmt | None = field(default=None, compare=False)
    why: str = field(default='', compare=False)

    @property
    def depends(self) -> bool:
        return self.order > 1


NOTHING, FIXED, LINEAR = Degree(0), Degree(1), Degree(2)


class Degrees:
    """The degrees of all names of a function, from those of its parameters; `functions` are those that it may call."""

    def __init__(self, core: Core, given: Sequence[Degree], functions: Mapping[str, Core], calling: Collection[str] = ()):
        self.core, self.functions, self.calling = core, functions, (*calling, core.name)
        self.memory = memory(core)
        self.found: dict[str, Degree] = dict(zip(core.inputs, given, strict=True))
        self.parts: dict[str, list[Degree]] = {}  # of what calls give
        self.results: list[Degree] = []
        self.here: gast.stmt | None = None
        settled({}, self._once)  # a name only ever goes up, when loops bring it something more

    def _once(self, before: dict[str, Degree]) -> dict[str, Degree]:
        self._block(self.core.body, FIXED)
        return dict(self.found)

    def _block(self, body: Iterable[gast.stmt], around: Degree) -> None:
        for statement in body:
            self.here = statement
            if blocks(statement):
                test = self._asked(getattr(statement, 'test', None) or getattr(statement, 'iter', None), 'a branch or loop')
                for inner in blocks(statement):
                    self._block(inner, max(test, around, key=lambda d: d.order))
            else:
                self._statement(statement, around)

    def _statement(self, statement: gast.stmt, around: Degree) -> None:
        match statement:
            case gast.Return(value=gast.Tuple(elts=elements)):
                self.results = [self._of(element) for element in elements]
            case gast.Return(value=value):
                self.results = [self._of(value)]
            case gast.Assign() | gast.Expr() if (call := call_of(statement)) is not None:
                self._call(statement, call, around)
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                self._enter([name], self._under(around, self._of(value)))
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value) | gast.AugAssign(
                target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value
            ):
                self._enter(self._shared(base), self._under(around, self._indexed(index, self._of(value))))
            case gast.Expr(value=gast.Call(args=[*_, value])) if (tape := tape_of(statement)) is not None:
                self._enter([tape], self._under(around, self._of(value)))

    def _shared(self, base: str) -> list[str]:
        return [base, *(other for other in self.core.types if other != base and self.memory.may_alias(other, base))]

    def _enter(self, targets: Iterable[str], degree: Degree) -> None:
        for name in targets:
            self.found[name] = self._sum([self.found.get(name, NOTHING), degree])

    def _under(self, around: Degree, degree: Degree) -> Degree:
        return around if around.order == 4 else degree

    def _call(self, statement: gast.stmt, call: gast.Call, around: Degree) -> None:
        """A call of another function: its parameters are what it is given here."""
        given, function = [self._of(argument) for argument in call.args], self.functions.get(str(callee(call)))
        if function is None or not any(degree.depends for degree in given):
            results = [FIXED]
        elif function.name in self.calling or any(given[k].depends for k, a in enumerate(call.args) if self._changes(call, a)):
            results = [self._anything('it is called with a function that calls itself, or writes')]
        else:
            results = Degrees(function, given, self.functions, self.calling).results
        if isinstance(statement, gast.Assign):
            name = statement.targets[0].id
            self.parts[name] = results
            self._enter([name], self._under(around, self._sum(results)))

    def _changes(self, call: gast.Call, argument: gast.expr) -> bool:
        return isinstance(argument, gast.Name) and argument.id in changed_by(gast.Expr(value=call))

    def _of(self, node: gast.expr | None) -> Degree:
        match node:
            case gast.Constant(value=value):
                return FIXED if value else NOTHING
            case gast.Name(id=name):
                return self.found.get(name, NOTHING)
            case gast.Attribute():
                return FIXED
            case gast.Subscript(value=gast.Name(id=name), slice=gast.Constant(value=int() as place)) if len(
                self.parts.get(name, ())
            ) > 1:
                return self.parts[name][place]
            case gast.Subscript(value=base, slice=index):
                return self._indexed(index, self._of(base))
            case gast.Tuple(elts=parts) | gast.List(elts=parts):
                return self._sum(map(self._of, parts))
            case gast.BinOp(left=left, op=op, right=right):
                return self._rule(node, BINARY[type(op)], [left, right], {})
            case gast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
                return self._rule(node, UNARY[type(op)], [operand], {})
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return self._rule(node, 'numpy.where', [test, body, orelse], {})
            case gast.Call() if (name := primitive(node) or '').startswith('tape.'):
                return self._sum(map(self._of, node.args[:1]))
            case gast.Call() if name in RULES:
                rule = RULES[name]
                operands, statics = rule.bind(node.args, {k.arg: k.value for k in node.keywords})
                return self._rule(node, name, operands, statics)
        return self._asked(node, 'what is asked here')

    def _rule(self, node: gast.expr, name: str, operands: Sequence[gast.expr], statics: Mapping[str, gast.expr]) -> Degree:
        rule, read = RULES[name], memory_reads(node)
        degrees = [self._of(operand) if read.issuperset(names(operand)) else FIXED for operand in operands]
        if name in BLANKS:
            return NOTHING
        for static in statics.values():
            degrees.append(self._asked(static, f'`{name}`'))
        if not any(degree.depends for degree in degrees):
            return NOTHING if rule.jointly_linear and not any(d.order for d in degrees) else FIXED
        if worst := next((degree for degree in degrees if degree.order == 4), None):
            return worst
        if name == 'numpy.where':
            asked = self._asked(operands[0], 'a selection')
            return asked if asked.depends else self._sum(degrees[1:3])
        if rule.jointly_linear:
            return self._sum(degrees[: len(operands)])
        depending = [k for k, degree in enumerate(degrees) if degree.depends]
        if len(depending) == 1 and rule.names_of(operands)[depending[0]] in (*rule.linear_in, *rule.scales):
            others = (degree for k, degree in enumerate(degrees[: len(operands)]) if k != depending[0])
            return NOTHING if name == 'numpy.multiply' and NOTHING in others else degrees[depending[0]]
        called = name.removeprefix('python.').replace('numpy.', 'np.')
        why = 'of a tangent is not linear in it' if len(depending) == 1 else 'takes several values that depend on tangents'
        return self._anything(f'`{called}` {why}')

    def _indexed(self, index: gast.expr, degree: Degree) -> Degree:
        asked = self._asked(index, 'an index')
        return asked if asked.depends else degree

    def _asked(self, node: gast.expr | None, what: str) -> Degree:
        """What depends on the values of `node` depends on them in no linear way."""
        depending = any(self.found.get(name, NOTHING).depends for name in (memory_reads(node) if node is not None else ()))
        return self._anything(f'{what} depends on the value of a tangent') if depending else FIXED

    def _anything(self, why: str) -> Degree:
        return Degree(4, self.here, why)

    def _sum(self, degrees: Iterable[Degree]) -> Degree:
        """What a sum depends on, or a value that is one of several."""
        found = [degree for degree in degrees if degree.order]
        if not found:
            return NOTHING
        worst = max(found, key=lambda degree: degree.order)
        if worst == LINEAR and FIXED in found:
            return Degree(3, self.here, 'something is added that does not depend on tangents')
        return worst


def not_linear(core: Core, late: Collection[str], functions: Mapping[str, Core], first: int) -> Degree | None:
    """Of what `core` gives from position `first` on, the first that is not linear in the parameters `late`, if there is one.

    >>> from transpiler.core.text import parse
    >>> square = parse('y = x * x_dot; z = y * x_dot; return x, z', params=['x', 'x_dot'])
    >>> not_linear(square, ['x_dot'], {}, 1).why
    '`np.multiply` takes several values that depend on tangents'
    >>> not_linear(parse('y = x * x_dot; return x, y', params=['x', 'x_dot']), ['x_dot'], {}, 1)
    """
    found = Degrees(core, [LINEAR if name in late else FIXED for name in core.inputs], functions)
    return next((degree for degree in found.results[first:] if degree.order not in (0, 2)), None)
