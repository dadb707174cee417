"""`sum`, `min`, `max`, `any` and `all`: of an array, of items one after the other, of a list that grows at run time."""

from __future__ import annotations

import gast
import numpy as np

from transpiler.analyses.memory.nonempty_lists import is_filled
from transpiler.core.links import link
from transpiler.core.variables import Var
from transpiler.rules.python import ADDED_UP, AS_IT_IS, EACH_AS, EXTREME_BY_KEY, EXTREMES, SUMMED, TOTAL
from transpiler.specialize.domain.bindings import Binding, Closure, Known, leaf_type
from transpiler.specialize.domain.operators import PYTHON
from transpiler.specialize.domain.optionals import is_optional
from transpiler.specialize.iterables.spaces import has_parts, parts_of
from transpiler.specialize.iterables.unread import check_all_made
from transpiler.specialize.kinds.mixtures import items_differ
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Generator
from transpiler.specialize.structures.ranges import Range
from transpiler.specialize.structures.run_time_lists import ArrayList, DynamicList
from transpiler.specialize.structures.sequences import Tuple
from transpiler.values.types import BOOL, Array, Scalar, Type, Unknown

# items of which NumPy's sum of none is as good as Python's 0; of those of unknown types nobody asks
ALIKE = {Unknown(), Scalar(np.dtype(int), True), *(Scalar(np.dtype(kind), weak) for kind in 'dD' for weak in (False, True))}


def extreme(name: str, comparison: str):
    def found(ev, *values: Binding, key: Binding = Known(None), default: Binding | None = None) -> Binding:
        if default is not None:
            items = ev.inlining.taken([_settled(ev, values[0])])[0]
            some = ev.compare(gast.Gt, ev.call(Known(len), [items], {}), Known(0))
            return ev.choose(None, some, lambda: found(ev, items, key=key), lambda: default)
        mixed = len(values) == 1 and key == Known(None) and _is_one_by_one(ev, _settled(ev, values[0]), tuples=True)
        if key != Known(None) or mixed:
            values = (ev.placeholders.all_there(_settled(ev, values[0])),) if mixed else values
            key = Closure(ev.template(AS_IT_IS)) if mixed else key
            sequence = ev.inlining.taken(values)[0] if len(values) == 1 else Tuple(values)
            better = Known(PYTHON[getattr(gast, comparison)])
            return ev.inline(Closure(ev.template(EXTREME_BY_KEY)), [Known(name), sequence, key, better], {})
        if len(values) == 1:
            items = _settled(ev, values[0])
            whole = _whole(ev, items)
            if isinstance(whole, Var):
                known = getattr(ev.resolve(whole.type), 'dtype', None) is not None
                of_all = Closure(ev.template(EXTREMES[name])) if known else Known(getattr(np, name))
                return _of_its_kind(ev, items, ev.call(of_all, [whole], {}))
            values = parts_of(ev, items, name)
        if not values:
            raise ev.inference.failing(ValueError(f'{name}() iterable argument is empty'))
        best = values[0]
        for value in values[1:]:
            best = _better(ev, comparison, best, value)
        return best

    return found


def _better(ev, comparison: str, best: Binding, value: Binding) -> Binding:
    """Python's rule: the first of equals stays."""
    test = ev.distribution.compare_two(getattr(gast, comparison), value, best)
    return ev.choose(None, test, lambda: value, lambda: best)


def _settled(ev, value: Binding) -> Binding:
    """The items of an iterator, in a list if they are many; anything else as it is."""
    while isinstance(value, Generator):
        value = value.runs_over
    listed = isinstance(value, Container) and (value.is_iterator or isinstance(value, Range)) and not has_parts(ev, value)
    return ev.call(Known(list), [value], {}) if listed else value


def _whole(ev, value: Binding) -> Binding:
    """The items of a list that grows at run time as an array; anything else as it is."""
    match value:
        case DynamicList():
            return ev.settled_entry(value)
        case ArrayList((array,)):
            return array
    return value


def _of_its_kind(ev, items: Binding, number: Binding) -> Binding:
    """What NumPy made of a list that grows, as Python's own number if it holds such; a sum of flags is an integer."""
    kind = ev.growing.number_in(items) if isinstance(items, Container) else None
    if kind is None:
        return number
    return ev.call(Known(int if kind is bool and number.type.dtype.kind != 'b' else kind), [number], {})


def total(ev, value: Binding, start: Binding = Known(0)) -> Binding:
    items = ev.placeholders.all_there(_settled(ev, value))
    if isinstance(items, DynamicList) and (
            isinstance(start, Container) or isinstance(items.item, ArrayList)):
        return ev.inline(Closure(ev.template(ADDED_UP)), [items, start], {})
    if _is_one_by_one(ev, items) or isinstance(items, Container) and ev.growing.number_in(items) is int:
        return ev.inline(Closure(ev.template(TOTAL)), [ev.placeholders.all_there(items), start], {})
    if _is_many(items):
        of_all = lambda: _of_many(ev, items, start)
        asked = _item_type(ev, items) not in ALIKE or _surely_none(ev, items)
        return ev.choose(None, _some(ev, items), of_all, lambda: start) if asked else of_all()
    found, items = start, list(parts_of(ev, items, 'sum'))
    for k, item in enumerate(items):    # the sum of a single array is another array, and that of nothing but -0.0 is 0.0
        alone = k == 0 and start == Known(0) and len(items) > 1 and _is_nothing_beside(item, items[1])
        found = item if alone else ev.binary(gast.Add, found, item)
    return found


def _is_nothing_beside(item: Binding, following: Binding) -> bool:
    """Whether 0 is nothing beside an item, as it is beside no flag of NumPy's, nor beside -0.0, nor in `0 + True + np.True_`."""
    type_, other = leaf_type(item), leaf_type(following)
    if type_ == BOOL:
        return getattr(other, 'dtype', None) != np.bool_ or other == BOOL
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind in 'iu'


def _is_many(items: Binding) -> bool:
    """Whether these are items in an array, or on a list, and not one by one."""
    return isinstance(items, (Var, DynamicList, ArrayList))


def _some(ev, items: Binding) -> Binding:
    """Whether there is an item."""
    if isinstance(items, DynamicList):
        if is_filled(ev.builder.block, items.items[0].name, ev.builder.types):
            return Known(True)
    array = items.array if isinstance(items, ArrayList) else items
    type_ = ev.resolve(array.type) if isinstance(array, Var) else None
    if isinstance(type_, Array) and type_.dims and type_.dims[0] is not None and type_.dims[0].is_at_least(1):
        return Known(True)
    return ev.compare(gast.Gt, ev.call(Known(len), [items], {}), Known(0))


def _surely_none(ev, items: Binding) -> bool:
    with ev.builder.nested():     # what is asked is not written down
        return _some(ev, items) == Known(False)


def _item_type(ev, items: Binding) -> Type:
    """The type of the items of an array, or of what is on a list; of lists on a list, which are kept in arrays, that of these."""
    match items:
        case DynamicList((tape, *_)):
            return ev.resolve(ev.tapes.list_type(tape.name).element)
        case ArrayList((Var(type=whole),)) | Var(type=whole):
            whole = ev.resolve(whole)
    if not isinstance(whole, Array) or whole.dims is None:
        return Unknown()
    return Array(whole.dtype, whole.dims[1:]) if whole.ndim > 1 else Scalar(whole.dtype)


def _of_many(ev, items: Binding, start: Binding) -> Binding:
    """The sum of items in an array, or on a list, of which there are some, or which are numbers, and of `start`."""
    if _is_ragged(ev, items):
        return ev.inline(Closure(ev.template(SUMMED)), [items, start], {})
    whole = _whole(ev, items)
    dtype, dims = getattr(whole.type, 'dtype', np.dtype(float)), getattr(whole.type, 'dims', None)
    wanted = _added_in(dtype, leaf_type(start))
    axis = Known(0) if whole.type.ndim != 1 else Known(None)
    found = ev.operate_by_name('numpy.sum', [whole], axis=axis, **{'dtype': wanted.type} if wanted else {})
    if dims is None or dims[0] is None or not dims[0].is_large:
        link(ev.builder.block[-1].value, integer=True)  # Python's 0, if there are no items
    found = _of_its_kind(ev, items, found)
    return found if start == Known(0) else ev.binary(gast.Add, start, found)


def _added_in(own: np.dtype, start: Type | None) -> np.dtype | None:
    """The dtype that Python adds items up in, one by one to what it starts from; None if NumPy's sum does as well.

    NumPy's sum has 64 bits where Python's wraps around in fewer, and is as narrow as the items where the start is wider.

    >>> from transpiler.values.types import FLOAT, INT
    >>> _added_in(np.dtype('int8'), INT), _added_in(np.dtype('int8'), FLOAT), _added_in(np.dtype('float32'), FLOAT)
    (dtype('int8'), None, None)
    """
    if not isinstance(start, (Scalar, Array)) or own.kind not in 'biufc':
        return None
    first = start.dtype.type(0).item() if isinstance(start, Scalar) and start.weak else start.dtype
    wanted = np.result_type(first, own)
    if own.kind in 'biu':
        usual = np.sum(np.zeros(0, own)).dtype
        return None if np.result_type(first, usual) == wanted else wanted
    return wanted if np.finfo(wanted).dtype != np.finfo(own).dtype else None


def _is_one_by_one(ev, items: Binding, tuples: bool = False) -> bool:
    """Whether an array is not as good as the items: NumPy's integers of less than 64 bits, numbers of several kinds, tuples."""
    if isinstance(items, Var):
        return len({kind.dtype for kind in ev.inference.on_paths(items) if isinstance(kind, Array)}) > 1
    if not isinstance(items, DynamicList):
        return False
    if isinstance(items.item, Container) and not is_optional(items.item):
        return tuples and isinstance(items.item, Tuple)
    element = ev.resolve(ev.tapes.list_type(items.items[-1].name).element)
    small = isinstance(element, Scalar) and element.dtype.kind in 'iu' and element.dtype.itemsize < 8
    return small or items_differ(element)


def _is_ragged(ev, items: Binding) -> bool:
    """Whether the arrays on a list may differ in their sizes."""
    if not isinstance(items, DynamicList) or isinstance(items.item, Container):
        return False
    dims = getattr(_item_type(ev, items), 'dims', ())
    return dims is None or None in dims


def quantifier(name: str, operator: type[gast.boolop]):
    """`any` and `all`: of an array, or of items one after the other."""

    def found(ev, value: Binding) -> Binding:
        check_all_made(ev, value, f'`{name}`', instead='a loop with `break`')
        value = _settled(ev, value)
        if _is_one_by_one(ev, value):
            value = ev.current(ev.inline(Closure(ev.template(EACH_AS)), [ev.placeholders.all_there(value), Known(bool)], {}))
        value = _whole(ev, value)
        if isinstance(value, Var):
            return ev.call(Known(bool), [ev.operate_by_name(f'numpy.{name}', [value])], {})
        found: Binding = Known(operator is gast.And)
        for item in reversed(parts_of(ev, value, name)):
            later, now = (lambda found=found: found), (lambda item=item: item)
            first, second = (later, now) if operator is gast.And else (now, later)
            found = ev.choose(None, item, first, second)
        return ev.call(Known(bool), [found], {})

    return found
