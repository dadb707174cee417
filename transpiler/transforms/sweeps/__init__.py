"""What both sweeps have: arithmetic on derivatives, and flags where zeros meet infinite slopes."""
