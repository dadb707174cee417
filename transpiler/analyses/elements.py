"""Elements of one array that are certainly not the same."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from transpiler.analyses.affine import Affine
from transpiler.analyses.inequalities import impossible
from transpiler.analyses.positions import Position
from transpiler.core.indices import dots_spelled_out, entries_of, integer
from transpiler.values.types import Scalar

Place = tuple[gast.Subscript, Position]


def are_apart(one: Place, other: Place, affine: Affine) -> bool:
    """Whether the element that stays the same in a loop is another one than those that its turns use.

    Only where indices are not negative, and so count from the same end.

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
    >>> first, second, added = affine.positions.all[2:5]
    >>> place = added.statement.target, added
    >>> [are_apart(place, (at.statement.value, at), affine) for at in (first, second)]
    [True, False]
    """
    (element, here), (touched, there) = one, other
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
