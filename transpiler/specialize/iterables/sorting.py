"""`sorted` and `list.sort`: by names and other things that are known while code is generated, or by numbers."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence

from transpiler.errors import UnsupportedFunction
from transpiler.rules.python import SORTED, SORTED_BY, SORTED_BY_SEVERAL
from transpiler.specialize.domain.bindings import Binding, Closure, Known, Ref
from transpiler.specialize.iterables.spaces import items_of
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.run_time_lists import DynamicList
from transpiler.specialize.structures.sequences import List, Tuple


class _Undecided(Exception):
    """What comes first shows at run time only."""


def in_order(ev, iterable: Binding, *, key: Binding = Known(None), reverse: Binding = Known(False)) -> Binding:
    """Python's `sorted`."""
    given = ev.inlining.taken([iterable])[0]
    match given, key:
        case Known(set() | frozenset() as members), Known(None) if _in_one_order(members):
            given = List(tuple(map(Known, sorted(members))))
    found = items_of(ev, given) if isinstance(given, (Container, Ref)) else None
    if isinstance(given, DynamicList) and isinstance(given.item, Tuple) and key == Known(None):
        return ev.inline(Closure(ev.template(SORTED_BY_SEVERAL)), [given, given, Known(len(given.item.items)), reverse], {})
    if found is None or found.parts is None:
        return ev.inline(Closure(ev.template(SORTED)), [given, key, reverse], {})
    keys = found.parts if key == Known(None) else tuple(ev.call(key, [part], {}) for part in found.parts)
    order = known_order(ev, keys, reverse)
    if order is not None:
        return ev.call(Known(list), [Tuple(tuple(found.parts[k] for k in order))], {})
    kind = next((kind for found in keys if (kind := ev.overloads.class_of(ev.current(found))) is not None), None)
    if kind is not None:
        raise UnsupportedFunction(
            f'`sorted` by objects of the class `{kind.__name__}` is not supported', ev.origin,
            why='which comes first shows only at run time, where objects are taken apart',
            instead='give a key that is a number: `key=lambda item: item.size`')
    items = ev.call(Known(list), [given], {})
    lengths = {len(now.items) if isinstance(now := ev.current(found), Tuple) else None for found in keys}
    if len(lengths) == 1 and None not in lengths:
        return ev.inline(Closure(ev.template(SORTED_BY_SEVERAL)), [items, Tuple(keys), *map(Known, lengths), reverse], {})
    if lengths != {None}:
        raise UnsupportedFunction(
            '`sorted` by tuples of several lengths, or beside other things, is not supported', ev.origin,
            why='which comes first shows only at run time, and they are compared by one array for each place in them',
            instead='give a key that is a number, or tuples of as many numbers each')
    return ev.inline(Closure(ev.template(SORTED_BY)), [items, Tuple(keys), reverse], {})


def known_order(ev, keys: Sequence[Binding], reverse: Binding) -> list[int] | None:
    """Which of the keys comes first, second, and so on, or None if that shows at run time only."""
    if not isinstance(reverse, Known):
        return None
    by = functools.cmp_to_key(lambda one, other: _compared(ev, keys[one], keys[other]))
    try:
        return sorted(range(len(keys)), key=by, reverse=bool(reverse.value))
    except (_Undecided, TypeError):
        return None


def _compared(ev, one: Binding, other: Binding) -> int:
    """Less than 0, 0 or more, as Python compares: sequences by the first items that differ."""
    match ev.current(one) if isinstance(one, Ref) else one, ev.current(other) if isinstance(other, Ref) else other:
        case Known(a), Known(b):
            return 0 if a == b else -1 if a < b else 1
        case (Tuple(first) | List(first)) as a, (Tuple(second) | List(second)) as b if type(a) is type(b):
            differing = (found for pair in zip(first, second) if (found := _compared(ev, *pair)))
            return next(differing, len(first) - len(second))
    raise _Undecided


def _in_one_order(members: Collection) -> bool:
    """Whether members of a set come one after the other, whatever the order that they are met in."""
    return any(all(isinstance(member, kind) for member in members) for kind in (int, str, bytes))
