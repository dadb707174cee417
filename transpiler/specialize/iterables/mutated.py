"""Loops over containers that the loop itself changes: the items as they are when their turn comes."""
from __future__ import annotations

from transpiler.errors import UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Container
from transpiler.specialize.domain.dict_views import View
from transpiler.specialize.iterables.spaces import items_of


def item_now(ev, iterator: Binding, place: int, count: int, item: Binding) -> Binding:
    """The item of the iteration at `place` of `count`, if the loop itself has changed the container it runs over meanwhile."""
    match iterator:
        case Container('zip', values):
            parts = (item_now(ev, v, place, count, part) for v, part in zip(values, item.items, strict=True))
            return Container('tuple', tuple(parts))
        case Container('enumerate', (inner, _)):
            return Container('tuple', (item.items[0], item_now(ev, inner, place, count, item.items[1])))
        case Container('islice', (inner, lower, _, every)):
            return item_now(ev, inner, lower.value + place * every.value, len(items_of(ev, inner).parts), item)
        case Container('list', items, cell=int()):
            now = ev.elements.content(iterator)
            if now.kind != 'list' or len(now.items) != len(items):
                raise _changed_under_way(ev, 'a list')
            return ev.current(now.items[place])
        case View(names=names):
            now = ev.current(iterator)
            if now.names != names:
                raise _changed_under_way(ev, 'a dict')
            return now.items[place]
        case Container('generator', (inner,), type=None):
            return item_now(ev, inner, place, count, item)
        case Container('reversed', (Container('list', items, cell=int()) | View(items=items) as inner,)):
            return item_now(ev, inner, len(items) - 1 - place, count, item)
        case Container('dict', keys=keys, cell=int()) if ev.current(iterator).keys != keys:
            raise _changed_under_way(ev, 'a dict')
    return item


def check_lists_kept(ev, iterator: Binding, touched: tuple[Binding, ...]) -> None:
    """Refuse a loop that has changed the length of a list that it runs over."""
    match iterator:
        case Container('growing', lists) if set(lists) & set(touched):
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
