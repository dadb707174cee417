"""What Python's compiler adds to functions in the body of a class."""
from __future__ import annotations

import types
from collections.abc import Iterator

import gast

from transpiler.core import build
from transpiler.core.query import children


def with_private_names(node: gast.FunctionDef, code: types.CodeType) -> gast.FunctionDef:
    """In a class `C`, Python reads `self.__x` as `self._C__x`: the names in the tree become those of the code.

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


def with_super_spelled(node: gast.FunctionDef) -> gast.FunctionDef:
    """`super()` with what it means: the class in whose body it stands, and the first parameter of its function.

    >>> print(gast.unparse(with_super_spelled(gast.parse('def f(self, x): return super().f(x)').body[0])).strip())
    def f(self, x):
        return super(__class__, self).f(x)
    """
    _spell_super(node, node)
    return node


def _spell_super(part: gast.AST, function: gast.FunctionDef | gast.Lambda) -> None:
    given = function.args.posonlyargs + function.args.args
    match part:
        case gast.Call(func=gast.Name(id='super'), args=[], keywords=[]) if given:
            part.args = [gast.copy_location(build.name(name), part) for name in ('__class__', given[0].id)]
        case gast.FunctionDef() | gast.Lambda():
            function = part
    for child in children(part):
        _spell_super(child, function)


def _names(code: types.CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)
