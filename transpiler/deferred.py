"""Deferred imports: modules of a package that are imported when something first asks the package for them."""
from collections.abc import Callable, Collection
from importlib import import_module
from types import ModuleType


def deferred(package: str, modules: Collection[str]) -> Callable[[str], ModuleType]:
    """The `__getattr__` of a package (PEP 562), of which some modules import what takes long to.

    >>> deferred('importlib', ('metadata',))('metadata').__name__
    'importlib.metadata'
    """
    def of_package(name: str) -> ModuleType:
        if name not in modules:
            raise AttributeError(f'module {package!r} has no attribute {name!r}')
        return import_module(f'{package}.{name}')

    return of_package
