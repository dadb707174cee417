"""Which derivatives complex numbers have: those of holomorphic functions, on request, and those that real numbers tell whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import gast

from transpiler.core.language import Core, Place, leaves
from transpiler.core.query import names
from transpiler.errors import NotDifferentiable
from transpiler.values.types import Type

BOTH = '`jvp` and `vjp` take complex numbers as they are'
ASK = f'pass holomorphic=True if the function is holomorphic; {BOTH}'


def check_holomorphic(core: Core, argnums: Sequence[Place], output: gast.expr) -> None:
    """Refuse what cannot be a holomorphic function: one of real numbers, or with real results."""
    for name, type_ in _inputs(core, argnums):
        if _kind(type_) not in (None, 'c'):
            raise NotDifferentiable(f'holomorphic=True, but `{name}` is {type_}, which is not complex', core.origin,
                                    instead='leave holomorphic out, or pass a complex number')
    for described, kind in _outputs(core, output):
        if kind not in (None, 'c'):
            raise NotDifferentiable('holomorphic=True, but the output is not complex', core.body[-1].origin,
                                    why=f'it is {described}',
                                    instead='leave holomorphic out: the gradient of a real output tells both slopes')


def check_real_inputs(core: Core, argnums: Sequence[Place], title: str) -> None:
    """Refuse complex arguments where there is one tangent for each: a function may go other ways along the imaginary axis."""
    for name, type_ in _inputs(core, argnums):
        if _kind(type_) == 'c':
            raise NotDifferentiable(f'`{title}` takes real arguments, but `{name}` is {type_}', core.origin,
                                    why='one number tells its derivative only if the function is holomorphic', instead=ASK)


def check_pairs(core: Core, argnums: Sequence[Place], output: gast.expr, title: str) -> None:
    """Refuse complex results of complex arguments: four real numbers would tell such a derivative."""
    found = [name for name, type_ in _inputs(core, argnums) if _kind(type_) == 'c']
    if found and any(kind == 'c' for _, kind in _outputs(core, output)):
        raise NotDifferentiable(f'`{title}` of a complex output by the complex `{found[0]}`', core.body[-1].origin,
                                why='one number tells such a derivative only if the function is holomorphic', instead=ASK)


def has_complex_inputs(core: Core, argnums: Sequence[Place]) -> bool:
    return any(_kind(type_) == 'c' for _, type_ in _inputs(core, argnums))


def _inputs(core: Core, argnums: Sequence[Place]) -> Iterable[tuple[str, Type]]:
    """The parameters that are differentiated by, with the types of their numbers and arrays."""
    return [(param.name, core.types[name]) for param in map(core.argument, argnums) for name in leaves(param.tree)]


def _outputs(core: Core, output: gast.expr) -> Iterable[tuple[str, str | None]]:
    """What the numbers and arrays of the output are, and of which kind, as far as that is known."""
    numbers = [part.value for part in gast.walk(output) if isinstance(part, gast.Constant)
               and isinstance(part.value, (int, float, complex))]
    return [*((str(core.types[name]), _kind(core.types[name])) for name in names(output)),
            *((repr(number), 'c' if isinstance(number, complex) else 'f') for number in numbers)]


def _kind(type_: Type) -> str | None:
    return getattr(getattr(type_, 'dtype', None), 'kind', None)
