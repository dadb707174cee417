"""Names of lists: what a list holds is what it holds in Python, whichever name it is read by, or the program is refused."""

from __future__ import annotations

import pytest

from tests.fuzz.renaming import HEAD, Writer, judge

ENDLESS = ('for q in',)  # a loop over a list that grows in it may never end


def texts(first: int, count: int) -> list[str]:
    made = (Writer(seed).text() for seed in range(first, first + 3 * count))
    return [text for text in made if not any(word in text for word in ENDLESS)][:count]


@pytest.mark.parametrize('text', texts(0, 40), ids=range(40))
def test_random_programs(text):
    verdict = judge(text)
    assert verdict.kind in ('right', 'refused', 'vague'), f'{verdict.detail}\n{text}'


def test_not_all_are_refused():
    kinds = [judge(text).kind for text in texts(1000, 20)]
    assert kinds.count('right') > 2


FOUND = {
    'in_a_loop_over_the_list_that_it_was': """
def program(x, n):
    values = [x[0], x[1]]
    if x[0] > 0:
        values = [x[1], x[0] * 3]
    values.append(1.0)
    s = 0.0
    for v in values:
        values = [2 * w for w in values]
        s += v
    return s + sum(values)
""",
    'in_an_expression_that_has_read_the_list': """
def program(x, n):
    values = list(x)
    s = 0.0
    for k in range(n):
        s += (lambda a, b: a[0] * b[0] * len(a))(values, (values := [v * 2 for v in values] + [1.0]))
    return s + sum(values)
""",
    'the_list_of_the_caller': """
def changed(items, n):
    values = [1.0]
    for k in range(n):
        values = items
        values.append(2.0)
    return sum(values)

def program(x, n):
    mine = [v for v in x]
    return changed(mine, n) * sum(mine)
""",
    'given_away_in_a_container': """
def program(x, n):
    a, b = list(x), [x[0] * 2]
    for k in range(n):
        b, (a, j) = [v * 1.5 for v in b] + [1.0], (b, k)
    return sum(a) * 2 + sum(b) * a[0]
""",
    'another_name_from_before_the_loop': """
def program(x, n):
    kept = [x[0]]
    other = kept
    for k in range(n):
        kept = [v + 1.0 for v in kept] + [x[k]]
        other.append(kept[0])
    return sum(other) * sum(kept)
""",
    'given_back_by_a_loop_without_turns': HEAD + """
def program(x, n):
    a, b = list(x), [x[1], x[2]]
    for k in range(3):
        a = renamed(b, 0.025, n)
        b.append(x[2] * 0.3)
    return sum(a) + 2 * sum(b)
""",
}


@pytest.mark.parametrize('name', FOUND)
def test_what_was_once_wrong(name):
    verdict = judge(FOUND[name])
    assert verdict.kind in ('right', 'refused'), verdict
