"""Tests of rules are tests of all rules."""
import tests.all_rules  # noqa: F401
