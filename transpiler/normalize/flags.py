"""Names that normalising makes up: no user can write them, and each knows how it is printed."""

from __future__ import annotations

from collections import Counter

RESULT = 'return'  # a keyword: no user can have a variable of that name
RETURNED = 'returned!'
PRINTED = {RESULT: 'result'}


class Flags:
    """Numbered names.

    >>> flags = Flags()
    >>> flags.new('stop'), flags.new('stop'), printed('stop!2')
    ('stop!1', 'stop!2', 'stop')
    """

    def __init__(self) -> None:
        self.used: Counter[str] = Counter()

    def new(self, base: str) -> str:
        self.used[base] += 1
        return f'{base}!{self.used[base]}'


def is_flag(name: str) -> bool:
    return '!' in name


def apart(name: str, number: int) -> str:
    """A name that stands beside others of the same name.

    >>> apart('v', 2), printed(apart('v', 2))
    ('v:2', 'v')
    """
    return f'{name}:{number}'


def printed(name: str) -> str:
    """What variables for `name` are called in generated code."""
    return PRINTED.get(name, name.partition('!')[0].partition(':')[0])
