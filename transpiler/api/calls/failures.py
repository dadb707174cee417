"""Where an exception arose: Numba tells the line of an explicit `raise` only, not that of an index out of range."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any

import gast
import numpy as np

from transpiler import backends
from transpiler.backends import python
from transpiler.errors import TranspileError, UnsupportedFunction
from transpiler.pipelines import Generated
from transpiler.source.reading.decorated import signature_of
from transpiler.source.writing.emit import Source
from transpiler.specialize.domain.abstraction import leaves_of

LIKELY = '    (by running it again on the arguments as they are now)'
SOON = 0.01     # seconds of compiled code that plain Python may repeat: it takes some hundred times as long


def located(error: Exception, source: Source, compiled: Any, arguments: Sequence[Any], in_python: Callable | None) -> Exception:
    """The exception as Python raises it, with its own words and the user's line.

    source: the text of `compiled`, which raised `error` for these arguments
    in_python: runs the same program as plain Python; None if it has changed its arguments by now. Then it is run on copies
        of what they are now, and the note says so: it might fail elsewhere this time.
    """
    if python.tells_the_line(error, compiled.dispatcher.py_func.__code__.co_filename):
        return error
    if in_python is None:
        copies = [a.copy(order='K') if isinstance(a, np.ndarray) else a for a in arguments]
        return python.name_line(error, source.line_map, backends.lines.of_failure(source.text, source.name, copies), LIKELY)
    if _seconds(compiled, arguments) < SOON:
        try:
            in_python()
        except Exception as same:
            return same
    return python.name_line(error, source.line_map, backends.lines.of_failure(source.text, source.name, arguments))


def raise_as_python(
    error: TranspileError, function: Callable, values: Mapping[str, Any], batched: bool, in_place: bool
) -> None:
    """Raise what Python does for certain, where a program is refused for it: in a batch if it is known, else by calling."""
    if not batched:
        let_python_raise(function, values, in_place)
    elif error.raised is not None:
        raise error.raised from error


def raises_for_certain(compile: Callable) -> bool:
    """Whether there is nothing to compile, since the program raises whatever it is given: what, and where, Python shows."""
    try:
        compile()
    except TranspileError as error:
        if not error.certain:
            raise
        return True
    return False


def let_python_raise(function: Callable, values: Mapping[str, Any], in_place: bool) -> None:
    """Call the user's function where it is known to fail, so that what it raises, and when, is Python's own.

    values: arguments by name, among others; in_place: what it writes into them until then is written as in Python
    """
    args, keywords = [], {}
    for parameter in signature_of(function).parameters.values():
        value = values[parameter.name] if in_place else copy.deepcopy(values[parameter.name])
        match parameter.kind:
            case parameter.VAR_POSITIONAL:
                args += value
            case parameter.KEYWORD_ONLY:
                keywords[parameter.name] = value
            case parameter.VAR_KEYWORD:
                keywords |= value
            case _:
                args.append(value)
    function(*args, **keywords)


def meanwhile(in_python: Callable[[], Any], compiled: Callable[[], Any] | None) -> Any:
    """What a program gives that is not compiled yet: that of Python, which looks at floating-point errors as little.

    compiled: waits, and runs the program once more where Python raises what compiled code may not: arithmetic of Python's
        numbers, and calls too deep for it; None if it must not run twice
    """
    try:
        with np.errstate(all='ignore'):
            return in_python()
    except (ArithmeticError, RecursionError):
        if compiled is None:
            raise
    return compiled()


def writes_into_read_only(generated: Generated, flat: Sequence[Any]) -> bool:
    """Whether the program would write into a run-time leaf that is read-only: compiled code has no form of that."""
    named = zip(generated.core.inputs, flat, strict=True)
    return any(isinstance(leaf, np.ndarray) and not leaf.flags.writeable for name, leaf in named if name in generated.written)


def refuse_complex(powers: Sequence[gast.stmt], found: Any) -> None:
    """Refuse a power that Python gives a complex number, where derivatives and batches take it to be real.

    powers: those that may be; found: the result, or the exception that was raised
    """
    if isinstance(found, TypeError):
        wrong = 'complex' in str(found)
    else:
        wrong = any(isinstance(leaf, (complex, np.complexfloating)) for leaf in leaves_of(found))
    if powers and wrong:
        raise UnsupportedFunction(
            'a power of a negative float is complex in Python',
            powers[0].origin,
            why='derivatives and batches take powers of floats to be real',
            instead='`np.power(a, b)` or `np.float64(a) ** b`, which are NaN there; for complex results `complex(a) ** b`',
        ) from (found if isinstance(found, Exception) else None)


def _seconds(function: Callable, arguments: Sequence[Any]) -> float:
    start = perf_counter()
    try:
        function(*arguments)
    except Exception as error:
        if backends.handlers.raised_by_a_handler(error):
            raise
    return perf_counter() - start
