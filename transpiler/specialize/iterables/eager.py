"""Eager iterators: all items are made before the first iteration, where no iteration changes what they are made of."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.analyses.memory.aliases import NOTHING, Roots, roots_within, written_roots
from transpiler.analyses.memory.effects import is_noticed, memory_reads
from transpiler.core.query import all_defined, walk
from transpiler.core.variables import Var
from transpiler.errors import UnsafeMutation, UnsupportedSyntax
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.frames import Frame, Late
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Enumerate, Generator, Islice, Zip
from transpiler.values.types import Array, Scalar


def is_early(iterator: Binding, apart: bool) -> bool:
    """Python makes the items of `iterator` one by one, we make them before; `apart`: all items are taken one by one."""
    match iterator:
        case Generator(late=Late()):
            return True
        case Zip(items) | Enumerate(items) | Islice(items) | Generator(items):
            return any(is_early(item, apart) or apart and _is_array(item) for item in items)
    return False


def _is_array(item: Binding) -> bool:
    return isinstance(item, Var) and isinstance(item.type, Array)


def made_early(ev, make: Callable[[], Binding]) -> Generator:
    """An iterator over what `make` gives at once, with what that reads, and whether it changes something besides."""
    block, start, cells = ev.builder.block, len(ev.builder.block), dict(ev.heap.contents)
    outer, ev.heap.late = ev.heap.late, Late()
    try:
        items = make()
    finally:
        late, ev.heap.late = ev.heap.late, outer
    if outer is not None:
        outer.frames |= late.frames
        outer.cells |= late.cells
    making = block[start:]
    late.made(ev.heap.contents, block, start)
    noticed = next(filter(is_noticed, walk(making)), None)
    if noticed is not None:
        raise UnsafeMutation('this is noticed while an iterator makes its items', noticed.origin or ev.origin,
                             why='Python does it when their turn comes, the code that is generated before all of them',
                             instead='do it in the loop that reads them')
    changes = bool(_effects(making, roots_within(block, ev.builder.types))) or any(
        ev.heap.contents[cell] is not held for cell, held in cells.items())
    return Generator((items,), late, changes)


def check_all_made(ev, iterator: Binding, what: str) -> None:
    """Refuse what asks for items until it has seen enough, if making one changes something."""
    if isinstance(iterator, Generator) and iterator.has_effects:
        raise UnsafeMutation(f'`{what}` may stop before all items are made, and making one changes something', ev.origin,
                             why='the code that is generated makes them all', instead='a loop with `break`')


def check_unnoticed(ev, frame: Frame, loop: gast.For, iterator: Binding, block: list[gast.stmt], start: int, made: int,
                    cells: dict) -> None:
    """Refuse `loop` if an iteration of it may change what its items are made of.

    `block[start:made]` makes the items, `block[made:]` are the iterations; `cells`: what lists and dicts held before these.
    """
    bound = {(id(around), name) for around in _around(frame) for name in stores([loop.target, *loop.body])}
    if _differ(ev, block, start, made) or any(
            _differ(ev, *late.making) or late.frames.keys() & bound or any(
                ev.heap.contents.get(cell) is not cells.get(cell, ev.heap.contents.get(cell)) for cell in late.cells)
            for late in _late(iterator)):
        raise UnsafeMutation(
            'the loop may change what the items are made of that it runs over',
            ev.origin,
            why='Python makes each of them when its turn comes, the code that is generated all of them before',
            instead='make a list of them, `list(...)`, if they should not change, or loop over a range and make each in its turn',
        )


def check_as_it_was(ev, iterator: Binding, name: str) -> None:
    """Refuse to read an iterator that has a name, if what its items are made of may have changed since they were made."""
    for late in _late(iterator):
        if late.making[0] is not ev.builder.block or _differ(ev, *late.making) or late.is_changed(ev.heap.contents):
            raise UnsupportedSyntax(
                f'what the iterator `{name}` is made of may have changed when it is read',
                ev.origin,
                why='Python makes each item when its turn comes, generated code where the iterator is made: this must '
                    'be in the same branch or loop, with nothing in between that changes what the items are made of',
                instead='loop over it where it is made, or make a list of it: `list(...)`',
            )


def check_as_made(ev, arguments: Sequence[Binding]) -> None:
    """Refuse a call like `zip(map(f, x), change(x))`: the items are made before the other arguments, not one by one."""
    for place, argument in enumerate(arguments):
        changes = any(iterator.has_effects for iterator in _made_before(argument))
        noticed = changes and not (all(map(_is_number, arguments[:place])) and all(
            isinstance(later, Known) for later in arguments[place + 1:]))
        if noticed or any(_differ(ev, *late.making) or late.is_changed(ev.heap.contents) for late in _late(argument)):
            raise UnsafeMutation(
                'the making of the items of an iterator and another argument of this call may change each other',
                ev.origin,
                why='Python makes an item when its turn comes, the code that is generated all of them before it goes on',
                instead='give what changes something a name, in a line before',
            )


def _is_number(binding: Binding) -> bool:
    return isinstance(binding, Known) or isinstance(binding, Var) and isinstance(binding.type, Scalar)


def _differ(ev, block: list[gast.stmt], start: int, made: int) -> bool:
    """Whether what follows may change what `block[start:made]` makes items of, or notice what that changes."""
    making, after = block[start:made], block[made:]
    if not after:
        return False
    memory = roots_within(block, ev.builder.types)
    read = {root for s in walk(making) for name in memory_reads(s) for root in memory.get(name, NOTHING)}
    return bool(read & _changed(after, memory) or _effects(making, memory))


def _effects(making: list[gast.stmt], memory: Roots) -> set[str]:
    """What the making of items changes that was there before."""
    return _changed(making, memory) - all_defined(making)


def _changed(statements: list[gast.stmt], memory: Roots) -> set[str]:
    return {root for statement in walk(statements) for root in written_roots(statement, memory)}


def _late(iterator: Binding) -> Iterator[Late]:
    return (made.late for made in _made_before(iterator))


def _made_before(iterator: Binding) -> Iterator[Generator]:
    """The iterators inside of `iterator` whose items have been made."""
    match iterator:
        case Generator(late=Late()):
            yield iterator
        case Container(items=items):
            for item in items:
                yield from _made_before(item)


def _around(frame: Frame | None) -> Iterator[Frame]:
    while frame is not None:
        yield frame
        frame = frame.parent
