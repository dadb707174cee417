"""The terminal display: rich panels, the generated lines marked with the primal line they come from."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from transpiler.errors import Origin
from transpiler.inspection.links import Line, linked, titles_of

STYLES = {'keyword': 'magenta', 'string': 'green', 'comment': 'bright_black', 'number': 'yellow', 'definition': 'bold blue',
          'decorator': 'bright_magenta', 'builtin': 'cyan', '': ''}
SIDE_BY_SIDE_WIDTH = 100
HUE_STYLES = ('blue', 'yellow', 'green', 'magenta', 'bright_blue', 'bright_yellow', 'cyan', 'red')


def highlighted(text: str) -> Text:
    """A Python text in colour, for a terminal of any background; print it with `soft_wrap=True`, so that no line is cut."""
    result = Syntax('', 'python', theme='ansi_dark', background_color='default').highlight(text)
    result.rstrip()
    return result


@dataclass(frozen=True)
class Pair:
    """Two panels: beside each other where the terminal is wide enough, else one above the other."""

    left: Panel
    right: Panel

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < SIDE_BY_SIDE_WIDTH:
            yield self.left
            yield self.right
            return
        grid = Table.grid(expand=True)
        grid.add_column(ratio=2)
        grid.add_column(ratio=3)
        grid.add_row(self.left, self.right)
        yield grid


def side_by_side(primal_text: str, generated_text: str, line_map: Mapping[int, int | Origin], first_primal_line: int = 1,
                 titles: tuple[str, str] | None = None, file: str = '') -> Pair:
    """A rich renderable: the primal on the left, the generated code on the right, each line with the primal line it belongs to.

    >>> view = side_by_side('def f(x):\\n    return x * x', 'def f_grad(x):\\n    return 2 * x', {2: 2})
    >>> Console(width=36, color_system=None).print(view)
    ╭─ f ──────────────────────────────╮
    │ 1   def f(x):                    │
    │ 2 ▌     return x * x             │
    ╰──────────────────────────────────╯
    ╭─ generated ──────────────────────╮
    │     def f_grad(x):               │
    │ 2 ▌     return 2 * x             │
    ╰──────────────────────────────────╯
    """
    view = linked(primal_text, generated_text, line_map, first_primal_line, file)
    titles = titles_of(primal_text, generated_text, titles)
    return Pair(_panel(titles[0], view.primal, view.hues, primal=True),
                _panel(titles[1], view.generated, view.hues, primal=False))


def _panel(title: str, lines: Sequence[Line], hues: Mapping[str, int], primal: bool) -> Panel:
    table = Table.grid(padding=(0, 1))
    table.add_column(justify='right', no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow='fold')
    for line in lines:
        number = str(line.number or '') if primal else (line.link or '').split('-')[-1]
        bar = Text('▌', style=HUE_STYLES[hues[line.link]]) if line.link is not None else Text(' ')
        code = Text.assemble(*((piece, STYLES[kind]) for kind, piece in line.pieces))
        table.add_row(Text(number, style='bright_black'), bar, code)
    return Panel(table, title=title, title_align='left', box=box.ROUNDED, border_style='bright_black')
