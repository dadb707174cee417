"""Comparisons with other systems, which the tests do not need: `make oracle`."""
