"""What a derivative or a batch may not share: it works on copies of what it changes, for all examples together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from transpiler.analyses.memory.aliases import NOTHING, OUTSIDE, Roots, memory, roots_within
from transpiler.analyses.memory.call_effects import as_own
from transpiler.core.language import Core
from transpiler.core.query import all_written
from transpiler.errors import UnsafeMutation
from transpiler.specialize.containers.shared import Change, Part, cells_in
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluator import Evaluator
from transpiler.transforms.steps import Step


def check_changes(core: Core, steps: Sequence[Step], changes: Mapping[Part, Change]) -> None:
    """Refuse changes of containers among the arguments that the caller would see; derivatives leave the caller's alone."""
    called = next((step for step in steps if not step.marks), None)
    for (name, path), change in changes.items():
        if called is None:
            raise UnsafeMutation(
                'a list or dict among the arguments is changed',
                change.origin,
                why='compiled code gets the numbers and arrays in it, not the container, so the caller would not see the change',
                instead='change a copy, and return it',
            )
        if called.maps_examples and called.shares(core, name, path):
            raise UnsafeMutation(
                f'{change.what} in `{name}` is changed, but it is the same for all examples',
                change.origin,
                why='each example would see what the others have left in it',
                instead='change a copy (`list(a)`, `dict(a)`, `copy.deepcopy(a)`), or map over what it holds as well',
            )


def check_containers(ev: Evaluator, inner: Evaluator, bound: Mapping[str, Binding]) -> None:
    """Refuse containers that a function changes if it reads them in another place, too: only there it would see the change.

    inner: has run the function on these arguments, as the program around it holds them
    """
    pairs = cells_in(bound, {**inner.heap.contents, **ev.heap.contents})
    cells = [cell for cell, _ in pairs]
    for cell, part in pairs:
        if part in inner.heap.changed and (cells.count(cell) > 1 or cell in inner.heap.late.cells):
            change = inner.heap.changed[part]
            raise UnsafeMutation(
                f'{change.what} in `{part[0]}` is changed, and the function is given it in another place as well',
                change.origin,
                why='a transformation works on a copy of an argument, so what is read there would miss the change',
                instead='pass a copy of it',
            )
    if ev.heap.late is not None:
        ev.heap.late.cells |= inner.heap.late.cells
        ev.heap.late.frames |= inner.heap.late.frames


def check_memory(ev: Evaluator, inner: Evaluator, core: Core, outer: Sequence[Binding]) -> None:
    """Refuse arrays that a function writes into if others that it is given may share their memory.

    core: the function; outer: its inputs in the program around it, whose own arguments must then be apart from each other
    """
    written = inner.heap.lone.union(memory(as_own(core)).written if all_written(core.body) else ()).intersection(core.inputs)
    if not written:
        return
    own = ev.heap.arguments.union(leaf.name for capture in ev.captures.found.values() for leaf in capture.leaves)
    given = [getattr(value, 'name', '') for value in outer]
    found = roots_within([*chain(*ev.builder.around), *ev.builder.block], ev.builder.types, given, own)
    named = [(name, found.get(value, NOTHING)) for name, value in zip(core.inputs, given, strict=True)]
    for name, roots in named:
        if name in written:
            ev.heap.lone.update(roots & own)
            _check_apart(ev, core, name, roots, {other: theirs for other, theirs in named if other != name})


def _check_apart(ev: Evaluator, core: Core, name: str, roots: frozenset[str], others: Roots) -> None:
    for other, theirs in others.items():
        if roots and theirs and (roots & theirs or OUTSIDE in roots | theirs):
            raise UnsafeMutation(
                f'`{core.base(name)}` is written in place in `{core.name}`, and may share its memory with `{core.base(other)}`',
                ev.origin,
                why='a transformation works on a copy of an argument, so the other would miss what is written',
                instead=f'pass a copy: `{core.base(name)}.copy()`',
            )
