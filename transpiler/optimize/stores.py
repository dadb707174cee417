"""A place that is set to zero and then added to is simply set."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.aliases import Memory, memory
from transpiler.analyses.effects import is_pure, memory_reads
from transpiler.analyses.liveness import live_after
from transpiler.core.build import assign, call, like
from transpiler.core.build import name as name_node
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, reads, walk, written
from transpiler.core.text import dump
from transpiler.optimize.facts import all_effects, unchanged_or, with_blocks
from transpiler.optimize.inference import alike
from transpiler.passes import rewrite
from transpiler.values.types import Scalar

ZEROS = frozenset({'numpy.zeros', 'numpy.zeros_like', 'numpy.full', 'numpy.full_like', 'numpy.empty', 'numpy.empty_like'})


@rewrite('store forwarding')
def forward_stores(core: Core) -> Core:
    """Turn `A[i] = 0; ...; A[i] += v` into `A[i] = v`, and a new array of zeros that is added to into what is added.

    Legal for memory made here if everything between is either an addition into `A` or has nothing to do with its memory.
    The additions between move behind the store: they commute, whether or not they fall on the same element.

    >>> from transpiler.passes import show
    >>> from transpiler.values.types import FLOAT
    >>> show(forward_stores, '''
    ... a = np.zeros(n)
    ... c = a[i]
    ... a[i] = 0.0
    ... a[j] += c
    ... d = 0.5 * c
    ... a[i] += d
    ... return a''', types=dict.fromkeys('acdijn', FLOAT))
    a = np.zeros(n)
    c = a[i]
    d = 0.5 * c
    a[i] = d
    a[j] += c
    return a
    """
    forwarder = _Forwarder(core)
    return unchanged_or(core, forwarder.block(core.body))


class _Forwarder:
    def __init__(self, core: Core):
        self.core, self.memory, self.live = core, memory(core), live_after(core)

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        done = [with_blocks(s, [self.block(b) for b in blocks(s)]) if blocks(s) else s for s in body]
        position = 0
        while position < len(done):
            changed = self.element(done, position) or self.whole(done, position) or self.needless_copy(done, position)
            if changed is None:
                position += 1
            else:
                done = changed
        return done

    def element(self, body: list[gast.stmt], position: int) -> list[gast.stmt] | None:
        """`A[i] = 0` at `position` joined with a later `A[i] += v`."""
        match body[position]:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=array)) as place], value=gast.Constant(value=zero)) \
                    if zero == 0 and self.memory.is_local(array):
                pass
            case _:
                return None
        kept = self.kept(body, position, array, place)
        if kept is not None:
            return kept
        moved: list[gast.stmt] = []
        for index in range(position + 1, len(body)):
            other = body[index]
            if written(other) == array and isinstance(other, gast.AugAssign):
                if dump(other.target) == dump(place):
                    joined = assign(place, other.value, other.origin, other.role)
                    rest = [s for s in body[position + 1:index] if s not in moved]
                    return [*body[:position], *rest, joined, *moved, *body[index + 1:]]
                moved.append(other)
            elif not self.is_apart(other, array, [body[position], *moved]):
                return None
        return None

    def kept(self, body: list[gast.stmt], position: int, array: str, place: gast.Subscript) -> list[gast.stmt] | None:
        """Without `A[i] = 0` at `position` and a later `A[i] += c`, where `c` is what `A[i]` held: it just keeps it."""
        holders = self.holders(body, position, array, place)
        for index in range(position + 1, len(body)):
            other = body[index]
            if written(other) == array and isinstance(other, gast.AugAssign):
                if dump(other.target) == dump(place) and isinstance(other.value, gast.Name) and other.value.id in holders:
                    return [*body[:position], *body[position + 1:index], *body[index + 1:]]
            elif not self.is_apart(other, array, []):
                return None
        return None

    def holders(self, body: list[gast.stmt], position: int, array: str, place: gast.Subscript) -> set[str]:
        """The names that hold what was in `place`, a number or a copy, just before `position`."""
        views, found = set(), set()
        for other in body[:position][::-1]:
            match other:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Subscript() as value) if dump(value) == dump(like(place, ctx=value.ctx)):
                    (found if isinstance(self.core.types.get(name), Scalar) else views).add(name)
                case _ if not self.is_apart(other, '', []) or written(other):
                    break
        for other in body[:position]:
            match other:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=source)])):
                    if source in views:
                        found.add(name)
        return found

    def needless_copy(self, body: list[gast.stmt], position: int) -> list[gast.stmt] | None:
        """`c = copy(a)` is `c = a` if `c` is not read any more once `a` changes; a change may wait until then."""
        match body[position]:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=gast.Name(id='numpy.copy'), args=[gast.Name(id=source)])):
                roots = self.memory.of(source)
            case _:
                return None
        shared = any(self.memory.of(other) & self.memory.of(name) for other in self.memory.roots if other != name)
        after = body[position + 1:]
        readers = [k for k, s in enumerate(after) if name in reads(s) or any(name in reads(i) for i in walk([s]))]
        if body[position].role == 'primal' or shared or self.memory.of(name) & (self.memory.written | self.memory.returned) \
                or not readers or name in self.live.get(body[-1], {name}) or not self.memory.is_local(source):
            return None
        writes = [k for k, s in enumerate(after[:readers[-1] + 1]) if all_effects([s], self.memory) & roots]
        new = like(body[position], value=name_node(source))
        if not writes or writes == readers[-1:] and not blocks(after[writes[0]]):
            return [*body[:position], new, *after]
        first, store = writes[0], after[writes[0]]
        array, between = written(store), after[writes[0] + 1:readers[-1] + 1]
        if len(writes) > 1 or array is None or name in reads(store) or not all(self.is_apart(s, array, [store]) for s in between):
            return None
        rest = after[readers[-1] + 1:]
        while rest and self.commutes(rest[0], array, store):
            between.append(rest.pop(0))
        return [*body[:position], new, *after[:first], *between, store, *rest]

    def commutes(self, other: gast.stmt, array: str, store: gast.stmt) -> bool:
        """An addition into memory that has nothing to do with the store into `array`."""
        place = written(other) if isinstance(other, gast.AugAssign) else None
        return place is not None and not self.memory.of(place) & self.memory.of(array, *reads(store)) and array not in reads(other)

    def is_apart(self, other: gast.stmt, array: str, moved: list[gast.stmt]) -> bool:
        """A simple statement that has no effect, does not look into `array`, and binds nothing that `moved` reads."""
        match other:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if is_pure(value):
                return not self.memory.of(array) & self.memory.of(*memory_reads(value)) \
                    and all(target not in reads(s) and target != array for s in moved)
        return False

    def whole(self, body: list[gast.stmt], position: int) -> list[gast.stmt] | None:
        """`A = zeros(...)` at `position` joined with `A[...] += v` or `A[...] = v`, the first statement that reads `A`."""
        match body[position]:
            case gast.Assign(targets=[gast.Name(id=array)], value=gast.Call(func=gast.Name(id=made)) as value) if made in ZEROS:
                pass
            case _:
                return None
        for index in range(position + 1, len(body)):
            other = body[index]
            if not _mentions(other, array):
                continue
            added = _whole_write(other, array)
            fits = added is not None and alike(self.core.types.get(array), self.core.types.get(added))
            if not fits or isinstance(other, gast.AugAssign) and not _is_zero(value):
                return None
            owned = self.owned(added, other)
            new = assign(array, added if owned else call('numpy.copy', added), other.origin, other.role)
            return [*body[:position], *body[position + 1:index], new, *body[index + 1:]]
        return None

    def owned(self, name: str, statement: gast.stmt) -> bool:
        """The memory of `name` belongs to it alone, and nobody reads the name any more."""
        others: Memory = self.memory
        shared = any(others.of(other) & others.of(name) for other in others.roots if other != name)
        return others.of(name) == {name} and not shared and name not in self.live.get(statement, {name})


def _mentions(statement: gast.stmt, name: str) -> bool:
    found = defined(statement) == name or name in reads(statement) or written(statement) == name
    return found or any(_mentions(s, name) for block in blocks(statement) for s in block)


def _whole_write(statement: gast.stmt, array: str) -> str | None:
    """The name whose value is added to, or written over, the whole of `array`."""
    match statement:
        case gast.AugAssign(target=target, value=gast.Name(id=name)) | gast.Assign(targets=[target], value=gast.Name(id=name)):
            pass
        case _:
            return None
    match target:
        case gast.Subscript(value=gast.Name(id=base), slice=gast.Constant(value=index)):
            return name if base == array and index is Ellipsis and name != array else None
    return None


def _is_zero(value: gast.Call) -> bool:
    if value.func.id in ('numpy.zeros', 'numpy.zeros_like'):
        return True
    last = value.args[-1] if len(value.args) == 2 else None
    return value.func.id in ('numpy.full', 'numpy.full_like') and isinstance(last, gast.Constant) and last.value == 0
