"""Machine code on disk, as Numba keeps it, but private to this user, sealed by a checksum, and taken for nothing else."""
from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core import ccallback, dispatcher
from numba.core.caching import CacheImpl, CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache, _Cache
from numba.core.codegen import CPUCodegen
from numba.core.compiler import CompileResult
from numba.np.ufunc import ufuncbuilder

from transpiler_kernels.linking import objects
from transpiler_kernels.linking.identity import HERE, lasting, version
from transpiler_kernels.linking.libraries import is_declared, unmark
from transpiler_kernels.machine import private


class SealedFiles(IndexDataCacheFile):
    """The index of a function, and a file for each of its compiled forms.

    Numba reads any file that has the right name. Two processes that save at a time may give two forms one file; so each says
    what it is, and is as good as missing for anything else.
    """

    def load(self, key: Any) -> Any:
        name = self._load_index().get(key)
        kept = None if name is None else self._read(self._data_path(name))
        return kept[1] if kept is not None and kept[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        index = self._load_index()
        if key not in index:
            taken = set(index.values())
            index[key] = next(name for number in range(1, len(taken) + 2) if (name := self._data_name(number)) not in taken)
            self._save_index(index)
        self._write(self._data_path(index[key]), (key, data))

    def _load_index(self) -> dict[Any, str]:
        return self._read(self._index_path) or {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, overloads)

    def _read(self, path: str) -> Any:
        """What was written for this name, by this version; none of it is unpickled before it is known to be ours, and whole."""
        data = private.opened(private.read(path))
        if data is None:
            return None
        made_for, content = pickle.loads(data)
        return pickle.loads(content) if made_for == self._made_for(path) else None

    def _write(self, path: str, content: Any) -> None:
        private.write(path, private.seal(pickle.dumps((self._made_for(path), self._dump(content)))))

    def _made_for(self, path: str) -> tuple[str, str, Any]:
        return Path(path).name, self._version, self._source_stamp


class WithObjects(CompileResultCacheImpl):
    """What Numba keeps of a compiled function, and the objects that this calls by their symbols."""

    def reduce(self, result: CompileResult) -> Any:
        return objects.objects(objects.needed(result.library._final_module)), super().reduce(result)

    def check_cachable(self, result: CompileResult) -> bool:
        unmark(result.library)
        return super().check_cachable(result)

    def rebuild(self, target_context: Any, kept: Any) -> CompileResult:
        needed, reduced = kept
        objects.load(target_context.codegen(), needed)
        result = super().rebuild(target_context, reduced)
        symbol, ((_, _, (code, _)), *_) = result.fndesc.mangled_name, reduced
        if is_declared(result.library, symbol):
            objects.enter(symbol, objects.Object(code, result.referenced_envs, tuple(needed)), result.library)
        return result


class OfThisVersion:
    """Where Numba looks for a kernel on disk: where it always does, but it takes nothing that is of another version.

    It would look at the one file that the kernel stands in, while machine code holds that of all kernels which it calls.
    """

    others = tuple(CacheImpl._locator_classes)

    @classmethod
    def from_function(cls, function: Callable, file: str) -> Any:
        found = (kind.from_function(function, file) for kind in cls.others if HERE in Path(file).parents)
        locator = next((place for place in found if place is not None), None)
        if locator is not None:
            locator.get_source_stamp = version
        return locator


class Kept(FunctionCache):
    """The machine code of one function, for which a damaged file, or a full disk, is no reason to fail."""

    _impl_class = WithObjects

    def __init__(self, function: Callable, place: Path | None = None, stamp: Any = None):
        super().__init__(function)
        self._cache_path = self._cache_path if place is None else str(place)
        private.tightened(self._cache_path)
        stamp = self._impl.locator.get_source_stamp() if stamp is None else stamp
        self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            return None

    def _index_key(self, sig: Any, codegen: CPUCodegen) -> Any:
        return (*super()._index_key(sig, codegen), lasting(self._py_func))

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except (OSError, pickle.PicklingError, TypeError, AttributeError):     # the last three are pickle's
            return


def keeping(function: Callable, place: Path | None = None, stamp: Any = None) -> _Cache:
    """The machine code of a function on disk, or nowhere, if there is no folder that could hold it.

    place: not that of Numba's choice; stamp: what the code holds for, not the time at which the function's file was written
    """
    try:
        return Kept(function, place, stamp)
    except (OSError, RuntimeError):
        return NullCache()


def of_kernels() -> None:
    """Have kernels kept in this way, functions, callbacks and ufuncs; what others compile with Numba is none of our business."""
    def chosen(function: Callable) -> _Cache:
        return keeping(function) if HERE in Path(inspect.getfile(function)).parents else FunctionCache(function)
    CacheImpl._locator_classes.insert(0, OfThisVersion)
    dispatcher.FunctionCache = ccallback.FunctionCache = ufuncbuilder.FunctionCache = chosen
