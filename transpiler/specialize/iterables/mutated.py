"""Loops over containers that the loop itself changes: the items as they are when their turn comes."""
from __future__ import annotations

from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.iterables.spaces import items_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Enumerate, Generator, Islice, Reversed, Zip
from transpiler.specialize.structures.mappings import Dict, DictView, Shown
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.specialize.structures.sequences import List, Tuple


def item_now(ev, iterator: Binding, place: int, count: int, item: Binding) -> Binding:
    """The item of the iteration at `place` of `count`, if the loop itself has changed the container it runs over meanwhile."""
    match iterator:
        case Zip(values):
            parts = (item_now(ev, v, place, count, part) for v, part in zip(values, item.items, strict=True))
            return Tuple(tuple(parts))
        case Enumerate((inner, _)):
            return Tuple((item.items[0], item_now(ev, inner, place, count, item.items[1])))
        case Islice((inner, lower, _, every)):
            return item_now(ev, inner, lower.value + place * every.value, len(items_of(ev, inner).parts), item)
        case List(items, cell=int()):
            now = ev.elements.content(iterator)
            if not isinstance(now, List) or len(now.items) != len(items):
                raise _changed_under_way(ev, 'a list')
            return ev.current(now.items[place])
        case DictView(shows=Shown(keys=keys)):
            now = ev.current(iterator)
            if now.shows.keys != keys:
                raise _changed_under_way(ev, 'a dict')
            return now.items[place]
        case Generator((inner,), late=None):
            return item_now(ev, inner, place, count, item)
        case Reversed((List(items, cell=int()) | DictView(items, shows=Shown()) as inner,)):
            return item_now(ev, inner, len(items) - 1 - place, count, item)
        case Dict(keys=keys, cell=int()) if ev.current(iterator).keys != keys:
            raise _changed_under_way(ev, 'a dict')
    return item


def check_lists_kept(ev, iterator: Binding, touched: tuple[Binding, ...]) -> None:
    """Refuse a loop that has changed the length of a list that it runs over."""
    match iterator:
        case DynamicList(lists) if set(lists) & set(touched):
            raise _changed_under_way(ev, 'a list')
        case Container(items=items):
            for item in items:
                check_lists_kept(ev, item, touched)


def _changed_under_way(ev, what: str) -> UnsupportedFunction:
    return UnsupportedFunction(
        f'the loop adds items to {what} that it runs over, or takes them away',
        ev.origin,
        why='how many iterations it has would change under way',
        instead='loop over a copy: `list(...)`',
    )
