"""Eager iterators: all items are made before the first iteration, where no iteration changes what they are made of."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import gast

from transpiler.analyses.dataflow.source_liveness import stores
from transpiler.analyses.memory.aliases import NOTHING, Roots, roots_within, written_roots
from transpiler.analyses.memory.effects import is_noticed, memory_reads
from transpiler.core.query import all_defined, walk
from transpiler.core.variables import Var
from transpiler.errors import UnsafeMutation, UnsupportedSyntax
from transpiler.specialize.domain.bindings import Binding, Known
from transpiler.specialize.evaluation.frames import Frame, Late
from transpiler.specialize.evaluation.signals import NoValue
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


class Early(UnsafeMutation):
    """It would show that the items of an iterator are made before their turn comes; settled: there is no other way."""

    is_settled = False


def made_early(ev, make: Callable[[], Binding], given: Iterable[Binding] = ()) -> Generator:
    """An iterator over what `make` gives at once, with what that reads, and whether it changes something besides.

    given: the iterators that are used up by making the items, among others
    """
    state = ev.builder.snapshot()
    block, start, cells = ev.builder.block, len(ev.builder.block), dict(ev.heap.contents)
    outer, ev.heap.late = ev.heap.late, Late()
    failure = items = None
    try:
        items = make()
    except NoValue as missing:  # if this item is asked for
        failure, ev.heap.contents = missing, dict(cells)
        ev.builder.restore(state)
    finally:
        late, ev.heap.late = ev.heap.late, outer
    if outer is not None:
        outer.frames |= late.frames
        outer.cells |= late.cells
    making = block[start:]
    changed = frozenset(cell for cell, held in cells.items() if ev.heap.contents[cell] is not held)
    late.changed, late.origin = (changed, next(ev.heap.clock)), ev.origin
    late.made(ev.heap.contents, block, start)
    noticed = next(filter(is_noticed, walk(making)), None)
    if noticed is not None:
        raise Early('this is noticed while an iterator makes its items', noticed.origin or ev.origin,
                             why='Python does it when their turn comes, the code that is generated before all of them',
                             instead='do it in the loop that reads them')
    inner = any(iterator.has_effects for value in given for iterator in made_before(value))
    changes = inner or bool(changed or _effects(making, roots_within(block, ev.builder.types)))
    return Generator(() if failure else (items,), late, changes, failure)


def check_unnoticed(ev, frame: Frame, loop: gast.For, iterator: Binding, block: list[gast.stmt], start: int, made: int,
                    cells: dict, asked: int) -> None:
    """Refuse `loop` if an iteration of it may change what its items are made of.

    `block[start:made]` makes the items, `block[made:]` are the iterations; `cells`: what lists and dicts held before these;
    `asked`: what the clock showed.
    """
    bound = {(id(around), name) for around in _around(frame) for name in stores([loop.target, *loop.body])}
    if _differ(ev, block, start, made) or any(
            _differ(ev, *late.making) or late.frames.keys() & bound or _is_read(ev, late, asked) or any(
                ev.heap.contents.get(cell) is not cells.get(cell, ev.heap.contents.get(cell)) for cell in late.cells)
            for late in _late(iterator)):
        raise Early(
            'the loop may change what the items are made of that it runs over, or read what making them changes',
            ev.origin,
            why='Python makes each of them when its turn comes, the code that is generated all of them before',
            instead='make a list of them, `list(...)`, if they should not change, or loop over a range and make each in its turn',
        )


def check_as_it_was(ev, iterator: Binding, name: str) -> None:
    """Refuse to read an iterator that has a name, if what its items are made of may have changed since they were made."""
    for late in _late(iterator):
        elsewhere = late.making[0] is not ev.builder.block
        if elsewhere or _differ(ev, *late.making) or late.is_changed(ev.heap.contents) or _is_read(ev, late):
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
        changing = [iterator for iterator in made_before(argument) if iterator.has_effects]
        if all(_changes_cells_alone(ev, iterator) for iterator in changing):
            noticed = changing and any(isinstance(earlier, Container) for earlier in arguments[:place])
        else:
            noticed = not (all(map(_is_number, arguments[:place])) and all(
                isinstance(later, Known) for later in arguments[place + 1:]))
        if noticed or any(_differ(ev, *late.making) or late.is_changed(ev.heap.contents) or _is_read(ev, late)
                          for late in _late(argument)):
            raise UnsafeMutation(
                'the making of the items of an iterator and another argument of this call may change each other',
                ev.origin,
                why='Python makes an item when its turn comes, the code that is generated all of them before it goes on',
                instead='give what changes something a name, in a line before',
            )


def _is_read(ev, late: Late, since: int = 0) -> bool:
    """Whether something has been read since that the making of items has changed."""
    cells, made = late.changed
    return any(ev.heap.read_at.get(cell, -1) > max(made, since) for cell in cells)


def _changes_cells_alone(ev, iterator: Generator) -> bool:
    """Whether the making changes nothing but lists, dicts and objects that are known, of which it shows who reads them."""
    block, start, made = iterator.late.making
    return bool(iterator.late.changed[0]) and not _effects(block[start:made], roots_within(block, ev.builder.types))


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
    return (made.late for made in made_before(iterator))


def made_before(iterator: Binding) -> Iterator[Generator]:
    """The iterators inside of `iterator` whose items have been made."""
    match iterator:
        case Generator(late=Late()):
            yield iterator
        case Container(items=items):
            for item in items:
                yield from made_before(item)


def _around(frame: Frame | None) -> Iterator[Frame]:
    while frame is not None:
        yield frame
        frame = frame.parent
