"""A test of the fuzzer: bugs planted in the transforms are found within a few hundred programs."""

from __future__ import annotations

import gast
import pytest

from tests.fuzz.oracle import judge
from tests.fuzz.programs import generate
from transpiler.specialize.bindings import Known
from transpiler.transforms import mutation, reverse, storage, sweep
from transpiler.transforms.mutation import rename

ENOUGH = 500


def no_snapshots(patch):
    patch(mutation.Mutation, 'protect', lambda self, builder, statement, pullback: pullback)


def writes_not_undone(patch):
    patch(mutation.Mutation, 'keep', lambda self, builder, statement, type_: None)


def cotangents_of_overwritten_places_stay(patch):
    patch(sweep.Sweep, '_pull_store', sweep.Sweep._pull_accumulation)


def swapped_arms(patch):
    original = sweep.Sweep._append_branch
    patch(sweep.Sweep, '_append_branch', lambda self, statement, arms: original(self, statement, arms[::-1]))


def carried_values_saved_too_late(patch):
    patch(storage.Storage, 'carried', lambda self, nest: set())


def loops_reversed_without_being_reversed(patch):
    def backwards(self, statement):
        if isinstance(statement, gast.For):
            return statement.target.id, tuple(statement.iter.args)
        return original(self, statement)

    original = sweep.Sweep._backwards
    patch(sweep.Sweep, '_backwards', backwards)


def outer_values_in_inner_loops(patch):
    patch(storage, '_renamed', lambda statement, renamed: rename(statement, dict(renamed)))


def views_taken_for_arrays_of_their_own(patch):
    patch(mutation.Mutation, 'place', lambda self, statement: None)
    patch(reverse, 'take_views_anew', lambda core: core)


def second_contributions_lost(patch):
    original = sweep.Sweep.add

    def add(self, name, value, *flags, **more):
        if name not in self.live or self.live[name].value == Known(0.0):
            original(self, name, value, *flags, **more)

    patch(sweep.Sweep, 'add', add)


# with the seed to start from: the search from there to the first program that shows the bug is short
PLANTED = {
    no_snapshots: 0,
    writes_not_undone: 0,
    cotangents_of_overwritten_places_stay: 0,
    swapped_arms: 0,
    carried_values_saved_too_late: 0,
    loops_reversed_without_being_reversed: 30,
    outer_values_in_inner_loops: 530,
    views_taken_for_arrays_of_their_own: 50,
    second_contributions_lost: 0,
}


def found_at(first: int, count: int = ENOUGH) -> tuple[int, str] | None:
    """The first seed whose program is judged wrong."""
    verdicts = ((seed, judge(generate(seed))) for seed in range(first, first + count))
    return next(((seed, str(verdict)) for seed, verdict in verdicts if not verdict.fine), None)


@pytest.mark.parametrize('plant', PLANTED, ids=lambda plant: plant.__name__)
def test_found(plant, monkeypatch):
    plant(monkeypatch.setattr)
    assert found_at(PLANTED[plant]) is not None
