"""Containers: the heap, lists, dicts, and arrays that stand for lists."""
