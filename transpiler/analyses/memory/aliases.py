"""Which names may share memory: every name has a set of roots, the places where its memory may have been created."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import gast

from transpiler.analyses.dataflow.liveness import live_before
from transpiler.analyses.dataflow.memo import memoised
from transpiler.analyses.memory.effects import SHOWING, is_fresh
from transpiler.core.fixpoint import spread
from transpiler.core.indices import copies
from transpiler.core.language import Core, leaves
from transpiler.core.links import links
from transpiler.core.query import all_defined, call_of, callee, changed_by, defined, names, primitive, pushed_by, walk
from transpiler.garbage import while_making
from transpiler.values.types import Results, Scalar, Tape

OUTSIDE = '<outside>'      # memory that came in with the arguments; they may share it among each other
ON_TAPES = '<on tapes>'    # what is on any tape, taken together; the list itself is the tape's own memory
FROM_TAPES, FROM_OUTSIDE = -1, -2   # beside positions of arguments, of which the results of a call may be
NOTHING: frozenset[str] = frozenset()
TAKEN = ('tape.pop', 'tape.item')
NEW_LISTS = ('tape.new', 'tape.list')
Roots = Mapping[str, frozenset[str]]
Flow = tuple[str, frozenset[str], tuple[str, ...]]     # a name, its own root or nothing, names whose memory it may share


@dataclass(frozen=True)
class Memory:
    """The roots of every name; which roots are written anywhere, and which can be reached by the caller afterwards.

    lists: the roots of lists, without those of the arrays on them
    """

    roots: Mapping[str, frozenset[str]]
    written: frozenset[str]
    returned: frozenset[str]
    lists: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def of(self, *identifiers: str) -> frozenset[str]:
        found = NOTHING
        for identifier in identifiers:
            roots = self.roots.get(identifier)
            if roots:       # asked very often, and most names are numbers
                found = found | roots if found else roots
        return found

    @cached_property
    def everything(self) -> frozenset[str]:
        """All roots: what a call that nothing is known of may write."""
        return NOTHING.union(*self.roots.values())

    def list_itself(self, tape: str) -> frozenset[str]:
        """The roots of a list, without those of the arrays on it."""
        return self.lists.get(tape, NOTHING)

    def may_alias(self, a: str, b: str) -> bool:
        return bool(self.of(a) & self.of(b))

    def is_local(self, identifier: str) -> bool:
        """Its memory was made here, all of it, whatever the path."""
        return OUTSIDE not in self.of(identifier)


class Growing(Memory):
    """The memory of a program that a walk rewrites: what is made on the way may be part of whatever it is made of."""

    def __init__(self, core: Core):
        found = memory(core)
        self.there, self.more, self.lists_too = core.types, dict(found.roots), dict(found.lists)
        super().__init__(self.more, found.written, found.returned, self.lists_too)

    def note(self, name: str, value: gast.expr) -> None:
        if name not in self.there:
            self.more[name] = self.of(name) if is_fresh(value) else self.of(name, *names(value))
            self.lists_too[name] = self.list_itself(value.id) if isinstance(value, gast.Name) else frozenset({name})

    def share(self, one: str, other: str) -> None:
        """The walk makes these two names of one memory, which had memory of their own."""
        both = self.of(one, other)
        self.more.update({name: roots | both for name, roots in self.more.items() if roots & both})


@memoised
def memory(core: Core) -> Memory:
    """The aliases of a whole function, whatever the order of its statements.

    >>> from transpiler.core.text import parse
    >>> found = memory(parse('a = np.zeros(3); b = a[1:]; c = a + b; c[0] = 1.0; return c'))
    >>> found.may_alias('a', 'b'), found.may_alias('a', 'c'), sorted(found.written)
    (True, False, ['c'])
    """
    roots: dict[str, frozenset[str]] = {name: NOTHING if _is_number(core.types, name) else frozenset({OUTSIDE})
                                        for name in core.inputs}
    own = [name for param in core.params if param.kind == 'own' for name in leaves(param.tree)]
    roots |= {name: frozenset({name}) for name in own if roots[name]}
    statements = core.statements
    tapes = _lists_in(statements, core.types)
    if not tapes.isdisjoint(core.inputs):
        roots[ON_TAPES] = roots[_itself(ON_TAPES)] = frozenset({OUTSIDE})
    roots |= {_itself(tape): roots[tape] for tape in tapes.intersection(core.inputs)}
    roots = _roots_in(statements, core.types, roots, tapes)
    changed = NOTHING.union(*(written_roots(statement, roots) for statement in statements))
    returned = NOTHING.union(*(roots.get(name, NOTHING) for name in names(core.body[-1])))
    if not tapes.isdisjoint((*core.inputs, *names(core.body[-1]))):
        returned |= roots.get(ON_TAPES, NOTHING)    # the caller finds it there
    lists = {tape: roots.pop(_itself(tape)) for tape in (*tapes, ON_TAPES) if _itself(tape) in roots}
    return Memory(MappingProxyType(roots), changed, returned, MappingProxyType(lists))


def roots_in(statements: Sequence[gast.stmt], types: Mapping[str, Any], before: Roots) -> dict[str, frozenset[str]]:
    """The roots of every name of some statements; `before`: those of the names that have a value when they begin."""
    return _roots_in(statements, types, before, _lists_in(statements, types))


def _roots_in(
    statements: Sequence[gast.stmt], types: Mapping[str, Any], before: Roots, tapes: frozenset[str]
) -> dict[str, frozenset[str]]:
    roots = dict(before)
    calls = {name: s.value for s in statements if call_of(s) is not None and (name := defined(s)) is not None}
    flows = [flow for s in statements if _may_flow(types, s, tapes) for flow in _flows(types, s, calls, tapes)]
    for target, own, _ in flows:
        roots[target] = roots.get(target, NOTHING) | own
    return spread(roots, [(target, sources) for target, _, sources in flows if sources])


def _lists_in(statements: Sequence[gast.stmt], types: Mapping[str, Any]) -> frozenset[str]:
    """The names of lists, also where their types are not known."""
    made = (defined(s) for s in statements if primitive(getattr(s, 'value', None)) in NEW_LISTS)
    return frozenset(name for name, type_ in types.items() if isinstance(type_, Tape)).union(filter(None, made))


def roots_within(
    part: list[gast.stmt], types: Mapping[str, Any], after: Iterable[str] = (), own: Collection[str] = ()
) -> Roots:
    """The roots of what a part of a program reads, and what is read `after` it; memory from before it is `OUTSIDE`.

    own: names from before it that have memory of their own; a list from before it is no other such list either
    """
    new, before = all_defined(part) - live_before(part, after), {ON_TAPES: frozenset({OUTSIDE})}
    for name, type_ in types.items():
        if name not in new and not isinstance(type_, Scalar):
            numbers = isinstance(type_, Tape) and isinstance(type_.element, Scalar)
            there = NOTHING if numbers or name in own else frozenset({OUTSIDE})
            before[name] = there | ({name} if isinstance(type_, Tape) or name in own else NOTHING)
            before |= {_itself(name): frozenset({name})} if isinstance(type_, Tape) else {}
    return roots_in(walk(part), types, before)


def written_roots(statement: gast.stmt, roots: Roots) -> frozenset[str]:
    """The memory that a statement itself changes."""
    tape = tape_of(statement)
    if tape:
        return roots.get(_itself(tape), NOTHING)    # the memory of the values on it does not change
    return NOTHING.union(*(roots.get(target, NOTHING) for target in changed_by(statement)))


def _is_number(types: Mapping[str, Any], name: str) -> bool:
    return isinstance(types.get(name), Scalar)


def _may_flow(types: Mapping[str, Any], statement: gast.stmt, tapes: frozenset[str]) -> bool:
    """Whether there is anything to ask about a statement: most give numbers to names, and touch no lists."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)]) if not _is_number(types, target):
            return True
        case gast.If() | gast.For() | gast.While():
            return False
    return isinstance(statement, gast.Expr) or bool(tapes) and not tapes.isdisjoint(names(statement))


def _flows(
    types: Mapping[str, Any], statement: gast.stmt, calls: Mapping[str, gast.Call], tapes: frozenset[str]
) -> Iterator[Flow]:
    call = call_of(statement)
    if tapes:
        yield from _flows_on_tapes(statement, call, tapes)
        yield from _flows_of_lists(statement, calls, tapes)
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=value) if call is not None and not _is_number(types, target):
            parts = range(len(types[target])) if isinstance(types.get(target), tuple) else (0,)
            own = {target}.union(*(_from_outside(value, k) for k in parts))
            yield target, frozenset(own), tuple(name for k in parts for name in call_sources(value, k))
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Subscript(value=gast.Name(id=base), slice=index)) \
                if base in calls and isinstance(types.get(base), tuple) and not _is_number(types, target):
            shared = () if links(calls[base]).items is not None else (base,)
            own = {target} | _from_outside(calls[base], index.value)
            yield target, frozenset(own), (*call_sources(calls[base], index.value), *shared)
        case gast.Assign(targets=[gast.Name(id=target)], value=value) \
                if not _is_number(types, target) and not isinstance(value, gast.Constant):
            kind = types.get(target)
            if primitive(value) == 'tape.of' and not isinstance(getattr(kind, 'element', None), Scalar):
                yield _parts_on(target) if isinstance(kind, Tape) else ON_TAPES, NOTHING, tuple(names(value))
            if primitive(value) in TAKEN:
                yield target, NOTHING, (ON_TAPES, *map(_parts_on, names(value)))
            elif isinstance(value, gast.Name):
                yield target, NOTHING, (value.id,)
            elif is_fresh(value):
                yield target, frozenset({target}), ()
            else:
                boxed = (primitive(value) or '').startswith('box.')     # what it gives may be anybody's
                own = frozenset({target, OUTSIDE} if boxed else {target})
                yield target, own, tuple(dict.fromkeys(names(shared_part(value, types))))
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push' | 'tape.put'), args=[gast.Name(id=tape), *_, value])):
            yield ON_TAPES, NOTHING, tuple(names(value))
            if getattr(types.get(tape), 'lasting', False):
                yield tape, NOTHING, tuple(names(value))


def _flows_on_tapes(statement: gast.stmt, call: gast.Call | None, tapes: frozenset[str]) -> Iterator[Flow]:
    """What a call may put on a tape that it gets, and where the parts of an array go with the list that they are on."""
    if call is not None and not tapes.isdisjoint(names(call)):
        pushed = pushed_by(call)
        yield ON_TAPES, frozenset({ON_TAPES}), tuple(n for k, a in enumerate(call.args) if k in pushed for n in names(a))
    if not hasattr(statement, 'body') and primitive(getattr(statement, 'value', None)) not in ('tape.of', *TAKEN):
        yield ON_TAPES, NOTHING, tuple(_parts_on(name) for name in names(statement) if name in tapes)


def _flows_of_lists(statement: gast.stmt, calls: Mapping[str, gast.Call], tapes: frozenset[str]) -> Iterator[Flow]:
    """Which list a name stands for, whatever is on it."""
    match statement:
        case gast.Assign(targets=[gast.Name(id=target)], value=gast.Name(id=other)) if target in tapes:
            yield _itself(target), NOTHING, (_itself(other),)
        case gast.Assign(targets=[gast.Name(id=target)], value=value) if target in tapes:
            made = calls.get(value.value.id) if isinstance(value, gast.Subscript) and isinstance(value.value, gast.Name) else None
            handed = names(made or value) if made is not None or callee(value) is not None else ()
            taken = (ON_TAPES,) if handed or primitive(value) in TAKEN else ()
            yield _itself(target), frozenset({target}), tuple(_itself(name) for name in (*handed, *taken))
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push' | 'tape.put'), args=[*_, gast.Name(id=inner)])) \
                if inner in tapes:
            yield _itself(ON_TAPES), NOTHING, (_itself(inner),)


def _itself(tape: str) -> str:
    """The list that a name stands for, without the arrays on it."""
    return f'<list {tape}>'


def _parts_on(tape: str) -> str:
    """The array whose parts `tape.of` put on a list, as long as the list goes nowhere else: see `ON_TAPES` from then on."""
    return f'<parts on {tape}>'


def call_sources(call: gast.Call, item: int) -> tuple[str, ...]:
    """The arguments whose memory one result of a call may be, and the tapes it may come from."""
    items = links(call).items
    positions = items[item] if items is not None else range(FROM_TAPES, len(call.args))
    found = [a.id for k, a in enumerate(call.args) if k in positions and isinstance(a, gast.Name)]
    return (*found, ON_TAPES) if FROM_TAPES in positions else tuple(found)


def _from_outside(call: gast.Call, item: int) -> frozenset[str]:
    """`OUTSIDE`, if one result of a call may be memory from around the program."""
    items = links(call).items
    return frozenset({OUTSIDE} if items is not None and FROM_OUTSIDE in items[item] else ())


def shared_part(value: gast.expr, types: Mapping[str, Any]) -> gast.AST:
    """The part of an expression whose memory its value may share: an index never is; what an array of indices picks is new."""
    match value:
        case gast.Subscript(value=gast.Name(id=name)) if isinstance(types.get(name), Results):
            return gast.Constant(value=None, kind=None)
        case gast.Subscript(value=base, slice=index) if not copies(index, types):
            return base
        case gast.Attribute(value=base, attr=attribute) if attribute in SHOWING:
            return base
        case gast.Attribute() | gast.Subscript():
            return gast.Constant(value=None, kind=None)
        case gast.Call(func=gast.Name(id='kernels.unbroadcast'), args=[summed, _]):
            return summed
    return value


@while_making(20_000)
def tape_of(statement: gast.stmt) -> str | None:
    """The tape that a statement changes."""
    match statement:
        case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push' | 'tape.put' | 'tape.add'), args=[gast.Name(id=tape), *_])):
            return tape
        case gast.Assign(value=gast.Call(func=gast.Name(id='tape.pop'), args=[gast.Name(id=tape)])):
            return tape
    return None
