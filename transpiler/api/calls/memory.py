"""What is made of a function for later calls."""

from __future__ import annotations

import functools
import threading
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from transpiler.source.reading.attached import Made, made_of
from transpiler.specialize.domain.identity import object_key

FEW = 4  # methods and objects, which cannot carry what is made of them, for which it is remembered
_others: OrderedDict[Hashable, Made] = OrderedDict()
_lock = threading.Lock()


def remembered(f: Callable, options: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` gives for a function and these options, made once for as long as the function lives.

    What is made must not keep the function alive, or nothing would ever free both.
    """
    own = _made_of(f)
    if options not in own:
        made = make()
        if hasattr(made, 'let_go'):
            made.let_go()
        own[options] = made
    return own[options]


def _made_of(f: Callable) -> Made:
    if isinstance(f, CARRIERS) or hasattr(type(f), '__transpiler_rule__') or hasattr(type(f), 'let_go'):
        return made_of(f)
    key = object_key(f)
    with _lock:
        own = _others.setdefault(key, Made())
        _others.move_to_end(key)
        if len(_others) > FEW:
            _others.popitem(last=False)
    return own


def weakly(function: Any) -> Callable[[], Any]:
    """What gives a function for as long as it lives; anything else is kept alive."""
    return weakref.ref(function) if isinstance(function, types.FunctionType) else lambda: function


CARRIERS = types.FunctionType, functools.partial
