"""What rules are tested on: cases that draw operands from a random generator."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Draw:
    """An operand to be drawn.

    kind: 'f' (floats in the rule's domain), 'b' (flags), 'i' (integers below `high`), 'm' (matrices far from singular),
        'd' (symmetric ones with positive eigenvalues)
    """

    shape: tuple[int, ...]
    kind: str = 'f'
    high: int = 0

    def draw(self, rng: np.random.Generator, domain: tuple[float, float]) -> Any:
        if self.kind == 'b':
            return rng.uniform(size=self.shape) < 0.5
        if self.kind == 'i':
            return rng.integers(0, self.high, size=self.shape)
        count = int(np.prod(self.shape))
        places = (rng.permutation(count) + rng.uniform(0.25, 0.75, size=count)) / max(count, 1)
        values = domain[0] + (domain[1] - domain[0]) * places       # no two are close: differences must not cross a tie
        if self.kind in 'md':
            matrices = values.reshape(self.shape)
            matrices = matrices + np.swapaxes(matrices, -1, -2) if self.kind == 'd' else matrices
            return matrices + (2.0 if self.kind == 'm' else 2.0 * self.shape[-1]) * max(map(abs, domain)) * np.eye(self.shape[-1])
        return values.reshape(self.shape) if self.shape else np.float64(rng.uniform(*domain))


def flags(*shape: int) -> Draw:
    return Draw(shape, 'b')


def integers(*shape: int, high: int) -> Draw:
    return Draw(shape, 'i', high)


def regular(*shape: int) -> Draw:
    """A square matrix, or a stack of them, that is far from singular."""
    return Draw((*shape, shape[-1]), 'm')


def definite(*shape: int) -> Draw:
    """A symmetric matrix with positive eigenvalues, or a stack of them."""
    return Draw((*shape, shape[-1]), 'd')


@dataclass(frozen=True)
class Case:
    """One call: positional operands and keywords. A tuple stands for a float array of that shape, a list for a sequence."""

    operands: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)

    def draw(self, rng: np.random.Generator, rule: Any) -> tuple[tuple, dict[str, Any]]:
        """The arguments of one call to `rule.primitive`."""
        args = tuple(_drawn(operand, rng, rule.domain_of(k)) for k, operand in enumerate(self.operands))
        return args, {k: v.draw(rng, rule.domain_of(0)) if isinstance(v, Draw) else v for k, v in self.keywords.items()}


def case(*operands: Any, **keywords: Any) -> Case:
    """A case for a rule's `examples`.

    >>> rng = np.random.default_rng(0)
    >>> class Any: domain_of = staticmethod(lambda position: (0.0, 1.0))
    >>> args, keywords = case((2, 3), [(2,), (2,)], 'ij', axis=0).draw(rng, Any)
    >>> args[0].shape, len(args[1]), args[2], keywords
    ((2, 3), 2, 'ij', {'axis': 0})
    """
    return Case(operands, keywords)


def _drawn(operand: Any, rng: np.random.Generator, domain: tuple[float, float]) -> Any:
    match operand:
        case Draw():
            return operand.draw(rng, domain)
        case tuple():
            return Draw(operand).draw(rng, domain)
        case list():
            return [_drawn(item, rng, domain) for item in operand]
    return operand


UNARY = (case(()), case((5,)), case((3, 4)))
BINARY = (case((), ()), case((3, 4), (3, 4)), case((3, 1), (1, 4)), case((3, 4), ()), case((1,), (4,)), case((2, 3), (3,)))
