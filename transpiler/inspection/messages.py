"""Messages about places in the code, in colour on a terminal."""
from __future__ import annotations

from rich.text import Text

STYLES = {'warning': 'bold yellow', 'note': 'bold cyan', 'error': 'bold red'}


def coloured(message: str, level: str) -> Text:
    """A message of the one layout of `errors.py`, its place, level, caret and labels in colour; print it with `soft_wrap=True`.

    >>> coloured('m.py:2:4: note: a kink [kink]', 'note').plain
    'm.py:2:4: note: a kink [kink]'
    """
    text = Text(message)
    text.highlight_regex(r'^\S+:\d+:\d+:', 'bold')
    text.highlight_regex(rf'\b{level}:', STYLES[level])
    text.highlight_regex(r'\[[a-z-]+\]$', 'bright_black')
    text.highlight_regex(r'(?m)^ +\^$', STYLES[level])
    text.highlight_regex(r'(?m)^  (why|instead):', 'bright_black')
    return text
