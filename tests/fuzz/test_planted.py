"""A test of the fuzzer: bugs planted in the transforms are found within a few hundred programs."""

from __future__ import annotations

from collections.abc import Callable

import gast
import pytest

from tests.fuzz.oracle import Verdict, judge
from tests.fuzz.programs import Program, generate
from tests.fuzz.twice import judge_ways
from transpiler.core.build import rename
from transpiler.specialize.domain.bindings import Known
from transpiler.transforms.jacobian_basis import Basis
from transpiler.transforms.pullback.branches import BranchPullbacks
from transpiler.transforms.pullback.loops import LoopPullbacks
from transpiler.transforms.pullback.statements import StatementPullbacks
from transpiler.transforms.pullback.sweep import Sweep
from transpiler.transforms.reverse import partition as cutting
from transpiler.transforms.reverse import vjp as reverse
from transpiler.transforms.shared import mutation
from transpiler.transforms.storage import weaving
from transpiler.transforms.storage.planning import Planning

ENOUGH = 500


def no_snapshots(patch):
    patch(mutation.Mutation, 'protect', lambda self, builder, statement, pullback: pullback)


def writes_not_undone(patch):
    patch(mutation.Mutation, 'keep', lambda self, builder, statement, type_: None)


def cotangents_of_overwritten_places_stay(patch):
    patch(StatementPullbacks, 'pull_store', StatementPullbacks.pull_accumulation)


def swapped_arms(patch):
    original = BranchPullbacks._append_branch
    patch(BranchPullbacks, '_append_branch', lambda self, statement, arms: original(self, statement, arms[::-1]))


def carried_values_saved_too_late(patch):
    patch(Planning, 'carried', lambda self, nest: set())


def loops_reversed_without_being_reversed(patch):
    def backwards(self, statement):
        if isinstance(statement, gast.For):
            return statement.target.id, tuple(statement.iter.args)
        return original(self, statement)

    original = LoopPullbacks._backwards
    patch(LoopPullbacks, '_backwards', backwards)


def outer_values_in_inner_loops(patch):
    patch(weaving, '_renamed', lambda statement, renamed: rename(statement, dict(renamed)))


def views_taken_for_arrays_of_their_own(patch):
    patch(mutation.Mutation, 'place', lambda self, statement: None)
    patch(reverse, 'take_views_anew', lambda core: core)


def second_contributions_lost(patch):
    original = Sweep.add

    def add(self, name, value, *flags, **more):
        if name not in self.live or self.live[name].value == Known(0.0):
            original(self, name, value, *flags, **more)

    patch(Sweep, 'add', add)


# with the seed to start from: the search from there to the first program that shows the bug is short
PLANTED = {
    no_snapshots: 2,
    writes_not_undone: 83,
    cotangents_of_overwritten_places_stay: 1,
    swapped_arms: 2,
    carried_values_saved_too_late: 3,
    loops_reversed_without_being_reversed: 5,
    outer_values_in_inner_loops: 6328,
    views_taken_for_arrays_of_their_own: 46,
    second_contributions_lost: 2,
}


def blocks_of_other_arguments(patch):
    original = Basis.blocks
    patch(Basis, 'blocks', lambda self, before: original(self, before)[::-1])


def zeros_made_again_that_were_written_into(patch):
    original = cutting._Sides._is_look
    patch(cutting._Sides, '_is_look', lambda self, value, type_, counts, still_blank: original(self, value, type_, counts, True))


def what_is_handed_over_changes(patch):
    patch(cutting, 'protect_arguments', lambda core: core)
    patch(cutting, 'unspent', lambda core: core)


# in what only second derivatives use
PLANTED_TWICE = {
    blocks_of_other_arguments: 1,
    zeros_made_again_that_were_written_into: 3,
    what_is_handed_over_changes: 5,
}


def found_at(first: int, count: int = ENOUGH, judge: Callable[[Program], Verdict] = judge) -> tuple[int, str] | None:
    """The first seed whose program is judged wrong."""
    verdicts = ((seed, judge(generate(seed))) for seed in range(first, first + count))
    return next(((seed, str(verdict)) for seed, verdict in verdicts if not verdict.fine), None)


@pytest.mark.parametrize('plant', PLANTED, ids=lambda plant: plant.__name__)
def test_found(plant, monkeypatch):
    plant(monkeypatch.setattr)
    assert found_at(PLANTED[plant]) is not None


@pytest.mark.parametrize('plant', PLANTED_TWICE, ids=lambda plant: plant.__name__)
def test_found_in_second_derivatives(plant, monkeypatch):
    plant(monkeypatch.setattr)
    assert found_at(PLANTED_TWICE[plant], judge=judge_ways) is not None
