"""Places that keep what they hold, and copies that nobody needs: what is left of in-place writes in a pullback."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import Growing
from transpiler.analyses.memory.effects import is_pure, memory_reads
from transpiler.core.build import like
from transpiler.core.build import name as name_node
from transpiler.core.language import Core
from transpiler.core.query import all_defined, blocks, contents, defined, names, reads, written
from transpiler.core.text import dump
from transpiler.optimize.rewriting.available_expressions import all_effects
from transpiler.values.types import Scalar


class View:
    """What is known of a program while its stores are rewritten."""

    def __init__(self, core: Core):
        self.core, self.memory, self.live = core, Growing(core), live_after(core)


def is_apart(view: View, other: gast.stmt, array: str, moved: Sequence[gast.stmt]) -> bool:
    """A simple statement that has no effect, does not look into `array`, and binds nothing that `moved` reads."""
    match other:
        case gast.Assign(targets=[gast.Name(id=target)], value=value) if is_pure(value):
            return not view.memory.of(array) & view.memory.of(*memory_reads(value)) \
                and all(target not in reads(s) and target != array for s in moved)
    return False


def is_addition(view: View, other: gast.stmt, array: str) -> bool:
    """Adds to `array` what has nothing to do with its memory."""
    return written(other) == array and isinstance(other, gast.AugAssign) \
        and not view.memory.of(array) & view.memory.of(*memory_reads(other.value), *memory_reads(other.target.slice))


def kept_places(view: View, body: list[gast.stmt], position: int, array: str, place: gast.Subscript) -> list[gast.stmt] | None:
    """Without `A[i] = 0` at `position` and a later `A[i] += c`, where `c` is what `A[i]` held: it just keeps it."""
    holders, index = _holders(view, body[:position], place), set(names(place))
    for k in range(position + 1, len(body)):
        other = body[k]
        if is_addition(view, other, array):
            if dump(other.target) == dump(place) and isinstance(other.value, gast.Name) and other.value.id in holders:
                return [*body[:position], *body[position + 1:k], *body[k + 1:]]
        elif not is_apart(view, other, array, []) or defined(other) in index:
            return None
        holders.discard(defined(other) or '')
    return None


def _holders(view: View, before: list[gast.stmt], place: gast.Subscript) -> set[str]:
    """The names that hold what is in `place`, a number or a copy, after the statements `before`."""
    start = next((k + 1 for k in range(len(before) - 1, -1, -1) if not is_apart(view, before[k], '', [])), 0)
    views: set[str] = set()
    found: set[str] = set()
    index, load = set(names(place)), dump(like(place, ctx=gast.Load()))
    for statement in before[start:]:
        target = statement.targets[0].id
        views.discard(target)
        found.discard(target)
        match statement.value:
            case gast.Subscript() as value if dump(value) == load:
                (found if isinstance(view.core.types.get(target), Scalar) else views).add(target)
            case gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=source)]) if source in views:
                found.add(target)
        if target in index:
            views, found = set(), set()
    return found


def needless_copy(view: View, body: list[gast.stmt], position: int) -> list[gast.stmt] | None:
    """`c = copy(a)` is `c = a` if `c` is not read any more once `a` changes; a change may wait until then."""
    match body[position]:
        case gast.Assign(targets=[gast.Name(id=name)],
                         value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=source)])) if name != source:
            roots = view.memory.of(source)
        case _:
            return None
    after = body[position + 1:]
    readers = [k for k, s in enumerate(after) if name in contents(s).reads]
    if body[position].role == 'primal' or not readers or not _is_private(view, name) or not view.memory.is_local(source) \
            or name in view.live.get(body[-1], {name}):
        return None
    if not all_defined(after[:readers[-1] + 1]).isdisjoint((name, source)):
        return None
    rest = _writes_last(view, after, readers, roots, name)
    if rest is None:
        return None
    view.memory.share(name, source)
    return [*body[:position], like(body[position], value=name_node(source)), *rest]


def _is_private(view: View, name: str) -> bool:
    """Nobody else can reach the memory of `name`, and it is never written."""
    own = view.memory.of(name)
    return own.isdisjoint(view.memory.written) and own.isdisjoint(view.memory.returned) and all(
        own.isdisjoint(roots) for other, roots in view.memory.roots.items() if other != name)


def _writes_last(view: View, after: list[gast.stmt], readers: list[int], roots: frozenset[str],
                 name: str) -> list[gast.stmt] | None:
    """The statements with those that read `name` before the one that writes the memory `roots`; None if that cannot be."""
    last = readers[-1]
    writes = [k for k, s in enumerate(after[:last + 1]) if all_effects([s], view.memory) & roots]
    if not writes or writes == [last] and not blocks(after[last]):
        return after
    first, store = writes[0], after[writes[0]]
    array, between, rest = written(store), after[writes[0] + 1:last + 1], after[last + 1:]
    if len(writes) > 1 or array is None or name in reads(store) or not all(is_apart(view, s, array, [store]) for s in between):
        return None
    while rest and _commutes(view, rest[0], array, store):
        between.append(rest.pop(0))
    return [*after[:first], *between, store, *rest]


def _commutes(view: View, other: gast.stmt, array: str, store: gast.stmt) -> bool:
    """An addition into memory that has nothing to do with the store into `array`."""
    place = written(other) if isinstance(other, gast.AugAssign) else None
    if place is None or array in reads(other):
        return False
    return not view.memory.of(place) & view.memory.of(array, *reads(store))
