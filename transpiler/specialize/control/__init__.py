"""Control flow: statements, branches, loops and their fixpoint, joins of paths."""
