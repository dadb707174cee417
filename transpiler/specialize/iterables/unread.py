"""Items of iterators that nobody asks for: Python does not make them, generated code has made them all."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from transpiler.analyses.memory.effects import may_raise
from transpiler.core.query import walk
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluation.frames import Frame
from transpiler.specialize.iterables.eager import Early, made_before
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.iterators import Generator

MAY_RAISE = 'may raise'
AT_ONCE = 'what takes all items at once, like `list(...)` or `sum(...)`, where the iterator is made'


def check_all_made(ev, iterator: Binding, what: str, instead: str = AT_ONCE) -> None:
    """Refuse what may stop before it has seen all items, if making one that nobody asks for would show."""
    shows = shows_unread(ev, iterator)
    if shows is not None:
        raise Early(f'{what} may stop before all items are made, and making one {shows}', ev.origin,
                    why='the code that is generated makes all items before the first one is read', instead=instead)


def check_all_read(ev, frame: Frame) -> None:
    """Refuse a function at whose end a name holds an iterator that nobody has read, if making its items shows."""
    for name, binding in frame.env.items():
        check_read(ev, binding, f'the iterator `{name}` is')


def check_read(ev, binding: Binding | None, what: str) -> None:
    """Refuse to lose an iterator, if making its items shows."""
    if isinstance(binding, Container) and (shows := shows_unread(ev, binding)) is not None:
        raise Early(f'{what} never read, and making an item of it {shows}', next(made_before(binding)).late.origin or ev.origin,
                    why='Python makes no item that nobody asks for, the code that is generated all of them where the iterator '
                        'is made', instead=AT_ONCE)


def shows_unread(ev, iterator: Binding) -> str | None:
    """What Python does only where an item is asked for, while the items of `iterator` are made."""
    for made in made_before(iterator):
        if made.has_effects:
            return 'changes something'
        if made.failure is not None:
            return 'raises'
        if any(_raises(ev, statement, _positions(made)) for statement in _making(made)):
            return MAY_RAISE
    return None


def _making(iterator: Generator) -> Iterator[gast.stmt]:
    block, start, made = iterator.late.making
    return walk(block[start:made])


def _positions(iterator: Generator) -> set[str]:
    """The counters of loops in which items are made."""
    return {statement.target.id for statement in _making(iterator) if isinstance(statement, gast.For)}


def _raises(ev, statement: gast.stmt, positions: set[str]) -> bool:
    """Whether a statement may raise; a place that a loop counts is taken to be there, as are sizes to fit."""
    match statement:
        case gast.Raise():
            return True
        case gast.Assign(value=gast.Subscript(slice=place)):
            return not {part.id for part in gast.walk(place) if isinstance(part, gast.Name)} <= positions
        case gast.Assign(value=gast.Call(func=gast.Name(id=name))) if name.startswith(('numpy.', 'tape.', 'call.')):
            return name.startswith('numpy.linalg.')
        case gast.Assign(value=value):
            return may_raise(value, ev.builder.types)
    return False
