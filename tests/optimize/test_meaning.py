"""Programs mean the same before and after the passes: random ones, executed."""
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.optimize.programs import Generator, arguments, run
from transpiler.optimize import optimize, surface
from transpiler.optimize.algebra.linear_operations import simplify_linear
from transpiler.optimize.algebra.simplify import simplify_algebra
from transpiler.optimize.memory.dead_stores import eliminate_dead_stores
from transpiler.optimize.memory.store_forwarding import forward_stores
from transpiler.optimize.redundancy.common_subexpressions import share_common
from transpiler.optimize.redundancy.copy_propagation import propagate_copies
from transpiler.optimize.redundancy.dead_code import eliminate_dead_code
from transpiler.passes import checking

PIPELINES = {
    'copies': propagate_copies, 'algebra': simplify_algebra, 'common': share_common, 'dead code': eliminate_dead_code,
    'dead stores': eliminate_dead_stores, 'stores': forward_stores, 'linear': simplify_linear,
    'optimize': optimize, 'surface': surface, 'both': lambda core: surface(optimize(core))}


def same_meaning(core, change) -> None:
    before, written_before = run(core, arguments())
    with checking():
        after, written_after = run(change(core), arguments())
    pairs = [*zip(before, after), *((written_before[name], written_after[name]) for name in written_before)]
    largest = max(np.max(np.abs(old)) for old, _ in pairs)
    if not np.isfinite(largest) or largest > 1e60:
        return
    for old, new in pairs:
        np.testing.assert_allclose(new, old, rtol=1e-9, atol=1e-9 * max(largest, 1.0))


@pytest.mark.parametrize('pipeline', PIPELINES)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10 ** 9))
def test_random_programs_keep_their_meaning(pipeline, seed):
    same_meaning(Generator(Random(seed)).program(), PIPELINES[pipeline])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10 ** 9))
def test_optimising_twice_changes_nothing(seed):
    once = optimize(Generator(Random(seed)).program())
    assert optimize(once) is once
