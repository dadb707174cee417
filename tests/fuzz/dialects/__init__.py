"""Dialects: small grammars for what the large one does not speak, each with the arguments and the questions that suit it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.fuzz.dialects import (
    answers,
    complexes,
    effects,
    flags,
    forms,
    integers,
    objects,
    orders,
    places,
    ragged,
    ranks,
    rotations,
    rounding,
    shared,
    sizes,
    stores,
    unread,
)
from tests.fuzz.dialects.dialogue import Dialogue, Judge, judge_dialogue, questions
from tests.fuzz.oracle import Verdict


@dataclass(frozen=True)
class Dialect:
    """A generator of programs, and what is asked of each."""

    generate: Callable[[int], Dialogue]
    ask: Judge = questions

    def judge(self, dialogue: Dialogue, compiled: bool = False) -> Verdict:
        return judge_dialogue(dialogue, compiled, self.ask)


DIALECTS = {
    'answers': Dialect(answers.generate, answers.ask),
    'complexes': Dialect(complexes.generate, complexes.ask),
    'effects': Dialect(effects.generate, effects.ask),
    'flags': Dialect(flags.generate, flags.ask),
    'forms': Dialect(forms.generate),
    'integers': Dialect(integers.generate),
    'objects': Dialect(objects.generate),
    'orders': Dialect(orders.generate),
    'places': Dialect(places.generate, places.ask),
    'ragged': Dialect(ragged.generate, ragged.ask),
    'ranks': Dialect(ranks.generate),
    'rotations': Dialect(rotations.generate),
    'rounding': Dialect(rounding.generate),
    'shared': Dialect(shared.generate, shared.ask),
    'sizes': Dialect(sizes.generate, sizes.ask),
    'stores': Dialect(stores.generate, stores.ask),
    'unread': Dialect(unread.generate, unread.ask),
}
