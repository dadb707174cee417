"""`checkpoint` and `checkpointed`: derivatives that keep less and run more again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from transpiler.api.calls.nested import means
from transpiler.api.calls.transformed import P, R, Transformed
from transpiler.arguments.asked import asked
from transpiler.specialize.domain.bindings import Derived
from transpiler.specialize.structures.ranges import Checkpointed
from transpiler.transforms.steps import Checkpoint

Item = TypeVar('Item')


class _Plain(Transformed[P, R]):
    """A function that is called as it is, and marked for derivatives that are taken of it."""

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.function(*args, **kwargs)


@asked
def checkpoint(f: Callable[P, R]) -> Transformed[P, R]:
    """The same function; a derivative of what calls it keeps its arguments alone, and runs it again for its pullback.

    To be used on functions with large values in between, such as the layers of a network or the steps of an integrator. Also
    a decorator. What the function writes into arrays from outside is part of what is kept; what it prints is printed once.

    >>> import numpy as np
    >>> import transpiler as tp
    >>> @tp.checkpoint
    ... def layer(x):
    ...     return np.tanh(x * np.sin(x))
    >>> float(tp.grad(lambda x: layer(layer(x)))(0.0))
    0.0
    """
    return f.derived(Checkpoint()) if isinstance(f, Transformed) else _Plain(f, (Checkpoint(),))


@asked
def checkpointed(iterations: Iterable[Item], snapshots: int) -> Iterable[Item]:
    """The iterations of a loop, `for t in checkpointed(range(n), snapshots=k)`, of whose states a derivative keeps `k` at most.

    iterations: a range, an array, or what else a loop can count through; snapshots: how many states may be kept, at least 1
    (a ValueError otherwise)

    A state is what an iteration starts with: the names that are carried from iteration to iteration, and the arrays that
    iterations write into. Iterations between kept states are run again when the derivative needs them, as few as possible: with
    `k` states, loops of binomial(k + r, k) iterations are run at most `r` times again. The states are placed by the binomial
    schedule of Griewank and Walther, "Algorithm 799: Revolve" (ACM Transactions on Mathematical Software 26, 2000). Without a
    derivative this is the plain loop.

    >>> import numpy as np
    >>> import transpiler as tp
    >>> @tp.grad
    ... def slope(x):
    ...     for t in tp.checkpointed(range(1000), snapshots=10):
    ...         x = x + 0.001 * np.sin(x)
    ...     return x
    >>> round(float(slope(1.0)), 4)
    1.1017
    """
    return iterations


means(checkpointed, lambda ev, iterations, snapshots: Checkpointed((iterations, snapshots)))
means(checkpoint, lambda ev, f: Derived(Checkpoint(), f))
