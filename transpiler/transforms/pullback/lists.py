"""Lists of run-time length in the pullback: the cotangent of a list is a list of as many zeros as it has items in the end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

import gast
import numpy as np

from transpiler.core import build
from transpiler.core.language import Core, Hint
from transpiler.core.query import at_the_end, blocks, names, primitive
from transpiler.core.variables import Var
from transpiler.passes import rewrite
from transpiler.specialize.domain.bindings import Known
from transpiler.specialize.structures.sequences import Tuple
from transpiler.transforms.pullback.cotangents import Bar
from transpiler.transforms.shared.defensive_copies import unused
from transpiler.transforms.sweeps.part import Part
from transpiler.transforms.sweeps.size_expressions import Measures
from transpiler.values.types import INT, Array, Scalar, Tape

MADE = ('tape.list', 'tape.zeros', 'tape.zeros_like', 'tape.of', 'tape.copy')


@rewrite('lengths of lists')
def with_lengths(core: Core) -> Core:
    """Note how long every list is at the end of the block that makes it: its cotangent will be as long.

    Where arrays on a list may differ in their sizes, what is overwritten is noted too: its zeros will be as long.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> types = {'t': Tape(FLOAT, True), 'x': FLOAT, 'y': FLOAT}
    >>> show(with_lengths, 't = tape.list(); tape.push(t, x); y = tape.item(t, 0); return y', types=types)
    t = []
    t.append(x)
    y = t[0]
    t_length = len(t)
    return y
    """
    types, hints = dict(core.types), dict(core.hints)

    def noted(body: list[gast.stmt]) -> list[gast.stmt]:
        made, last = [], []
        for statement in body:
            whole = build.map_blocks(statement, noted)
            if (place := _overwritten(statement, core.types)) is not None:
                old = unused('overwritten', types)
                types[old], hints[old] = core.types[place[0]].element, Hint('overwritten', temporary=True)
                made.append(build.assign(old, build.call('tape.item', *place), statement.origin, 'storage'))
            made.append(whole)
            if _makes_list(statement, core.types):
                name = statement.targets[0].id
                length = unused(length_name(name), types)
                types[length], hints[length] = INT, Hint(f'{core.base(name)}_length', temporary=True)
                last.append(build.assign(length, build.call('python.len', name), statement.origin, 'storage'))
        return at_the_end(made, last)

    body = noted(list(core.body))
    if len(types) == len(core.types):
        return core
    return core.with_body(body, types=MappingProxyType(types), hints=MappingProxyType(hints))


def _overwritten(statement: gast.stmt, types: Mapping) -> tuple[str, gast.expr] | None:
    """The list, and the place in it, of an array that a statement overwrites by one that may have other sizes."""
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.put'), args=[gast.Name(id=items), place, _])):
            dims = getattr(types[items].element, 'dims', ())
            return (items, place) if types[items].lasting and (dims is None or None in dims) else None
    return None


def length_name(name: str) -> str:
    return f'{name}_length'


def _makes_list(statement: gast.stmt, types: Mapping) -> bool:
    match statement:
        case gast.Assign(targets=[gast.Name(id=name)], value=value) if primitive(value) in MADE:
            return isinstance(types.get(name), Tape) and isinstance(types[name].element, (Scalar, Array))
    return False


class ListPullbacks(Part):
    """Reading an item adds to one of the cotangent, appending takes its last one away."""

    def zero(self, name: str) -> Bar:
        type_ = self.type_of(name)
        if not isinstance(type_, Tape) or not type_.lasting:
            return self.sweep.cotangents.zero(name)
        self.sweep.reading.unread.add(name)
        element = type_.element
        if isinstance(element, (Scalar, Array)) and name in self.lengths:
            dtype = element.dtype if element.dtype.kind in 'fc' else np.dtype(np.float64)
            length = self.variable(self.lengths[name])
            if isinstance(element, Scalar):
                return Bar(self.ev.tapes.zeros_list(length, Known(dtype)), owned=True)
            if self.measures.at_hand(element):
                shape = Tuple((length, *self.measures.shape(element)))
                return Bar(self.ev.tapes.list_of(self.ev.operate_by_name('numpy.zeros', [], shape=shape, dtype=dtype)),
                           owned=True)
        return Bar(self.ev.tapes.zero_list(self.variable(name)), owned=True)

    @cached_property
    def measures(self) -> Measures:
        return Measures(self.sweep)

    @cached_property
    def lengths(self) -> dict[str, str]:
        """The names that hold the lengths of lists: the last that is noted of each."""
        return {s.value.args[0].id: s.targets[0].id for s in self.core.statements if is_length(s, self.core.types)}

    @cached_property
    def overwritten(self) -> dict[int, str]:
        """The names of what statements overwrite, by the ids of these; it is noted just before them."""
        found: dict[int, str] = {}

        def visit(body: list[gast.stmt]) -> None:
            for before, statement in zip([None, *body], body, strict=False):
                if _overwritten(statement, self.core.types) is not None and before is not None and before.role == 'storage':
                    found[id(statement)] = before.targets[0].id
                for block in blocks(statement):
                    visit(block)
        visit(list(self.core.body))
        return found

    def give(self, name: str, value: Var) -> None:
        """Add a cotangent that the caller has to that of `name`."""
        if not isinstance(self.type_of(name), Tape):
            self.sweep.add(name, value)
        elif name in self.sweep.live:
            self.ev.tapes.add_to_list(self.sweep.own(name), value)
        else:
            self.sweep.live[name] = Bar(self.ev.tapes.copy_tape(value),
                                  owned=True)    # what the pullback takes away stays with the caller

    def pull_list(self, target: str, operation: gast.Call, bar: Bar) -> bool:
        """The pullback of an operation that makes or reads a list; whether it is one."""
        match primitive(operation), operation.args:
            case 'tape.item', [gast.Name(id=items), index]:
                own, place = self.sweep.own(items), self.binding(index)
                total = self.ev.binary(gast.Add, self.ev.tapes.tape_item(own, place), self.sweep.whole(target, bar).value)
                self.ev.tapes.put_tape(own, place, total)
            case 'tape.array', [gast.Name(id=items)]:
                whole = self.sweep.whole(target, bar)
                rank = self.value_type(whole.value).ndim
                if items in self.sweep.live or rank is None:
                    self.ev.tapes.add_to_list(self.sweep.own(items), whole.value)
                else:
                    if rank > 1 and not whole.owned:
                        whole = self.sweep.copied(target, whole)      # the items on the list are parts of it
                    self.sweep.live[items] = Bar(self.ev.tapes.list_of(whole.value), owned=True)
                    self.sweep.cotangents.call_after(items)
            case 'tape.copy', [gast.Name(id=items)]:
                if items not in self.sweep.live:
                    self.sweep.live[items] = bar
                    self.sweep.cotangents.call_after(items)
                else:
                    self.ev.tapes.add_to_list(self.sweep.own(items), bar.value)
            case 'tape.of', [gast.Name(id=array)]:
                self.sweep.add(array, self.ev.tapes.array_tape(bar.value), owned=True)
            case ('tape.list' | 'tape.zeros' | 'tape.zeros_like'), _:
                pass
            case _:
                return False
        return True

    def pull_list_effect(self, name: str, items: str, operands: list[gast.expr]) -> None:
        """`items[index] = value`; the sum of a list and an array, or another list, in place."""
        if items not in self.active or items not in self.sweep.live:
            return
        own = self.sweep.own(items)
        if name == 'tape.add':
            more = operands[0].id
            self.sweep.reading.handed_on(items, more)
            if not isinstance(self.type_of(more), Tape):
                self.sweep.add(more, self.ev.tapes.array_tape(own), owned=True)
            elif more in self.sweep.live:
                self.ev.tapes.add_to_list(self.sweep.own(more), own)
            else:
                self.sweep.live[more] = Bar(self.ev.tapes.copy_tape(own), owned=True)
            return
        index, value = operands
        place = self.binding(index)
        cotangent = self.ev.tapes.tape_item(own, place)
        old = self.overwritten.get(id(self.sweep.here))
        number = isinstance(self.value_type(cotangent), Scalar)
        like = cotangent if old is None else self.variable(old)
        self.ev.tapes.put_tape(own, place, Known(0.0) if number else self.ev.operate_by_name('numpy.zeros_like', [like]))
        self.sweep.reading.handed_on(items, *names(value))
        self.sweep.reading.unread.add(items)
        if isinstance(value, gast.Name) and value.id in self.active:
            self.sweep.add(value.id, cotangent)


def is_length(statement: gast.stmt, types: Mapping) -> bool:
    """Whether a statement notes the length of a list."""
    match statement:
        case gast.Assign(value=gast.Call(func=gast.Name(id='python.len'), args=[gast.Name(id=name)])):
            return isinstance(types.get(name), Tape)
    return False
