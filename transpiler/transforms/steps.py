"""The transformations by name, and what each is told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import Parameter, Signature
from typing import Any

from transpiler.arguments.integers import integers
from transpiler.core.language import Core, Leaf, Place
from transpiler.core.naming import Supply, unique
from transpiler.errors import NotDifferentiable, UnknownType
from transpiler.transforms.batch.axes import axes_of_any_call, axes_within, check_axis, leaf_axes, value_leaves
from transpiler.transforms.batch.batch import batch
from transpiler.transforms.forward.jvp import forward
from transpiler.transforms.jacobians import by_columns, by_rows, check_counted, prefers_columns
from transpiler.transforms.reverse.vjp import gradient, outputs, pullback
from transpiler.transforms.scalar_forward import slope
from transpiler.transforms.shared.holomorphic import check_holomorphic, check_pairs, check_real_inputs
from transpiler.transforms.storage.checkpoint_marks import checkpointed_whole
from transpiler.values.dims import Dim


class Step(ABC):
    """What transformations have in common: `title` for headers, `apply` for programs, `signature` for their callers.

    derives: it makes a derivative; marks: it changes nothing, but says how derivatives are to be taken
    maps_examples: its arguments are those of many examples; counts_examples: it says how many
    batches_rows: it runs a derivative for many rows at once
    """

    title: str
    derives = True
    marks = maps_examples = counts_examples = batches_rows = has_aux = False

    @abstractmethod
    def apply(self, core: Core) -> Core:
        """The program, transformed."""

    def signature(self, before: Signature) -> Signature:
        """The signature of the transformed function."""
        return before

    def added(self, before: Signature) -> dict[str, str]:
        """The parameters for tangents that it adds, each with the parameter that it belongs to."""
        return {}

    def for_backend(self, size: Callable[[int], Dim], compiled: bool) -> Step:
        """The transformation told what becomes of the code, and the symbol of the number of examples."""
        return self


@dataclass(frozen=True)
class Checkpoint(Step):
    """`checkpoint`: the program as the one iteration of a loop with snapshots."""

    title, derives, marks = 'checkpoint', False, True

    def apply(self, core: Core) -> Core:
        return checkpointed_whole(core)


@dataclass(frozen=True)
class Grad(Step):
    """`grad`, or `value_and_grad` if `value`, with respect to `argnums` (an int gives one gradient, a tuple gives a tuple)."""

    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    value: bool = False
    holomorphic: bool = False

    @property
    def title(self) -> str:
        return 'value and grad' if self.value else 'grad'

    def apply(self, core: Core) -> Core:
        numbers, given = positions(core, self.argnums), dict(single=isinstance(self.argnums, int), value=self.value)
        if self.holomorphic:
            check_holomorphic(core, numbers, outputs(core, self.has_aux)[0])
        by_number = slope(core, numbers[0], **given, has_aux=self.has_aux) if len(numbers) == 1 else None
        return by_number or gradient(core, numbers, **given, has_aux=self.has_aux, holomorphic=self.holomorphic)


@dataclass(frozen=True)
class Vjp(Step):
    """The vector-Jacobian product as one program: a further parameter takes the cotangent of the output.

    It gives `(output, cotangents)`, or `(output, cotangents, aux)`.
    """

    argnums: tuple[int, ...] = (0,)
    has_aux: bool = False
    title = 'vjp'

    def apply(self, core: Core) -> Core:
        name = unique('out_bar', {param.name for param in core.params})
        return pullback(core, positions(core, self.argnums), name, has_aux=self.has_aux)

    def signature(self, before: Signature) -> Signature:
        return with_parameters(before, [unique('out_bar', before.parameters)])


@dataclass(frozen=True)
class Jvp(Step):
    """Forward mode as one program: further parameters take the tangents of those at `argnums`, called `x_dot`.

    A star parameter, which holds several arguments, comes after the others. The result is `(output, tangent)`, or
    `(output, tangent, aux)`.
    """

    argnums: tuple[int, ...] = (0,)
    has_aux: bool = False
    title = 'jvp'

    def apply(self, core: Core) -> Core:
        own = [param for param in core.params if param.kind != 'capture']
        count = sum(param.kind == 'positional' for param in core.params)
        star = any(param.kind == 'star' for param in core.params)
        numbers = self._places(count, star)
        return forward(core, numbers, self._names([param.name for param in own], numbers), has_aux=self.has_aux)

    def signature(self, before: Signature) -> Signature:
        return with_parameters(before, self._names(list(before.parameters), self.wanted(before)))

    def added(self, before: Signature) -> dict[str, str]:
        own = list(before.parameters)
        wanted = self.wanted(before)
        return dict(zip(self._names(own, wanted), [own[k] for k in wanted], strict=True))

    def wanted(self, before: Signature) -> list[int]:
        """The positions of the parameters whose tangents are given."""
        kinds = [p.kind for p in before.parameters.values()]
        count = sum(kind in (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)
        return self._places(count, Parameter.VAR_POSITIONAL in kinds)

    def _places(self, count: int, star: bool) -> list[int]:
        for number in self.argnums:
            if not -count <= number < count + star:
                raise NotDifferentiable(f'argnums={self.argnums!r}, but there are {count} positional parameters')
        found = [number if number >= 0 else number + count for number in self.argnums]
        if len({*found}) < len(found):
            raise NotDifferentiable(f'argnums={self.argnums!r} names an argument twice')
        return found

    @staticmethod
    def _names(own: list[str], numbers: Sequence[int]) -> list[str]:
        supply = Supply(own)
        return [supply.take(f'{own[number]}_dot') for number in numbers]


@dataclass(frozen=True)
class Vmap(Step):
    """All examples at once; `in_axes` and `out_axes` as in `jax.vmap`.

    axes: of every parameter the axes of its numbers and arrays, once a call is known; `size`: how many examples there are
    compiled: what this becomes is going to be compiled
    """

    in_axes: Any = 0
    out_axes: Any = 0
    axis_size: int | None = None
    axes: Mapping[str, tuple[int | None, ...]] | None = None
    size: Dim | None = None
    compiled: bool = False
    title, derives, maps_examples = 'vmap', False, True

    @property
    def counts_examples(self) -> bool:
        return self.axis_size is not None

    def for_backend(self, size: Callable[[int], Dim], compiled: bool) -> Vmap:
        number = self.size if self.counts_examples or not isinstance(self.size, int) else size(self.size)
        return replace(self, size=None if number is None else Dim.of(number), compiled=compiled)

    def apply(self, core: Core) -> Core:
        found: dict[str, int | None] = {}
        for param, axes in zip(core.params, self._of_params(core), strict=True):
            for leaf, axis in zip(value_leaves(param.tree), axes, strict=True):
                if isinstance(leaf, Leaf):
                    found[leaf.name] = axis
                    check_axis(core, param, axis, core.types[leaf.name])
                elif axis is not None:
                    raise UnknownType(
                        f'`{param.name}` is needed as a constant, but it differs from example to example', core.origin,
                        instead='pass it with in_axes=None',
                    )
        given = self.axis_size if self.size is None else self.size
        if given is None and not any(axis is not None for axis in found.values()):
            raise UnknownType('nothing is mapped', core.origin, why='`in_axes` gives no argument of numbers an axis',
                              instead='give `axis_size`, or an axis')
        size = Dim.symbol('batch', large=True) if given is None else Dim.of(given)
        return batch(core, found, size, self.out_axes, self.compiled)

    def shares(self, core: Core, name: str, path: Sequence[int]) -> bool:
        """Whether all examples share the container that `path` leads to in a parameter: nothing in it is mapped over."""
        trees = [param.tree for param in core.params]
        tree, axes = next((t, a) for t, a, p in zip(trees, self._of_params(core), core.params, strict=True) if p.name == name)
        return all(axis is None for axis in axes_within(tree, axes, path))

    def _of_params(self, core: Core) -> list[Sequence[int | None]]:
        if self.axes is not None:
            return [self.axes.get(p.name, (None,) * len(value_leaves(p.tree))) for p in core.params]
        by_name = axes_of_any_call(core, self.in_axes)
        return [leaf_axes(by_name.get(p.name), p.tree) for p in core.params]


@dataclass(frozen=True)
class Jacobian(Step):
    """All derivatives of all outputs, in one batched pass in forward or reverse mode (`'fwd'`, `'rev'`).

    Without a mode, that which needs fewer rows, as far as the sizes of arguments and results can be compared; else reverse.
    """

    argnums: int | tuple[int, ...] = 0
    has_aux: bool = False
    mode: str | None = None
    compiled: bool = False
    holomorphic: bool = False
    batches_rows = True

    @property
    def title(self) -> str:
        return {'fwd': 'jacfwd', 'rev': 'jacrev', None: 'jacobian'}[self.mode]

    def for_backend(self, size: Callable[[int], Dim], compiled: bool) -> Jacobian:
        return replace(self, compiled=compiled)

    def apply(self, core: Core) -> Core:
        numbers = positions(core, self.argnums)
        check_counted(core, self.has_aux)
        fewer_columns = self.mode is None and prefers_columns(core, numbers, self.has_aux, self.holomorphic)
        forward = self.mode == 'fwd' or fewer_columns
        self._check_complex(core, numbers, forward)
        given = dict(single=isinstance(self.argnums, int), has_aux=self.has_aux, compiled=self.compiled)
        return by_columns(core, numbers, **given) if forward else by_rows(core, numbers, **given, parted=not self.holomorphic)

    def _check_complex(self, core: Core, argnums: Sequence[Place], forward: bool) -> None:
        output, _ = outputs(core, self.has_aux)
        if self.holomorphic:
            check_holomorphic(core, argnums, output)
        elif forward:
            check_real_inputs(core, argnums, self.title)
        else:
            check_pairs(core, argnums, output, self.title)


def positions(core: Core, argnums: int | tuple[int, ...]) -> list[Place]:
    """The positional arguments meant by `argnums`; negative ones count from the end."""
    places: list[Place] = [k for k, param in enumerate(core.params) if param.kind == 'positional']
    count = len(places)
    places += [(k, item) for k, p in enumerate(core.params) if p.kind == 'star' for item, _ in enumerate(p.tree.children)]
    numbers = integers(argnums, 'argnums')
    for number in numbers:
        if not -len(places) <= number < len(places):
            takes = f'{count} positional parameters' if len(places) == count else f'{len(places)} positional arguments'
            raise NotDifferentiable(f'argnums={argnums!r}, but `{core.name}` has {takes}', core.origin)
    found = [places[number] for number in numbers]
    if len({*found}) < len(found):
        raise NotDifferentiable(f'argnums={argnums!r} names an argument of `{core.name}` twice', core.origin)
    return found


def with_parameters(before: Signature, names: Sequence[str]) -> Signature:
    """Further parameters, given by keyword where positional ones may be left out or be any number."""
    own = list(before.parameters.values())
    loose = any(p.kind is Parameter.VAR_POSITIONAL or p.default is not Parameter.empty for p in own)
    kind = Parameter.KEYWORD_ONLY if loose else Parameter.POSITIONAL_OR_KEYWORD
    first = [p for p in own if p.kind <= kind]
    return before.replace(parameters=[*first, *(Parameter(name, kind) for name in names), *own[len(first) :]])
