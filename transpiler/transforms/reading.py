"""What is read: flags beside cotangents that meet infinite slopes, which tell where nothing reads from mere zeros."""

from __future__ import annotations

from contextlib import contextmanager

import gast
import numpy as np

from transpiler.core.language import Core
from transpiler.core.query import names, primitive
from transpiler.rules.registry import RULES, Rule
from transpiler.specialize.bindings import Binding, Container, Known, Var
from transpiler.specialize.context import Frame
from transpiler.specialize.operators import BINARY
from transpiler.transforms.cotangents import Cotangents
from transpiler.transforms.derivatives import ZERO
from transpiler.transforms.flags import ADDING, MULTIPLYING, SORTING
from transpiler.values.broadcasting import broadcast
from transpiler.values.types import Array, Scalar, Tape

READ = Known(True)


class Reading(Cotangents):
    """Which items of an array something reads that the output depends on.

    unread:  names with items that nothing may read: the cotangents of these are zero
    picked:  names of whose items only some count for a result: the cotangents of the others are selected
    reading: of names that are read in one block alone, a flag, or an array of flags, that tells; where there is none, what has a
             cotangent of zero is taken to be unread
    vague:   names that are read in other ways besides
    """

    flagged = 'is_read'

    def __init__(self, core: Core):
        super().__init__(core)
        self.picked: set[str] = set()
        self.reading: dict[str, Binding] = {}
        self.vague: set[str] = set()
        self.item_flags: dict[str, str] = {}  # the arrays of flags that were made for names, whose items are set one by one
        self.flag: Binding | None = READ  # of what is being pulled back
        self.told: frozenset[str] = frozenset()

    def seed(self, name: str, bar: Var) -> None:
        """A cotangent that is given tells what is read of an output."""
        self.unread.add(name)
        self.vague.discard(name)
        if name in self.singular.slopes and not isinstance(self.type_of(name), Tape):
            self._note(name, self.run.compare(gast.NotEq, bar, ZERO))

    def is_made_here(self, name: str) -> bool:
        """Whether `name` is given its only value in the block that is being reversed, and stays as it is."""
        return False

    @contextmanager
    def reads(self, target: str, operation: gast.expr):
        """Pull an operation back, and note what it reads of its operands."""
        flag = self.reading.pop(target, None)
        partly = target in self.unread or target in self.picked
        self.flag = None if target in self.vague else flag if flag is not None or partly else READ
        self.vague.discard(target)
        if self.flag != READ:
            self.handed_on(target, *names(operation))
        found = self._read_of(target, operation) if self.singular.steep else {}
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
        self.reading[name] = self.either(self.reading.get(name, Known(False)), flag)

    def _read_of(self, target: str, operation: gast.expr) -> dict[str, Binding]:
        """What is read of the operands that are read in this block alone; of others, too little is known here."""
        if self.flag is None:
            return {}
        here = [n for n in self.active.intersection(names(operation)) if n in self.singular.slopes and self.is_made_here(n)]
        match operation:
            case gast.Name(id=source):
                return {source: self.flag} if source in here else {}
            case gast.Subscript(value=gast.Name(id=base), slice=index):
                return {base: self._items(base, index, self.flag)} if base in here else {}
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
        if self.has_items(self.flag, target) and rule.name in (SORTING | ADDING | MULTIPLYING):
            return self._pulled(target, rule, nodes, statics, here)
        return dict.fromkeys(here, self.any_of(self.flag))

    def _pulled(
        self, target: str, rule: Rule, nodes: list[gast.expr], statics: dict[str, Binding], here: list[str]
    ) -> dict[str, Binding]:
        """What is read of operands, as the pullback of flags tells where it has no minus."""
        operands, flag, found = list(map(self.binding, nodes)), self.flag, {}
        given = list(map(self.ones_for, operands)) if rule.name in MULTIPLYING else operands
        if rule.kind != 'elementwise' and isinstance(self.type_of(target), Array) and not self.has_items(flag, target):
            flag = self.for_each(self.variable(target), flag)
        parts = self.inlined(rule, target, given, statics, flag)
        for operand, part in zip(operands, parts, strict=True):
            for name, piece in self._pairs(operand, part):
                if name in here:
                    part = self.set_where(piece)
                    part = self._summed_flag(part, name, target) if rule.kind == 'elementwise' else part
                    found[name] = self.either(found.get(name, Known(False)), part)
        return found

    def _by_element(self, target: str, rule: Rule, nodes: list[gast.expr], here: list[str]) -> dict[str, Binding]:
        operands = list(map(self.binding, nodes))
        shields = self.shields(self.here, rule, operands) if self.here is not None else {}
        flags = {}
        for name in here:
            flag = self.flag
            if name in shields:
                flag = self._both(flag, self.run.compare(gast.NotEq, shields[name], ZERO))
            flags[name] = self._summed_flag(flag, name, target)
        return flags

    def _summed_flag(self, flag: Binding, name: str, target: str) -> Binding:
        """Of an operand that was broadcast, an item is read if any that it gave is."""
        own, result = self.type_of(name), self.type_of(target)
        if isinstance(own, Scalar):
            return self.any_of(flag)
        if not self.has_items(flag, target):
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
        axis = Known(axes[0]) if len(axes) == 1 else Container('tuple', tuple(map(Known, axes)))
        return self.run.operate_by_name('numpy.any', [flag], axis=axis, **{key: Known(option) for key, option in options.items()})

    def _items(self, base: str, index: gast.expr, flag: Binding) -> Binding:
        """Flags for the items of an array at an index."""
        run, flags = self.run, self.reading.get(base)
        place = run.index(Frame(None, {name: self.variable(name) for name in names(index)}), index)
        if isinstance(flags, Var) and self.item_flags.get(base) == flags.name:  # of what is read elsewhere
            flag = flag if flag == READ else self.either(run.load(flags, place), flag)
        else:
            flags = run.operate_by_name('numpy.zeros_like', [self.variable(base)], dtype=np.dtype(bool))
            run.builder.rename_hint(flags.name, 'is_read')
            self.item_flags[base] = flags.name
        run.store(flags, place, flag)
        return flags

    def _both(self, one: Binding, other: Binding) -> Binding:
        return other if one == READ else self.run.binary(gast.BitAnd, one, other)

    def where_read(self, value: Binding, slope: Binding, product: Binding) -> Binding:
        """`value * slope`, and 0 where that is zero times infinity: what nothing reads has no influence."""
        if isinstance(value, Known) or isinstance(slope, Known) or self.flag == READ:
            return product
        counts = self.run.compare(gast.NotEq, value, ZERO) if self.flag is None else self.flag
        return self.where_it_counts(counts, product, slope)
