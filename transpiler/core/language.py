"""The core language: a gast function body restricted to a small grammar, with immutable tables beside it.

Statements (`core/verify.py` checks them)::

    v = op                      one operation on atoms; `v` a name, a name may be assigned more than once
    base[index] = atom          a write into the memory of the array `base`
    base[index] += atom         an accumulation into it, as often as the index names a place; a whole array is `base[...]`
    if atom: ... else: ...
    for v in range(a, b, c): ...      three atoms, evaluated once; `range(0, n, 1, snapshots=k)`: see `checkpointing.py`;
                                `range(0, n, 1, add=(s,))`: iterations may run apart, and only a sum joins them: `lower/parallel`
    while expression: ...       an expression without effects, evaluated before every iteration
    if atom: break              as the last statement of a loop's body only
    raise expression
    call                        for its effect: print, a push on a tape, a function that gives nothing
    return result               once, at the end: an atom, or tuples, lists and dicts of results

Operations::

    atom                        a name or a constant
    a + b, -a, a < b            one Python operator on atoms
    a if c else b               one of two numbers, both computed already
    numpy.f(a, [b, c], axis=0)  a primitive: the name is dotted (`gast.Name(id='numpy.exp')`), so no variable can shadow it
    base[index]                 an element, a slice or a gather; index: atoms, slices, None, Ellipsis, or a tuple of these
    x.shape[k], x.shape, x.size, x.ndim, x.dtype
    call.f(a, b)                a function of the program (`Core.functions`), for what calls itself or has a rule of its own;
                                several results are one name with a tuple of types, and `v[k]`, with a constant, is one of them

Every statement node carries `origin` (an `Origin` or None) and `role`: 'primal', 'tangent', 'pullback', 'storage', or
'again' for what the pullback runs a second time on purpose.
What passes find out about a node for later ones stands in its `links` (`core/links.py`), and in no other attribute.
Passes never mutate a node: they build new ones. Before printing, `optimize/surface/renest.py` nests single-use temporaries
back into their readers ("surface form": the same grammar with operations where atoms stand).
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import gast

from transpiler.core.query import walk

# how the base of a temporary ends that tells its role; it is decided once and kept from pass to pass
LASTING = ('_bar', '_dot', '_in', 'residual', 'denominator')


@dataclass(frozen=True)
class Hint:
    """What a name is called after: its `base` ("h" for `h`, `h_1`), and whether it is a temporary nobody wrote."""

    base: str
    temporary: bool = False
    inside: bool = False  # it counts places that all arrays have in which it stands


@dataclass(frozen=True)
class Leaf:
    """A run-time value inside an argument or a result, held in the core variable `name`."""

    name: str


@dataclass(frozen=True)
class Static:
    """A value known when the code is generated: None, a string, a flag, a function."""

    value: Any


@dataclass(frozen=True)
class Node:
    """A container: `kind` is 'tuple', 'list', 'dict' or 'object'; `keys` are dict keys or field names; `type` its class.

    What only the program itself hands to a function that is derived in it is 'other': a range, a list that grows, a value or
    None. `type` is one without items, then.
    """

    kind: str
    children: tuple['Tree', ...]
    keys: tuple[Any, ...] = ()
    type: Any = None


Tree = Leaf | Static | Node


def leaves(tree: Tree) -> tuple[str, ...]:
    """The names of the run-time leaves of `tree`, depth first.

    >>> leaves(Node('tuple', (Leaf('w'), Node('list', (Static(None), Leaf('b'))))))
    ('w', 'b')
    """
    match tree:
        case Leaf(name):
            return (name,)
        case Node(children=children):
            return tuple(name for child in children for name in leaves(child))
    return ()


@dataclass(frozen=True)
class Param:
    """One parameter of the user's function: how it is written, and the tree of core variables it is taken apart into.

    `kind` is 'positional' (may be given by position), 'star' (`*rest`, a tuple), 'keyword' (keyword-only), 'options'
    (`**options`, a dict) or 'capture' (a closure or global value, read at each call and passed by keyword); 'own' is an
    argument of a function of the program while it is differentiated: its memory is no other argument's. `default` is the
    text of the default expression, or None; `seed`, whether a transformation has added it, for tangents or cotangents;
    `wild`, whether it holds what may be infinite, or no number, where the user's arguments are finite.
    """

    name: str
    tree: Tree
    kind: str = 'positional'
    default: str | None = None
    origin: Any = None
    seed: bool = False
    wild: bool = False


# an argument by position: the number of its parameter, with that of an item for one of those that a star parameter holds
Place = int | tuple[int, int]


def _frozen() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Core:
    """A function in the core language.

    types:     name -> `values.types.Type` for every variable
    hints:     name -> `Hint`; a name without one is the user's own
    origin:    where the user's `def` or `lambda` stands
    functions: name -> the functions of the program that it, or one of them, calls; they have no functions themselves
    rule:      for a function of the program, what derivatives do with its calls (`core/custom.py`)
    is_part:   whether a function of the program is not called, but runs a range of iterations of a loop (`lower/parallel`)
    ordered:   the arguments whose items lie in C order, one after the other, whenever it is called
    """

    name: str
    params: tuple[Param, ...]
    body: tuple[gast.stmt, ...]
    types: Mapping[str, Any] = field(default_factory=_frozen)
    hints: Mapping[str, Hint] = field(default_factory=_frozen)
    origin: Any = None
    functions: Mapping[str, 'Core'] = field(default_factory=_frozen)
    rule: Any = None
    is_part: bool = False
    ordered: frozenset[str] = frozenset()

    def with_body(self, body, **changes) -> 'Core':
        return replace(self, body=tuple(body), **changes)

    def with_functions(self, functions: Mapping[str, 'Core']) -> 'Core':
        return replace(self, functions=MappingProxyType(dict(functions)))

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The core variables that hold the arguments' leaves, in order."""
        return tuple(name for param in self.params for name in leaves(param.tree))

    @cached_property
    def statements(self) -> tuple[gast.stmt, ...]:
        """All statements of the body, outer before inner, in order."""
        return tuple(walk(self.body))

    @property
    def result(self) -> gast.expr:
        """The expression of the one `return`."""
        return self.body[-1].value

    def argument(self, place: Place) -> Param:
        """A parameter, or an item of the star parameter as if it were one."""
        if isinstance(place, int):
            return self.params[place]
        star, item = self.params[place[0]], place[1]
        return replace(star, name=f'{star.name}_{item}', tree=star.tree.children[item], kind='positional')

    def is_temporary(self, name: str) -> bool:
        return name in self.hints and self.hints[name].temporary

    def base(self, name: str) -> str:
        return self.hints[name].base if name in self.hints else name
