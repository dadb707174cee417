"""Sums, extremes, scans, searches and orders along axes, for compiled code."""
