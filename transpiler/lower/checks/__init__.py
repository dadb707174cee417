"""Checks that compiled code makes at run time, and those that are proved away."""
