"""From captured source to the statements the specialiser runs: fenced, with one return, and with liveness beside it."""
from __future__ import annotations

import gast

from transpiler.analyses.names import Found, live_names
from transpiler.normalize.fence import check
from transpiler.normalize.returns import single_return
from transpiler.source.capture import Function

Normal = tuple[list[gast.stmt], Found]

_done: dict[int, tuple[gast.FunctionDef, Normal]] = {}


def normalize(function: Function) -> Normal:
    """The body of `function` in the specialiser's language, and the names live around each of its compound statements.

    Raises UnsupportedSyntax, with its place, for the first construct outside the language.
    """
    key = id(function.node)
    if key not in _done:        # the node is kept beside the answer, so that its id stays its own
        if not function.library:        # our templates may use stars, whose length is in sight there
            check(function.node, function.origin)
        body = single_return(list(function.node.body))
        _done[key] = function.node, (body, live_names(body))
    return _done[key][1]
