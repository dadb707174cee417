"""Compositions of transformations: of longer ones, and of those that are compiled, some for each function.

`python -m tests.composition.campaign` goes through all.
"""
from __future__ import annotations

import pytest

from tests.composition.campaign import judge
from tests.composition.functions import CASES
from tests.composition.paths import paths
from tests.composition.refused import REFUSED

PLAIN = [path for path in paths(3) if 'jit' not in path]
COMPILED = [path for path in paths(3) if path[-1] == 'jit']
EVERY = {1: 1, 2: 2, 3: 14}     # of paths of this length, one in so many


def chosen():
    """Different ones for each function, so that all are met."""
    for number, case in enumerate(CASES):
        for length, every in EVERY.items():
            for path in [path for path in PLAIN if len(path) == length][number % every :: every]:
                yield pytest.param(case, path, id=f'{case.name}-{"-".join(path)}')
        if number % 2:
            path = COMPILED[number // 2 % len(COMPILED)]
            yield pytest.param(case, path, id=f'{case.name}-{"-".join(path)}')


@pytest.mark.parametrize(('case', 'path'), list(chosen()))
def test_composition(case, path):
    assert judge(case, path) == REFUSED.get((case.name, path), 'right')


def test_few_are_refused():
    assert len(REFUSED) <= 0.05 * len(CASES) * len(list(paths(3)))
    assert {name for name, _ in REFUSED} <= {case.name for case in CASES}
