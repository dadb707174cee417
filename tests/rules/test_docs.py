"""The page on adding a rule does what it says."""
import doctest
from pathlib import Path

from transpiler.rules.registry import PRIMITIVES, RULES

PAGE = Path(__file__).parents[2] / 'docs' / 'adding_a_rule.md'


def test_the_page_runs():
    rules, primitives = dict(RULES), dict(PRIMITIVES)
    try:
        result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS)
    finally:
        for table, before in ((RULES, rules), (PRIMITIVES, primitives)):
            table.clear()
            table.update(before)
    assert result.attempted > 10 and result.failed == 0
