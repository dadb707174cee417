"""Private names: in a class `C`, Python reads `self.__x` as `self._C__x`."""
from __future__ import annotations

import types
from collections.abc import Iterator

import gast


def with_private_names(node: gast.FunctionDef, code: types.CodeType) -> gast.FunctionDef:
    """The function with the names that its code has for those that begin with two underscores.

    >>> scope = {}
    >>> exec('class C:\\n    def f(self): return self.__x', scope)
    >>> node = gast.parse('def f(self): return self.__x').body[0]
    >>> print(gast.unparse(with_private_names(node, scope['C'].f.__code__).body[0]))
    return self._C__x
    """
    known = set(_names(code))
    for part in gast.walk(node):
        for field in ('attr', 'id'):
            name = getattr(part, field, '')
            if isinstance(name, str) and name.startswith('__') and not name.endswith('__') and name not in known:
                own = [n for n in known if n.startswith('_') and n.endswith(name)]
                setattr(part, field, min(own, key=len, default=name))  # one class has but one name for it: the others are longer
    return node


def _names(code: types.CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
