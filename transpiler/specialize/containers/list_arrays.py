"""Arrays that lists of run-time length are made into."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.core.variables import Var
from transpiler.rules.python import EACH_AS
from transpiler.specialize.domain.bindings import Binding, Closure, Known
from transpiler.specialize.evaluation.component import Component
from transpiler.specialize.kinds.mixtures import items_differ
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.intervals import is_asked
from transpiler.values.types import Array


class ListArrays(Component):
    """Arrays that lists of run-time length are made into."""

    def array_of_list(self, args: list[Binding], keywords: dict[str, Binding]) -> Binding | None:
        """`np.array` of a list of run-time length, alone or with a dtype; None if that is not what is called."""
        match [*args, *keywords.values()]:
            case [DynamicList() as items]:
                return self.ev.placeholders.array_of(items)
            case [DynamicList((tape, *_)) as items, Known(kind)] if (
                    keywords.keys() <= {'dtype'} and kind is not None
                    and items_differ(self.ev.tapes.list_type(tape.name).element)):
                made = self.ev.inline(Closure(self.ev.template(EACH_AS)), [items, Known(np.dtype(kind).type)], {})
                return self.ev.placeholders.array_of(self.ev.current(made))
            case [DynamicList() | ArrayList() as items, Known(kind)] if keywords.keys() <= {'dtype'} and kind is not None:
                dtype = np.dtype(kind)
                return self.array_for(items, dtype) if dtype.kind in 'iu' else None
        return None

    def array_for(self, value: Container, dtype: np.dtype) -> Binding:
        """A list as an array of a dtype of integers: NumPy asks of each number on it if the dtype holds it."""
        if not isinstance(value, (DynamicList, ArrayList)):
            return self.ev.operate_by_name('numpy.array', [value], dtype=dtype)
        array, (depth, number) = self.ev.settled_entry(value), self.ev.placeholders.numbers_in(value)
        own = self.ev.resolve(array.type)
        if isinstance(own, Array) and own.ndim == depth and is_asked(own.dtype, number is not None, dtype, alone=True):
            return self.ev.operate_by_name('kernels.as_items', [array], dtype=dtype)
        return self.ev.cast(array, dtype)

    def as_whole(self, base: DynamicList | Var) -> Binding:
        return base if isinstance(base, Var) else self.ev.placeholders.array_of(base)

    def rank_of_items(self, base: DynamicList | Var) -> int | None:
        """Of the arrays that NumPy makes of the items."""
        if isinstance(base, Var):
            return None if base.type.ndim is None else base.type.ndim - 1
        if base.of_containers:
            return 1
        return self.ev.tapes.list_type(base.items[0].name).element.ndim

    def is_even(self, base: DynamicList | Var) -> bool:
        """Whether all items surely have one shape."""
        if isinstance(base, Var) or base.of_containers:
            return True
        return None not in self.ev.resolve(self.ev.tapes.list_type(base.items[0].name).element).dims

    def merged(self, whole: Binding, axis: int | None, rank: int) -> Binding:
        """The items of an array joined along an axis of theirs, which is the next one of the whole."""
        if axis is None:
            return self.ev.operate_by_name('numpy.ravel', [whole])
        place = axis % rank
        rows = self.ev.operate_by_name('numpy.moveaxis', [whole], source=0, destination=place)
        sizes = self.ev.expressions.shape(rows, self.ev.resolve(rows.type)).items
        both = self.ev.binary(gast.Mult, *sizes[place:place + 2])
        shape = Tuple((*sizes[:place], both, *sizes[place + 2:]))
        return self.ev.operate_by_name('numpy.reshape', [rows], shape=shape)
