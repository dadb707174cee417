"""Analyses: facts about programs, as immutable maps beside them; none changes a program."""
