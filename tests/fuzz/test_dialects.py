"""Programs of the small grammars: values, derivatives and effects as in Python, some of them compiled."""

from __future__ import annotations

import os

import pytest

from tests.fuzz.dialects import DIALECTS

COUNT = int(os.environ.get('FUZZ_N', '90')) // 20  # of each dialect
COMPILED = ('answers', 'flags', 'integers', 'rounding')  # where compiled code has ways of its own to be wrong


@pytest.mark.parametrize('name', DIALECTS)
def test_as_python(name):
    dialect = DIALECTS[name]
    verdicts = {seed: dialect.judge(dialect.generate(seed)) for seed in range(COUNT)}
    assert not {seed: verdict for seed, verdict in verdicts.items() if not verdict.fine}


@pytest.mark.parametrize('name', COMPILED)
def test_compiled(name):
    dialect = DIALECTS[name]
    verdicts = {seed: dialect.judge(dialect.generate(seed), compiled=True) for seed in range(1000, 1000 + max(COUNT, 4))}
    assert not {seed: verdict for seed, verdict in verdicts.items() if not verdict.fine}
