"""`explain`: the source after every pass that changed something, and what derivatives keep and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpiler import backends
from transpiler.api.calls.nested import only_outside
from transpiler.api.calls.specialization import specialise
from transpiler.api.calls.transformed import P, Transformed
from transpiler.arguments.asked import asked
from transpiler.passes import Step, recording
from transpiler.source.writing.comments import comment
from transpiler.stages import LLVM, NUMBA, STAGES, Clock, Spent


@asked
def explain(f: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> str:
    """The program of `f` for these arguments after every pass, first to last.

    A step of differentiation says first what it keeps in loops: which value, where and why, with its size in bytes as a
    formula of the sizes of the arguments. What `jit` compiles says which lines share a loop, which loops are shared among
    threads, and where the time of a first call goes: it is compiled for that, but not called.

    >>> print(explain(lambda x: 2.0 * x, 1.0).splitlines()[0])
    -- specialize -------------------------------------------------
    """
    transformed = f if isinstance(f, Transformed) else Transformed(f)
    bound = transformed.bound(args, kwargs)
    times = _first_call(transformed, *bound) if transformed.compiled else None  # before what follows makes it shorter
    with recording() as log:
        made = specialise(transformed, *bound)
        final = made.source.text
    parts = [_title(step.name) + '\n' + _remarks([step]) + step.source.text for step in log]
    parts.append(f'{_title("result")}\n{final}')
    if times is not None:
        with recording() as log:
            text = made.loops.text
        parts.append(f'{_title("for Numba")}\n{_remarks(log)}{text}')
        parts.append(f'{_title("first call")}\n{_said(times)}')
    return '\n'.join(parts)


only_outside(explain)


def _first_call(transformed: Transformed, values: dict[str, Any], *settled: Any) -> Clock:
    """The stages of a first call, up to the call itself."""
    with backends.timing.timing() as clock:
        made = specialise(transformed, values, *settled)
        made.prepare(made.flat(values))
    return clock


def _said(clock: Clock) -> str:
    """The seconds of all stages, and of every function that Numba has compiled, longest first.

    >>> clock = Clock()
    >>> clock.enter(NUMBA, 'loss'); clock.leave()
    >>> print(_said(clock))
    # seconds: transform 0.000, lower 0.000, Numba 0.000, LLVM 0.000, cache 0.000
    #    Numba     LLVM
    #    0.000    0.000  loss
    """
    lines = ['seconds: ' + ', '.join(f'{stage} {clock.seconds(stage):.3f}' for stage in STAGES)]
    rows = {name: [clock.spent.get((stage, name), Spent()).seconds for stage in (NUMBA, LLVM)] for name in clock.functions}
    lines += [f'{NUMBA:>8} {LLVM:>8}'] if rows else []
    lines += [f'{rows[name][0]:8.3f} {rows[name][1]:8.3f}  {name}' for name in sorted(rows, key=lambda name: -sum(rows[name]))]
    return '\n'.join(map(comment, lines))


def _remarks(steps: list[Step]) -> str:
    return ''.join(f'{comment(remark)}\n' for step in steps for remark in step.remarks)


def _title(name: str) -> str:
    return f'-- {name} '.ljust(63, '-')
