"""Arguments that are one object, or share memory, where a function changes one of them: a derivative works on copies of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from transpiler.core.language import Node, Tree
from transpiler.errors import UnsafeMutation
from transpiler.pipelines import Generated
from transpiler.specialize.domain.abstraction import items_in
from transpiler.specialize.domain.bindings import tree_of
from transpiler.specialize.domain.pytrees import is_instance


def may_meet(generated: Generated, derives: bool) -> bool:
    """Whether there is something that must be apart from the rest, and a rest; `derives`: in a derivative of the primal."""
    if generated.lone or generated.written and derives:
        return True
    around = sum(_holders_in(tree_of(c.binding)) for c in generated.captures) + sum(is_instance(o) for _, o in generated.guards)
    own = sum(_holders_in(p.tree) for p in generated.primal.params if p.kind != 'capture')
    return bool(generated.changes) and own + around > 1


def check_memory(generated: Generated, leaves: Sequence[Any], derives: bool) -> None:
    """Refuse arrays that share memory with one that is written into; `leaves`: the numbers and arrays that the primal takes.

    derives: the program is a derivative of what writes, which otherwise derivatives inside of it do
    """
    lone = generated.lone | (generated.written if derives else frozenset())
    named = list(zip(generated.primal.inputs, leaves, strict=True))
    for written, own in named:
        for name, other in named if written in lone and isinstance(own, np.ndarray) else ():
            if name != written and isinstance(other, np.ndarray) and np.may_share_memory(own, other):
                raise UnsafeMutation(
                    'two arguments share memory, and the function writes into one of its arguments',
                    why=f'the derivative would miss what the write into `{generated.primal.base(written)}` does to '
                        f'`{generated.primal.base(name)}`',
                    instead='pass a copy of one of them',
                )


def check_containers(generated: Generated, values: Mapping[str, Any]) -> None:
    """Refuse lists, dicts and objects that are changed, and found in another place as well."""
    around = [*(c.read() for c in generated.captures), *(found for _, found in generated.guards)]
    found = [id(holder) for value in (*(values[p.name] for p in generated.primal.params if p.kind != 'capture'), *around)
             for holder in _holders(value)]
    for (name, path), change in generated.changes.items():
        changed = values[name]
        for item in path:
            changed = list(items_in(changed) or ())[item]
        if found.count(id(changed)) > 1:
            raise UnsafeMutation(
                f'{change.what} in `{name}` is changed, and the function is given it in another place as well',
                change.origin,
                why='the derivative would miss what the change does to what is read there',
                instead='pass a copy of one of them',
            )


def _holders_in(tree: Tree) -> int:
    return 1 + sum(map(_holders_in, tree.children)) if isinstance(tree, Node) else 0


def _holders(value: Any) -> Iterator[Any]:
    """The lists, dicts and objects in a value, itself included."""
    items = items_in(value)
    if items is not None:
        if not isinstance(value, tuple):
            yield value
        for item in items:
            yield from _holders(item)
