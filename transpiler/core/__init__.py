"""The core language: its grammar, what checks it, and what builds, reads and prints its nodes."""
