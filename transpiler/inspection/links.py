"""Two texts and the lines that belong together: what both the notebook's and the terminal's display are made from."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Token

HUES = 8         # so many colours mark lines that belong together, in turn
KINDS = ((Keyword, 'keyword'), (Operator.Word, 'keyword'), (String.Doc, 'comment'), (String, 'string'), (Number, 'number'),
         (Comment, 'comment'), (Name.Function, 'definition'), (Name.Decorator, 'decorator'), (Name.Builtin, 'builtin'))


@dataclass(frozen=True)
class Line:
    """One line: its `number`, the primal line it `link`s to (or None), and its pieces of text, each with a kind."""

    number: int
    pieces: tuple[tuple[str, str], ...]
    link: int | None = None


@dataclass(frozen=True)
class SideBySide:
    """Primal lines, generated lines, and a hue for every primal line that generated lines come from."""

    primal: tuple[Line, ...]
    generated: tuple[Line, ...]
    hues: Mapping[int, int]


def linked(primal: str, generated: str, line_map: Mapping[int, int], first_primal_line: int = 1) -> SideBySide:
    """Link the lines of two texts; `line_map` leads from lines of `generated` to lines of the primal's file.

    >>> view = linked('def f(x):\\n    return x * x', 'def f_grad(x):\\n    return 2 * x', {2: 12}, 11)
    >>> [(line.number, line.link) for line in view.primal + view.generated]
    [(11, None), (12, 12), (1, None), (2, 12)]
    """
    own = range(first_primal_line, first_primal_line + len(primal.splitlines()))
    links = {line: origin for line, origin in line_map.items() if origin in own}
    origins = sorted(set(links.values()))
    return SideBySide(
        tuple(Line(n, pieces, n if n in origins else None) for n, pieces in enumerate(coloured(primal), first_primal_line)),
        tuple(Line(n, pieces, links.get(n)) for n, pieces in enumerate(coloured(generated), 1)),
        {origin: k % HUES for k, origin in enumerate(origins)})


def coloured(text: str) -> list[tuple[tuple[str, str], ...]]:
    """The lines of a Python text, each a tuple of (kind, piece); kind '' is plain.

    >>> coloured('return 2')
    [(('keyword', 'return'), ('', ' '), ('number', '2'))]
    """
    lines: list[list[tuple[str, str]]] = [[]]
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text.rstrip('\n')):
        kind = next((kind for parent, kind in KINDS if token in parent), '') if token is not Token.Text else ''
        for k, piece in enumerate(value.split('\n')):
            if k:
                lines.append([])
            if piece:
                lines[-1].append((kind, piece))
    return [tuple(line) for line in lines]
