"""What the collection says of a kernel."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Kernel:
    """A function as a NumPy user writes it, ending in a number, with arguments of a small and of a realistic size.

    `arguments(rng, *small)` makes those of the tests, `arguments(rng, *large)` those that are timed.
    """

    function: Callable[..., Any]
    arguments: Callable[..., tuple]
    small: tuple[int, ...]
    large: tuple[int, ...]
    argnums: tuple[int, ...] = (0,)

    @property
    def name(self) -> str:
        return self.function.__name__

    def at(self, sizes: tuple[int, ...]) -> tuple:
        """Arguments of these sizes, the same in every run."""
        return self.arguments(np.random.default_rng(0), *sizes)
