"""Forward mode: the tangent sweep."""
