"""Elements of one array that are certainly not the same."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from transpiler.analyses.polyhedral.affine import Affine
from transpiler.analyses.polyhedral.inequalities import impossible
from transpiler.core.indices import dots_spelled_out, entries_of, integer
from transpiler.values.types import Scalar

Element = tuple[gast.Subscript, gast.stmt]  # and the statement that it is in


def are_apart(one: Element, other: Element, affine: Affine) -> bool:
    """Whether the element that stays the same in a loop is another one than those that its iterations use.

    Only where indices are not negative, and so count from the same end, and for statements that stand in one place each.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import INT
    >>> core = parse('''
    ... for j in range(m):
    ...     for k in range(j):
    ...         v = x[k]
    ...         w = x[k + j]
    ...         x[j] += v
    ... return x''', types={'j': INT, 'k': INT, 'm': INT})
    >>> affine = Affine(core)
    >>> first, second, added = core.body[0].body[0].body
    >>> [are_apart((added.target, added), (read.value, read), affine) for read in (first, second)]
    [True, False]
    """
    (element, _), (touched, _) = one, other
    here, there = (affine.positions.only(statement) for _, statement in (one, other))
    if here is None or there is None:
        return False
    entries = entries_of(element.slice)
    others = dots_spelled_out(entries_of(touched.slice), len(entries))
    if not all(isinstance(entry, gast.Slice) or is_number(entry, affine.core.types) for entry in others):
        return False
    for entry, moving in zip(entries, others, strict=True):
        forms = affine.form(entry, here), affine.form(moving, there)
        if None in forms:
            continue
        domain = affine.domain(there)
        known = [*domain, *affine.known([*domain, *forms])]
        if all(impossible([], [*known, -form - 1]) for form in forms) and impossible([forms[0] - forms[1]], known):
            return True
    return False


def is_number(entry: gast.expr, types: Mapping[str, Any]) -> bool:
    """Whether an entry of an index is an integer, a constant or a name."""
    type_ = types.get(entry.id) if isinstance(entry, gast.Name) else None
    return integer(entry) is not None or isinstance(type_, Scalar) and type_.dtype.kind in 'iu'
