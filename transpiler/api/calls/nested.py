"""What the specialiser does where a program itself calls a public function: the same arguments are asked for as outside."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from transpiler.arguments.asked import told
from transpiler.arguments.calls import shown
from transpiler.arguments.kinds import DATA, OPTIONS
from transpiler.arguments.words import spoken
from transpiler.core.variables import Var
from transpiler.errors import Misfit, UnsupportedFunction
from transpiler.specialize.domain.bindings import Binding, Known, Partial
from transpiler.specialize.evaluator import Evaluator
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.objects import Object

Meaning = Callable[..., Binding]


def means(public: Any, meaning: Meaning, decorator: bool = False) -> None:
    """Let a program's call of `public` be `meaning(run, **arguments)`: bindings, but for options, which are known values.

    decorator: it may be called without the function, which comes later
    """
    signature = inspect.signature(public)

    def derive(ev: Evaluator, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        if decorator and not args and 'f' not in keywords:
            return Partial(Known(public), (), tuple(keywords.items()))
        try:
            arguments = signature.bind(*args, **keywords).arguments
        except TypeError as error:
            what = f'the arguments do not fit `{public.__name__}{shown(signature)}`: {error}'
            raise UnsupportedFunction(what, ev.origin) from None
        if 'f' in arguments:
            check_function(ev, arguments['f'], public.__name__)
        options = {name: ev.known(arguments[name], f'`{name}` of `{public.__name__}`') for name in OPTIONS if name in arguments}
        try:
            told(DATA, {k: given.value for k, given in arguments.items() if isinstance(given, Known) and given.value is not None})
            arguments |= told(OPTIONS, options)
        except (TypeError, ValueError) as error:
            kind = Misfit if isinstance(error, ValueError) else UnsupportedFunction
            raise kind(str(error), ev.origin) from None
        return meaning(ev, **arguments)

    public.__transpiler_derive__ = derive


def check_function(ev: Evaluator, binding: Binding, taker: str) -> None:
    """Refuse what can certainly not be called."""
    if isinstance(binding, Known) and not callable(binding.value):
        raise UnsupportedFunction(f'{taker} takes a function, not {spoken(type(binding.value).__name__)}', ev.origin)
    if isinstance(binding, Var) or isinstance(binding, Container) and not isinstance(binding, Object):
        raise UnsupportedFunction(f'{taker} takes a function, not {ev.describe(binding)}', ev.origin)


class Meant:
    """What a program holds and calls without that there is a text of it: `meaning(run, args, keywords)` is what a call gives."""

    def __init__(self, meaning: Callable[[Evaluator, list[Binding], dict[str, Binding]], Binding]):
        self.__transpiler_derive__ = meaning


def only_outside(
    public: Any, why: str = 'it looks at functions, and computes nothing that a program could go on with',
    instead: str = 'call it outside',
) -> None:
    """Refuse a program's call of `public`, which is no part of one."""

    def refuse(ev: Evaluator, args: list[Binding], keywords: dict[str, Binding]) -> Binding:
        raise UnsupportedFunction(
            f'`{public.__name__}` inside a function that is transformed is not supported', ev.origin,
            why=why, instead=instead)

    public.__transpiler_derive__ = refuse
