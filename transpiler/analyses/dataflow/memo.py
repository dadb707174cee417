"""Analyses are remembered by the identity of what they looked at, so nothing is ever stale, while programs are made."""
from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from transpiler.garbage import once_made

Result = TypeVar('Result')
KEPT = 64


def memoised(function: Callable[[Any], Result]) -> Callable[[Any], Result]:
    """Remember the answers for the last few arguments; an argument is kept alive as long as its answer."""
    answers: OrderedDict[int, tuple[Any, Result]] = OrderedDict()
    once_made(answers.clear)

    @functools.wraps(function)
    def look_up(subject: Any) -> Result:
        found = answers.get(id(subject))
        if found is None:
            found = answers[id(subject)] = (subject, function(subject))
            if len(answers) > KEPT:
                answers.popitem(last=False)
        return found[1]
    return look_up
