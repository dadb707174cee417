"""Powers that may turn out complex: those of Python's floats do where the base is negative, NumPy's are NaN there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import gast

from transpiler.core.language import Core
from transpiler.values.types import Array, Scalar, Tape, Type


def perhaps_complex(core: Core, types: Mapping[str, Type]) -> tuple[gast.stmt, ...]:
    """The powers with a float as their type that Python may give a complex number; none where a program knows such numbers.

    >>> from transpiler.core.text import parse
    >>> from transpiler.values.types import FLOAT
    >>> types = dict.fromkeys('ay', FLOAT)
    >>> [len(perhaps_complex(parse(f'y = {power}; return y'), types)) for power in ('a ** 0.5', '4.0 ** a', 'a ** 2.0')]
    [1, 0, 0]
    """
    if any(_is_complex(type_) for type_ in types.values()):
        return ()
    return tuple(s for s in core.statements if _is_open(getattr(s, 'value', None), types))


def _is_open(value: gast.AST | None, types: Mapping[str, Type]) -> bool:
    match value:
        case gast.BinOp(left=base, op=gast.Pow(), right=exponent):
            known = getattr(base, 'value', -1.0), getattr(exponent, 'value', 0.5)
            return known[0] < 0 and not float(known[1]).is_integer() and all(_is_plain(part, types) for part in (base, exponent))
    return False


def _is_plain(atom: gast.expr, types: Mapping[str, Type]) -> bool:
    """Whether an atom is, on some path at least, a number of Python's."""
    type_ = types.get(getattr(atom, 'id', ''))
    return isinstance(atom, gast.Constant) or isinstance(type_, Scalar) and (type_.weak or type_.kinds is not None)


def _is_complex(type_: Type | Iterable[Type]) -> bool:
    element = type_.element if isinstance(type_, Tape) else type_
    return isinstance(element, (Scalar, Array)) and element.dtype.kind == 'c'
