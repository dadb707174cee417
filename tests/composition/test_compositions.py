"""Compositions of transformations: all pairs; of those of three steps, and of those that are compiled, some for each function."""
from __future__ import annotations

import pytest

from tests.composition.campaign import judge
from tests.composition.functions import CASES
from tests.composition.paths import paths
from tests.composition.refused import REFUSED

PLAIN = [path for path in paths(3) if 'jit' not in path]
COMPILED = [path for path in paths(3) if path[-1] == 'jit']
EVERY = 9       # one in so many of the longer ones


def chosen():
    """Different ones for each function, so that all are met."""
    for number, case in enumerate(CASES):
        longer = [path for path in PLAIN if len(path) == 3][number % EVERY::EVERY]
        for path in (*(path for path in PLAIN if len(path) < 3), *longer, COMPILED[number % len(COMPILED)]):
            yield pytest.param(case, path, id=f'{case.name}-{"-".join(path)}')


@pytest.mark.parametrize(('case', 'path'), chosen())
def test_composition(case, path):
    assert judge(case, path) == REFUSED.get((case.name, path), 'right')


def test_few_are_refused():
    assert len(REFUSED) <= 0.05 * len(CASES) * len(list(paths(3)))
    assert {name for name, _ in REFUSED} <= {case.name for case in CASES}
