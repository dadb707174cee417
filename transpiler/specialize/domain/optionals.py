"""None on some paths, a value on others: the value beside a flag that tells whether there is one."""

from __future__ import annotations

from dataclasses import replace

import gast

from transpiler.core.variables import Var
from transpiler.specialize.domain.bindings import Binding, Blank, Closure, Known, alike, flatten, fold, leaf_type
from transpiler.specialize.structures.alternatives import Optional
from transpiler.specialize.structures.container import Container

NONE = Known(None)
Names = dict[str, Binding]


def is_optional(binding: Binding | None) -> bool:
    return isinstance(binding, Optional)


def levelled(left: Binding, right: Binding) -> tuple[Binding, Binding]:
    """The two with None beside a value made the same kind of thing, at any depth; the very same where there is nothing to do.

    >>> levelled(Known(None), Known(2.0))[1].items
    (Known(value=True), Known(value=2.0))
    """
    if is_optional(left) or is_optional(right) or (left == NONE) != (right == NONE):
        values = [side.value if is_optional(side) else side for side in (left, right)]
        like = next((value for value in values if value != NONE), NONE)
        if like != NONE and not _may_lack(like):
            return left, right
        left, right = (_as_optional(side, like) for side in (left, right))
    elif not alike(left, right):
        return left, right
    pairs = [levelled(one, other) for one, other in zip(left.items, right.items, strict=True)]
    return with_items(left, [one for one, _ in pairs]), with_items(right, [other for _, other in pairs])


def with_items(container: Container, items: list[Binding]) -> Container:
    same = all(new is old for new, old in zip(items, container.items, strict=True))
    return container if same else replace(container, items=tuple(items))


def _may_lack(value: Binding) -> bool:
    """Whether something else can be put in the place of a value: a container that others may refer to stays what it is."""
    if not isinstance(value, (Var, Known, Container, Closure, Blank)) or value == NONE:
        return False
    return all(isinstance(leaf, (Var, Known, Closure, Blank)) for leaf in flatten(value))


def _as_optional(side: Binding, like: Binding) -> Optional:
    flag, value = side.items if is_optional(side) else (Known(side != NONE), side)
    if value != NONE or like == NONE:
        return side if is_optional(side) else Optional((flag, value))
    return Optional((flag, fold(like, lambda leaf: leaf if leaf_type(leaf) is None else Blank(leaf_type(leaf)))))


def narrowed(names: Names, block: list[gast.stmt], test: Binding, holds: bool) -> Names:
    """What names stand for where a test, computed at the end of `block`, holds, or does not: a value, or None."""
    flag = test
    match block[-1:]:
        case [gast.Assign(targets=[gast.Name(id=name)], value=gast.UnaryOp(op=gast.Not(), operand=gast.Name(id=asked)))] if (
                isinstance(test, Var) and test.name == name):
            flag, holds = Var(asked, test.type), not holds
    known = {name: binding.value if holds else NONE for name, binding in names.items()
             if is_optional(binding) and isinstance(binding.flag, Var) and binding.flag.name == flag.name}
    return {**names, **known} if known else names


def widened(names: Names, start: Names, before: Names) -> Names:
    """What names stand for after an arm that began with `start`: those that it left alone are what they were before."""
    if start is before:
        return names
    return {name: before[name] if name in before and binding is start[name] else binding for name, binding in names.items()}
