"""Which line of the user's code a pullback statement belongs to, said in a comment where it is not obvious."""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

import gast

from transpiler.core.links import links
from transpiler.core.query import blocks, walk
from transpiler.errors import Origin, printable

TEXT = 60
CODING = re.compile('coding(?=[:=])')


def comment(text: str) -> str:
    """A line that is a comment, whatever the text holds: it cannot end early, nor declare an encoding to Python.

    >>> comment('grad of f (a\\nb.py:1)'), comment('coding=utf-7')
    ('# grad of f (a\\\\nb.py:1)', '# coding =utf-7')
    """
    return '# ' + CODING.sub('coding ', printable(text))


@dataclass(frozen=True)
class Comment:
    """`section`: a line of its own before the statement; `line`: behind it, if there is room."""

    section: str = ''
    line: str = ''


def explain(body: Iterable[gast.stmt]) -> dict[int, Comment]:
    """Comments by the identity of the statement that they belong to."""
    body = list(body)
    comments: dict[int, Comment] = {}
    _block(body, comments, None, None)
    comments |= {id(s): Comment(note) for s in walk(body) if (note := links(s).note) is not None}
    first = next((s for s in body if _is_pullback(s)), None)
    if first is not None and not comments.get(id(first), Comment()).section:
        comments[id(first)] = Comment('pullback', comments.get(id(first), Comment()).line)
    return comments


def _is_pullback(statement: gast.stmt) -> bool:
    return getattr(statement, 'role', '') == 'pullback' and not isinstance(statement, gast.Return)


def _block(body: list[gast.stmt], comments: dict[int, Comment], above: Origin | None, home: Origin | None) -> None:
    """Comment every run of pullback statements from one line, unless the line above, or the block, comes from there too."""
    for (is_pullback, line), group in groupby(body, key=lambda s: (_is_pullback(s), _line(s))):
        statements = list(group)
        origin = getattr(statements[0], 'origin', None)
        if is_pullback and origin is not None and line not in (_key(above), _key(home)):
            comments[id(statements[0])] = _comment(origin, len(statements))
            above = origin
        for statement in statements:
            for inner in blocks(statement):
                _block(inner, comments, origin if is_pullback else above, origin)


def _comment(origin: Origin, count: int) -> Comment:
    text = ' '.join(origin.text.split()).removesuffix(':')
    text = text if len(text) <= TEXT else text[:TEXT - 4].rstrip() + ' ...'
    where = f'line {origin.line}' + (f': {text}' if text else '')
    return Comment(section=f'pullback of {where}') if count > 1 else Comment(line=where)


def _line(statement: gast.stmt):
    return _key(getattr(statement, 'origin', None))


def _key(origin: Origin | None):
    return None if origin is None else (origin.file, origin.line)
