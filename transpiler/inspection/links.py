"""Two texts and the lines that belong together: what both the notebook's and the terminal's display are made from."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from transpiler.errors import Origin

HUES = 8         # so many colours mark lines that belong together, in turn
KINDS = ((Keyword, 'keyword'), (Operator.Word, 'keyword'), (String.Doc, 'comment'), (String, 'string'), (Number, 'number'),
         (Comment, 'comment'), (Name.Function, 'definition'), (Name.Decorator, 'decorator'), (Name.Builtin, 'builtin'))
Pieces = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Line:
    """One line: its number in its file (None for a heading), its pieces of text, each with a kind, and what it is linked by."""

    number: int | None
    pieces: Pieces
    link: str | None = None


@dataclass(frozen=True)
class SideBySide:
    """Primal lines, generated lines, and a hue for every link between them."""

    primal: tuple[Line, ...]
    generated: tuple[Line, ...]
    hues: Mapping[str, int]


def linked(primal: str, generated: str, line_map: Mapping[int, int | Origin], first_line: int = 1, file: str = '') -> SideBySide:
    """Link the lines of two texts; `line_map` leads from lines of `generated` to lines of the primal's file, or of any file.

    Lines that come from elsewhere than the primal's text (from functions that it calls) are shown below it.

    >>> view = linked('def f(x):\\n    return x * x', 'def f_grad(x):\\n    return 2 * x', {2: 12}, 11)
    >>> [(line.number, line.link) for line in view.primal + view.generated]
    [(11, None), (12, '12'), (1, None), (2, '12')]
    """
    origins = {line: o if isinstance(o, Origin) else Origin(file, o) for line, o in line_map.items()}
    own = range(first_line, first_line + len(primal.splitlines()))
    others = sorted({_place(o): o for o in origins.values() if not (o.file == file and o.line in own) and o.text.strip()}.items(),
                    key=lambda item: (item[0][0] != file, item[0]))
    files = sorted({o.file for o in origins.values()} - {file})
    keys = {(file, n): str(n) for n in own}
    keys |= {place: f'{files.index(place[0])}-{place[1]}' if place[0] != file else str(place[1]) for place, _ in others}
    links = {line: keys[_place(o)] for line, o in origins.items() if _place(o) in keys}
    used = set(links.values())
    shown = [Line(n, pieces, keys[file, n] if keys[file, n] in used else None)
             for n, pieces in enumerate(coloured(primal), first_line) if n in own]
    shown += _excerpts([(origin, keys[place]) for place, origin in others], file)
    return SideBySide(tuple(shown), tuple(Line(n, pieces, links.get(n)) for n, pieces in enumerate(coloured(generated), 1)),
                      {link: k % HUES for k, link in enumerate(line.link for line in shown if line.link is not None)})


def _place(origin: Origin) -> tuple[str, int]:
    return origin.file, origin.line


def _excerpts(origins: Iterable[tuple[Origin, str]], file: str) -> Iterator[Line]:
    """Lines of functions that the primal calls, under a heading for each file."""
    heading = None
    for origin, link in origins:
        if heading != origin.file:
            heading = origin.file
            yield Line(None, ())
            yield Line(None, (('comment', '# called' if heading == file else f'# called, from {heading}'),))
        yield Line(origin.line, coloured(origin.text)[0], link)


def coloured(text: str) -> list[Pieces]:
    """The lines of a Python text, each a tuple of (kind, piece); kind '' is plain.

    >>> coloured('return 2')
    [(('keyword', 'return'), ('', ' '), ('number', '2'))]
    """
    lines: list[list[tuple[str, str]]] = [[]]
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text.rstrip('\n')):
        kind = next((kind for parent, kind in KINDS if token in parent), '')
        for k, piece in enumerate(value.split('\n')):
            if k:
                lines.append([])
            if piece:
                lines[-1].append((kind, piece))
    return [tuple(line) for line in lines]


def titles_of(primal: str, generated: str, given: tuple[str, str] | None) -> tuple[str, str]:
    """What stands above the panels: as given, or read off the first lines.

    >>> titles_of('@tp.grad\\ndef f(x):\\n    return x', '# grad of f (m.py:1), for x: float\\n', None)
    ('f', 'grad of f')
    """
    if given is not None:
        return given
    name = next((line.split('(')[0].split()[1] for line in primal.splitlines() if line.lstrip().startswith('def ')), 'primal')
    first = generated.partition('\n')[0]
    return name, first[2:].split(' (')[0] if first.startswith('# ') else 'generated'
