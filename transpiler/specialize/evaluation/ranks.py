"""Ranks without end: an array has another one in every iteration of a loop, or whenever a function calls itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from transpiler.core.query import gives, names
from transpiler.core.variables import Var
from transpiler.errors import TranspileError
from transpiler.specialize.domain.bindings import Binding
from transpiler.specialize.evaluation.signals import NeedStatic
from transpiler.values.types import Array, Scalar, Type

RANKS = 4  # that an array may have in the iterations of one loop


class Unsettled(Exception):
    """An array has another rank after every iteration of a loop, or one of many; `error` says so."""

    def __init__(self, error: TranspileError):
        self.error = error
        super().__init__(error.what)


class Unrolling(NeedStatic):
    """How often a loop runs must be known, since each of its iterations is written down."""


def unknown_length(ev, read: Iterable[Binding], error: Exception) -> Exception:
    """What to raise where what was `read` says how often a loop runs: integers that the program is given may be constants."""
    blocks = (*ev.builder.around, ev.builder.block)
    given = {name: value for block in blocks for statement in block for name, value in gives(statement)}
    for name in (pending := [binding.name for binding in read if isinstance(binding, Var)]):     # gets longer in the loop
        if name in given:
            pending += [used for used in names(given[name]) if used not in pending]
        elif isinstance(type_ := ev.builder.types.get(name), Scalar) and type_.dtype.kind in 'iu':
            return Unrolling(name, error)
    return error


def of_any_rank(place: Any, origin: Any) -> TranspileError:
    called = f'the rank of `{place}`' if isinstance(place, str) else 'the rank of what a container holds'
    return TranspileError(
        f'{called} changes with each iteration of this loop', origin,
        why='ranks are known when code is made: every iteration has to be written down, and nobody knows how many there are',
        instead='let an integer argument or a constant say how many: `range(n)`; or keep the rank, and let sizes change')


def of_any_call(name: str, origin: Any) -> TranspileError:
    return TranspileError(
        f'`{name}` calls itself with an array of another rank each time', origin,
        why='each of these calls is a function of its own, and nobody knows how many there are',
        instead='let an integer argument say how many, or keep the rank, and let sizes change')


def check_ranks_on_list(held: Type | None, more: Type, origin: Any) -> None:
    """Refuse to put on a list of compiled code what has another rank than what it holds."""
    ranks = [getattr(one, 'ndim', None) for one in (held, more)]
    if None not in ranks and ranks[0] != ranks[1]:
        described = ['a number' if rank == 0 else f'an array of rank {rank}' for rank in ranks]
        raise TranspileError(
            'the items of a list that grows at run time have several ranks', origin,
            why=f'one is {described[0]}, another {described[1]}, and compiled code has one type for all that is on a list',
            instead='keep what has another rank under a name of its own, reshape the items to one rank, or call the function '
                    'without jit')


def check_ranks(ev, name: str, calls: Iterable[Sequence[Any]], leaves: Sequence[Binding], inlined: bool) -> None:
    """Let integers that are given be constants if they may say how often a function calls itself with arrays of other ranks.

    calls: the arguments of all those that have not come to an end, or what is known of them; `inlined`: they may be constants now
    """
    met = {tuple(map(_rank, one)) for one in calls}
    if len(met) > RANKS:
        need = unknown_length(ev, leaves, of_any_call(name, ev.origin))
        if not inlined or isinstance(need, Unrolling):
            raise need


def _rank(leaf: Any) -> int | None:
    """That of an argument, or of what its type is, if it is an array."""
    type_ = leaf if isinstance(leaf, Array) else getattr(leaf, 'type', None)
    return type_.ndim if isinstance(type_, Array) and type_.dims is not None else None
