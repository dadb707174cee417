"""What is read: flags beside cotangents that meet infinite slopes, which tell where nothing reads from mere zeros."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import gast
import numpy as np

from transpiler.core.query import names, primitive
from transpiler.core.variables import Var
from transpiler.rules.base.registry import RULES, Rule
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.domain.operators import BINARY
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.sweeps.derivative_writer import ZERO
from transpiler.transforms.sweeps.influence_flags import ADDING, MULTIPLYING, SORTING
from transpiler.transforms.sweeps.part import Part
from transpiler.values.broadcasting import broadcast
from transpiler.values.types import Array, Scalar, Tape

if TYPE_CHECKING:
    from transpiler.transforms.pullback.sweep import Sweep

READ = Known(True)


class Reading(Part):
    """Which items of an array something reads that the output depends on.

    unread:  names with items that nothing may read: the cotangents of these are zero
    picked:  names of whose items only some count for a result: the cotangents of the others are selected
    flags:   of names that are read in one block alone, a flag, or an array of flags, that tells; where there is none, what has a
             cotangent of zero is taken to be unread
    vague:   names that are read in other ways besides
    """

    def __init__(self, sweep: Sweep):
        super().__init__(sweep)
        self.unread: set[str] = set()
        self.picked: set[str] = set()
        self.flags: dict[str, Binding] = {}
        self.vague: set[str] = set()
        self.item_flags: dict[str, str] = {}  # the arrays of flags that were made for names, whose items are set one by one
        self.current: Binding | None = READ  # of what is being pulled back
        self.told: frozenset[str] = frozenset()

    def seed(self, name: str, bar: Var) -> None:
        """A cotangent that is given tells what is read of an output."""
        self.unread.add(name)
        self.vague.discard(name)
        if name in self.sweep.flags.singular.slopes and not isinstance(self.type_of(name), Tape):
            self._note(name, self.ev.compare(gast.NotEq, bar, ZERO))

    @contextmanager
    def reads(self, target: str, operation: gast.expr):
        """Pull an operation back, and note what it reads of its operands."""
        flag = self.flags.pop(target, None)
        partly = target in self.unread or target in self.picked
        self.current = None if target in self.vague else flag if flag is not None or partly else READ
        self.vague.discard(target)
        if self.current != READ:
            self.handed_on(target, *names(operation))
        found = self._read_of(target, operation) if self.sweep.flags.singular.steep else {}
        self.told = frozenset(found)
        for name in found:
            self._note(name, found[name])
        yield
        self.told = frozenset()

    def handed_on(self, source: str, *names: str) -> None:
        """What may hold of the cotangents of items in memory may hold of what was put there."""
        for some in (self.unread, self.picked):
            some |= self.active.intersection(names) if source in some else set()

    def contributed(self, name: str) -> None:
        """A cotangent is added to by what was not noted."""
        if name not in self.told:
            self.vague.add(name)

    def _note(self, name: str, flag: Binding) -> None:
        self.flags[name] = self.sweep.flags.either(self.flags.get(name, Known(False)), flag)

    def _read_of(self, target: str, operation: gast.expr) -> dict[str, Binding]:
        """What is read of the operands that are read in this block alone; of others, too little is known here."""
        if self.current is None:
            return {}
        read = self.active.intersection(names(operation))
        here = [n for n in read if n in self.sweep.flags.singular.slopes and self.sweep.statements.is_made_here(n)]
        match operation:
            case gast.Name(id=source):
                return {source: self.current} if source in here else {}
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                return {base: self._items(base, index, self.current)} if base in here else {}
            case gast.BinOp(left=left, op=op, right=right):
                return self._by_rule(target, RULES[BINARY[type(op)]], [left, right], {}, here)
            case gast.UnaryOp(operand=operand):
                return self._by_element(target, RULES['numpy.negative'], [operand], here)
            case gast.Call() if (rule := RULES.get(primitive(operation) or '')) is not None:
                nodes, statics = rule.bind(operation.args, {k.arg: k.value for k in operation.keywords})
                return self._by_rule(target, rule, nodes, {k: self.binding(v) for k, v in statics.items()}, here)
        return {}

    def _by_rule(
        self, target: str, rule: Rule, nodes: list[gast.expr], statics: dict[str, Binding], here: list[str]
    ) -> dict[str, Binding]:
        if rule.picks:
            return self._pulled(target, rule, nodes, statics, here)
        if rule.kind == 'elementwise' or rule.name == 'numpy.broadcast_to':
            return self._by_element(target, rule, nodes, here)
        if self.sweep.flags.has_items(self.current, target) and rule.name in (SORTING | ADDING | MULTIPLYING):
            return self._pulled(target, rule, nodes, statics, here)
        return dict.fromkeys(here, self.sweep.flags.any_of(self.current))

    def _pulled(
        self, target: str, rule: Rule, nodes: list[gast.expr], statics: dict[str, Binding], here: list[str]
    ) -> dict[str, Binding]:
        """What is read of operands, as the pullback of flags tells where it has no minus."""
        operands, flag, found = list(map(self.binding, nodes)), self.current, {}
        given = list(map(self.sweep.flags.ones_for, operands)) if rule.name in MULTIPLYING else operands
        is_array = isinstance(self.type_of(target), Array)
        if rule.kind != 'elementwise' and is_array and not self.sweep.flags.has_items(flag, target):
            flag = self.sweep.flags.for_each(self.variable(target), flag)
        parts = self.sweep.derivatives.inlined(rule, target, given, statics, flag)
        for operand, part in zip(operands, parts, strict=True):
            for name, piece in self.sweep.operations.pairs(operand, part):
                if name in here:
                    part = self.sweep.flags.set_where(piece)
                    part = self._summed_flag(part, name, target) if rule.kind == 'elementwise' else part
                    found[name] = self.sweep.flags.either(found.get(name, Known(False)), part)
        return found

    def _by_element(self, target: str, rule: Rule, nodes: list[gast.expr], here: list[str]) -> dict[str, Binding]:
        operands = list(map(self.binding, nodes))
        shields = self.sweep.flags.shields(self.sweep.here, rule, operands) if self.sweep.here is not None else {}
        flags = {}
        for name in here:
            flag = self.current
            if name in shields:
                flag = self._both(flag, self.ev.compare(gast.NotEq, shields[name], ZERO))
            flags[name] = self._summed_flag(flag, name, target)
        return flags

    def _summed_flag(self, flag: Binding, name: str, target: str) -> Binding:
        """Of an operand that was broadcast, an item is read if any that it gave is."""
        own, result = self.type_of(name), self.type_of(target)
        if isinstance(own, Scalar):
            return self.sweep.flags.any_of(flag)
        if not self.sweep.flags.has_items(flag, target):
            return flag if isinstance(flag, Known) or isinstance(self.value_type(flag), Scalar) else READ
        if not isinstance(own, Array) or own.dims is None or result.dims is None:
            return READ
        axes = broadcast(result.dims, own.dims).summed[1]
        if axes is None:
            return READ
        new = result.ndim - own.ndim
        flag = self._any_along([axis for axis in axes if axis >= new], flag, keepdims=True)
        return self._any_along([axis for axis in axes if axis < new], flag)

    def _any_along(self, axes: list[int], flag: Binding, **options: bool) -> Binding:
        if not axes:
            return flag
        axis = Known(axes[0]) if len(axes) == 1 else Tuple(tuple(map(Known, axes)))
        return self.ev.operate_by_name('numpy.any', [flag], axis=axis, **{key: Known(option) for key, option in options.items()})

    def _items(self, base: str, index: gast.expr, flag: Binding) -> Binding:
        """Flags for the items of an array at an index."""
        ev, flags = self.ev, self.flags.get(base)
        place = ev.indexing.index(Frame(None, {name: self.variable(name) for name in names(index)}), index)
        if isinstance(flags, Var) and self.item_flags.get(base) == flags.name:  # of what is read elsewhere
            flag = flag if flag == READ else self.sweep.flags.either(ev.load(flags, place), flag)
        else:
            flags = ev.operate_by_name('numpy.zeros_like', [self.variable(base)], dtype=np.dtype(bool))
            ev.builder.rename_hint(flags.name, 'is_read')
            self.item_flags[base] = flags.name
        ev.distribution.store(flags, place, flag)
        return flags

    def _both(self, one: Binding, other: Binding) -> Binding:
        return other if one == READ else self.ev.binary(gast.BitAnd, one, other)

    def where_read(self, value: Binding, slope: Binding, product: Binding) -> Binding:
        """`value * slope`, and 0 where that is zero times infinity: what nothing reads has no influence."""
        if isinstance(value, Known) or isinstance(slope, Known) or self.current == READ:
            return product
        counts = self.ev.compare(gast.NotEq, value, ZERO) if self.current is None else self.current
        return self.sweep.flags.where_it_counts(counts, product, slope)
