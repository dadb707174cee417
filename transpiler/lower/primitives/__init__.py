"""The compiled forms of primitives, one file per family."""
