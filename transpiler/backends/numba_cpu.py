"""Lowered text as a compiled function: Numba, with its on-disk cache beside the module in the cache directory."""
from __future__ import annotations

import functools
import platform
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.caching import NullCache
from numba.core.errors import NumbaError

from transpiler.backends import python
from transpiler.backends.freely import Freely
from transpiler.backends.handlers import raised_by_a_handler
from transpiler.backends.machine_code import jitted
from transpiler.errors import CompileError, Origin
from transpiler.source.writing.emit import Source
from transpiler.values.types import Scalar, Tape, Type
from transpiler_kernels.interrupts import Interruptible
from transpiler_kernels.linking.identity import version
from transpiler_kernels.machine.failures import Raised, Unproven, real
from transpiler_kernels.machine.options import ARITHMETIC
from transpiler_kernels.memory.layout import NOT_IN_PLACE

# Nothing takes these functions as values, for which Numba would compile one more entry to each.
# `CHECKED` looks at every index; text that has guards of its own (`lower/checks/bounds_checks.py`) does without.
OPTIONS: dict[str, Any] = {**ARITHMETIC, 'nogil': True, 'no_cfunc_wrapper': True, 'pipeline_class': Interruptible}
CHECKED = {**OPTIONS, 'boundscheck': True}
FREE = {'pipeline_class': Freely}
_sharing = threading.RLock()


def compile(source: Source, results: Type | Sequence[Type] | None = None, otherwise: Callable[[], Callable] | None = None,
            keep: bool = True, fastmath: bool = False) -> Callable[..., Any]:
    """The function that a lowered module is about, compiled when it is first called with arguments of new types.

    `results` holds the type of the result, or of each item of a flat tuple: Numba returns every number as a Python one, and
    those that NumPy would give as its own scalars are turned into them again. Text that has guards of its own reports what
    might be out of range itself, and what `otherwise` gives runs then; without it every index is checked. Machine code is
    kept on disk if it can be, unless `keep` is false; `fastmath` frees its arithmetic. The dispatcher is the attribute
    `dispatcher`; `prepare` compiles for the types of arguments, without a call, `is_there` says whether that is done, and
    `kept` whether the next process finds it.

    Every call goes through this one function: layers would cost more than small programs do.
    """
    given = {name: box.function for name, box in source.boxes.items()}
    checked = otherwise is None
    module = python.load_module(_signed(source.text, checked, fastmath), source.name, given)
    options = {**(CHECKED if checked else OPTIONS), **(FREE if fastmath else {})}
    dispatcher = _shared_dispatcher(module, source, options, keep and not source.functions and not given)
    lines, file = source.line_map, module.__file__ or ''
    whole = lines[min(lines)] if lines else None     # an error inside Numba's own code does not tell the line

    convert = _in_numpy_scalars(results)

    @functools.wraps(dispatcher.py_func)
    def compiled(*args):
        handlers = None
        try:
            return dispatcher(*args) if convert is None else convert(dispatcher(*args))
        except Unproven:
            if otherwise is None:
                raise
        except NumbaError as error:
            raise refusal(error, file, lines) from None
        except Raised as raised:
            raise python.annotate(real(raised).with_traceback(raised.__traceback__), lines, file, whole) from None
        except Exception as error:
            handlers = raised_by_a_handler(error)
            if handlers is None:
                python.annotate(error, lines, file, whole)
            if handlers is None or handlers is error:
                raise
        if handlers is not None:    # out here, what hid it is not its context
            raise handlers
        return otherwise()(*args)

    compiled.dispatcher = dispatcher
    compiled.prepare = functools.partial(_prepare, dispatcher, file, lines)
    compiled.is_there = functools.partial(_is_there, dispatcher)
    compiled.kept = not isinstance(dispatcher._cache, NullCache)
    return compiled


def _prepare(dispatcher: Any, file: str, lines: Mapping[int, Origin], *args: Any) -> None:
    """Compile for arguments of these types, without a call."""
    try:
        dispatcher.compile(tuple(map(dispatcher.typeof_pyval, args)))
    except NumbaError as error:
        raise refusal(error, file, lines) from None


def _is_there(dispatcher: Any, *args: Any) -> bool:
    return tuple(map(dispatcher.typeof_pyval, args)) in dispatcher.overloads


def _shared_dispatcher(module: ModuleType, source: Source, options: dict[str, Any], keep: bool) -> Any:
    """That of all who have the same text compiled in the same way, as long as they share its module."""
    made = vars(module).setdefault('__compiled__', {})
    with _sharing:
        if keep not in made:
            _jit(module, source.parts, options, keep=False)  # compiled along with the rest
            made[keep] = dispatcher = _dispatcher(module, source.name, source.functions, options, keep)
            if not source.boxes:
                dispatcher.compile = _entering(module, dispatcher.compile)
        return made[keep]


def _entering(module: ModuleType, compile: Callable) -> Callable:
    """What compiles for more types later, when the module may not be among the last ones any more."""
    def compiled(*args):
        python.enter(module)
        return compile(*args)
    return compiled


def _dispatcher(module: ModuleType, name: str, functions: Sequence[str], options: dict[str, Any], keep: bool) -> Any:
    """Numba's dispatcher of a function; one that calls itself, or something given, is compiled anew in each process.

    Numba's cache leaves the address of a recursive call unresolved: what it loads in the next process ends that process.
    """
    _jit(module, functions, options, keep)
    return getattr(module, name) if name in functions else jitted(getattr(module, name), keep, **options)


def _jit(module: ModuleType, functions: Sequence[str], options: dict[str, Any], keep: bool) -> None:
    for name in functions:
        function = getattr(module, name)
        setattr(module, name, jitted(getattr(function, 'py_func', function), keep, **options))


def typed_list(items: list, element: Type) -> Any:
    """A list as compiled code takes it: of one type, even if there is nothing on it."""
    item = numba.from_dtype(np.dtype(element.dtype))
    made = numba.typed.List.empty_list(numba.types.Array(item, element.ndim, 'C') if element.ndim else item)
    for value in items:
        made.append(np.ascontiguousarray(value) if element.ndim else value)
    return made


def refusal(error: NumbaError, file: str, line_map: Mapping[int, Origin]) -> CompileError:
    """What Numba says in a page, in two lines: the user's line and the reason."""
    message = re.sub(r'\x1b\[[0-9;]*m', '', str(error))
    lines = [int(line) for line in re.findall(rf'{re.escape(Path(file).name)}"?(?:, line |:| \()(\d+)', message)]
    origin = next((found for line in reversed(lines) if (found := python.origin_of(line, line_map))), None)
    if NOT_IN_PLACE in message:
        why, instead = NOT_IN_PLACE.split('; ')
        return CompileError('this may show memory that is written to', origin, why=why, instead=instead)
    return CompileError('Numba cannot compile this', origin, why=_reason(message),
                        instead='call the function without jit, or write this step differently')


def _reason(message: str) -> str:
    """The part of Numba's message that says what is wrong.

    >>> _reason("Failed in nopython mode pipeline (step: nopython frontend)\\nUnknown attribute 'foo' of type float64\\n")
    "Unknown attribute 'foo' of type float64"
    """
    skipped = ('Failed in', 'During:', 'There are', 'Overload ', 'With argument', 'File "', 'raised from', '- Of which')
    lines = [line.strip() for line in message.splitlines()]
    telling = [line for line in lines if line and not line.startswith(skipped)]
    first = telling[0] if telling else 'no reason given'
    if first.endswith('found for signature:') and len(telling) > 1:
        called = re.search(r'<function (\w+)', first) or re.search(r'\((?:<[^>]*?)?([\w.]+)[^)]*\)', first)
        first = f'no version of {called[1] if called else "it"} takes {telling[1].removeprefix(">>> ")}'
    cause = next((line for line in telling[1:] if line.startswith('TypingError:')), '')
    return f'{first[:300]} ({cause.removeprefix("TypingError:").strip()[:200]})' if cause else first[:300]


def _in_numpy_scalars(results: Type | Sequence[Type] | None) -> Callable | None:
    """What makes of Numba's result the one that NumPy would give; None if it is that already."""
    if not isinstance(results, Sequence):
        return None if results is None else _converter(results)
    converters = [(k, convert) for k, type_ in enumerate(results) if (convert := _converter(type_))]
    return _of_several(converters) if converters else None


def _converter(type_: Type) -> Callable | None:
    match type_:
        case Scalar(dtype, False):
            return dtype.type
        case Tape(Scalar(dtype, False)):
            return lambda items: list(map(dtype.type, items))
    return None


def _of_several(converters: list[tuple[int, Callable]]) -> Callable:
    def converted(result):
        values = list(result)
        for k, convert in converters:
            values[k] = convert(values[k])
        return tuple(values)
    return converted


def _signed(source_text: str, checked: bool, fastmath: bool) -> str:
    """The text, signed with all that its machine code depends on besides: Numba's cache looks at this one file only."""
    how = (', every index checked' if checked else '') + (', fastmath' if fastmath else '')
    return f'{source_text.rstrip()}\n\n# compiled with {_versions()}{how}\n'


@functools.lru_cache(maxsize=1)
def _versions() -> str:
    return (f'Python {platform.python_version()}, NumPy {np.__version__}, Numba {numba.__version__}, '
            f'kernels {version()}')
