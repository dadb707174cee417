"""A test of the small grammars: a bug planted in what each of them is about is found within a few programs."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType

import pytest

import transpiler as tp
from tests.fuzz.dialects import DIALECTS
from transpiler import pipelines
from transpiler.api.calls import transformed
from transpiler.backends import cache, numba_cpu
from transpiler.core import build
from transpiler.lower.context import conversions
from transpiler.lower.context import integer_overflow as integers
from transpiler.lower.context import view_semantics as sharing
from transpiler.lower.context.values import Value
from transpiler.lower.primitives import spaced
from transpiler.normalize import matches
from transpiler.specialize.containers import tapes
from transpiler.specialize.containers.list_arrays import ListArrays
from transpiler.specialize.control.joins import Joins
from transpiler.specialize.domain import optionals as optional
from transpiler.specialize.domain.bindings import Known
from transpiler.specialize.domain.consulted import Consulted
from transpiler.specialize.domain.keys import key_of
from transpiler.specialize.domain.literals import as_kind
from transpiler.specialize.expressions.evaluation import Expressions
from transpiler.specialize.iterables import eager as early
from transpiler.specialize.kinds import mixtures
from transpiler.specialize.kinds.eithers import Answer
from transpiler.transforms import jacobians
from transpiler.transforms.batch import lifting
from transpiler.transforms.batch import operands as batch_operands
from transpiler.transforms.jacobian_basis import Basis
from transpiler.transforms.sweeps import influence_flags as flags
from transpiler.transforms.sweeps.singularities import Singular
from transpiler.values.joining import join_types
from transpiler.values.types import INT

ENOUGH = 1000


def products_and_sums_are_rounded_once(patch):
    patch(tp, 'jit', partial(tp.jit, fastmath=True))


def integers_are_not_looked_at(patch):
    patch(integers, 'is_held', lambda context, operator, operands: True)


def alike(key):
    """A key in which all sizes beyond 1 are the same."""
    return tuple(map(alike, key)) if isinstance(key, tuple) else min(key, 2) if isinstance(key, int) else key


def sizes_that_were_equal_once_always_are(patch):
    patch(transformed, 'key_of', lambda value, met: alike(key_of(value, met)))


def arrays_on_lists_have_one_size(patch):
    patch(ListArrays, 'is_even', lambda self, base: True)


def none_is_there_as_values_are(patch):
    original = optional._as_optional

    def always_there(side, like):
        found = original(side, like)
        return found if side is found else optional.optional(Known(True), found.items[1])
    patch(optional, '_as_optional', always_there)


def names_have_the_memory_they_had_before_the_loop(patch):
    patch(early, 'roots_within', lambda statements, types, *more: {})


def each_example_has_what_they_share(patch):
    patch(pipelines, 'check_changes', lambda core, steps, changes: None)


def imaginary_parts_are_lost(patch):
    original = Basis.__init__
    patch(Basis, '__init__', lambda self, run, values, parted=False: original(self, run, values))


def what_runs_again_prints(patch):
    patch(jacobians, 'without_prints', lambda core: core)


def infinite_slopes_are_not_looked_for(patch):
    patch(flags, 'singular', lambda core: Singular(*[frozenset()] * 4))


def copies_are_taken_for_views(patch):
    patch(sharing, 'undecided', lambda core: ())


def objects_are_what_they_were(patch):
    patch(Consulted, 'ask', lambda self, about, what, again, answer: None)


def numbers_are_stored_as_arrays_are(patch):
    patch(conversions, 'is_asked', lambda of, weak, dtype, alone: False)


def numbers_of_examples_are_stored_as_arrays_are(patch):
    patch(batch_operands, 'is_asked', lambda of, weak, dtype, alone: False)


def lists_hold_numbers_of_one_kind(patch):
    patch(tapes, 'of_items', lambda held, more, separation: join_types(held, more))


def integers_beside_floats_are_floats(patch):
    original = Joins.converted

    def converted(self, binding, variable, *env):
        return as_kind(original(self, binding, variable, *env), variable.type)
    patch(Joins, 'converted', converted)


def other_ranks_are_known_where_one_was_asked_for(patch):
    original = Answer.kinds
    patch(Answer, 'kinds', lambda self, truth: original(self, not truth))


def numba_counts_the_numbers_of_ranges(patch):
    def counted(context, *bounds):
        made = build.call('numpy.arange', *(context.cast(bound, 'float64').node for bound in bounds))
        return Value(build.call('python.len', made), INT)
    patch(spaced, '_length', counted)


def machine_code_is_kept_by_text_alone(patch):
    original = numba_cpu._signed
    patch(numba_cpu, '_signed', lambda text, checked, fastmath: original(text, False, fastmath))


def what_stands_for_no_value_is_a_number_of_pythons(patch):
    patch(Expressions, '_constant', lambda self, frame, node: Known(node.value))


def flags_beside_integers_are_integers(patch):
    patch(mixtures, 'one_of_pythons', lambda kinds: all(kind.weak for kind in kinds.each) and len(
        {'i' if kind.is_whole else kind.dtype.kind for kind in kinds.each}) == 1)


def flags_of_examples_are_counted_as_arrays_are(patch):
    patch(lifting, 'counted', lambda indexes, dtype, given, operands: given)


def names_have_the_values_of_the_last_form(patch):
    patch(matches, '_either', lambda flag, names, others: others)


# the dialect that finds it, whether compiled, and the seed to start from, which is the first that finds it
PLANTED = MappingProxyType({
    products_and_sums_are_rounded_once: ('rounding', True, 1),
    integers_are_not_looked_at: ('integers', True, 8),
    lists_hold_numbers_of_one_kind: ('integers', False, 454),
    integers_beside_floats_are_floats: ('integers', False, 23),
    sizes_that_were_equal_once_always_are: ('sizes', False, 3),
    arrays_on_lists_have_one_size: ('ragged', False, 135),
    none_is_there_as_values_are: ('ragged', False, 0),
    names_have_the_memory_they_had_before_the_loop: ('rotations', False, 15),
    other_ranks_are_known_where_one_was_asked_for: ('ranks', False, 28),
    numba_counts_the_numbers_of_ranges: ('ranks', True, 0),
    machine_code_is_kept_by_text_alone: ('places', True, 4057),
    each_example_has_what_they_share: ('shared', False, 0),
    imaginary_parts_are_lost: ('complexes', False, 0),
    copies_are_taken_for_views: ('orders', True, 0),
    numbers_are_stored_as_arrays_are: ('stores', True, 6),
    numbers_of_examples_are_stored_as_arrays_are: ('stores', False, 27),
    what_runs_again_prints: ('effects', False, 1),
    infinite_slopes_are_not_looked_for: ('unread', False, 0),
    what_stands_for_no_value_is_a_number_of_pythons: ('flags', False, 2),
    flags_beside_integers_are_integers: ('answers', True, 20),
    flags_of_examples_are_counted_as_arrays_are: ('answers', False, 0),
    names_have_the_values_of_the_last_form: ('forms', False, 11),
    objects_are_what_they_were: ('objects', False, 8),
})


@pytest.mark.parametrize('plant', PLANTED, ids=lambda plant: plant.__name__)
def test_found(plant, monkeypatch, tmp_path):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))   # what is planted is in machine code, which others must not find
    plant(monkeypatch.setattr)
    name, compiled, first = PLANTED[plant]
    dialect = DIALECTS[name]
    verdicts = (dialect.judge(dialect.generate(seed), compiled) for seed in range(first, first + ENOUGH))
    assert any(not verdict.fine for verdict in verdicts)
