"""The tangent statements among those of the primal: first to last, control flow kept once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import gast

from transpiler.analyses.memory.aliases import shared_part, tape_of
from transpiler.analyses.memory.effects import is_fresh
from transpiler.analyses.memory.flow_sensitive_aliases import is_view_noticed
from transpiler.analyses.memory.memory_order import by_order
from transpiler.analyses.memory.order_dependent_views import undecided
from transpiler.analyses.memory.views import is_reshaped_vector
from transpiler.core import build
from transpiler.core.query import all_reads, all_written, call_of, defined, names, parts, primitive
from transpiler.core.variables import Var
from transpiler.errors import NotDifferentiable
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.forward.influence import MOVES, RESTS
from transpiler.transforms.forward.primitives import Dot
from transpiler.transforms.shared.unfollowed_writes import may_be_a_copy
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.part import Part
from transpiler.values.types import Array, Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.forward.sweep import TangentSweep

Block = list[gast.stmt]
IN_ORDER = {'numpy.copy', 'numpy.zeros_like'}


class TangentStatements(Part):
    """`block` writes statements and their tangents.

    cells:  the tangents of names that are assigned at several places: variables that are assigned there too
    mirrors: the names whose memory is written, and all that may share it; their tangents have memory of their own, which is
            written and shared in the same way
    """

    def __init__(self, sweep: TangentSweep, apart: bool):
        super().__init__(sweep)
        core, found, active = sweep.core, sweep.memory, sweep.active
        self.opened: dict[str, list[tuple[Binding, Binding]]] = {}  # what calls with rules give, and the tangents
        self.answers: dict[str, Container] = {}  # what primitives with several results give
        arrays = [name for name in active if isinstance(core.types.get(name), (Array, Tape)) or found.of(name)]
        self.mirrors = {name for name in arrays if apart or found.of(name) & found.written}
        self.cells: dict[str, Var] = {}
        self.written: set[str] = set()  # the variables that hold the tangents of mirrors
        self.assigned = Counter([*core.inputs, *filter(None, map(defined, core.statements))])
        self.several = {name for name, count in self.assigned.items() if count > 1 and name in active}  # at several places
        self.own_flags = frozenset(self.several | self.mirrors)  # names whose flags have memory of their own
        self.in_order = any(self._decided_by_order(statement) for statement in core.statements)

    def _decided_by_order(self, statement: gast.stmt) -> bool:
        """Whether a statement gives a view, which is noticed, only because memory lies in C order, as it is known to."""
        name = defined(statement)
        if name not in self.mirrors or not isinstance(statement, gast.Assign):
            return False
        for made, call in undecided(self.core):
            if made is statement:
                raise may_be_a_copy(self.core, statement, call)
        reshapes = (part for part in parts(statement.value) if by_order(part) and not is_reshaped_vector(self.core, part))
        return any(reshapes) and is_view_noticed(self.core, name)

    def start(self, name: str, dot: Var | None) -> None:
        """Begin with `dot` as the tangent of an input; without one it has none."""
        if dot is not None:
            self._hold(name, Dot(dot))
            if name in self.several:
                self.cells[name] = dot
        elif name in self.several or name in self.mirrors:
            self.assign(name, Dot(), fresh=True, flag=RESTS)

    def block(self, body: list[gast.stmt]) -> None:
        for statement in body:
            with self.ev.builder.at(statement.origin, self.sweep.role):
                self._statement(statement)

    def _statement(self, statement: gast.stmt) -> None:
        builder, self.sweep.here = self.ev.builder, statement
        match statement:
            case gast.If(body=[gast.Break()]):
                builder.append(statement)
            case gast.If(body=body, orelse=orelse):
                builder.append(build.like(statement, body=self.arm(body), orelse=self.arm(orelse)))
            case gast.For(body=body) | gast.While(body=body):
                builder.append(build.like(statement, body=self.arm(body)))
            case gast.Assign() | gast.Expr() if call_of(statement) is not None:
                self.sweep.calls.call(statement)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript(value=gast.Name(id=base), slice=index)) \
                    if base in self.opened:
                self.give(name, *self.opened[base][index.value])
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call) \
                    if name in self.active and isinstance(self.core.types[name], tuple):
                self._several(statement, name, call)
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if name in self.active:
                self._assignment(statement, name, value)
            case gast.Assign() if tape_of(statement) in self.active:  # what is taken from a list without being used
                self.ev.tapes.pop_tape(self.sweep.tangents.dots[tape_of(statement)].value)
                self.sweep.list_flags.mark_pop(tape_of(statement))
                builder.append(statement)
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=base), slice=index)], value=value) if base in self.active:
                place = build.subscript(self.sweep.tangents.dots[base].value.name, index)
                builder.assign(place, self.atom(self.sweep.dot_of(self.binding(value))))
                self.sweep.moving.mark(base, index, value, adds=False)
                builder.append(statement)
            case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=base), slice=index), value=value) if base in self.active:
                if (added := self.sweep.dot_of(self.binding(value))) != ZERO:
                    builder.accumulate(build.subscript(self.sweep.tangents.dots[base].value.name, index), self.atom(added))
                    self.sweep.moving.mark(base, index, value, adds=True)
                builder.append(statement)
            case gast.Expr(value=gast.Call(args=[_, *operands]) as call) if tape_of(statement) in self.active:
                self._list_effect(str(primitive(call)), self.sweep.tangents.dots[tape_of(statement)].value, operands)
                self.sweep.list_flags.mark_list(tape_of(statement), str(primitive(call)), operands)
                builder.append(statement)
            case _:
                builder.append(statement)

    def arm(self, body: Block) -> Block:
        with self.ev.sizes.perhaps_run() as block:
            self.block(body)
        return block

    def atom(self, value: Binding) -> gast.expr:
        tape = isinstance(value, Var) and isinstance(self.ev.builder.types[value.name], Tape)
        return build.name(value.name) if tape else self.ev.operand(value)[0]

    def _assignment(self, statement: gast.stmt, name: str, value: gast.expr) -> None:
        """`v = op(a)`: its tangent comes first, unless it reads `v`."""
        with self.ev.builder.nested() as block:
            flag = self.sweep.list_flags.flag(name, value) if name in self.sweep.moving.watched else MOVES
            dot = self.sweep.tangents.tangent(name, value)
            self.assign(name, dot, fresh=is_fresh(value), shown=not is_fresh(value), flag=flag)
        block = self.needed(block, self.sweep.tangents.dots[name].value, self.sweep.moving.flags.get(name, MOVES))
        made = {n: s.value for s in block if (n := defined(s)) is not None and n not in self.cell_names}
        self.sweep.derivatives.define(made)
        late = name in all_reads(block)
        if late and name in names(value):
            raise NotDifferentiable(f'`{self.core.base(name)}` is overwritten by what is computed from it', statement.origin)
        self.ev.builder.block.extend([statement, *block] if late else [*block, statement])

    def _several(self, statement: gast.stmt, name: str, call: gast.Call) -> None:
        """`r = primitive(a)` with several results, which are given to their names with their tangents."""
        self.ev.builder.append(statement)
        types = self.type_of(name)
        self.answers[name] = Tuple(tuple(
            self.ev.builder.define('part', build.subscript(name, k), type_) for k, type_ in enumerate(types)))
        dots = self.sweep.tangents.tangent(name, call).value
        dots = dots.items if isinstance(dots, Container) else [dots] * len(types)
        self.opened[name] = list(zip(self.answers[name].items, dots, strict=True))

    def answer(self, name: str) -> Binding:
        return self.answers.get(name) or self.sweep.derivatives.answer(name)

    @property
    def cell_names(self) -> set[str]:
        return {cell.name for cell in self.cells.values()}

    def give(self, name: str, value: Binding, dot: Binding) -> None:
        """`name = value`, which has the tangent `dot`."""
        self.ev.builder.assign(name, self.atom(value))
        if name in self.active:
            self.assign(name, Dot(dot), fresh=True)

    def needed(self, block: Block, *given: Binding) -> Block:
        """The statements of `block` that its tangent needs, and the flags beside it."""
        needed, kept = {one.name for one in given if isinstance(one, Var)}, []
        for statement in reversed(block):
            if isinstance(statement, gast.Assign) and tape_of(statement) is None and defined(statement) not in needed | {None}:
                continue
            needed |= all_reads([statement]) | all_written([statement])
            kept.append(statement)
        return kept[::-1]

    def assign(self, name: str, dot: Dot, fresh: bool, shown: bool = False, flag: Binding = MOVES) -> None:
        """Make `dot` the tangent of `name` from here on; `fresh`: the name has new memory; `shown`: that of another name."""
        builder, type_, value = self.ev.builder, self.type_of(name), dot.value
        if not isinstance(type_, Tape):
            value = self._of_type(name, dot, fresh, shown)
        elif dot.is_zero:
            value = self.ev.tapes.zero_list(self.variable(name))
        if name in self.several:
            cell = self.cells.setdefault(name, self.sweep.derivatives.cell(name))
            builder.assign(cell.name, self.atom(value))
            value, dot = cell, Dot()
        elif isinstance(value, Var) and (value.name in self.core.types or value.name in self.cell_names):
            value = builder.define(self.sweep.called(name)[0], build.name(value.name), builder.types[value.name])
        self._hold(name, Dot(value, dot.small))
        if value != ZERO or name in self.own_flags:
            self.sweep.moving.hold_flag(name, flag, value, shown)

    def _of_type(self, name: str, dot: Dot, fresh: bool, shown: bool) -> Binding:
        """The tangent in the dtype of `name`, and in its shape and in memory of its own where that is needed."""
        value, type_ = dot.value, self.type_of(name)
        value = value if value == ZERO else self.sweep.cast(value, type_)
        owned = self.sweep.tangents.is_new(value) and self.sweep.derivatives.is_owned(value)
        if self.in_order and owned:
            owned = primitive(self.sweep.derivatives.definition(value)) in IN_ORDER
        own = self.value_type(value)
        number = isinstance(own, Scalar) and not isinstance(type_, Scalar)
        whole = shown and not number and getattr(own, 'ndim', None) == getattr(type_, 'ndim', None) and not dot.small
        in_full = (name in self.several or name in self.mirrors) and not whole
        if in_full and self.sweep.derivatives.only_broadcasts(name, value, dot.small):
            value, owned = self.sweep.derivatives.full(name, value)
            fresh = True
        elif name not in self.mirrors:
            fresh = fresh and self._is_written(value)
        if fresh and not owned and not isinstance(type_, Scalar):
            value = self.ev.operate_by_name('numpy.copy', [value])
        return value

    def _is_written(self, value: Binding) -> bool:
        """Whether `value` may share memory that is written."""
        made = self.sweep.derivatives.definition(value)
        if not isinstance(value, Var) or value.name in self.written:
            return isinstance(value, Var)
        if made is None or is_fresh(made):
            return False
        return any(self._is_written(Var(n, self.ev.builder.types[n])) for n in names(shared_part(made, self.ev.builder.types)))

    def _hold(self, name: str, dot: Dot) -> None:
        self.sweep.tangents.dots[name] = dot
        if isinstance(dot.value, Var):
            self.ev.builder.rename_hint(dot.value.name, *self.sweep.called(name))
            if name in self.mirrors:
                self.written.add(dot.value.name)

    def selection(self, value: Binding) -> list[Binding] | None:
        """What has been assigned or written since is no longer what a value was selected by, nor is a value that was written."""
        made = self.sweep.derivatives.definition(value) if isinstance(value, Var) else None
        fixed = made is not None and all(map(self._is_fixed, [value.name, *names(made)]))
        return self.sweep.derivatives.selection(value) if fixed else None

    def _is_fixed(self, name: str) -> bool:
        return self.assigned[name] <= 1 and name not in self.cell_names | self.written and not (
            self.sweep.memory.of(name) & self.sweep.memory.written
        )

    def _list_effect(self, effect: str, dots: Var, operands: list[gast.expr]) -> None:
        """A push, a write or a sum, on the list of tangents."""
        *place, value = operands
        match effect:
            case 'tape.push':
                self.ev.tapes.push_tape(dots, self._item_of(value))
            case 'tape.put':
                self.ev.tapes.put_tape(dots, self.binding(place[0]), self._item_of(value))
            case 'tape.add':
                if isinstance(self.core.types[value.id], Tape):
                    if value.id in self.sweep.tangents.dots:
                        self.ev.tapes.add_to_list(dots, self.sweep.tangents.dots[value.id].value)
                elif self.sweep.dot_of(self.binding(value)) != ZERO:
                    self.ev.tapes.add_to_list(dots, self.sweep.whole(value.id))

    def _item_of(self, value: gast.expr) -> Binding:
        return self.sweep.whole(value.id) if isinstance(value, gast.Name) else ZERO
