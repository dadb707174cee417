"""Programs of the small grammars: values, derivatives and effects as in Python, some of them compiled."""

from __future__ import annotations

import os

import pytest

import transpiler as tp
from tests.fuzz.dialects import DIALECTS
from tests.fuzz.dialects.dialogue import Dialogue, drift, in_direction, judge_dialogue, tangent_of

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


LARGE = '''
import numpy as np

def program(x):
    g = np.array([x, 0.5])
    return g[0] * (1 - 2 ** 53) + x * 2 ** 53
'''
SMALL = LARGE.replace('(1 - 2 ** 53)', '3.0').replace('2 ** 53', '0.1')


@pytest.mark.parametrize('text, rounds', [(LARGE, True), (SMALL, False)], ids=['large', 'small'])
def test_drift_is_what_rounding_moves(text, rounds):
    forward = tp.jvp(tp.from_source(text))
    tangent = tangent_of(in_direction(forward, [0.5403], (-2.0,)))
    assert (drift(forward, [0.5403], (-2.0,), tangent) > 0.01) is rounds
    assert judge_dialogue(Dialogue(text, ((-2.0,),))).fine
