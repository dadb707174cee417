"""Expressions: operators, subscripts, comparisons, sizes, and the primitives they become."""
