"""Tapes that functions of the program share, and that nobody reads."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

import gast

from transpiler.analyses.dataflow.liveness import live_after
from transpiler.analyses.memory.aliases import tape_of
from transpiler.core.functions import under_rules
from transpiler.core.language import Core
from transpiler.core.query import blocks, call_of, callee, defined, primitive, reads
from transpiler.optimize.rewriting.available_expressions import with_blocks
from transpiler.passes import rewrite
from transpiler.values.types import Tape

Place = tuple[str, str]  # a function, '' for the program itself, and the name that a tape has in it


@rewrite('unread tapes')
def drop_unread_tapes(core: Core) -> Core:
    """Drop what is pushed on a tape, and popped from it, if no function reads what it pops.

    >>> from transpiler.core.text import parse
    >>> kinds = {'t': Tape(), 'u': Tape()}
    >>> f = parse('tape.push(t, x); tape.push(u, x); return None', kinds, name='f', params=['t', 'u', 'x'])
    >>> g = parse('y = tape.pop(t); z = tape.pop(u); return z', kinds, name='g', params=['t', 'u'])
    >>> program = parse('t = tape.new(); u = tape.new(); call.f(t, u, x); v = call.g(t, u); return v', kinds)
    >>> short = drop_unread_tapes(program.with_functions({'f': f, 'g': g}))
    >>> [len(function.body) for function in short.functions.values()]
    [2, 2]
    """
    if not core.functions:
        return core
    unread = _unread({'': core, **core.functions})
    if not unread:
        return core
    functions = {name: _without(function, {tape for where, tape in unread if where == name})
                 for name, function in core.functions.items()}
    return _without(core, {tape for where, tape in unread if not where}).with_functions(functions)


def _without(core: Core, tapes: Set[str]) -> Core:
    def block(body: Sequence[gast.stmt]) -> list[gast.stmt]:
        return [with_blocks(s, [block(inner) for inner in blocks(s)]) for s in body if tape_of(s) not in tapes]
    return core.with_body(block(core.body)) if tapes else core


def _unread(functions: Mapping[str, Core]) -> set[Place]:
    """The tapes, at every place where they change, whose items no function reads."""
    same: dict[Place, Place] = {}  # from place to place of one tape, to the one that names it

    def tape_at(place: Place) -> Place:
        while (nearer := same.setdefault(place, place)) != place:
            place = nearer
        return place
    for where, core in functions.items():
        for name, parameter in _handed_over(core, functions):
            same[tape_at((where, name))] = tape_at(parameter)
    read = {tape_at((where, name)) for where, core in functions.items() for name in _read(core)}
    read |= {tape_at((where, name)) for where in ('', *under_rules(functions)) for name in functions[where].inputs}
    changed = {(where, tape) for where, core in functions.items() for s in core.statements if (tape := tape_of(s)) is not None}
    return {place for place in changed if tape_at(place) not in read}


def _handed_over(core: Core, functions: Mapping[str, Core]) -> Iterator[tuple[str, Place]]:
    """The tapes that a function hands to others, and where these have them."""
    for call in filter(None, map(call_of, core.statements)):
        called = str(callee(call))
        for argument, parameter in zip(call.args, functions[called].inputs, strict=True):
            if isinstance(argument, gast.Name) and isinstance(core.types.get(argument.id), Tape):
                yield argument.id, (called, parameter)


def _read(core: Core) -> Iterator[str]:
    """The tapes that something other than a call looks at, or that may be known by another name; all lists of the user's."""
    live = live_after(core)
    for statement in core.statements:
        target, tape = defined(statement), tape_of(statement)
        if call_of(statement) is None:
            yield from reads(statement) - {tape}
        if tape is not None and target in live[statement]:
            yield tape
        elif target is not None and primitive(getattr(statement, 'value', None)) != 'tape.new':
            yield target
    yield from (name for name, type_ in core.types.items() if isinstance(type_, Tape) and type_.lasting)
