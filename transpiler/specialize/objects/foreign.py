"""Functions of Python's library and of installed packages: what is refused in them is said of the line that calls them."""
from __future__ import annotations

import sysconfig
from dataclasses import dataclass
from functools import cache

from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.source.reading.capture import Function
from transpiler.specialize.domain.bindings import Binding, Closure
from transpiler.specialize.evaluation.component import Component

HOMES = tuple(f'{path}/' for path in {sysconfig.get_path(name) for name in ('stdlib', 'platstdlib', 'purelib', 'platlib')})


@dataclass(eq=False)
class Foreign(Component):
    """`foreign`: a function that is not of the program is being run."""

    foreign: bool = False

    def enter(self, callee: Closure, env: dict[str, Binding]) -> Binding:
        if self.foreign or not is_installed(callee.function):
            return self.ev.recursion.enter(callee, env)
        self.foreign, origin = True, self.origin
        try:
            return self.ev.recursion.enter(callee, env)
        except TranspileError as error:
            if error.origin is None or origin is None or error.origin.file == origin.file:
                raise
            place = f'{error.origin.file}:{error.origin.line}'
            raise UnsupportedFunction(
                f'`{spelled(callee.function)}` is not supported', origin, why=f'{error.what} ({place})',
                instead='call it outside of what is transformed, or give it a rule: `tp.primitive(f)`',
            ) from error
        finally:
            self.foreign = False


def is_installed(function: Function) -> bool:
    """Whether a function comes with Python, or was installed."""
    code = getattr(getattr(function.scope, 'function', None), '__code__', None)
    return code is not None and _is_installed(code.co_filename)


@cache
def _is_installed(file: str) -> bool:
    """Whether a file does.

    >>> _is_installed(sysconfig.__file__), _is_installed('model.py')
    (True, False)
    """
    return file.startswith(HOMES)


def spelled(function: Function) -> str:
    """The name of a function with its module."""
    behind = function.scope.function
    return f'{behind.__module__}.{behind.__qualname__}'
