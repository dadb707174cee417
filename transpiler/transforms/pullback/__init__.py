"""The pullback sweep: cotangents, statements last to first."""
