"""Iterables: ranges, iterators, comprehensions, and reductions over them."""
