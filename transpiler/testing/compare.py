"""Comparing a gradient with finite differences: which argument, which element, and by how much."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import optree

from transpiler.arguments.asked import asked
from transpiler.arguments.integers import integers
from transpiler.testing.numeric import Slope, directional, element_gradient, leaf_path, numbers_of

ELEMENTS = 24        # so many elements of a larger leaf are looked at, evenly spread; a random direction covers the rest
TOLERANCES = {2: (2e-2, 2e-2), 4: (2e-3, 2e-4), 8: (1e-6, 1e-8)}    # (rtol, atol) by the bytes of a real number


@dataclass
class Comparison:
    """What was compared: the number of derivatives, the worst relative error, and a message for every mismatch."""

    checked: int = 0
    worst: float = 0.0
    mismatches: list[str] = field(default_factory=list)

    @property
    def message(self) -> str:
        """The mismatches, the first few in full."""
        shown, left = self.mismatches[:5], len(self.mismatches) - 5
        return '\n'.join(shown + [f'and {left} more of {self.checked} derivatives checked'] * (left > 0))

    def judge(self, where: str, got: complex, expected: Slope, rtol: float, atol: float) -> None:
        """Count one derivative, and write down a mismatch."""
        self.checked += 1
        off, size = abs(got - expected.value), abs(expected.value)
        if off <= atol + rtol * size:
            self.worst = max(self.worst, off / max(size, atol / rtol))
            return
        relative = off / size if size else np.inf
        self.worst = max(self.worst, relative)
        lines = [where, f'  got      {_digits(got)}', f'  expected {_digits(expected.value)} (finite differences)',
                 f'  off by   {off:.3g}' + f' (relative {relative:.3g})' * bool(size)]
        if expected.error > off:
            lines.append('  note     finite differences are not smooth here: a kink, a jump or a badly scaled input?')
        self.mismatches.append('\n'.join(lines))


@dataclass(frozen=True)
class Argument:
    """One argument of `f` under comparison, its gradient, and how messages name it."""

    f: Callable
    args: Sequence[Any]
    argnum: int
    gradient: Any
    root: str
    about: str
    rtol: float | None
    atol: float | None

    @property
    def leaves(self) -> Iterator[tuple[str, Any, Any]]:
        """Path, value and gradient of every leaf."""
        leaves, structure = optree.tree_flatten(numbers_of(self.args[self.argnum]))
        paths = [leaf_path(accessor, self.root) for accessor in structure.accessors()]
        return zip(paths, leaves, optree.tree_leaves(self.gradient))

    def tolerances(self, leaf: Any) -> tuple[float, float]:
        rtol, atol = tolerances(leaf)
        return rtol if self.rtol is None else self.rtol, atol if self.atol is None else self.atol


@asked
def compare_gradients(f: Callable[..., Any], gradients: Sequence[Any], args: Sequence[Any], argnums: Sequence[int], *,
                      rtol: float | None = None, atol: float | None = None, label: str = 'gradient',
                      names: Sequence[str] = ()) -> Comparison:
    """Compare `gradients[k]` with the numeric gradient of the scalar function `f` in `args[argnums[k]]`.

    >>> wrong = compare_gradients(lambda x: x ** 2, [6.006], [3.0], [0], names=['x'])
    >>> print(wrong.message)
    gradient with respect to argument 0: x
      got      6.006
      expected 6.0 (finite differences)
      off by   0.006 (relative 0.001)
    """
    places = integers(argnums, 'argnums')
    if len(gradients) != len(places) or not all(-len(args) <= place < len(args) for place in places):
        raise ValueError(f'argnums={argnums!r} does not fit {len(gradients)} gradients and {len(args)} arguments')
    result = Comparison()
    for gradient, argnum in zip(gradients, places, strict=True):
        root = names[argnum] if argnum < len(names) else f'args[{argnum}]'
        about = f'{label} with respect to argument {argnum}'
        argument = Argument(f, args, argnum, gradient, root, about, rtol, atol)
        before = len(result.mismatches)
        _compare_form(result, argument)
        if len(result.mismatches) == before:
            _compare_elements(result, argument)
        if len(result.mismatches) == before:
            _compare_direction(result, argument)
    return result


def _compare_form(result: Comparison, argument: Argument) -> None:
    """The gradient has the structure, shapes and dtypes of its argument."""
    wanted, found = (optree.tree_structure(numbers_of(tree)) for tree in (argument.args[argument.argnum], argument.gradient))
    if wanted != found:
        differences: list[tuple[str, str, Any, Any]] = [(argument.root, 'structure', found, wanted)]
    else:
        differences = [difference for path, leaf, own in argument.leaves for difference in (
            (path, 'shape', np.shape(own), np.shape(leaf)), (path, 'dtype', np.asarray(own).dtype, _dtype(leaf, own)))]
    for path, what, got, expected in differences:
        if got != expected:
            result.mismatches.append(f'{argument.about}: {path}\n  got      {what} {got}\n  expected {what} {expected}')


def _dtype(leaf: Any, own: Any) -> np.dtype:
    """That of a gradient by `leaf`; Python's numbers have none, on either side."""
    wanted, found = np.asarray(leaf).dtype, np.asarray(own).dtype
    weak = not all(isinstance(number, (np.ndarray, np.generic)) for number in (leaf, own))
    return found if weak and wanted.kind == found.kind else wanted


def tolerances(tree: Any) -> tuple[float, float]:
    """(rtol, atol) for what is computed of the numbers in a pytree: those of the least precise one.

    >>> tolerances((np.ones(2), np.float32(1.0))) == TOLERANCES[4]
    True
    """
    dtypes = [np.asarray(leaf).dtype for leaf in optree.tree_leaves(numbers_of(tree))]
    sizes = [dtype.itemsize // (2 if dtype.kind == 'c' else 1) for dtype in dtypes if dtype.kind in 'fc']
    return TOLERANCES.get(min(sizes, default=8), TOLERANCES[8])


def _compare_elements(result: Comparison, argument: Argument) -> None:
    for position, (path, leaf, own) in enumerate(argument.leaves):
        for index in _chosen(np.shape(leaf)):
            expected = element_gradient(argument.f, argument.args, argument.argnum, position, index)
            where = f'{argument.about}: {path}{list(index) if index else ""}'
            result.judge(where, np.asarray(own)[index].item(), expected, *argument.tolerances(leaf))


def _compare_direction(result: Comparison, argument: Argument) -> None:
    """One random direction through all elements, where not every element was looked at."""
    leaves = list(argument.leaves)
    if all(np.size(leaf) <= ELEMENTS for _, leaf, _ in leaves):
        return
    rng = np.random.default_rng(0)
    steps = [rng.choice([-1.0, 1.0], np.shape(leaf)) for _, leaf, _ in leaves]
    parts = [np.real(own * step) for (_, _, own), step in zip(leaves, steps)]
    bounds = [argument.tolerances(leaf) for _, leaf, _ in leaves]
    rtol, atol = max(r for r, _ in bounds), max(a for _, a in bounds)
    expected = directional(argument.f, argument.args, argument.argnum, steps)
    scale = float(np.sqrt(sum(np.sum(part * part) for part in parts)))
    result.judge(f'{argument.about}: {argument.root}, along a direction through all elements',
                 float(sum(np.sum(part) for part in parts)), expected, rtol, atol + rtol * scale)


def _chosen(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Up to `ELEMENTS` indices of an array, evenly spread."""
    size = int(np.prod(shape))
    flat = range(size) if size <= ELEMENTS else [round(k * (size - 1) / (ELEMENTS - 1)) for k in range(ELEMENTS)]
    return [tuple(int(i) for i in np.unravel_index(k, shape)) for k in flat]


def _digits(number: complex) -> str:
    text = f'{number:.8g}'
    return text if any(c in text for c in '.enj') else f'{text}.0'
