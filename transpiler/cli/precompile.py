"""`--precompile`: functions of a module, compiled for example arguments: programs that import it find their machine code."""
from __future__ import annotations

from types import ModuleType
from typing import Any

from transpiler.api.calls.transformed import Transformed
from transpiler.api.precompile import KEPT_NOWHERE, compiled_for
from transpiler.cli.draw import draw_example
from transpiler.cli.examples import Example
from transpiler.cli.requests import UsageError
from transpiler.errors import TranspileError
from transpiler.source.reading.capture import capture


def precompile_one(module: ModuleType, name: str, example: Example | None) -> None:
    """Compile what the module calls `name`; raises UsageError where that is no function, or the example does not fit."""
    found = getattr(module, name, None)
    if not callable(found):
        raise UsageError(f'--precompile {name}: the module has no function of this name')
    example = _drawn(found, name) if example is None else example
    try:
        _, kept = compiled_for(found, example.args, example.kwargs)
    except TranspileError:
        raise
    except Exception as error:  # what fits no call of the function, or makes it raise whatever comes later
        raise UsageError(f'--precompile {name}: {type(error).__name__}: {error}') from error
    if not kept:
        raise TranspileError(f'`{name}` is compiled, but {KEPT_NOWHERE}')


def _drawn(found: Any, name: str) -> Example:
    """Arguments as annotations have them, which are those of one example, and of the parameters that the program has."""
    transformed = found if isinstance(found, Transformed) else Transformed(found)
    if any(step.maps_examples for step in transformed.transforms) or len({len(s.parameters) for s in transformed.signatures}) > 1:
        raise UsageError(f'--precompile {name}: annotations do not say what this is called with; give `--args "{name}: ..."`')
    return draw_example(capture(transformed.function))

