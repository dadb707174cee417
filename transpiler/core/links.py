"""Links: what a pass has found out about a node, for those that come later, in one frozen record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gast


@dataclass(frozen=True)
class Links:
    """Of statements, and of the calls, constants and operations in them; what does not apply is None, False or empty.

    Statements of the pullback and of storage:

    mirror: the branch or loop of the primal that this one takes, or runs, backwards; turned: its arms are exchanged
    pulls: the statement whose pullback this belongs to
    undoes: the write that this one takes back, into `array`
    backwards: the pullback of a loop that has been merged into it; again: what a reversed loop runs once more
    carries: the names under which a reversed loop has values of the next iteration
    stored: the write into memory that still holds the value; branch: the branch that gives the value
    handed: the value is an argument of a call; protects: it copies an argument that the program writes into

    Other statements: in_place: it may become `x += e`; expression: the branch was a conditional expression; note: a comment;
    refusal: what to say if nothing else can come of a `raise`; full: of a view, the sizes of its axes where they are certain

    Calls: writes, pushes: the arguments whose memory is written, or kept on lists; through: those that derivatives pass;
    gives: which argument each result is; items: what results may share; typed: operands, types and constants of a primitive;
    of_numbers: all operands are numbers; box: the function that is called as it is

    Constants and operations: blank: the type of what has no value; integer: it is Python's, or may be; proven: it is in range;
    number: it was nested in place of a name that is one number
    """

    mirror: gast.stmt | None = None
    turned: bool = False
    pulls: gast.stmt | None = None
    undoes: gast.stmt | None = None
    array: str = ''
    backwards: gast.stmt | None = None
    again: list[gast.stmt] | None = None
    carries: Mapping[str, str] | None = None
    stored: gast.stmt | None = None
    branch: gast.stmt | None = None
    handed: bool = False
    protects: bool = False
    in_place: bool = False
    expression: bool = False
    note: str | None = None
    refusal: Exception | None = None
    full: Sequence[int | None] = ()
    writes: frozenset[int] | None = None
    pushes: frozenset[int] | None = None
    through: Sequence[int] | None = None
    gives: Sequence[int] = ()
    items: Sequence[frozenset[int]] | None = None
    typed: tuple | None = None
    of_numbers: bool = False
    box: Any = None
    blank: Any = None
    integer: bool = False
    proven: bool = False
    number: bool = False


NONE = Links()


def links(node: gast.AST | None) -> Links:
    """What is known of a node besides what it says."""
    return getattr(node, 'links', NONE)


def link(node: Any, **known: Any) -> Any:
    """A node that was just made, with more that is known of it."""
    made = Links.__new__(Links)
    made.__dict__.update(links(node).__dict__, **known)     # `dataclasses.replace` looks at every field
    if len(made.__dict__) > len(NONE.__dict__):
        raise TypeError(f'nothing of these names is linked: {sorted(known.keys() - NONE.__dict__.keys())}')
    node.links = made
    return node
