"""Every way in which the transpiler says no: one base class, one message layout.

A message names file, line and column, shows the line with a caret, gives the reason, and says what to write instead::

    model.py:12:4: `yield` is not supported
        yield x * 2
        ^
      why: a generator has no single value to differentiate
      instead: collect the values in an array and return it
"""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Origin:
    """Where a piece of code came from: `line` counts from 1, `column` from 0, `text` is that line of the file.

    `inside` names the function of ours (`interp`) that the user's line calls and the piece stands in, or is empty.
    """

    file: str
    line: int
    column: int = 0
    text: str = ''
    inside: str = field(default='', compare=False)

    def __str__(self) -> str:
        return f'{printable(self.file)}:{self.line}:{self.column}'


def printable(text: str) -> str:
    """Text from outside as it may stand on a line of ours: whatever ends lines, is not seen or steers a terminal is escaped.

    >>> printable('a\\nb'), printable('naïve')
    ('a\\\\nb', 'naïve')
    """
    return text if text.isprintable() else ''.join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def rendered(what: str, origin: Origin | None, why: str = '', instead: str = '') -> str:
    """The one layout of messages: place and matter, the line with a caret, reason, suggestion."""
    lines = [f'{origin}: {what}' if origin else what]
    if origin and origin.text.strip():
        stripped = printable(origin.text.strip().replace('\t', ' '))
        indent = len(origin.text) - len(origin.text.lstrip())
        lines += [f'    {stripped}', '    ' + ' ' * max(origin.column - indent, 0) + '^']
    if why:
        lines.append(f'  why: {why}')
    if instead:
        lines.append(f'  instead: {instead}')
    return '\n'.join(lines)


class TranspileError(Exception):
    """The base of all refusals; `str` of it is the whole message.

    certain: Python itself raises here, whatever the values of the arguments are: a call raises what Python does
    raised: that exception, if it is known
    """

    certain = False
    raised: Exception | None = None

    def __init__(self, what: str, origin: Origin | None = None, *, why: str = '', instead: str = ''):
        self.what, self.origin, self.why, self.instead = what, origin, why, instead
        super().__init__(self.render())

    def render(self) -> str:
        return rendered(self.what, self.origin, self.why, self.instead)

    def __reduce__(self):
        return _rebuild, (type(self), self.what, self.origin, self.why, self.instead)


def _rebuild(kind, what, origin, why, instead):
    return kind(what, origin, why=why, instead=instead)


class UnsupportedSyntax(TranspileError, SyntaxError):
    """A construct outside the language, found by the fence before any code is generated."""

    def __str__(self) -> str:
        return self.render()


class UnsupportedFunction(TranspileError, TypeError):
    """A call to something that has no rule, no definition and no readable source, or a keyword a rule does not take."""


class UnknownType(TranspileError, TypeError):
    """The meaning of the code depends on a type that is not known: annotate it or give example arguments."""


class Misfit(TranspileError, ValueError):
    """What is asked for does not fit the function or its arguments: axes, numbers of examples, values of options."""


class NotDifferentiable(TranspileError, TypeError):
    """The derivative asked for does not exist: an integer argument, an output that is not a scalar, a black box."""


class UnsafeMutation(TranspileError):
    """An in-place write whose effect on other names cannot be followed, so a derivative might be wrong."""


class SourceNotFound(TranspileError, OSError):
    """The text of a function cannot be read; `tp.from_source(text)` supplies it."""

    def __str__(self) -> str:
        return self.render()


class CompileError(TranspileError):
    """Numba cannot compile the generated code."""


class GrammarError(TranspileError, AssertionError):
    """A pass produced a program outside the core language: a defect of the transpiler itself."""
