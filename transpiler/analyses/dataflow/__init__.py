"""Dataflow: definitions, liveness, and positions of the statements that read and write names."""
