"""One thing that the lint has to say."""
from __future__ import annotations

from dataclasses import dataclass

from transpiler.errors import Origin, TranspileError, rendered


@dataclass(frozen=True)
class Finding:
    """What was found, where, why it matters and what to write instead; `str` of it is the whole message.

    kind: a short name, such as 'cut'; docs/lint.md lists them
    level: 'warning', or 'note' for what is right as it stands but good to know

    >>> print(Finding('cut', '`int` cuts the derivative by `x`', Origin('m.py', 2, 4, '    k = int(x)'), why='it is a step'))
    m.py:2:4: warning: `int` cuts the derivative by `x` [cut]
        k = int(x)
        ^
      why: it is a step
    """

    kind: str
    message: str
    origin: Origin | None
    why: str = ''
    instead: str = ''
    level: str = 'warning'

    def __str__(self) -> str:
        return rendered(f'{self.level}: {self.message} [{self.kind}]', self.origin, self.why, self.instead)


def refusal(error: TranspileError) -> Finding:
    """What the transpiler refuses, as a finding: the rest of the function could not be looked at."""
    return Finding('refused', error.what, error.origin, error.why, error.instead)
