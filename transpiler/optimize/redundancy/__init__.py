"""Redundancy elimination: value numbering, copies, dead code."""
