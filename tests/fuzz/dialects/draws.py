"""Random arguments from the chance of a seed."""

from __future__ import annotations

import math
from random import Random

import numpy as np


def uniform(chance: Random, *shape: int) -> np.ndarray:
    """An array of floats between -1 and 1."""
    return np.array([chance.uniform(-1, 1) for _ in range(math.prod(shape))]).reshape(shape)
