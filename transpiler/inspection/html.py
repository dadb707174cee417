"""The notebook display: two panels of code without scripts or outside resources; hovering a line lights up its partners."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from transpiler.errors import Origin
from transpiler.inspection.links import Line, SideBySide, linked, titles_of
from transpiler.inspection.style import STYLE


def side_by_side_html(primal_text: str, generated_text: str, line_map: Mapping[int, int | Origin], first_primal_line: int = 1,
                      titles: tuple[str, str] | None = None, file: str = '') -> str:
    """An HTML fragment with the primal on the left and the generated code on the right, linked lines in one colour.

    `line_map` leads from generated lines (from 1) to lines of the primal's `file`, or to origins in any file. The primal's text
    begins at the line `first_primal_line` of its file.

    >>> html = side_by_side_html('def f(x):\\n    return x * x', 'def f_grad(x):\\n    return 2 * x', {2: 2})
    >>> html.count('class="tp-line'), 'script' in html, 'http' in html
    (4, False, False)
    """
    view = linked(primal_text, generated_text, line_map, first_primal_line, file)
    titles = titles_of(primal_text, generated_text, titles)
    about = escape(f'{titles[0]} and {titles[1]}, side by side', quote=True)
    return (f'<style>{STYLE}{_hover_rules(view)}</style>\n'
            f'<div class="tp-view" role="group" aria-label="{about}">\n'
            f'{_panel(titles[0], view.primal, view.hues, primal=True)}'
            f'{_panel(titles[1], view.generated, view.hues, primal=False)}'
            '</div>\n')


def _hover_rules(view: SideBySide) -> str:
    """One rule for every linked line. The rules are the same in all displays of a page, so they need no identity of their own."""
    states = (':hover', ':focus-visible')
    return ''.join(f'.tp-view:has({", ".join(f".tp-l{n}{state}" for state in states)}) .tp-l{n}{{background:var(--tp-lit)}}'
                   for n in view.hues)


def _panel(title: str, lines: Sequence[Line], hues: Mapping[str, int], primal: bool) -> str:
    name = escape(title, quote=True)
    width = max((len(str(line.number)) for line in lines if line.number), default=1)
    body = ''.join(_line(line, hues, width, primal) for line in lines)
    return (f'<section class="tp-panel" aria-label="{name}"><header>{escape(title)}</header>'
            f'<div class="tp-scroll" tabindex="0" role="region" aria-label="{name}: code">'
            f'<pre><code>{body}</code></pre></div></section>\n')


def _line(line: Line, hues: Mapping[str, int], width: int, primal: bool) -> str:
    pieces = ''.join(f'<span class="tp-{kind}">{escape(piece)}</span>' if kind else escape(piece) for kind, piece in line.pieces)
    classes, extra = 'tp-line', ''
    if line.link is not None:
        classes += f' tp-l{line.link} tp-h{hues[line.link]}'
        extra = ' tabindex="0"' if primal else f' title="from line {line.link.split("-")[-1]}"'
    return f'<span class="{classes}" data-n="{line.number or "":>{width}}"{extra}>{pieces}\n</span>'
