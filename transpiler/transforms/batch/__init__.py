"""Batching: one example becomes many, along an axis that is mapped."""
