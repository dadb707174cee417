"""Random programs: value, gradient, untouched arguments; as Python, compiled, and differentiated twice."""

from __future__ import annotations

import os

import pytest

from tests.fuzz.batches import judge_batch
from tests.fuzz.halves import judge_halves
from tests.fuzz.oracle import judge
from tests.fuzz.programs import generate, second_order

COUNT = int(os.environ.get('FUZZ_N', '90'))  # programs in plain Python; the others are slower, and fewer
CHUNK = 15
REFUSED = 0.15  # at most so large a part of a few programs; campaigns of thousands stay below 0.1


@pytest.mark.parametrize('first', range(0, COUNT, CHUNK))
def test_gradients(first):
    verdicts = {seed: judge(generate(seed)) for seed in range(first, min(first + CHUNK, COUNT))}
    assert not {seed: verdict for seed, verdict in verdicts.items() if not verdict.fine}


def test_few_programs_are_refused():
    kinds = [judge(generate(seed)).kind for seed in range(1000, 1000 + COUNT // 2)]
    assert kinds.count('refused') <= REFUSED * len(kinds)
    assert kinds.count('right') >= 0.8 * len(kinds)


@pytest.mark.parametrize('seed', range(2000, 2000 + max(COUNT // 20, 4)))
def test_compiled(seed):
    verdict = judge(generate(seed), compiled=True)
    assert verdict.fine, verdict


@pytest.mark.parametrize('first', range(4000, 4000 + max(COUNT // 6, 10), 5))
def test_batches(first):
    verdicts = {seed: judge_batch(generate(seed)) for seed in range(first, first + 5)}
    assert not {seed: verdict for seed, verdict in verdicts.items() if not verdict.fine}


@pytest.mark.parametrize('seed', range(3000, 3000 + max(COUNT // 6, 10)))
def test_second_order(seed):
    verdict = judge(second_order(generate(seed)))
    assert verdict.fine, verdict


@pytest.mark.parametrize('first', range(5000, 5000 + max(COUNT // 6, 10), 5))
def test_halves(first):
    verdicts = {seed: judge_halves(generate(seed)) for seed in range(first, first + 5)}
    assert not {seed: verdict for seed, verdict in verdicts.items() if not verdict.fine}
