"""What moves: flags beside tangents that meet infinite slopes, which tell where nothing flows from zeros that happen to be."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from typing import TYPE_CHECKING

import gast
import numpy as np

from transpiler.analyses.activity import differentiable_reads, flows, upstream
from transpiler.analyses.memory.aliases import Memory, tape_of
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.flow_sensitive_aliases import is_view_noticed
from transpiler.analyses.memory.memory_order import by_order, lies_in_c_order
from transpiler.core import build
from transpiler.core.indices import may_repeat
from transpiler.core.query import call_of, changed_by, defined, names, primitive
from transpiler.core.variables import Var
from transpiler.rules.base.registry import RULES, Rule
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.operators import BINARY
from transpiler.specialize.structures.container import Container
from transpiler.transforms.sweeps.borders import bordered
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.influence_flags import ADDING, MULTIPLYING, SORTING
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import BOOL, Array, Scalar, Tape, Type

if TYPE_CHECKING:
    from transpiler.transforms.forward.sweep import TangentSweep

MOVES, RESTS = Known(True), Known(False)


class Moving(Part):
    """`flags` holds, for names from which a steep operation is reached, whether their items depend on an input that moves.

    A flag is true or false for all items, or an array of them. It follows from the program alone, never from the values of
    tangents but those of the inputs: a tangent may well be zero where something flows. Names without one move.
    """

    def __init__(self, sweep: TangentSweep):
        super().__init__(sweep)
        self.flags: dict[str, Binding] = {}
        self.flag_cells: dict[str, Var] = {}
        self.written_flags: set[str] = set()
        self.wild: frozenset[str] = frozenset()  # names for what has a slope that a zero of no influence may meet
        self.watched: frozenset[str] = frozenset()

    def with_items(self, some: Iterable[str]) -> frozenset[str]:
        """The names of numbers and arrays."""
        return frozenset(name for name in some if isinstance(self.core.types.get(name), (Scalar, Array)))

    def seed(self, name: str, dot: Binding) -> None:
        """What an input is moved by, given as its tangent, tells which of its items move at all."""
        if name in self.watched:
            flag = self.ev.compare(gast.NotEq, dot, ZERO)
            self.ev.builder.rename_hint(flag.name, *self._flag_called(name))
            self.hold_flag(name, flag, dot)

    def moves_of(self, operand: Binding) -> Binding:
        match operand:
            case Container(items=items):
                return operand.anew(tuple(map(self.moves_of, items)))
            case Var(name) if self.sweep.dot_of(operand) != ZERO:
                return self.flags.get(name, MOVES)
        return RESTS

    def counting(self, target: str, operand: Binding, dot: Binding, slope: Binding) -> Binding:
        """`slope * dot`, and 0 where the slope is infinite and nothing moves."""
        product = self.sweep.times(dot, slope)
        flag = self.moves_of(operand) if target in self.wild else MOVES
        if flag == MOVES or isinstance(slope, Known) or isinstance(dot, Known):
            return product
        return self.sweep.flags.where_it_counts(flag, product, slope)

    def by_forward_mode(
        self, rule: Rule, target: str, operands: list[Binding], statics: dict[str, Binding], dots: list[Binding]
    ) -> Binding:
        """The sum over what moves alike, and 0 where the result is infinite, or no number, and nothing of it moves."""
        flags = [self.moves_of(operand) if target in self.wild else MOVES for operand in operands]
        terms = []
        for flag in dict.fromkeys(flag for flag, dot in zip(flags, dots, strict=True) if dot != ZERO):
            alike = [dot if own == flag else ZERO for own, dot in zip(flags, dots, strict=True)]
            term = self.sweep.tangents.by_forward_template(rule, target, operands, statics, alike)
            terms.append((1, term if flag == MOVES else self.sweep.flags.where_it_counts(flag, term, self.sweep.answer(target))))
        return self.sweep.tangents.sum(terms)

    def hold_flag(self, name: str, flag: Binding, dot: Binding, shown: bool = False) -> None:
        """Make `flag` that of `name`, whose tangent is `dot` from here on; `shown`: the name is one more for the same memory."""
        if name not in self.watched:
            return
        ev, type_ = self.ev, self.type_of(name)
        kept = isinstance(flag, Var) and flag.name in self.written_flags
        if isinstance(type_, Scalar):
            flag = self.sweep.flags.any_of(flag)
        elif isinstance(type_, Tape):
            pass
        elif name in self.sweep.statements.own_flags and not (
            shown and self.sweep.flags.has_items(flag, name) or self._is_whole(flag, dot)
        ):
            flag = self.sweep.flags.for_each(dot, flag)
        elif kept and not shown:
            flag = ev.operate_by_name('numpy.copy', [flag])
        called = self._flag_called(name)
        if isinstance(flag, Var) and self.sweep.tangents.is_new(flag):
            ev.builder.rename_hint(flag.name, *called)
        if name in self.sweep.statements.several:
            if name not in self.flag_cells:
                self.flag_cells[name] = ev.builder.fresh(called[0], self.sweep.list_flags.flag_type(name), called[1])
            ev.builder.assign(self.flag_cells[name].name, self.sweep.atom(flag))
            flag = self.flag_cells[name]
        elif isinstance(flag, Var) and any(cell.name == flag.name for cell in self.flag_cells.values()):
            flag = ev.builder.define(called[0], build.name(flag.name), self.value_type(flag))
        if isinstance(flag, Var) and name in self.sweep.statements.own_flags and not isinstance(type_, Scalar):
            self.written_flags.add(flag.name)
        self.flags[name] = flag

    def _flag_called(self, name: str) -> tuple[str, bool]:
        """What the flag of `name` is called, and whether it is a temporary."""
        return f'{self.core.base(name).rstrip("_")}_moves', self.core.is_temporary(name) and name not in self.core.inputs

    def flag_type(self, name: str) -> Type:
        type_ = self.type_of(name)
        return BOOL if isinstance(type_, Scalar) else Array(np.dtype(bool), type_.dims) if isinstance(type_, Array) else type_

    def _is_whole(self, flag: Binding, dot: Binding) -> bool:
        own, whole = self.value_type(flag), self.value_type(dot)
        fits = isinstance(own, Array) and isinstance(whole, Array) and own.dims is not None and own.dims == whole.dims
        return fits and self.sweep.tangents.is_new(flag)

    def unwatched(self, found: Memory) -> frozenset[str]:
        """The names whose memory is written where flags do not follow: by functions, through views that may be copies."""
        odd = set()
        for statement in self.core.statements:
            name, value = defined(statement), getattr(statement, 'value', None)
            if call_of(statement) is not None:
                odd |= {*changed_by(statement), *([name] if name else [])}
            elif name in self.sweep.statements.own_flags and isinstance(statement, gast.Assign):
                plain = is_fresh(value) or isinstance(value, (gast.Name, gast.Subscript, gast.Constant)) or self._shows(value)
                unnoticed = by_order(value) and not is_view_noticed(self.core, name)
                followed = plain and tape_of(statement) is None or unnoticed or self.sweep.list_flags.is_taken(name, value)
                odd |= set() if followed else {name}
        return self._sharing(found, odd)

    def is_taken(self, name: str, value: gast.expr) -> bool:
        """Whether a name has an item of a list, and no write through it gets lost; `ListFlags` knows them."""
        return False

    def watch(self, found: Memory) -> None:
        """Find what has flags: what flows into wild names, and all names for its memory, unless flags cannot follow."""
        self.wild = self.sweep.flags.singular.finite
        if self.sweep.flags.singular.wild - self.wild:
            self.wild |= self.sweep.flags.singular.wild & bordered(self.core, self.active)
        if self.wild:
            self.watched = self.sweep.list_flags.with_items(upstream(self.wild, flows(self.core, differentiable_reads)))
            sharing = self.sweep.list_flags.with_items(self._sharing(found, self.watched & self.sweep.statements.own_flags))
            self.watched = (self.watched | sharing) - self.unwatched(found)

    def _sharing(self, found: Memory, those: Collection[str]) -> frozenset[str]:
        own = self.sweep.statements.own_flags
        return frozenset(n for n in own if any(n == other or found.may_alias(n, other) for other in those))

    def _shows(self, value: gast.expr) -> bool:
        """Whether a call certainly gives a view."""
        called = primitive(value) or ''
        ordered = not by_order(value) or lies_in_c_order(self.core, value.args[0])
        return called in RULES and RULES[called].view and ordered

    def flag(self, target: str, operation: gast.expr) -> Binding:
        """Whether something that moves flows into what an operation gives."""
        if not any(name in self.active for name in names(operation)):
            return RESTS
        match operation:
            case gast.Name(id=source):
                return self.moves_of(self.variable(source))
            case gast.Subscript(value=gast.Name(id=base), slice=index) if base in self.active:
                flag = self.moves_of(self.variable(base))
                if self.sweep.flags.has_items(flag, base):
                    return self.ev.load(flag, self.sweep.tangents.index(index))
                return self.sweep.flags.any_of(flag)
            case gast.IfExp(test=test, body=body, orelse=orelse):
                return self._selected(self.binding(test), *(self.moves_of(self.binding(side)) for side in (body, orelse)))
            case gast.BinOp(left=left, op=op, right=right):
                return self._by_rule_flag(RULES[BINARY[type(op)]], [self.binding(left), self.binding(right)], {})
            case gast.UnaryOp(operand=operand):
                return self.moves_of(self.binding(operand))
            case gast.Call() if (name := primitive(operation) or '') in RULES:
                rule = RULES[name]
                nodes, statics = rule.bind(operation.args, {k.arg: k.value for k in operation.keywords})
                operands = list(map(self.binding, nodes))
                return self._by_rule_flag(rule, operands, {key: self.binding(node) for key, node in statics.items()})
        return MOVES

    def _by_rule_flag(self, rule: Rule, operands: list[Binding], statics: dict[str, Binding]) -> Binding:
        flags = list(map(self.moves_of, operands))
        if rule.name == 'numpy.where':
            return self._selected(operands[0], *flags[1:])
        if rule.kind == 'elementwise' or rule.name in ('numpy.astype', 'python.float', 'numpy.real', 'numpy.imag'):
            return reduce(self.sweep.flags.either, flags, RESTS)
        parts = [flag for one in flags for flag in (one.items if isinstance(one, Container) else (one,))]
        has_items = isinstance(operands[0], Var) and self.sweep.flags.has_items(flags[0], operands[0].name)
        if rule.view and len(operands) == 1 and has_items:
            return self.ev.operations.operate(rule, flags, statics)
        if rule.name in ADDING and not any(isinstance(value, Var) for value in statics.values()):
            each = zip(rule.names_of(operands), operands, flags, strict=True)
            given = [self._given(rule, name, operand, flag) for name, operand, flag in each]
            if None not in given:
                return self._arranged(rule, given, statics)
        if rule.name in SORTING and isinstance(operands[0], Var) and self.sweep.flags.has_items(flags[0], operands[0].name):
            return self.sweep.derivatives.by_template(rule, rule.jvp, [*flags, *operands], statics)
        if rule.name in MULTIPLYING:
            return self._of_products(rule, operands, flags, statics)
        if any(isinstance(part, Container) for part in parts):
            return MOVES
        return reduce(self.sweep.flags.either, map(self.sweep.flags.any_of, dict.fromkeys(parts)), RESTS)

    def _selected(self, test: Binding, one: Binding, other: Binding) -> Binding:
        """The flags of a selection; where they are numbers, so is the test."""
        if one == other:
            return one
        if all(isinstance(self.value_type(part), Scalar) for part in (test, one, other)):
            return self.ev.selections.select(test, one, other)
        return self.ev.operate_by_name('numpy.where', [test, one, other])

    def _of_products(
        self, rule: Rule, operands: list[Binding], flags: list[Binding], statics: dict[str, Binding]
    ) -> Binding:
        """What a product takes of each operand that moves, whatever it is multiplied with."""
        found = RESTS
        for place, (operand, flag) in enumerate(zip(operands, flags, strict=True)):
            if (filled := self._spread(operand, flag)) is None:
                return MOVES
            if flag != RESTS:
                others = [filled if k == place else self.sweep.flags.ones_for(other) for k, other in enumerate(operands)]
                taken = self.sweep.flags.set_where(self.ev.operations.operate(rule, others, statics))
                found = self.sweep.flags.either(found, taken)
        return found

    def _arranged(self, rule: Rule, flags: list[Binding], statics: dict[str, Binding]) -> Binding:
        """The flags of what an operation puts together of items with these."""
        if rule.name not in ('numpy.sum', 'numpy.mean'):
            return self.sweep.flags.set_where(self.ev.operations.operate(rule, flags, statics))
        kept = {key: value for key, value in statics.items() if key in ('axis', 'keepdims')}
        made = self.ev.operations.operate(RULES['numpy.any'], flags, kept)
        if isinstance(made, Var):
            self.ev.builder.rename_hint(made.name, self.sweep.flagged, temporary=True)
        return made

    def _given(self, rule: Rule, name: str, operand: Binding, flag: Binding) -> Binding | None:
        """A flag for every item of an operand; indices, by which a rule is not linear, stay what they are."""
        return operand if rule.linear_in and name not in rule.linear_in else self._spread(operand, flag)

    def _spread(self, operand: Binding, flag: Binding) -> Binding | None:
        """A flag for every item of an operand; None if that cannot be told."""
        if isinstance(operand, Container):
            parts = [self._spread(item, part) for item, part in zip(operand.items, flag.items, strict=True)]
            return None if None in parts else operand.anew(tuple(parts))
        type_ = self.value_type(operand)
        if isinstance(type_, Scalar):
            return flag
        if not isinstance(type_, Array) or type_.dims is None or not isinstance(operand, Var):
            return None
        if isinstance(flag, Var) and getattr(self.value_type(flag), 'dims', None) == type_.dims:
            return flag
        return self.sweep.flags.for_each(operand, flag)

    def mark(self, base: str, index: gast.expr, value: gast.expr, adds: bool) -> None:
        """A write into an array: its flags change in the same place."""
        flags, flag = self.flags.get(base), self.moves_of(self.binding(value))
        if base not in self.watched or not isinstance(flags, Var) or adds and flag == RESTS:
            return
        if adds:
            before = lambda: self.ev.load(flags, self.sweep.tangents.index(index))
            flag = MOVES if may_repeat(index, self.core.types) else self.sweep.flags.either(before(), flag)
        self.ev.builder.assign(build.subscript(flags.name, index), self.ev.operand(flag)[0])
