"""A test of the fuzzer: bugs planted in the transforms are found within a few hundred programs."""

from __future__ import annotations

from collections.abc import Callable

import gast
import pytest

from tests.fuzz.oracle import judge
from tests.fuzz.programs import generate
from transpiler.specialize.bindings import Known
from transpiler.transforms import mutation, ownership, reverse, storage, sweep
from transpiler.transforms.mutation import rename

ENOUGH = 500


def no_snapshots(patch):
    patch(mutation.Mutation, 'protect', lambda self, builder, statement, pullback: pullback)


def cotangents_of_overwritten_places_stay(patch):
    patch(sweep.Sweep, '_pull_store', sweep.Sweep._pull_accumulation)


def swapped_arms(patch):
    original = sweep.Sweep._append_branch
    patch(sweep.Sweep, '_append_branch', lambda self, statement, arms: original(self, statement, arms[::-1]))


def carried_values_saved_too_late(patch):
    patch(storage.Storage, '_carried', lambda self, nest: set())


def loops_reversed_without_being_reversed(patch):
    def backwards(self, statement):
        if isinstance(statement, gast.For):
            return statement.target.id, tuple(statement.iter.args)
        return original(self, statement)

    original = sweep.Sweep._backwards
    patch(sweep.Sweep, '_backwards', backwards)


def outer_values_in_inner_loops(patch):
    patch(storage, '_renamed', lambda statement, renamed: rename(statement, dict(renamed)))


def arguments_written_into(patch):
    patch(reverse, 'protect_arguments', lambda core: core)


def aliases_cut(patch):
    patch(ownership, '_is_handover', lambda core, found, statement: isinstance(statement, gast.Assign))


def second_contributions_lost(patch):
    original = sweep.Sweep.add
    patch(
        sweep.Sweep,
        'add',
        lambda self, name, value, *rest: (
            None if name in self.live and self.live[name].value != Known(0.0) else original(self, name, value, *rest)
        ),
    )


PLANTED: tuple[Callable, ...] = (
    no_snapshots,
    cotangents_of_overwritten_places_stay,
    swapped_arms,
    carried_values_saved_too_late,
    loops_reversed_without_being_reversed,
    outer_values_in_inner_loops,
    arguments_written_into,
    aliases_cut,
    second_contributions_lost,
)


def found_at(limit: int = ENOUGH) -> tuple[int, str] | None:
    """The first seed whose program is judged wrong."""
    verdicts = ((seed, judge(generate(seed))) for seed in range(limit))
    return next(((seed, str(verdict)) for seed, verdict in verdicts if not verdict.fine), None)


@pytest.mark.parametrize('plant', PLANTED, ids=lambda plant: plant.__name__)
def test_found(plant, monkeypatch):
    plant(monkeypatch.setattr)
    assert found_at() is not None
