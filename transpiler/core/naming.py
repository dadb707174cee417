"""Choosing names: readable, deterministic, and never in each other's way."""
from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Container, Iterable

RUNTIME = 'transpiler_kernels'      # the import name of the run-time package, which programs call `kernels`
RESERVED = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins)) | {'self', 'cls'}


def identifier(text: str) -> str:
    """`text` as a legal identifier.

    >>> identifier('2nd value'), identifier('lambda'), identifier('')
    ('_2nd_value', 'lambda_', 'value')
    """
    cleaned = re.sub(r'\W+', '_', text) or 'value'
    if cleaned[0].isdigit():
        cleaned = '_' + cleaned
    return cleaned + '_' if keyword.iskeyword(cleaned) else cleaned


def unique(base: str, taken: Container[str]) -> str:
    """`base`, or the first of `base_1`, `base_2`, ... that is not taken.

    >>> unique('y', {'y', 'y_1'}), unique('sum_', {'sum_'}), unique('_', {'_'})
    ('y_2', 'sum_1', '__1')
    """
    if base not in taken:
        return base
    stem, number = base.rstrip('_') or base, 1
    while f'{stem}_{number}' in taken:
        number += 1
    return f'{stem}_{number}'


class Supply:
    """Hands out names that were never handed out before and are not among `taken`."""

    def __init__(self, taken: Iterable[str] = ()):
        self.taken = set(taken)

    def take(self, base: str) -> str:
        name = unique(identifier(base), self.taken)
        self.taken.add(name)
        return name

    def is_free(self, name: str) -> bool:
        return name not in self.taken
