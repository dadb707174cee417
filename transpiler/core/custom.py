"""What derivatives do with a call of a function that has a rule of its own: `Core.rule`.

A function with a rule is called, `call.f(a, b)`, so that every derivative that is ever taken of the program meets the call.
What a rule is made of are functions of the program too, named here; all of them take last what the user's functions read from
around them (`extra`). When no derivative is to be taken any more, all these calls are inlined.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ByPullback:
    """`forward(arguments)` gives the results and what is kept; `joined(wanted, results, kept, by_value)` is a `Joined`."""

    forward: str
    joined: str


@dataclass(frozen=True)
class ByTangents:
    """`tangents(arguments, tangents)` gives the results and their tangents.

    cut:    gives its arguments, without a derivative
    seeds:  the tangents of arguments as values: zeros, whose cotangents are those of the arguments
    paired: `paired(results, tangents)` gives the results, whose cotangents are those of the tangents
    dots:   the results that have tangents
    """

    tangents: str
    cut: str
    seeds: str
    paired: str
    dots: tuple[int, ...]


@dataclass(frozen=True)
class Given:
    """A rule that the user gave. There may be none in one of the modes: then `error` says why, as it does if the rule is wrong.

    title:  the function in messages
    wanted: the positions of the parameters that it has derivatives by; by_value: those of arguments that it has none by
    own:    how many parameters there are without the `extra` ones
    either: a rule in one mode serves both, by transposition
    """

    title: str
    wanted: tuple[int, ...]
    by_value: tuple[int, ...]
    own: int
    pullback: ByPullback | None = None
    tangents: ByTangents | None = None
    error: Exception | None = None
    either: bool = False
    outs = ()

    @property
    def through(self) -> tuple[int, ...] | None:
        """The parameters from which derivatives may flow into the results; None for all: those not wanted are to be refused."""
        return None

    @property
    def functions(self) -> tuple[str, ...]:
        found = (self.pullback.forward, self.pullback.joined) if self.pullback else ()
        by = self.tangents
        return (*found, by.tangents, by.cut, by.seeds, by.paired) if by else found


@dataclass(frozen=True)
class Joined:
    """A call of the function `title`: it gives some of its arguments, and has the pullback `backward(kept, cotangents)`.

    wanted:  the arguments that get what `backward` gives; kept: those that it takes
    outs:    the arguments that are given, one for each result; those of the `results` have cotangents
    own:     how many parameters there are without the `extra` ones
    """

    title: str
    backward: str
    wanted: tuple[int, ...]
    kept: tuple[int, ...]
    outs: tuple[int, ...]
    results: tuple[int, ...]
    own: int

    @property
    def through(self) -> tuple[int, ...]:
        return self.wanted

    @property
    def functions(self) -> tuple[str, ...]:
        return (self.backward,)


@dataclass(frozen=True)
class Passing:
    """A call in which derivatives flow from an argument to a result of the same type: `pairs` of their positions.

    outs: the arguments that it gives, one for each result, if it gives arguments; lasting: for derivatives of derivatives as well
    """

    pairs: tuple[tuple[int, int], ...] = ()
    outs: tuple[int, ...] = ()
    lasting: bool = False
    functions = ()

    @property
    def through(self) -> tuple[int, ...]:
        return tuple(argument for argument, _ in self.pairs)


Rule = Given | Joined | Passing
