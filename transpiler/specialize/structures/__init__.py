"""Containers of bindings: one class for each kind that a program may have, with what the evaluator asks of it."""
