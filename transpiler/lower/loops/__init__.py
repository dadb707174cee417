"""Loop optimizations: hoisting of loads, buffers and divisions, scalar replacement, reversal."""
