"""Transformations of core programs: forward and reverse mode, Jacobians, batches, and storage between two sweeps."""
