"""Algebra: identities of arithmetic, and what folds to constants."""
