"""Tests mirror the tree of the packages; `tests/golden` holds reviewed output."""
