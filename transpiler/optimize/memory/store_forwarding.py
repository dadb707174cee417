"""A place that is set to zero and then added to is simply set."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from transpiler.analyses.memory.memory_order import order_matters
from transpiler.core.build import assign, call
from transpiler.core.indices import may_repeat
from transpiler.core.language import Core
from transpiler.core.query import blocks, defined, primitive, reads, written
from transpiler.core.text import dump
from transpiler.optimize.memory.stable_elements import View, is_addition, is_apart, kept_places, needless_copy
from transpiler.optimize.rewriting.available_expressions import unchanged_or, with_blocks
from transpiler.optimize.rewriting.expression_types import alike
from transpiler.passes import rewrite
from transpiler.values.types import Unknown

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
    if not any(written(s) or primitive(getattr(s, 'value', None)) == 'numpy.copy' for s in core.statements):
        return core
    return unchanged_or(core, _Forwarder(core).block(core.body))


class _Forwarder:
    def __init__(self, core: Core):
        self.core, self.view = core, View(core)
        self.memory, self.live = self.view.memory, self.view.live

    def block(self, body: Sequence[gast.stmt]) -> list[gast.stmt]:
        done = [with_blocks(s, [self.block(b) for b in blocks(s)]) if blocks(s) else s for s in body]
        position = 0
        while position < len(done):
            changed = self.element(done, position) or self.whole(done, position) or needless_copy(self.view, done, position)
            if changed is None:
                position += 1
            else:
                done = changed
        return done

    def element(self, body: list[gast.stmt], position: int) -> list[gast.stmt] | None:
        """`A[i] = 0` at `position` joined with a later `A[i] += v`."""
        match body[position]:
            case gast.Assign(targets=[gast.Subscript(value=gast.Name(id=array)) as place], value=gast.Constant(value=zero)) \
                    if zero == 0 and self.memory.is_local(array) and not may_repeat(place.slice, self.core.types):
                pass
            case _:
                return None
        kept = kept_places(self.view, body, position, array, place)
        if kept is not None:
            return kept
        moved: list[gast.stmt] = []
        for index in range(position + 1, len(body)):
            other = body[index]
            if is_addition(self.view, other, array):
                if dump(other.target) == dump(place):
                    joined = assign(place, other.value, other.origin, other.role)
                    rest = [s for s in body[position + 1:index] if s not in moved]
                    return [*body[:position], *rest, joined, *moved, *body[index + 1:]]
                moved.append(other)
            elif not is_apart(self.view, other, array, [body[position], *moved]):
                return None
        return None

    def whole(self, body: list[gast.stmt], position: int) -> list[gast.stmt] | None:
        """`A = zeros(...)` at `position` joined with `A[...] += v` or `A[...] = v`, the first statement that reads `A`."""
        match body[position]:
            case gast.Assign(targets=[gast.Name(id=array)], value=gast.Call(func=gast.Name(id=made)) as value) if (
                made in ZEROS and not self.memory.of(array) & order_matters(self.core)  # what is added may lie otherwise
            ):
                pass
            case _:
                return None
        for index in range(position + 1, len(body)):
            other = body[index]
            if not _mentions(other, array):
                continue
            added = _whole_write(other, array)
            fits = added is not None and alike(self.core.types.get(array, Unknown()), self.core.types.get(added, Unknown()))
            if added is None or not fits or isinstance(other, gast.AugAssign) and not _is_zero(value):
                return None
            owned = self.owned(added, other)
            if owned:
                self.memory.share(array, added)
            new = assign(array, added if owned else call('numpy.copy', added), other.origin, other.role)
            return [*body[:position], *body[position + 1:index], new, *body[index + 1:]]
        return None

    def owned(self, name: str, statement: gast.stmt) -> bool:
        """The memory of `name` belongs to it alone, and nobody reads the name any more."""
        own = self.memory.of(name)
        shared = any(self.memory.of(other) & own for other in self.memory.roots if other != name)
        return own == {name} and not shared and name not in self.live.get(statement, {name})


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
