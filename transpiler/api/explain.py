"""`explain`: the source after every pass that changed something, and what derivatives keep and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpiler.api.calls.nested import only_outside
from transpiler.api.calls.specialization import specialise
from transpiler.api.calls.transformed import P, Transformed
from transpiler.arguments.asked import asked
from transpiler.passes import recording
from transpiler.source.writing.comments import comment


@asked
def explain(f: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> str:
    """The program of `f` for these arguments after every pass, first to last.

    A step of differentiation says first what it keeps in loops: which value, where and why, with its size in bytes as a
    formula of the sizes of the arguments. What `jit` compiles says which lines share a loop, and which loops are shared among
    threads.

    >>> print(explain(lambda x: 2.0 * x, 1.0).splitlines()[0])
    -- specialize -------------------------------------------------
    """
    transformed = f if isinstance(f, Transformed) else Transformed(f)
    with recording() as log:
        made = specialise(transformed, *transformed.bound(args, kwargs))
        final = made.source.text
    parts = [_title(step.name) + '\n' + ''.join(f'{comment(said)}\n' for said in step.remarks) + step.source.text for step in log]
    parts.append(f'{_title("result")}\n{final}')
    if transformed.compiled:
        with recording() as log:
            text = made.loops.text
        said = [f'{comment(remark)}\n' for step in log for remark in step.remarks]
        parts.append(f'{_title("for Numba")}\n{"".join(said)}{text}')
    return '\n'.join(parts)


only_outside(explain)


def _title(name: str) -> str:
    return f'-- {name} '.ljust(63, '-')
