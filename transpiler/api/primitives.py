"""Library functions as functions with source, so that they can be transformed themselves: `tp.vmap(np.dot)`."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from inspect import Parameter
from typing import Any

import transpiler.rules  # noqa: F401  (fills the registry)
from transpiler.rules.registry import Rule, rule_of

_made: dict[str, Callable] = {}


def with_source(function: Callable) -> Callable:
    """`function`, or if it is a primitive, a Python function that calls it.

    >>> import numpy as np
    >>> with_source(np.dot)(np.ones(2), np.ones(2)), with_source(np.dot) is with_source(np.dot)
    (np.float64(2.0), True)
    """
    rule = rule_of(function)
    if rule is None:
        return function
    if rule.name not in _made:
        _made[rule.name] = _calling(rule, function)
    return _made[rule.name]


def _calling(rule: Rule, function: Any) -> Callable:
    name = rule.name.rpartition('.')[2]
    left_out = ('out', 'dtype', 'like', 'device', 'casting', 'order', 'subok', 'copy')
    own = [p for p in rule.signature.parameters.values() if p.name not in left_out]
    takes = [f'*{p.name}' if p.kind is Parameter.VAR_POSITIONAL else p.name if p.default is p.empty else f'{p.name}={p.default!r}'
             for p in own]
    gives = [f'*{p.name}' if p.kind is Parameter.VAR_POSITIONAL else p.name if p.default is p.empty else f'{p.name}={p.name}'
             for p in own]
    text = f'def {name}({", ".join(takes)}):\n    return {name}_({", ".join(gives)})\n'
    file = f'<{rule.name}>'
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {f'{name}_': function}
    exec(compile(text, file, 'exec'), scope)
    return scope[name]
