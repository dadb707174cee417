"""Words of messages: values and nouns as a message says them."""

from __future__ import annotations

import reprlib
from typing import Any

from transpiler.errors import printable


def said(value: Any) -> str:
    """A value on one line of a message, shortened.

    >>> said('no'), said(list(range(100)))
    ("'no'", '[0, 1, 2, 3, 4, 5, ...]')
    """
    return printable(reprlib.repr(value))


def spoken(noun: str) -> str:
    """A noun with its article.

    >>> spoken('int'), spoken('float')
    ('an int', 'a float')
    """
    return f'{"an" if noun[:1] in "aeiouAEIOU" else "a"} {noun}'
