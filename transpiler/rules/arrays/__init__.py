"""Rules of what makes, joins, selects from and reduces arrays."""
