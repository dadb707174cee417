"""The compositions that are refused, and why; all others are right."""

REFUSED: dict[tuple[str, tuple[str, ...]], str] = {}
