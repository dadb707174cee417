"""Lists whose length shows at run time: kept as Python lists of numbers or arrays, one for each part of an item."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import gast

from transpiler.core import build
from transpiler.core.language import Hint
from transpiler.core.variables import Var
from transpiler.errors import Origin, TranspileError, UnsupportedFunction
from transpiler.rules.python import ALONG, INSERT, JOINED, PART_OF_LIST, POP, PUT_PART, REPEATED, REVERSE
from transpiler.specialize.containers.methods import NONE
from transpiler.specialize.domain.bindings import Binding, Closure, Known, Ref, flatten, fold, leaf_type, same_shape
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.evaluation.dispatch import answers, primitive
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.iterables.spaces import count_of
from transpiler.specialize.kinds.mixtures import check_rows, of_items
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.ranges import Range, Slice
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.specialize.structures.texts import Text
from transpiler.values.types import INT, Scalar, Tape

HELD = 'it is held by a list that grows at run time'


@dataclass(eq=False)
class Growing(Component):
    """How a `DynamicList` grows, and what is read from it."""

    grown: dict[str, Origin] = field(default_factory=dict)  # where each list of run-time length begins to grow
    touched: tuple[Binding, ...] = ()  # the lists that have grown or shrunk at run time so far

    def grow(self, frame: Frame | None, cell: int, example: Binding) -> None:
        """Turn the list in `cell` into one that grows at run time; what it holds now is written down here."""
        content, item = self.ev.heap.contents[cell], example
        if isinstance(content, DynamicList):
            self.ev.heap.contents[cell] = replace(content, item=example)
            return
        name = self.name_of(frame, cell)
        lists = []
        for leaf in flatten(item):
            if leaf_type(leaf) is not None:
                type_ = Tape(self.ev.tapes.type_on_list(leaf, leaf_type(leaf)), True)
                lists.append(self.builder.define(name, build.call('tape.list'), type_, temporary=False))
        if not lists:
            filled = ('fill a list before it is put on the other: `row = []`, `row.append(...)`, then `rows.append(row)`; '
                      'or keep one list of `(k, v)`, or `total[k] += v` in an array')
            started = 'start with what it is going to hold, as in `[0.0] * n`, or with an empty list, and append'
            empty = isinstance(example, (List, DynamicList))
            raise UnsupportedFunction(
                f'a list of {self.ev.describe(example)} has a length that shows only at run time', self.origin,
                why='lists in a list are kept as arrays there, which do not grow' if empty else
                    'its items hold no number or array, which is what lists in generated code are made of',
                instead=filled if empty else started)
        self.ev.heap.contents[cell] = DynamicList(tuple(lists), item)
        self.grown |= {tape.name: self.origin for tape in lists}
        with self.ev.heap.changing_itself(cell):
            for old in content.items:
                self.ev.elements.growing_append(self.ev.current(Ref(cell)), old)

    def name_of(self, frame: Frame | None, cell: int) -> str:
        while frame is not None:
            for name, binding in frame.env.items():
                if binding == Ref(cell) and name.isidentifier() and name != 'for':
                    return name
            frame = frame.parent
        return 'items'

    def plain_item(self, item: Binding) -> Binding:
        """An item as a list holds it: by value; a list that grew itself is kept in an array from then on."""
        self.ev.heap.freeze(self.ev.heap.reached(self.ev.held(item)), HELD)
        plain = self.ev.apart_from_cells(item)
        return self._arrays_for_lists(plain)

    def _arrays_for_lists(self, binding: Binding) -> Binding:
        if not isinstance(binding, Container):
            return binding
        if isinstance(binding, DynamicList):
            check_rows([self.ev.tapes.list_type(tape.name).element for tape in binding.items], self.origin)
            return ArrayList((self.ev.placeholders.array_of(binding),), *self.ev.placeholders.numbers_in(binding))
        items = tuple(map(self._arrays_for_lists, binding.items))
        return binding.anew(items)

    def leaves(self, base: DynamicList, item: Binding) -> Iterator[tuple[Var, Binding]]:
        """The leaves of an item that change, with the lists that hold them."""
        base = self._of_any_numbers(base, item)
        if not same_shape(base.item, item):
            raise TranspileError(
                'the items of a list that grows at run time have one structure', self.origin,
                why=f'one is {_measured(self.ev, base.item)}, another {_measured(self.ev, item)}',
            )
        lists = iter(base.items)
        for old, leaf in zip(flatten(base.item), flatten(item), strict=True):
            if leaf_type(old) is not None and leaf_type(leaf) is not None:
                yield next(lists), leaf
            elif old != leaf:
                raise TranspileError(
                    'the items of a list that grows at run time differ in more than numbers', self.origin,
                    why=f'one has {self.ev.describe(old)} where another has {self.ev.describe(leaf)}',
                )

    def _of_any_numbers(self, base: DynamicList, item: Binding) -> DynamicList:
        """A list of lists of numbers, of which some hold Python's numbers and some NumPy's: what they hold is NumPy's."""
        match base.item, item:
            case ArrayList(_, depth, own), ArrayList(_, other, kind) if depth == other and own != kind:
                held, more = (Tape(Scalar(self.ev.resolve(row.array.type).dtype, row.number is not None), True)
                              for row in (base.item, item))
                check_rows([of_items(held, more).element] if held.element.dtype != more.element.dtype else [], self.origin)
                base = replace(base, item=replace(base.item, number=None))
                self.ev.heap.contents[base.cell] = replace(base, cell=None)
        return base

    def rebuilt_item(self, base: DynamicList, read) -> Binding:
        lists = iter(base.items)
        return fold(base.item, lambda leaf: leaf if leaf_type(leaf) is None else read(next(lists)))

    def growing_append(self, base: DynamicList, item: Binding) -> Binding:
        self._touch(base)
        for tape, leaf in self.ev.placeholders.leaves(base, self.ev.rows.plain_item(item)):
            self.ev.tapes.push_tape(tape, leaf)
        return NONE

    @answers(DynamicList, 'extend')
    def growing_extend(self, base: DynamicList, items: Binding) -> Binding:
        step = gast.parse('for item in more:\n    items.append(item)').body
        self.ev.execute(Frame(None, {'items': self.ev.held(base), 'more': items}), step)
        return NONE

    def _growing_pop(self, base: DynamicList, index: Binding = Known(-1)) -> Binding:
        if index != Known(-1):
            return self.ev.inline(Closure(self.ev.template(POP)), [self.ev.held(base), self.ev.wholes.index(index)], {})
        self._touch(base)
        return self.rebuilt_item(base, self.ev.tapes.pop_tape)

    def _growing_insert(self, base: DynamicList, index: Binding, item: Binding) -> Binding:
        place = self.ev.wholes.index(index)
        return self.ev.inline(Closure(self.ev.template(INSERT)), [self.ev.held(base), place, item], {})

    def _growing_reverse(self, base: DynamicList) -> Binding:
        return self.ev.inline(Closure(self.ev.template(REVERSE)), [self.ev.held(base)], {})

    @answers(DynamicList, 'copy')
    def growing_copy(self, base: DynamicList) -> Binding:
        copy = self.ev.held(List(()))
        self.ev.placeholders.grow(None, copy.cell, base.item)
        self.growing_extend(self.ev.current(copy), base)
        return self.ev.current(copy)

    def name_lists(self, base: DynamicList, name: str) -> None:
        """A list that had no name of its own when it was made is called as the program calls it."""
        for tape in base.items:
            if self.builder.hints[tape.name] == Hint('items') and name.isidentifier():
                self.builder.hints[tape.name] = Hint(name)

    def repeated(self, sequence: Container, count: Binding) -> Binding:
        """`items * count` for a number, or items, that show at run time."""
        return self.ev.inline(Closure(self.ev.template(REPEATED)), [sequence, count], {})

    def _touch(self, base: DynamicList) -> None:
        self.touched = (*self.touched, *base.items)
        self._check_free(base)

    def _check_free(self, base: DynamicList) -> None:
        if base.cell in self.ev.heap.frozen:
            self.ev.elements.change(base, base.items)

    def item_at(self, base: DynamicList, index: Binding) -> Binding:
        """`base[index]`."""
        if isinstance(index, Container):
            return self.ev.inline(Closure(self.ev.template(PART_OF_LIST)), [self.ev.held(base), self.ev.wholes.part(index)], {})
        return self.rebuilt_item(base, lambda tape: self.ev.tapes.tape_item(tape, index))

    def put_item(self, base: DynamicList, index: Binding, item: Binding) -> None:
        """`base[index] = item`."""
        self._check_free(base)
        if isinstance(index, Slice):
            part = self.ev.wholes.part(index)
            self.ev.inline(Closure(self.ev.template(PUT_PART)), [self.ev.held(base), part, item], {})
            return
        for tape, leaf in self.ev.placeholders.leaves(base, self.ev.rows.plain_item(item)):
            self.ev.tapes.put_tape(tape, index, leaf)

    def length_of(self, base: DynamicList) -> Var:
        return self.builder.define('length', build.call('python.len', base.items[0].name), INT)

    def tested(self, test: Binding) -> Binding:
        """A list, or a range, as a condition: whether it has items; an array: whether its only item holds."""
        if is_optional(test):
            flag, value = test.items
            return self.ev.choose(None, flag, lambda: self.ev.call(Known(bool), [self.ev.tested(value)], {}),
                                  lambda: Known(False))
        if isinstance(test, Range):
            return self.ev.compare(gast.Gt, count_of(self.ev, test.items), Known(0))
        if isinstance(test, DynamicList):
            return self.ev.compare(gast.Gt, self.ev.placeholders.length_of(test), Known(0))
        if isinstance(test, ArrayList):
            row = test.array
            return self.ev.compare(gast.Gt,
                                   self.ev.expressions.size(row, 0, self.ev.resolve(row.type).dims[0]), Known(0))
        if isinstance(test, Text):
            return Known(self.ev.known(test, 'a text'))
        if isinstance(test, Var) and getattr(self.ev.resolve(test.type), 'ndim', 0):
            return self.ev.tested(self.ev.call(Known(bool), [test], {}))
        holds = self.builder.known_flag(test.name) if isinstance(test, Var) else None
        return self._asked_already(test) if holds is None else Known(holds)

    def _asked_already(self, test: Binding) -> Binding:
        """The flag that a test was made of just before: whether one of NumPy's holds, it tells itself."""
        match self.builder.block[-1:]:
            case [gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=gast.Name(id='python.bool'),
                                                                            args=[gast.Name(id=flag)]))]:
                type_ = self.ev.resolve(self.builder.types[flag])
                if isinstance(test, Var) and name == test.name and isinstance(type_, Scalar) and type_.dtype.kind == 'b':
                    return Var(flag, type_)
        return test

    @primitive('tape.made')
    def made_of_lists(self, definition: Known, *given: Binding) -> Binding:
        """What a definition makes of lists that a pass has written; a list that it gives is one of these."""
        lists = [DynamicList((a,), Var('', self.ev.tapes.list_type(a.name).element)) if _is_list(a) else a
                 for a in given]
        made = self.ev.current(self.ev.inline(Closure(self.ev.template(definition.value)), lists, {}))
        return made.items[0] if isinstance(made, DynamicList) else made

    def array_of(self, base: DynamicList) -> Binding:
        """All items, as an array."""
        arrays = [self.ev.tapes.array_tape(tape) for tape in base.items]
        if not base.of_containers:
            return arrays[0]
        if not isinstance(base.item, (Tuple, List)) or any(isinstance(item, Container) for item in base.item.items):
            raise UnsupportedFunction(f'an array of {self.ev.describe(base.item)}s is not supported', self.origin)
        return self.ev.operate_by_name('numpy.stack', [List(tuple(arrays))], axis=1)

    def number_in(self, base: Container) -> type | None:
        """What a list holds, if that is Python's numbers: they take the dtype of what they meet."""
        depth, number = self.ev.placeholders.numbers_in(base) if isinstance(base, (DynamicList, ArrayList)) else (0, None)
        return number if depth == 1 else None

    def joined(self, name: str, base: DynamicList | Var, keywords: dict[str, Binding]) -> Binding:
        """`np.stack`, `np.concatenate` and the like of an array, or of a list that grows, whose arrays may differ in length."""
        axis, rank = keywords.pop('axis', Known(0)), self.ev.list_arrays.rank_of_items(base)
        if keywords or rank is None:
            why = 'its items have several ranks' if rank is None else 'of the options only `axis` is supported'
            raise UnsupportedFunction(f'`np.{name}` does not take this list that grows at run time', self.origin, why=why)
        along = ALONG[name][min(rank, len(ALONG[name]) - 1)] if name in ALONG else self.ev.known(axis, f'`axis` of `np.{name}`')
        if name == 'stack':
            return self.ev.operate_by_name('numpy.moveaxis', [self.ev.list_arrays.as_whole(base)], source=0, destination=along)
        if isinstance(along, int) and not -rank <= along < rank:
            raise UnsupportedFunction(f'`np.{name}` joins arrays of rank {rank} along axis {along}', self.origin,
                                      why='NumPy raises ValueError', instead='`np.array`, or `np.hstack`')
        if not isinstance(along, int) and along is not None:
            return self.ev.inline(Closure(self.ev.template(along)), [self.ev.list_arrays.as_whole(base)], {})
        if self.ev.list_arrays.is_even(base):
            return self.ev.list_arrays.merged(self.ev.list_arrays.as_whole(base), along, rank)
        if isinstance(base.item, Container):  # lists of numbers, which are kept as arrays
            base = DynamicList(base.items, base.item.items[0])
        place, dtype = along if along is None else along % rank, self.ev.tapes.list_type(base.items[0].name).element.dtype
        return self.ev.inline(Closure(self.ev.template(JOINED)), [self.ev.held(base), Known(place), Known(dtype)], {})


def _is_list(binding: Binding) -> bool:
    return isinstance(binding, Var) and isinstance(binding.type, Tape)


def _measured(ev, item: Binding) -> str:
    """A container with the number of its items, in which others may differ from it."""
    counted = isinstance(item, (Tuple, List))
    return f'{ev.describe(item)} of {len(item.items)} item{"s" * (len(item.items) != 1)}' if counted else ev.describe(item)


JOINERS = {'numpy.stack', 'numpy.concatenate', *(f'numpy.{name}' for name in ALONG)}
