"""What callers say which arguments, axes and functions they mean: checked before anything is made of it."""
from __future__ import annotations

import inspect
import operator
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from transpiler.errors import printable


def integer(value: Any, what: str) -> int:
    """`value` as a Python integer; flags are none.

    >>> integer(True, 'order')
    Traceback (most recent call last):
    TypeError: order is an integer, not True
    """
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except TypeError:
        pass
    raise TypeError(f'{what} is an integer, not {said(value)}')


def integers(value: Any, what: str) -> tuple[int, ...]:
    """`value`, one integer or a sequence of them, as a tuple.

    >>> integers([0, 1], 'argnums'), integers(1, 'argnums')
    ((0, 1), (1,))
    >>> integers('x', 'argnums')
    Traceback (most recent call last):
    TypeError: argnums is an integer or a tuple of integers, not 'x'
    """
    try:
        return tuple(integer(item, what) for item in (value if isinstance(value, (tuple, list)) else (value,)))
    except TypeError:
        raise TypeError(f'{what} is an integer or a tuple of integers, not {said(value)}') from None


def places(value: Any, what: str, names: Sequence[str]) -> tuple[int, ...]:
    """The parameters with these names that `value` means by numbers, all from the start.

    >>> places(-1, 'static_argnums', ['x', 'n']), places((), 'static_argnums', ['x', 'n'])
    ((1,), ())
    >>> places(2, 'static_argnums', ['x', 'n'])
    Traceback (most recent call last):
    ValueError: static_argnums=2 is out of range for the parameters (x, n)
    """
    numbers = integers(value, what)
    if any(not -len(names) <= number < len(names) for number in numbers):
        raise ValueError(f'{what}={value!r} is out of range for the parameters ({", ".join(names)})')
    return tuple(number % len(names) for number in numbers)


def words(value: Any, what: str) -> tuple[str, ...]:
    """`value`, a name or several, as a tuple."""
    found = (value,) if isinstance(value, str) else value
    if isinstance(found, (tuple, list)) and all(isinstance(word, str) for word in found):
        return tuple(found)
    raise TypeError(f'{what} is a name or a tuple of names, not {said(value)}')


def names(value: Any, what: str, parameters: Sequence[str]) -> tuple[str, ...]:
    """The parameters that `value`, a name or several, means."""
    found = words(value, what)
    if any(name not in parameters for name in found):
        raise ValueError(f'{what}={value!r} names none of the parameters ({", ".join(parameters)})')
    return found


def function(value: Any, taker: str) -> Callable:
    """`value`, if it can be called."""
    if not callable(value):
        raise TypeError(f'{taker} takes a function, not {spoken(type(value).__name__)}')
    return value


def paired(taker: str, primals: Sequence[Any], tangents: Sequence[Any]) -> None:
    """Refuse tangents that are not one for each primal.

    >>> paired('jvp', (1.0,), ())
    Traceback (most recent call last):
    TypeError: jvp is given 1 primals, but 0 tangents
    """
    if len(primals) != len(tangents):
        raise TypeError(f'{taker} is given {len(primals)} primals, but {len(tangents)} tangents')


def said(value: Any) -> str:
    """A value on one line of a message, shortened.

    >>> said('no'), said(list(range(100)))
    ("'no'", '[0, 1, 2, 3, 4, 5, ...]')
    """
    return printable(reprlib.repr(value))


def spoken(noun: str) -> str:
    """A noun with its article.

    >>> spoken('int'), spoken('float')
    ('an int', 'a float')
    """
    return f'{"an" if noun[:1] in "aeiouAEIOU" else "a"} {noun}'


def bound(signature: inspect.Signature, name: str, args: Sequence[Any], keywords: Mapping[str, Any]) -> inspect.BoundArguments:
    """The arguments of a call by name.

    >>> bound(inspect.signature(lambda x, y: x * y), 'product', (1.0,), {})
    Traceback (most recent call last):
    TypeError: the arguments do not fit `product(x, y)`: missing a required argument: 'y'
    """
    try:
        return signature.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f'the arguments do not fit `{name}{shown(signature)}`: {error}') from None


def shown(signature: inspect.Signature) -> str:
    """A signature without its types."""
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))
