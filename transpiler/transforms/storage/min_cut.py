"""The least that can be kept so that everything needed can be computed: a minimum cut between what is given and what is needed.

See L. R. Ford and D. R. Fulkerson, Maximal flow through a network, Canadian Journal of Mathematics 8 (1956).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

WITHOUT_END = 2**30  # `maximum_flow` takes integers of 32 bits


def least_kept(
    needed: Collection[str], sources: Mapping[str, Collection[str]], weight: Callable[[str], int], effort: Callable[[str], int]
) -> set[str]:
    """The values to keep: every needed one is among them, or can be computed from them; of equal choices the last made.

    sources: of each value that can be computed, the values it takes; all others that are reached from `needed` have to be kept
    weight, effort: what it is to keep a value, and to compute it

    >>> weight, effort = {'x': 8, 'a': 8, 'b': 8, 'flag': 1}.__getitem__, lambda name: 1
    >>> least_kept(['a', 'b'], {'a': ['x'], 'b': ['a', 'x']}, weight, effort)
    {'x'}
    >>> sorted(least_kept(['a', 'b'], {'a': ['x'], 'b': ['a', 'x']}, weight, lambda name: 5))
    ['a', 'b']
    >>> least_kept(['flag'], {'flag': ['x']}, weight, effort), least_kept(['a'], {'a': []}, weight, effort)
    ({'flag'}, set())
    """
    reached = list(dict.fromkeys(needed))
    for name in reached:
        reached += dict.fromkeys(source for source in sources.get(name, ()) if source not in reached)
    into = {name: 2 * k for k, name in enumerate(reached)}  # and out of it is one more
    given, wanted = 2 * len(reached), 2 * len(reached) + 1
    coarse = 1 + sum(map(weight, reached)) // WITHOUT_END  # all flows together stay below it
    edges = [(into[name], into[name] + 1, weight(name) // coarse) for name in reached]
    edges += [(into[source] + 1, into[name], WITHOUT_END) for name in reached for source in dict.fromkeys(sources.get(name, ()))]
    edges += [(given, into[name], effort(name) // coarse if name in sources else WITHOUT_END) for name in reached]
    edges += [(into[name] + 1, wanted, WITHOUT_END) for name in dict.fromkeys(needed)]
    after = _that_still_reach(wanted, given, np.array(edges, np.int32).reshape(-1, 3).T)
    return {name for name in reached if into[name] not in after and into[name] + 1 in after}


def _that_still_reach(wanted: int, given: int, edges: np.ndarray) -> set[int]:
    """The places from which more could flow to `wanted` when all flows from `given` that can."""
    start, end, most = edges
    graph = csr_array((most, (start, end)), shape=(wanted + 1, wanted + 1))
    left = graph - maximum_flow(graph, given, wanted).flow
    left.eliminate_zeros()
    return set(breadth_first_order(left.T.tocsr(), wanted, return_predecessors=False).tolist())
