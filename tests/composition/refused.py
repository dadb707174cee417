"""The compositions that are refused, and why; all others are right."""

REFUSED: dict[tuple[str, tuple[str, ...]], str] = {
    ('growing', ('vmap', 'vmap', 'grad')): 'a tape is no operand',  # a batch of batches of lists that grow
}
