"""Generated text as a Python function: a module in the cache directory, imported like any other.

Because the module is a real file, tracebacks, `pdb` and `inspect.getsource` show the generated lines, and the next
process can import it by name. `annotate` adds the user's own line to an exception that passed through it.
"""
from __future__ import annotations

import importlib.util
import linecache
import sys
import threading
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from transpiler.backends import cache, generated
from transpiler.errors import Origin, printable
from transpiler.room import roomy

MANY = 64  # modules that are kept for others who want the same text: a lambda is made anew in each step of a loop
_recent: OrderedDict[str, ModuleType] = OrderedDict()
_lock = threading.RLock()  # letting go of one may run anything


def load(source_text: str, name: str, given: Mapping[str, Any] | None = None) -> Callable[..., Any]:
    """The function `name` that `source_text` defines; `given` are names that it uses without defining them."""
    return getattr(load_module(source_text, name, given), name)


@roomy
def load_module(source_text: str, name: str, given: Mapping[str, Any] | None = None) -> ModuleType:
    """The module of `source_text`, stored under the name of the function it is about; one of its own if names are given to it.

    There is one for each text, and as long as it is one of the last that were asked for, `sys.modules` has it.
    """
    path = cache.store(source_text, name)
    full_name = f'{generated.__name__}.{path.stem}'
    known = sys.modules.get(full_name)
    if known is not None and known.__file__ == str(path) and not given:
        enter(known)
        return known
    if str(path.parent) not in generated.__path__:
        generated.__path__.insert(0, str(path.parent))
    module = _loaded(full_name, path, source_text, given or {})
    if not given:
        enter(module)
    return module


def enter(module: ModuleType) -> None:
    """Have a module known by its name, for a while at least; Numba names machine code after it, which two must not share."""
    with _lock:
        sys.modules[module.__name__] = _recent[module.__name__] = module
        _recent.move_to_end(module.__name__)
        if len(_recent) > MANY:
            name, oldest = _recent.popitem(last=False)
            sys.modules.pop(name, None)
            if Path(oldest.__file__ or '').is_file():   # which has the lines, should somebody ask for them
                linecache.cache.pop(oldest.__file__, None)


def _loaded(full_name: str, path: Path, text: str, given: Mapping[str, Any]) -> ModuleType:
    """The module of a file, found by its place: an import would list the whole directory, and run byte code that lies there."""
    spec = importlib.util.spec_from_file_location(full_name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(given)
    exec(compile(text, str(path), 'exec', dont_inherit=True), vars(module))
    linecache.checkcache(str(path))
    if not path.is_file():      # there is no room for it
        linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    return module


def annotate(exception: BaseException, line_map: Mapping[int, Origin], generated_file: str,
             otherwise: Origin | None = None) -> BaseException:
    """Add a note that names the user's line to an exception that was raised in, or passed through, generated code.

    The exception stays the same object, so that handlers in the user's code see what they expect. `line_map` goes
    from lines of `generated_file`, counted from 1, to the user's; `otherwise` is named where no frame tells the line.
    """
    origins = [origin for line in _lines(exception, generated_file) if (origin := origin_of(line, line_map))]
    origins = origins or ([otherwise] if otherwise else [])
    notes = getattr(exception, '__notes__', ())
    for note in dict.fromkeys(map(describe, origins)):
        if note not in notes:
            _add_note(exception, note)
    return exception


def name_line(exception: Exception, line_map: Mapping[int, Origin], line: int | None, remark: str = '') -> Exception:
    """Say that the exception was raised at `line` of the generated text, if that is known, instead of what was said before."""
    origin = None if line is None else origin_of(line, line_map)
    if origin is not None:
        exception.__notes__ = [describe(origin) + remark]    # type: ignore[attr-defined]
    return exception


def tells_the_line(exception: BaseException, generated_file: str) -> bool:
    """Whether the traceback goes through a line of that file: compiled code tells it of explicit raises only."""
    return any(True for _ in _lines(exception, generated_file))


def describe(origin: Origin) -> str:
    """How a traceback would name a line of the user's.

    >>> describe(Origin('model.py', 12, 4, '    y = x / 0'))
    '  File "model.py", line 12: y = x / 0'
    """
    return printable(f'  File "{origin.file}", line {origin.line}: {origin.text.strip()}'.rstrip(': '))


def _lines(exception: BaseException, file: str) -> Iterator[int]:
    for frame, line in traceback.walk_tb(exception.__traceback__):
        if frame.f_code.co_filename == file:
            yield line


def origin_of(line: int, line_map: Mapping[int, Origin]) -> Origin | None:
    """The origin of a generated line; one that continues a statement belongs to the nearest mapped line above."""
    mapped = max((known for known in line_map if known <= line), default=None)
    return line_map[mapped] if mapped is not None else None


def _add_note(exception: BaseException, note: str) -> None:
    if hasattr(exception, 'add_note'):
        exception.add_note(note)
    else:                                # Python 3.10 has no add_note, but tools already look for __notes__
        exception.__notes__ = [*getattr(exception, '__notes__', ()), note]
