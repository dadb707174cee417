"""What a name stands for while the specialiser runs: a run-time variable, a known object, or a container of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transpiler.core.language import Leaf, Node, Static, Tree
from transpiler.core.variables import Var
from transpiler.errors import Origin
from transpiler.specialize.domain.identity import same_object
from transpiler.specialize.structures.container import Container
from transpiler.specialize.structures.mappings import Dict
from transpiler.specialize.structures.objects import Object
from transpiler.specialize.structures.ranges import Range
from transpiler.specialize.structures.sequences import List, Tuple
from transpiler.values.numbers import PYTHON_NUMBERS, is_number, number_type
from transpiler.values.types import Array, Scalar, Type


@dataclass(frozen=True)
class Known:
    """A Python object known while specialising: a literal, None, a module, a function, a class."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and same_object(self.value, other.value)

    def __hash__(self) -> int:
        return hash(type(self.value))


@dataclass(frozen=True)
class Ref:
    """A list, dict or object that can change, as names and other containers hold it: what it is stands in the heap."""

    cell: int


@dataclass(frozen=True)
class Element:
    """What the cell of an item holds that is read, and written, where a list of run-time length keeps it."""

    items: Ref
    index: 'Binding'


@dataclass(frozen=True, eq=False)
class Closure:
    """A function of the program: its `Function` and, for a nested one, the frame it was defined in."""

    function: Any
    frame: Any = None
    defaults: tuple[tuple[str, 'Binding'], ...] = ()


@dataclass(frozen=True)
class Method:
    """`x.sum`, waiting for its call: the receiver and the method's name."""

    receiver: 'Binding'
    name: str


@dataclass(frozen=True, eq=False)
class Partial:
    """A function with some of its arguments: a bound method, `functools.partial`."""

    function: 'Binding'
    args: tuple['Binding', ...] = ()
    keywords: tuple[tuple[str, 'Binding'], ...] = ()


@dataclass(frozen=True, eq=False)
class Derived:
    """A transformation applied to a function inside a function: `tp.grad(f)` before it is called."""

    transform: Any
    function: 'Binding'


@dataclass(frozen=True)
class Conflict:
    """A name that has no single meaning here; reading it raises `error`."""

    error: Callable[[Origin], Exception]


@dataclass(frozen=True, eq=False)
class Maybe:
    """A name that has the value `binding` only if `defined`, asked when it is read, holds at run time.

    reads: the variables that `defined` depends on; None if that is not known
    safe: the variables of `binding` always hold something, be it not the value of the name
    """

    binding: 'Binding'
    defined: Callable[[Any], 'Binding']
    reads: frozenset[str] | None = None
    safe: bool = False


def never(ev) -> Known:
    """For a name that has been deleted."""
    return Known(False)


@dataclass(eq=False)
class Unbound:
    """A name without a value where a loop begins, which gets one in some iteration.

    known: the variables that exist when the loop begins
    outer: the same for the loop around that one
    missed: somebody would have read it, or another path gives it a value: later iterations must know the value of earlier ones
    """

    known: frozenset[str]
    outer: 'Unbound | None' = None
    missed: bool = False

    def miss(self, reads: frozenset[str] | None = None) -> None:
        """It has no value now; if that depends on `reads` alone, which are older than the loop, it has none in any iteration."""
        self.missed = self.missed or reads is None or not reads <= self.known
        if self.outer is not None:
            self.outer.miss(reads)


@dataclass(frozen=True)
class Blank:
    """What a variable holds as long as its name has no value: anything of that type."""

    type: Type


Binding = Var | Known | Container | Ref | Element | Closure | Method | Partial | Derived | Conflict | Maybe | Unbound | Blank


def known_range(binding: Binding) -> range | None:
    """The range that a binding stands for, if its bounds are known.

    >>> known_range(of_range(range(5))), known_range(Known(5))
    (range(0, 5), None)
    """
    match binding:
        case Range((Known(start), Known(stop), Known(step))):
            return range(start, stop, step)
    return None


def of_range(known: range) -> Range:
    return Range((Known(known.start), Known(known.stop), Known(known.step)))


def class_of_number(value: Any) -> type | None:
    """The class of a number, if it is none of Python's or NumPy's own: it may have methods."""
    own = isinstance(value, (int, float, complex)) and type(value) not in PYTHON_NUMBERS and not isinstance(value, np.generic)
    return type(value) if own else None


def leaf_type(binding: Binding) -> Type | None:
    """The type of a number or variable; None for anything else."""
    if isinstance(binding, (Var, Blank)):
        return binding.type
    if isinstance(binding, Known) and is_number(binding.value):
        return number_type(binding.value)
    return None


def is_float(leaf: Binding) -> bool:
    """Whether a leaf is a number or an array that may have a derivative."""
    type_ = leaf_type(leaf)
    return isinstance(type_, (Scalar, Array)) and type_.dtype.kind in 'fc'


def is_lone_number(result: Binding) -> bool:
    """Whether a result is nothing but a known number, an integer too: an empty sum of Python's, where others give floats."""
    return isinstance(result, Known) and isinstance(result.value, int | float | complex) and not isinstance(result.value, bool)


def fold(binding: Binding, visit: Callable[[Binding], Any]) -> Any:
    """Rebuild `binding` with `visit` applied to its leaves."""
    if isinstance(binding, Container):
        folded = binding.anew(tuple(fold(item, visit) for item in binding.items))
        return folded if binding.cell is None else replace(folded, cell=binding.cell)
    return visit(binding)


def flatten(binding: Binding) -> list[Binding]:
    """The leaves of `binding`, depth first."""
    if isinstance(binding, Container):
        return [leaf for item in binding.items for leaf in flatten(item)]
    return [binding]


def alike(left: Binding, right: Binding) -> bool:
    """Whether two containers have the same places for items."""
    return isinstance(left, Container) and type(left) is type(right) and (
        len(left.items) == len(right.items) and left.labels == right.labels)


def same_shape(left: Binding, right: Binding) -> bool:
    """Whether two bindings are containers of the same structure (or both leaves)."""
    if isinstance(left, Container) and isinstance(right, Container):
        return alike(left, right) and all(map(same_shape, left.items, right.items))
    return not isinstance(left, Container) and not isinstance(right, Container)


def is_one_flag(binding: Binding) -> bool:
    """Whether it is a flag, Python's or NumPy's: as an index a mask without axes, which adds one."""
    type_ = leaf_type(binding)
    return isinstance(type_, Scalar) and type_.dtype is not None and type_.dtype.kind == 'b'


def tree_of(binding: Binding) -> Tree:
    """The core `Tree` of a binding; the leaves are run-time variables."""
    match binding:
        case Object(items, keys, type_):
            return Node('object', tuple(map(tree_of, items)), keys, type_)
        case Tuple(items) | List(items):
            return Node(binding.written.__name__, tuple(map(tree_of, items)))
        case Dict(items, keys):
            return Node('dict', tuple(map(tree_of, items)), keys)
        case Container(items=items):
            return Node('other', tuple(map(tree_of, items)), type=binding.anew(()))
        case Var(name):
            return Leaf(name)
        case Known(value):
            return Static(value)
    return Static(binding)


def binding_of(tree: Tree, leaf: Callable[[str], Binding]) -> Binding:
    """The binding of a core tree, with `leaf(name)` for its run-time variables: the way back from `tree_of`.

    >>> from transpiler.values.types import FLOAT
    >>> binding_of(Node('tuple', (Leaf('x'), Static(None))), lambda name: Var(name, FLOAT)).items[1]
    Known(value=None)
    """
    match tree:
        case Leaf(name):
            return leaf(name)
        case Node(kind, children, keys, type_):
            items = tuple(binding_of(child, leaf) for child in children)
            match kind:
                case 'object':
                    return Object(items, keys, type_)
                case 'dict':
                    return Dict(items, keys)
                case 'tuple' | 'list':
                    return (Tuple if kind == 'tuple' else List)(items)
            return type_.anew(items)
    return Known(tree.value)
