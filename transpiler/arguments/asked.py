"""Asking: a public function asks of each argument whether it is of the kind that its parameter takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from transpiler.arguments.calls import as_function
from transpiler.arguments.kinds import DATA, OPTIONS, optional

F = TypeVar('F', bound=Callable)
FIXED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def asked(public: F) -> F:
    """Let a public function ask, for every parameter by its name, whether what is given is of that kind.

    >>> @asked
    ... def grad(f, has_aux=False): ...
    >>> grad(abs, has_aux=None)
    Traceback (most recent call last):
    TypeError: has_aux is True or False, not None
    """
    parameters = inspect.signature(public).parameters
    positional = [p.name for p in parameters.values() if p.kind in FIXED[:2]]
    kinds = {p.name: kind for p in parameters.values() if p.kind in FIXED and (kind := _kind(p, public.__name__)) is not None}

    @functools.wraps(public)
    def asking(*args, **keywords):
        first = [kinds[name](value, name) if name in kinds else value for name, value in zip(positional, args, strict=False)]
        return public(*first, *args[len(first) :], **told(kinds, keywords))

    return asking  # type: ignore[return-value]


def told(kinds: Mapping[str, Callable[[Any, str], Any]], named: Mapping[str, Any]) -> dict[str, Any]:
    """What is given by name, each as its kind has it.

    >>> import numpy as np
    >>> told(OPTIONS, {'has_aux': np.True_, 'argnums': [0]})
    {'has_aux': True, 'argnums': (0,)}
    """
    return {name: kinds[name](value, name) if name in kinds else value for name, value in named.items()}


def _kind(parameter: inspect.Parameter, taker: str) -> Callable[[Any, str], Any] | None:
    if parameter.name == 'f':
        asking = lambda value, what: as_function(value, taker)
        return optional(asking) if parameter.default is None else asking
    kind = {**OPTIONS, **DATA}.get(parameter.name)
    return optional(kind) if kind is not None and parameter.default is None else kind
