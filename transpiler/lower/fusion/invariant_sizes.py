"""Sizes of arrays that are the same in all iterations of a loop, although each makes new arrays; those on a list alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import gast

from transpiler.analyses.dataflow.liveness import Names, before
from transpiler.core import fixpoint
from transpiler.core.language import Core
from transpiler.core.links import links
from transpiler.core.query import all_defined, blocks, defined, names, primitive
from transpiler.lower.fusion.accesses import Known, Size, mentioned
from transpiler.lower.fusion.operations import Operation, operation
from transpiler.lower.fusion.sizes import Agreement, agree, arguments, can_be_spelled, is_letter, settled, size
from transpiler.values.dims import Dim
from transpiler.values.types import Array

Sizes = tuple[Size, ...]


def start(loop: gast.stmt) -> str:
    """(start(loop), 2): a size before this loop, and before no other one, to which a name must be given there."""
    return f'#start {id(loop)}'


def sizes_of(known: Known, array: str) -> Sizes | None:
    type_ = known.core.types.get(array)
    ndim = type_.ndim if isinstance(type_, Array) else None
    return None if ndim is None else tuple(size(known, array, axis) for axis in range(ndim))


def of_arguments(core: Core, keyed: bool) -> dict[str, Sizes]:
    """The sizes of arguments whose names get other values later, as long as they do not."""
    given, letters = arguments(core)
    first = dict(letters)

    def said(name: str, axis: int, dim: Dim | None) -> Size:
        own = '#size', name, axis
        return first.setdefault(dim, own) if is_letter(dim) else own
    types = {name: core.types.get(name) for name in core.inputs if keyed and name not in given}
    return {name: tuple(said(name, axis, dim) for axis, dim in enumerate(type_.dims)) for name, type_ in types.items()
            if isinstance(type_, Array) and type_.dims is not None}


def steady(known: Known, loop: gast.stmt, live: Mapping[gast.stmt, Names], alone: Collection[str]
           ) -> tuple[list[Size], dict[str, Sizes]]:
    """The arrays that have the same sizes at the start of every iteration and after the loop, and these sizes.

    It is taken for granted of all that the loop carries, and of fewer and fewer until an iteration bears it out. Sizes said by
    names that the loop changes are called `(start(loop), k)`, of the list of sizes that comes first.
    """
    changed = all_defined([loop])
    starts: dict[Size, Size] = {}
    found: dict[str, Sizes] = {}
    for name in sorted(changed & before(loop, live[loop])):
        sizes = sizes_of(known, name)
        if sizes is not None and all(can_be_spelled(known, one) for one in sizes):
            found[name] = tuple(starts.setdefault(one, (start(loop), len(starts))) if changed & {*mentioned(one)} else one
                                for one in sizes)

    def borne_out(found: dict[str, Sizes]) -> dict[str, Sizes]:
        iteration = known.inside(changed)
        iteration.sizes |= found
        _pass_through(iteration, loop.body, live, alone)
        return {name: sizes for name, sizes in found.items()
                if sizes_of(iteration, name) == tuple(settled(iteration, one) for one in sizes)}

    return list(starts), fixpoint.settled(found, borne_out) if found else found


def _pass_through(known: Known, body: Sequence[gast.stmt], live: Mapping[gast.stmt, Names], alone: Collection[str]) -> None:
    """Learn what a block says of sizes, as far as its operations raise if it is not so."""
    for statement in body:
        if blocks(statement):
            kept = {} if isinstance(statement, gast.If) else steady(known, statement, live, alone)[1]
            known.forget(all_defined([statement]))
            known.sizes |= {name: sizes for name, sizes in kept.items() if start(statement) not in mentioned(sizes)}
            continue
        made = operation(statement, known) if defined(statement) not in alone else None
        if made is not None and all(agreement.forced for agreement in made.agreements):
            for agreement in made.agreements:
                agree(known, agreement)
        else:
            made = None
        learn(known, statement, made)


def learn(known: Known, statement: gast.stmt, made: Operation | None) -> None:
    """What a simple statement says of the name that it gives a value."""
    name = defined(statement)
    if made is not None and made.into is None:
        known.made(made.target, made.gives)
    elif made is None:
        known.forget(all_defined([statement]))
    if name is None or not isinstance(statement, gast.Assign):
        return
    known.learn(name, statement.value)
    for axis, length in enumerate(links(statement).full):
        if length is not None:
            agree(known, Agreement(('#number', length), size(known, name, axis), forced=True))
    sizes = sizes_of(known, name)
    if sizes is not None and name not in mentioned(sizes):
        known.sizes[name] = sizes       # still so when what it was made of is another array


class Lists:
    """The sizes of arrays on lists that are only pushed on and popped off, where all pushed ones have the same.

    permanent: names of numbers that never change
    """

    def __init__(self, core: Core):
        self.pushes: Counter[str] = Counter()
        self.unfit: set[str] = set(core.inputs)     # which come with items
        self.seen: dict[str, list[Sizes | None]] = {}
        self.permanent = set(arguments(core)[0])
        for statement in core.statements:
            match statement:
                case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=tape), _])):
                    self.pushes[tape] += 1
                case gast.Assign(targets=[gast.Name(id=tape)], value=gast.Call(func=gast.Name(id='tape.new'))):
                    pass
                case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Name(id='tape.pop'))):
                    pass
                case _ if not blocks(statement):
                    self.unfit |= {*names(statement)}

    def pushed(self, known: Known, statement: gast.stmt) -> None:
        """Called at every push, before the first pop that may take off what it has put on."""
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Name(id='tape.push'), args=[gast.Name(id=tape), gast.Name(id=array)])):
                sizes = sizes_of(known, array)
                lasting = sizes is not None and {word for word in mentioned(sizes) if word[0] != '#'} <= self.permanent
                self.seen.setdefault(tape, []).append(sizes if lasting else None)

    def popped(self, known: Known, statement: gast.stmt) -> None:
        value = getattr(statement, 'value', None)
        if primitive(value) == 'tape.pop' and (tape := value.args[0].id) not in self.unfit:
            seen = self.seen.get(tape, [])
            if len(seen) == self.pushes[tape] and len({*seen}) == 1 and seen[0] is not None:
                known.sizes[statement.targets[0].id] = seen[0]
