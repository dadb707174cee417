"""What a call of batched functions means for example values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from inspect import Signature
from typing import Any

import numpy as np

from transpiler.core.language import Tree
from transpiler.core.variables import Var
from transpiler.specialize.domain.abstraction import abstract, leaves_of
from transpiler.specialize.domain.bindings import tree_of
from transpiler.transforms.call_axes import Lost, disagreement, nothing_mapped, settled
from transpiler.transforms.steps import Step
from transpiler.values.dims import Dim


def of_call(
    steps: Sequence[Step], signatures: Sequence[Signature], values: Mapping[str, Any], named: Collection[str],
    given: Collection[str],
) -> tuple[list[Step], Lost]:
    """The transformations, told of the axes of these arguments, and the axes that the arguments lose.

    named: the arguments given by keyword; given: those that are no defaults
    """
    shapes = {name: [np.shape(leaf) for leaf in leaves_of(value)] for name, value in values.items()}
    trees = {name: _tree(value, name) for name, value in values.items()}

    def positional(signature: Signature) -> int:
        count = 0
        for name, parameter in signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                count += len(values[name])
            elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                count += name in given and name not in named
        return count

    return settled(steps, signatures, trees, shapes, positional, named, _count)


def _tree(value: Any, name: str) -> Tree:
    return tree_of(abstract(value, name, Var, Dim.of))


def _count(sizes: Sequence[tuple[str, int]], axis_size: int | None) -> int:
    """The number of examples, on which all agree."""
    nothing_mapped(sizes, axis_size)
    wanted = sizes[0][1] if axis_size is None else axis_size
    if any(size != wanted for _, size in sizes):
        raise disagreement(sizes, axis_size)
    return wanted
